"""OpenMEVA and StoryER, the other two data sets of *EvolvR*: what can be had there without reading?

    python -m helpers.evolvr.benchmarks

Neither has a licence. So their files are fetched at the commits of data/registry.yaml, and nothing
of them is kept but the numbers that this command computes: data/papers/evolvr/unread.csv.
"""

import sys

import numpy as np
import pandas as pd
from goodjudge.comparison import controls
from goodjudge.comparison.compare import ENDS, PERSON, compare
from goodjudge.data.ratings import Ratings
from goodjudge.errors import DataError
from goodjudge.stats import metrics

from helpers.evolvr import protocol
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT, read_json
from helpers.sources.words import lexical_statistics

FILE = ROOT / "data" / "papers" / "evolvr" / "unread.csv"
SETS = {"wp": "OpenMEVA, WritingPrompts", "roc": "OpenMEVA, ROCStories"}
STORYER = "StoryER, public sample"
UPVOTES = "Reddit's upvotes"
CORRELATIONS = {"Pearson": metrics.pearson, "Spearman": metrics.spearman}
KNOWS = {  # what each row knows of a story that it has not read
    PERSON: "it has read",
    "authorship": "who wrote it, and how people rated the writer's other stories",
    controls.COUNT: "what can be counted: a user could have it",
    controls.LENGTH: "what can be counted: a user could have it",
    UPVOTES: "how many readers liked it, where it was posted",
}
NOBODY = pd.DataFrame(columns=["item", "judge", "score"])
CUTS = (1, 2, 3)  # above which a story may count as good: the paper does not say


def load_openmeva(part, rng):
    """Return a part of OpenMEVA, "wp" or "roc", as `Ratings`: 1,000 stories by five programs.

    items: item, group (prompt, of 200), writer (program), words and ten more counts of
    `words.lexical_statistics`; ratings: item, rater, score (1 to 5). The five scores of a story are
    sorted in the file, so that nobody can be told from anybody else: they are dealt to "lot 1" to
    "lot 5" at random. FileNotFoundError where the file cannot be had.
    """
    items, ratings = [], []
    for number, prompt in enumerate(read_json(f"openmeva/mans_{part}.json").values()):
        group = f"{part}-{number:03d}"
        for writer, story in sorted(prompt["gen"].items()):
            about = {"item": f"{group}-{writer}", "group": group, "writer": writer}
            items.append(about | lexical_statistics(story["text"]))
            for lot, score in enumerate(rng.permutation(story["score"]), 1):
                ratings.append({"item": about["item"], "rater": f"lot {lot}", "score": score})
    return Ratings(pd.DataFrame(items), pd.DataFrame(ratings), "open")


def load_storyer():
    """Return (StoryER's public sample as `Ratings`, upvotes as scores).

    100 stories with one to five rated aspects each, 303 ratings in all. items: item, group (the
    story itself), words and ten more counts; ratings: item, rater ("one"), aspect (its number),
    score (1 to 5); scores: item, judge, score (the logarithm of 1 + Reddit's upvotes).
    FileNotFoundError where the file cannot be had.
    """
    items, ratings, upvotes = [], [], []
    for number, story in enumerate(read_json("storyer/train_rate_reason_data_small.json")):
        name = f"{number:03d}"
        items.append({"item": name, "group": name} | lexical_statistics(story["story"]))
        upvotes.append({"item": name, "judge": UPVOTES, "score": np.log1p(story["score"])})
        for aspect, score, _ in story["comments"]:
            if aspect != -1:  # an empty place
                rated = {"item": name, "rater": "one", "aspect": str(aspect), "score": score}
                ratings.append(rated)
    return Ratings(pd.DataFrame(items), pd.DataFrame(ratings), "open"), pd.DataFrame(upvotes)


def correlate(data, scores, names, target):
    """Return rows who, measure, estimate, low, high, n of the rows `names` of `compare`; target:
    of `compare`; intervals over groups."""
    rows = []
    for measure, function in CORRELATIONS.items():
        found = compare(data, scores, function, target=target, simulate=False)
        for name in names:
            rows.append({"who": name, "measure": measure} | found.loc[name, ENDS].to_dict())
    return rows


def describe_openmeva():
    """Return what needs no reading in OpenMEVA's two parts, and what one person reaches."""
    rows = []
    rng = np.random.default_rng(0)
    unread = ["authorship", controls.COUNT, controls.LENGTH]
    for part, name in SETS.items():
        data = load_openmeva(part, rng)
        found = correlate(data, NOBODY, unread, "all") + correlate(data, NOBODY, [PERSON], "others")
        rows += [{"data": name} | row for row in found]
    return rows


def describe_storyer():
    """Return what upvotes, length and a constant reach in StoryER's public sample."""
    data, upvotes = load_storyer()
    rows = correlate(data, upvotes, [UPVOTES, controls.LENGTH], "all")
    truth = data.ratings.rename(columns={"score": "truth", "item": "group"})
    mean = protocol.measure_five(truth.assign(score=truth["truth"].mean()))
    rows.append({"who": "always the mean", "measure": "MSE"} | mean.loc["MSE"].to_dict())
    for cut in CUTS:
        good = protocol.measure_five(truth.assign(score=5.0), cut).loc["F1"]
        rows.append({"who": "always good", "measure": f"F1 above {cut}"} | good.to_dict())
    return [{"data": STORYER} | row for row in rows]


def tabulate():
    """Return what unread.csv holds: data, who, knows, measure, estimate, low, high, n (prompts; of
    StoryER stories)."""
    table = pd.DataFrame(describe_openmeva() + describe_storyer())
    table[["estimate", "low", "high"]] = table[["estimate", "low", "high"]].astype(float).round(4)
    table["knows"] = table["who"].map(KNOWS).fillna("nothing")
    return table.astype({"n": int})[["data", "who", "knows", "measure", *ENDS]]


def main():
    """Compute and write the table, and print it; return 0, or 1 with the reason."""
    try:
        table = tabulate()
    except (DataError, FileNotFoundError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    replace_file(FILE, table.to_csv(index=False))
    print(table.to_string(index=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
