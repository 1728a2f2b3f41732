"""Rate your own stories on six aspects: `python -m helpers.evolvr.rate my-stories.csv` (after `make
evaluator`)."""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from helpers.evolvr import evaluator, hanna, raters, texts, train
from helpers.sources.public import ROOT, DataError, checksum
from helpers.sources.readers import load_stories

SAVED = ROOT / "outputs" / f"evaluator-v{evaluator.VERSION}.npz"
ABOUT = """
Ratings run from 1 to 5. For {covered:.0%} of the stories whose writer and prompt are new to the
evaluator, the mean of three average raters lies within "±" of its rating. Stories that differ by
less may well stand in the other order.

Trained on HANNA: 1,056 English stories of 17 to 880 words on 96 prompts from Reddit, by ten
language models of 2022 and earlier and by people, each rated by three workers of Amazon
Mechanical Turk. It counts words and marks; it does not understand a story, sees no prompt (so
Relevance is a guess from style), and knows no newer writer. Do not grade people with it."""


def train_on_hanna(path=SAVED):
    """Train on all of HANNA, write the evaluator's file and return its path.

    Intervals come from errors on stories whose writer and prompt were both left out.
    """
    sheets, _ = hanna.load_annotations()
    arrays, who, stories = hanna.rating_array(sheets)
    table, prompts, systems = (
        hanna.load_texts(),
        stories["prompt"].to_numpy(),
        stories["system"].to_numpy(),
    )
    features = texts.describe(table["text"])
    target = raters.without_severity(arrays, who).mean(axis=2)
    guessed = evaluator.predict_out_of_fold(
        features, arrays, who, train.folds(prompts, systems, "both", 3), systems
    )
    with threadpool_limits(1):
        weights = evaluator.block_weights(features.columns)
        model = evaluator.KernelRidge(weights).fit(features.to_numpy(float), target.T, systems)
    path.parent.mkdir(parents=True, exist_ok=True)
    evaluator.save(
        path,
        model,
        features,
        target - guessed,
        systems,
        table["text"].str.split().str.len(),
        checksum(hanna.SHEETS),
    )
    return path


def warn(text, row, saved):
    """Return what lies outside the training stories: length, language, features; an empty text if
    nothing does."""
    found, words, (least, most) = [], len(text.split()), saved["words"]
    if not least <= words <= most:
        found.append(f"{words} words, trained on {least} to {most}")
    if texts.english(text) < 0.2:
        found.append("does not read like English prose")
    outside = (row < saved["sorted"][0]) | (row > saved["sorted"][-1])
    if outside.any():
        feature = str(saved["features"][np.argmax(outside)]).partition(": ")[2]
        found.append(
            f"unlike any story of HANNA in {outside.sum()} of {len(row)} features, such as"
            f' "{feature}"'
        )
    return "; ".join(found)


def rate(stories, saved):
    """Return story, aspect, rating, low, high, warning: six rows a story, ratings from 1 to 5.

    stories: table with story and text, as from `readers.load_stories`; saved: from
    `evaluator.load`.
    """
    features = texts.describe(stories["text"])
    if [": ".join(column) for column in features.columns] != list(saved["features"]):
        raise DataError(
            "the evaluator's file was made with other features; run `make evaluator` again"
        )
    with threadpool_limits(1):
        rated = saved["model"].predict(features.to_numpy(float))
    warnings = [
        warn(text, row, saved) for text, row in zip(stories["text"], features.to_numpy(float))
    ]
    scores = {"rating": rated, "low": rated - saved["half"], "high": rated + saved["half"]}
    return pd.DataFrame(
        {
            "story": np.repeat(stories["story"].to_numpy(), len(saved["aspects"])),
            "aspect": np.tile(saved["aspects"], len(stories)),
            **{name: np.clip(values, 1, 5).round(2).ravel() for name, values in scores.items()},
            "warning": np.repeat(warnings, len(saved["aspects"])),
        }
    )


def describe(rated, saved):
    """Return the table of `rate` as text to read: a row a story, HANNA's mean, what each rating may
    be off by; then warnings."""
    wide = rated.set_index(["story", "aspect"])["rating"].unstack("aspect", sort=False)
    below = pd.DataFrame(
        [saved["level"], saved["half"]], ["mean of HANNA", "± of each rating"], wide.columns
    )
    warned = rated[rated["warning"].ne("")].drop_duplicates("story")
    lines = [f"{story}: {warning}" for story, warning in zip(warned["story"], warned["warning"])]
    return "\n".join(
        [pd.concat([wide, below]).rename_axis(columns=None).to_string(float_format="%.1f"), *lines]
    )


def main(arguments=None):
    """Command line: a CSV (columns title, text) or a folder of .txt files; the ratings as a table,
    on request as a CSV file."""
    parser = argparse.ArgumentParser(prog="python -m helpers.evolvr.rate", description=__doc__)
    parser.add_argument(
        "stories",
        nargs="?",
        help="CSV with the columns title and text, a folder of .txt files, or one of these",
    )
    parser.add_argument(
        "--into", type=Path, help="also write a CSV file: story, aspect, rating, low, high, warning"
    )
    parser.add_argument(
        "--train", action="store_true", help="train on HANNA first (`make evaluator`)"
    )
    given = parser.parse_args(arguments)
    try:
        if given.train:
            print(f"evaluator: {train_on_hanna()}", file=sys.stderr)
        if given.stories:
            if not SAVED.exists():
                raise DataError(f"{SAVED.name}: not there yet; run `make evaluator` first")
            saved = evaluator.load(SAVED)
            table = rate(load_stories(given.stories), saved)
            if given.into:
                given.into.parent.mkdir(parents=True, exist_ok=True)
                table.to_csv(given.into, index=False, encoding="utf8")
            print(describe(table, saved) + (f"\nratings: {given.into}" if given.into else ""))
            print(ABOUT.format(covered=float(saved["covered"])), file=sys.stderr)
        elif not given.train:
            parser.error("which stories? name a CSV file or a folder")
    except (DataError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
