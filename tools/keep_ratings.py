"""Write `data/ratings/`: the numbers and labels of the public data sets, without their texts.

Run it as `.venv/bin/python -m tools.keep_ratings` where the public files are at hand (a mirror, the
cache, or a connection). Each file is one tidy table; `data/ratings/README.md` has the columns.
"""

import argparse
from difflib import SequenceMatcher
from pathlib import Path

import pandas as pd
from goodjudge.ask.asking import ask
from goodjudge.ask.options import Options

from helpers.edits import load as edits
from helpers.evolvr import load as hanna
from helpers.poetry import load as poetry
from helpers.poetry import titles, votes
from helpers.refbased import confederacy
from helpers.sources.files import replace_file
from helpers.sources.kept import FOLDER
from helpers.sources.words import SENTENCE_END, leave_empty_out, lexical_statistics
from helpers.ttcw import ask as ttcw_ask
from helpers.ttcw import explanations
from helpers.ttcw import load as ttcw
from tools import public_numbers as public

# not made here: an extract copied by hand, and labels of a reading; their card says of what
COPIED = ["agc-bench-ttcw.csv", "ttcw-readings.csv"]
DIGITS = 12  # of what is computed here: more would differ between processors


def write_number(number):
    """Return a number as it is written: whole numbers without a point, '' for a missing one."""
    if pd.isna(number):
        return ""
    if float(number).is_integer():
        return str(int(number))
    return repr(float(number))


def round_computed(number):
    """Return a computed number with as many digits as all processors share."""
    return float(f"{number:.{DIGITS}g}")


def count_words(texts):
    """Return what can be counted in each of some texts (a Series): words, split at white space, and
    ten statistics of `words.lexical_statistics`."""
    counted = pd.DataFrame([lexical_statistics(text) for text in texts], index=texts.index)
    counted = counted.map(round_computed)
    counted["words"] = texts.str.split().str.len()
    return counted


def share_changed(items):
    """Return 1 less the share of words, in order, that a text shares with its draft, by item."""
    drafts = items[items["kind"] == "draft"].set_index("group")["text"]
    changed = {}
    for item in items.itertuples():
        before, after = drafts[item.group].split(), item.text.split()
        matcher = SequenceMatcher(None, before, after, autojunk=False)
        changed[item.item] = 1 - matcher.ratio()
    return pd.Series(changed)


def keep_ttcw():
    """Return the tables of *Art or Artifice?*: stories, plots, tests, verdicts, judges' labels, and
    what can be counted in explanations."""
    stories, tests = public.read_ttcw_stories(), public.read_ttcw_tests()
    texts = ttcw.load_texts()
    return {
        "ttcw-items": stories.join(count_words(texts), on="item"),
        "ttcw-plots": keep_plots(),
        "ttcw-tests": tests,
        "ttcw-ratings": public.read_ttcw_verdicts(),
        "ttcw-judges": keep_answers(stories["item"], texts),
        "ttcw-explanations": keep_explanations(),
    }


def keep_plots():
    """Return of each group of stories how many different plot summaries its four stories have, and
    how many sentences the first of them: group, summaries, sentences."""
    plots = public.read_ttcw_plots()
    table = plots.groupby("group")["plot"].agg(summaries="nunique", sentences="first")
    sentences = table["sentences"].map(lambda plot: len(leave_empty_out(SENTENCE_END.split(plot))))
    return table.assign(sentences=sentences).reset_index()


def keep_explanations():
    """Return what can be counted in explanations, the experts' and each recorded judge's: by
    (experts or the judge), item, rater (nan for a judge), aspect, words (split at white space),
    theme (of `explanations.find_theme`), verdict first (1 where a judge's text begins with Yes or
    No; unknown for experts, whose verdicts stand apart)."""
    experts = public.read_ttcw_verdicts().assign(by="experts", text=ttcw.load_rationales())
    parts = [experts]
    for judge in ttcw.JUDGES:
        answers = public.read_ttcw_answers(judge).assign(by=judge)
        first = answers["text"].str.match(r"\W*(yes|no)\b", case=False)
        parts.append(answers.assign(**{"verdict first": first.astype(int)}))
    table = pd.concat(parts, ignore_index=True)
    table["words"] = table["text"].str.split().str.len()
    table["theme"] = table["text"].map(explanations.find_theme)
    return table[["by", "item", "rater", "aspect", "words", "theme", "verdict first"]]


def keep_answers(stories, texts):
    """Return how the seven recorded judges answered each story and test: judge, item, aspect, label
    (Yes, No, or nothing), status (ok, refused, unparsed, missing)."""
    tests, _ = ttcw.load_wording()
    known = pd.DataFrame({"story": stories, "group": "", "writer": ""})
    known["text"] = stories.map(texts).fillna("")
    requests = ttcw_ask.requests(known, tests)
    parts = []
    for judge in ttcw.JUDGES:
        options = Options(recorded=public.read_ttcw_answers(judge))
        answers = ask(requests, f"recorded/{judge}", ttcw_ask.FIRST_WORD, options)
        missing = answers["note"].str.startswith("missing")
        part = requests[["item", "aspect"]].copy()
        part.insert(0, "judge", judge)
        part["label"] = answers["verdict"]
        part["status"] = answers["status"].mask(missing, "missing")
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def keep_hanna():
    """Return the tables of HANNA: stories, their lengths in characters, rating sheets, metrics,
    language models' ratings."""
    sheets = public.read_hanna_sheets()
    stories = sheets.drop_duplicates("item", ignore_index=True)[["item", "group", "writer"]]
    texts = hanna.load_texts()["text"]
    counted = count_words(texts)
    cells = public.read_hanna_cells().reset_index(drop=True)
    item = stories[["item"]]
    metrics = [name for name in cells if name.endswith(public.REFERENCE_FREE)]
    return {
        "hanna-items": stories.join(counted),
        "hanna-characters": item.assign(characters=texts.str.len()),
        "hanna-ratings": sheets.drop(columns=["group", "writer"]),
        "hanna-metrics": item.join(cells[metrics]),
        "hanna-judges": pd.concat([keep_model(cells, item, judge) for judge in hanna.LLMS]),
    }


def keep_model(cells, item, judge):
    """Return one language model's ratings: item, judge, and "<aspect> <way of asking>", as the sum
    of the three answers whose mean the public file has (short numbers, where means are long)."""
    columns = {}
    for aspect, code in hanna.ASPECTS.items():
        for way in hanna.WAYS:
            mean = cells[f"{judge} {code} {way}"]
            columns[f"{aspect} {way}"] = (hanna.ANSWERS * mean).round(8)
    return item.assign(judge=judge).join(pd.DataFrame(columns))


def keep_confederacy():
    """Return the tables of *A Confederacy of Models*: stories, rubric scores."""
    scores = public.read_confederacy()
    items = scores[["item", "group", "writer"]].drop_duplicates()
    items = items.sort_values(["group", "writer"], ignore_index=True)
    items["words"] = confederacy.read_texts(items).str.split().str.len().to_numpy()
    ratings = scores[["item", "rater", "aspect", "score"]]
    return {"confederacy-items": items, "confederacy-ratings": ratings}


def keep_edits():
    """Return the tables of LAMP and WQRM: texts, ranks as scores, scores of the reward model."""
    return {
        "lamp-items": keep_texts("LAMP"),
        "lamp-ratings": public.read_lamp_ranks(),
        "wqrm-items": keep_texts("WQRM"),
        "wqrm-ratings": public.read_wqrm_ranks(),
        "wqrm-judges": public.read_wqrm_reward(),
    }


def keep_texts(part):
    """Return what is known of the texts of "LAMP" or "WQRM": item, group, writer, kind, words,
    changed."""
    items = edits.load_texts(part)
    changed = share_changed(items).map(round_computed)
    words = items["text"].str.split().str.len()
    return items.drop(columns="text").assign(words=words, changed=changed.to_numpy())


def keep_copoet():
    """Return the tables of CoPoet: poems, votes as scores."""
    poems = votes.load_texts()
    counted = poetry.count(poems).map(round_computed)
    items = poems[["item", "group", "writer"]].join(counted)
    return {"copoet-items": items, "copoet-ratings": public.read_copoet_votes()}


def keep_pron():
    """Return the tables of *Pron vs Prompt*: titles, synopses, experts' sheets."""
    texts = titles.load_texts()
    title = texts.drop_duplicates("group").set_index("group")["title"]
    named = public.read_pron_titles()
    of_item = named["item"].map(title)
    named = named.assign(words=of_item.str.split().str.len(), letters=of_item.str.len())
    return {
        "pron-titles": named,
        "pron-items": texts[["item", "group", "writer"]].join(count_words(texts["text"])),
        "pron-ratings": public.read_pron_sheets(),
    }


def write_table(table):
    """Return a table as CSV text."""
    written = table.copy()
    for column in written.select_dtypes("number"):
        written[column] = written[column].map(write_number)
    return written.to_csv(index=False, lineterminator="\n")


def make_files():
    """Return {name of a file: its text}; FileNotFoundError where a public file is not at hand."""
    tables = keep_ttcw() | keep_hanna() | keep_confederacy() | keep_edits()
    tables |= keep_copoet() | keep_pron()
    return {f"{name}.csv": write_table(table) for name, table in tables.items()}


def main():
    """Write all files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=FOLDER, help="another folder")
    into = parser.parse_args().into
    for name, text in make_files().items():
        replace_file(into / name, text)
        print(f"{name}: {text.count(chr(10)) - 1:,} lines, {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main()
