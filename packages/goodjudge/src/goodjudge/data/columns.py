"""Which column of a file is what: the names that are known, and what the reader says.

Forms and spreadsheets call one thing by many names. `name_columns` gives what each column means:

    in the file          said by the reader     meaning
    Which story?         item                   item
    Participant                                 rater
    Date sent            ""                     "", left out
    Creativity                                  None, none of ours: perhaps scores (see `forms`)
"""

import difflib

import pandas as pd

from goodjudge.data.names import count_words, list_some, match_names, simplify, tidy_name
from goodjudge.errors import DataError

LEFT_OUT = ""  # what a column is called that shall not be read
OTHERS = "*"  # stands for all columns of numbers that nobody named
BRACKETS = "[]"  # stands for what a form's export has in brackets: Creativity [Story 1]
# our name of a column: what it may be called in a file; what stands behind ; counts only where
# nothing before it is there
NAMES = {
    "item": "item item_id text_id story_id poem_id essay_id document_id doc_id sample_id example_id"
    " text_name story poem essay title text_no story_no; id document sample filename file_name"
    " question_id custom_id task_id key which_story which_text which_poem which_essay uid name",
    "rater": "rater rater_id annotator annotator_id expert worker worker_id participant"
    " participant_id respondent respondent_id coder coder_id reviewer your_name your_code"
    " your_initials prolific_id prolific_pid subject_id user user_id username initials"
    " what_is_your_name what_is_your_code; name full_name code response_id email email_address"
    " e_mail nickname evaluator participant_code",
    "judge": "judge judge_name judge_model model_judge evaluator scorer grader; model rater",
    "score": "score rating verdict grade value label; answer points stars",
    "aspect": "aspect test criterion dimension question scale metric",
    "group": "group plot prompt subject topic task set; prompt_id plot_id topic_id",
    "writer": "writer author system source condition",
    "words": "words word_count length",
    "text": "text content body story_text; story poem essay",
    "repeat": "repeat run replicate epoch",
    "order": "order position",
    "partner": "partner beside reference",
    "status": "status",
    "rank": "rank ranking rang place",
    "item_a": "item_a story_a essay_a poem_a title_a option_a left_text left_story",
    "item_b": "item_b story_b essay_b poem_b title_b option_b right_text right_story",
    "preferred": "preferred preference winner choice which_is_better which_one_is_better"
    " which_text_is_better which_story_is_better which_do_you_prefer preferred_item",
    "writer_a": "writer_a author_a model_a system_a source_a model_1",
    "writer_b": "writer_b author_b model_b system_b source_b model_2",
    "words_a": "words_a length_a",
    "words_b": "words_b length_b",
    "text_a": "text_a response_a output_a answer_a",
    "text_b": "text_b response_b output_b answer_b",
}
OF_JUDGES = ("repeat", "partner", "status")  # mean nothing in people's files
OF_TEXTS = ("group", "writer", "words", "text")  # unless people rated a criterion of that name
OF_PAIRS = [name for name in NAMES if name.endswith(("_a", "_b"))] + ["preferred"]
SPELT = ["item", "rater", "judge", "aspect", "group", "writer"]  # in one spelling everywhere


def check_columns(columns) -> dict[str, str]:
    """Return {a column's name in one spelling: what it means}; {} for None.

    columns: {its name in the file: our name, or "" to leave it out}, or texts such as "Which
    story?=item", as a command line gives them. A word that is none of our names is the name of a
    criterion. Raises DataError for what is no such mapping, and for a misspelt name of ours.

    >>> check_columns(["Which story?=item", "Wit=humour"])
    {'Which story?': 'item', 'Wit': 'humour'}
    """
    example = 'columns={"Which story?": "item"}, or --column "Which story?=item"'
    if not isinstance(columns, dict):
        texts = [columns] if isinstance(columns, str) else columns or []
        columns = {}
        for text in texts:
            name, _, ours = str(text).rpartition("=")
            columns[name] = ours
    given = {}
    for name, ours in columns.items():
        if not name or not isinstance(name, str) or not isinstance(ours, str):
            raise DataError(f"columns: {name!r:.60} and {ours!r:.60}; expected {example}")
        given[tidy_name(name)] = tidy_name(ours)
        near = difflib.get_close_matches(tidy_name(ours), NAMES, n=1, cutoff=0.75)
        if near and ours not in NAMES:
            raise DataError(
                f"columns: {name!r:.60} is called {ours!r}; did you mean {near[0]!r}? Known are "
                f'{", ".join(NAMES)}, "" to leave a column out; any other word is the name of a '
                "criterion"
            )
    return given


def find_columns(given: dict, header: list[str], labels: dict, where: str) -> dict[str, str]:
    """Return what the reader said, {a column of the file: meaning}, where columns may be named
    without regard to capitals and signs, or by their label. Raises DataError for a name that no
    column has, with the one that resembles it most."""
    simple = {simplify(label): name for name, label in labels.items()}
    simple |= {simplify(name): name for name in reversed(header)}
    found = {}
    for name, ours in given.items():
        if name in (OTHERS, BRACKETS):
            continue
        column = name if name in header else simple.get(simplify(name))
        if column is None:
            near = difflib.get_close_matches(name, header, n=1, cutoff=0.5)
            perhaps = f" (perhaps {near[0]!r:.60})" if near else ""
            raise DataError(
                f"{where}: no column {name!r:.60}{perhaps}; found {list_some(header, 30)}"
            )
        found[column] = ours
    return found


def name_columns(cells, given: dict, preset: dict, people: bool, rated=()) -> dict:
    """Return {a column: our name, LEFT_OUT, the name of a criterion, or None for none of ours}.

    given: of `find_columns`, counts first; preset: what an export's importer knows; then our own
    name in the file, then other names that are known. A column without any value means nothing.
    Only scores may be several. people: whether the file holds people's ratings; rated: the criteria
    that people rated, of a judge's file: a column of such a name ("plot") is none of ours.
    """
    meaning = {name: given.get(name, preset.get(name)) for name in cells}
    criteria = match_names(cells, rated)
    words = {
        name: simplify(name) for name in cells if meaning[name] is None and cells[name].ne("").any()
    }
    first = next(iter(cells))
    is_corner = words.get(first) == "column_1" and cells[first].is_unique
    if is_corner and not cells[first].str.isdigit().any():
        words[first] = "item"  # the corner of a table is often left empty
    for tier in (0, 1):
        for ours, known in NAMES.items():
            aliases = known.split("; ")[tier : tier + 1]
            is_idle = people and ours in OF_JUDGES
            if not aliases or is_idle or ours in meaning.values():
                continue
            rank = {alias: place for place, alias in enumerate(aliases[0].split())}
            named = [name for name, word in words.items() if word in rank and not meaning[name]]
            named = [name for name in named if fits(ours, words[name], cells[name])]
            if ours in OF_TEXTS:
                named = [name for name in named if name not in criteria]
            named.sort(key=lambda name: rank[words[name]])
            for name in named if ours == "score" else named[:1]:
                meaning[name] = ours
    return meaning


def fits(ours: str, alias: str, cells: pd.Series) -> bool:
    """Return whether the values of a column can be what its name says: long texts are no names, a
    task's title is no text's, and a column "name" names texts where it comes again."""
    if ours == "item" and alias != "item" and len(cells) > 3 and cells.nunique() == 1:
        return False
    if alias == "name" and ours == "item":
        return cells.duplicated().any()
    if alias in ("story", "poem", "essay", "document", "sample"):
        is_long = cells[cells != ""].head(50).map(count_words).mean() >= 8
        return is_long == (ours == "text")
    return True


def list_columns(meaning: dict, *ours: str | None) -> list[str]:
    """Return the file's names of the columns that mean one of `ours`."""
    return [name for name, mine in meaning.items() if mine in ours]


def list_criteria(meaning: dict) -> dict[str, str]:
    """Return {column: the name of its criterion} of columns that the reader called so."""
    return {name: ours for name, ours in meaning.items() if ours and ours not in NAMES}


def tell_options(options: dict, whose: str = "") -> str:
    """Return how options are given on a command line, and in Python; whose: "judge-" for those of
    a judge's file, as a command that reads both files calls them.

    >>> print(tell_options({"columns": {"turn": "aspect"}}))
    --column "turn=aspect" (in Python: columns={'turn': 'aspect'})
    """
    said, in_python = [], []
    for name, value in options.items():
        flag = {"columns": "column", "labels": "label"}.get(name, name).replace("_", "-")
        flag = f"--{'' if name in ('rescale', 'unmatched') else whose}{flag}"
        in_python.append(f"{name}={value!r}")
        if value is True:
            said.append(flag)
        elif isinstance(value, dict):
            said += [f"{flag} {quote(f'{key}={ours}')}" for key, ours in value.items()]
        elif isinstance(value, tuple):
            said.append(f"{flag}={value[0]:g},{value[1]:g}")
        elif isinstance(value, list):
            said += [f"{flag}={show(one)}" for one in value]
        else:
            said.append(f"{flag} {show(value)}")
    return f"{' '.join(said)} (in Python: {', '.join(in_python)})"


def show(value) -> str:
    """Return a value as it stands on a command line."""
    if isinstance(value, float):
        return f"{value:g}"
    return quote(value) if " " in str(value) else str(value)


def quote(text: str) -> str:
    """Return a text in double quotation marks, as a shell reads it."""
    for sign in '\\"$`':
        text = text.replace(sign, "\\" + sign)
    return f'"{text}"'
