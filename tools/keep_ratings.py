"""Write `data/ratings/`: the numbers and labels of the public data sets, without their texts.

Run it as `.venv/bin/python -m tools.keep_ratings` where the public files are at hand (a mirror, the
cache, or a connection). Each file is one tidy table; `data/ratings/README.md` has the columns.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.edits import load as edits
from helpers.evolvr import load as hanna
from helpers.judges.answers import labels
from helpers.judges.ask import ask
from helpers.judges.requests import prompts
from helpers.judges.requests.options import Options
from helpers.measures.words import lexical_statistics
from helpers.refbased import confederacy
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT, read_json
from helpers.ttcw import load as ttcw

FOLDER = ROOT / "data" / "ratings"
DIGITS = 12  # of what is computed here: more would differ between processors
ANSWERS = 3  # a language model's rating in HANNA is the mean of so many


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


def keep_ttcw():
    """Return the tables of *Art or Artifice?*: stories, tests, verdicts, judges' labels."""
    stories = ttcw.load_stories()
    is_text = stories["text"] != ""
    counted = count_words(stories.loc[is_text, "text"])
    links = pd.DataFrame(read_json("ttcw/ttcw_short_stories.json"))["content"]
    filed = np.where(links.str.contains("/personal-history/"), "personal history", "fiction")
    stories["filed as"] = np.where(is_text, "", filed)
    facts = stories[["story", "group", "writer", "title", "filed as"]]
    items = facts.rename(columns={"story": "item"}).join(counted)
    tests = ttcw.load_tests().rename(columns={"test": "aspect", "category": "name"})
    verdicts = ttcw.load_verdicts()
    names = {"story": "item", "expert": "rater", "test": "aspect", "passed": "score"}
    ratings = verdicts[[*names]].rename(columns=names).astype({"score": int})
    return {
        "ttcw-items": items,
        "ttcw-tests": tests[["aspect", "dimension", "name"]],
        "ttcw-ratings": ratings,
        "ttcw-judges": keep_answers(stories),
    }


def keep_answers(stories):
    """Return how the seven recorded judges answered each story and test: judge, item, aspect, label
    (Yes, No, or nothing), status (ok, refused, unparsed, missing)."""
    requests = ttcw.make_requests(stories, ttcw.load_tests(), prompts.load("ttcw-yes-no"))
    parts = []
    for judge in ttcw.JUDGES:
        options = Options(recorded=ttcw.load_recorded(judge))
        answers = ask(requests, f"recorded/{judge}", labels.parse_first_word, options)
        missing = answers["note"].str.startswith("missing")
        part = requests[["story", "test"]].set_axis(["item", "aspect"], axis=1)
        part.insert(0, "judge", judge)
        part["label"] = answers["verdict"]
        part["status"] = answers["status"].mask(missing, "missing")
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def keep_hanna():
    """Return the tables of HANNA: stories, rating sheets, metrics, language models' ratings."""
    sheets = hanna.read_annotations().rename(columns={"story": "item"})
    stories = sheets.drop_duplicates("item", ignore_index=True)
    names = {"item": "item", "prompt": "group", "system": "writer"}
    items = stories[[*names]].rename(columns=names).join(count_words(stories["text"]))
    cells = hanna.read_cells().reset_index(drop=True)
    item = pd.DataFrame({"item": cells.index})
    metrics = [name for name in cells if name.endswith(hanna.REFERENCE_FREE)]
    return {
        "hanna-items": items,
        "hanna-ratings": sheets[["item", "rater", "slot", "seconds", *hanna.ASPECTS]],
        "hanna-metrics": item.join(cells[metrics]),
        "hanna-judges": pd.concat([keep_model(cells, item, judge) for judge in hanna.LLMS]),
    }


def keep_model(cells, item, judge):
    """Return one language model's ratings: item, judge, and "<aspect> <way of asking>", as the sum
    of the three answers whose mean the public file has (short numbers, where means are long)."""
    columns = {}
    for aspect, code in hanna.ASPECTS.items():
        for way in range(1, 5):
            mean = cells[f"{judge} {code} {way}"]
            columns[f"{aspect} {way}"] = (ANSWERS * mean).round(8)
    return item.assign(judge=judge).join(pd.DataFrame(columns))


def keep_confederacy():
    """Return the tables of *A Confederacy of Models*: stories, rubric scores."""
    data = confederacy.load()
    items = data.items.drop(columns="text")
    return {"confederacy-items": items, "confederacy-ratings": data.ratings}


def keep_edits():
    """Return the tables of LAMP and WQRM: texts, ranks as scores, scores of the reward model."""
    tables = {}
    for name in edits.KINDS:
        data = edits.load(name)
        changed = edits.share_changed(data.items).map(round_computed)
        items = data.items.drop(columns="text").assign(changed=changed.to_numpy())
        tables[f"{name.lower()}-items"] = items
        tables[f"{name.lower()}-ratings"] = data.ratings
    tables["wqrm-judges"] = edits.load_reward()
    return tables


def write_table(table):
    """Return a table as CSV text."""
    written = table.copy()
    for column in written.select_dtypes("number"):
        written[column] = written[column].map(write_number)
    return written.to_csv(index=False, lineterminator="\n")


def make_files():
    """Return {name of a file: its text}; FileNotFoundError where a public file is not at hand."""
    tables = keep_ttcw() | keep_hanna() | keep_confederacy() | keep_edits()
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
