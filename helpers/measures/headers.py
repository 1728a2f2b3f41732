"""Which column of a reader's CSV file is what: the names that we know, what the reader said, and a
question where it is not clear.

Forms and spreadsheets call one thing by many names. `name_columns` gives what each column means
(`meaning`, as the other modules call it):

    in the file          said by the reader     meaning
    Which story?         item                   item
    Participant                                 rater
    Date sent            ""                     "", left out
    Creativity                                  None, none of ours: perhaps scores

Which of the last kind hold scores is decided in `score_columns`. `find_header_faults` tells what
is missing or there twice, and the line that answers it in a terminal.
"""

import json
import shlex

from helpers.sources.files import DataError
from helpers.sources.numerals import NO_NUMBER, read_numbers
from helpers.sources.readers import tidy_name

NAMES = {  # our name of a column: what it may be called in a file, in any case
    "item": "item story text_id poem essay title id item_id story_id text_name",
    "rater": "rater annotator expert worker participant respondent coder worker_id rater_id name"
    " participant_id respondent_id annotator_id coder_id your_name your_code prolific_id",
    "judge": "judge model_judge evaluator scorer model",
    "score": "score rating verdict grade value label answer points",
    "aspect": "aspect test criterion dimension question scale",
    "group": "group plot prompt subject topic task set",
    "writer": "writer author system source condition",
    "words": "words word_count length",
    "text": "text content body",
    "repeat": "repeat run replicate",
    "order": "order position",
    "partner": "partner beside reference",
    "status": "status",
    "rank": "rank ranking rang",
    "item_a": "item_a story_a essay_a poem_a title_a option_a left_text left_story",
    "item_b": "item_b story_b essay_b poem_b title_b option_b right_text right_story",
    "preferred": "preferred preference winner choice which_is_better? which_one_is_better?"
    " which_text_is_better? which_story_is_better? which_do_you_prefer?",
    "preferred_item": "preferred_item",
    "writer_a": "writer_a author_a model_a system_a source_a",
    "writer_b": "writer_b author_b model_b system_b source_b",
    "words_a": "words_a length_a",
    "words_b": "words_b length_b",
    "text_a": "text_a response_a output_a answer_a",
    "text_b": "text_b response_b output_b answer_b",
}
OF_PAIRS = (  # only in a file of pairs do these columns mean anything
    "item_a item_b preferred preferred_item writer_a writer_b words_a words_b text_a text_b".split()
)
OURS = {known: ours for ours, names in NAMES.items() for known in names.split()}
LEFT_OUT = ""  # what a column is called that shall not be read
OTHERS = "*"  # stands for all columns of numbers that nobody named
BRACKETS = "[]"  # stands for what a form's export has in brackets: Creativity [Story 1]
EXAMPLE = '{"Which story?": "item", "Your name": "rater"}'


def check_columns(columns):
    """Return {a column's name in one spelling: ours}; {} for None or "".

    columns: {a column's name in the file: our name of it, or "" to leave it out}; "*" stands for
    all other columns of numbers, "[]" for what stands in brackets (`sheet_forms`). Raises DataError
    for what is no such mapping.
    """
    if columns is None or columns == "":
        return {}
    if not is_mapping_of_texts(columns):
        shown = json.dumps(columns, ensure_ascii=False, default=str)
        raise DataError(f'columns is {shown:.60}; expected {{"its name": "ours"}}, say {EXAMPLE}')
    for name, ours in columns.items():
        if ours not in NAMES and ours != LEFT_OUT:
            known = ", ".join(NAMES)
            advice = f'one of {known}, or "" to leave the column out'
            raise DataError(f"columns: {name!r:.60} is called {ours!r:.60}; expected {advice}")
    return {tidy_name(name): ours for name, ours in columns.items()}


def is_mapping_of_texts(columns):
    """Return whether this is a dict whose keys and values are texts."""
    if not isinstance(columns, dict):
        return False
    return all(isinstance(text, str) for pair in columns.items() for text in pair)


def name_columns(header, columns):
    """Return {a column's name in the file: our name, LEFT_OUT, or None for none of ours}.

    header: the names in the file; columns: of `check_columns`. What `columns` says counts first,
    then our own name in the file, then the other names that we know. Only scores may be several.
    """
    words = {name: simplify(name) for name in header}
    chosen = {columns[name] for name in header if name in columns}
    meaning = {}
    for name in header:
        if name in columns:
            meaning[name] = columns[name]
        else:
            meaning[name] = guess_meaning(words[name], set(words.values()), chosen)
    return meaning


def guess_meaning(word, words, chosen):
    """Return what a column means of which the reader said nothing: our name, LEFT_OUT or None.

    word: its name; words: all names in the file; chosen: our names of the columns that the reader
    named.
    """
    ours = OURS.get(word)
    if ours == "score":
        return LEFT_OUT if "score" in chosen else "score"
    if ours in chosen:
        return None
    if ours in words and word != ours:  # another column has our own name
        return None
    return ours


def simplify(name):
    """Return a column's name in small letters, with _ for blanks."""
    return name.casefold().replace(" ", "_")


def list_columns(meaning, ours):
    """Return the file's names of the columns that mean `ours`; meaning: of `name_columns`."""
    return [theirs for theirs in meaning if meaning[theirs] == ours]


def find_header_faults(cells, meaning, needed, columns, is_wide=False):
    """Return the faults of a header, (0, what is wrong): columns that are needed and not there, and
    several columns for one of ours.

    cells: all cells of the file as texts; meaning: of `name_columns`; needed: our names; columns:
    of `check_columns`; is_wide: whether there may be several columns of scores in any case.
    """
    missing = [name for name in needed if not list_columns(meaning, name)]
    faults = [tell_missing(list(cells), missing)] if missing else []
    faults += tell_doubles(meaning, columns, is_wide)
    return [(0, fault) for fault in faults]


def tell_missing(header, missing):
    """Return that columns are missing, and how to say which they are."""
    if len(missing) == 1:
        wanted = {"its name": missing[0]}
    else:
        wanted = {f"its name {number}": name for number, name in enumerate(missing, 1)}
    what = " and ".join(f"no column {name}" for name in missing)
    in_notebook = json.dumps(wanted)
    in_terminal = tell_terminal(wanted)
    advice = f"rename a column, or say {in_notebook} in columns (in a terminal {in_terminal})"
    expected = "expected one row per score; of pairs item_a, item_b, preferred"
    return f"{what}; found {shorten(header)}; {expected}; {advice}"


def shorten(names):
    """Return names in one line, of many the first ten."""
    more = f", … ({len(names)} in all)" if len(names) > 10 else ""
    return ", ".join(names[:10]) + more


def tell_doubles(meaning, columns, is_wide):
    """Return for each name of ours that several columns mean, that this is not clear; several
    columns of scores are, if the reader named each of them, or the file `is_wide`."""
    faults = []
    for ours in NAMES:
        doubles = list_columns(meaning, ours)
        all_named = is_wide or OTHERS in columns or all(name in columns for name in doubles)
        if len(doubles) < 2 or (ours == "score" and all_named):
            continue
        advice = tell_columns(columns, {doubles[0]: ours}, {doubles[-1]: LEFT_OUT})
        what = f"more than one column {ours}: {', '.join(doubles)}; found {', '.join(meaning)}"
        faults.append(f"{what}; expected one row per score; {advice}")
    return faults


def tell_columns(columns, wanted, left_out):
    """Return the two ways to say which columns are meant; only the first where `left_out` is empty.

    columns: what was said already; wanted, left_out: what to add to it in either way.
    """
    advice = f"say which are meant, {tell_terminal(columns | wanted)}"
    if left_out:
        advice += f", or which to leave out, {tell_terminal(columns | left_out)}"
    return f"{advice} (in a notebook: columns = {{…}})"


def tell_terminal(columns):
    """Return how columns are given in a terminal, quoted for its shell."""
    text = json.dumps(columns, ensure_ascii=False)
    return f"COLUMNS={shlex.quote(text)}"


def is_numeric(texts):
    """Return whether most filled cells of a column are numbers, or Yes and No."""
    filled = texts[texts != ""]
    _, expected = read_numbers(filled)
    return len(filled) > 0 and (expected != NO_NUMBER).mean() > 0.5
