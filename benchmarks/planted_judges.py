"""Planted judges: how often do the verdicts of the judge card say the right thing?

Ten good judges and thirty bad ones are planted into studies, and each is asked about as the card
asks: does it read, is it as good as one more rater, may it replace one (`questions`). What is
right for each was written into `planted_judges.csv` before the first run:

    yes, no     the verdict that is right; undecided is neither right nor wrong
    undecided   the only right one
    not yes     a yes is wrong
    not no      a no is wrong
    either      not known, or too near to call: not counted

The kinds of studies (`STUDIES`):

- *simulated, 240 texts*: 60 prompts, each with a text by four authors, four raters, points 1 to 7,
  a rater's own noise as large as what raters share. Of what they share, 20 % is the author, 15 %
  the length and 65 % what only a reader can know. The
  smallest difference that matters is .1;
- *simulated, 32 texts*: the same with 8 prompts; only wrong answers count, since few can be given;
- *four prompts*: fewer than five groups, where every question about a lead must stay undecided;
- *raters agree well, 240 texts*: a rater's own noise is three tenths of what raters share, so that
  a constant is clearly farther from the raters than they are from each other. Here a judge that is
  as near as a rater must be told that it may replace one (a trial of fifteen such studies, by which
  the rule about constants was chosen, had been seen when this was written);
- *people do not agree*: raters share nothing, so that nobody can be as good as one of them;
- *HANNA, 528 stories*: half of the real prompts, drawn by lot; one of each story's three raters is
  taken out, and what this person said, severity taken off, is what a judge hears. Draws share
  stories, so that the interval over draws is a lower bound of what is uncertain. (In the first run
  severity was left in: a patchwork of strict and lenient raters, which is less good than one
  rater, r .26 to .39 for .36 to .40. The right answers were left as they had been written.)

One rule of the verdicts was added after a whole run had been seen, in which the judge "authorship
and length" had a yes in 27 of 40 studies: a yes also asks for a lead over author and counts taken
together (`measures/joined.py`). The right answers were left.

Run it: python benchmarks/planted_judges.py [STUDIES]. Each study is kept in outputs/local/ as soon
as it is done, and what is there is not run again; results/planted-judges.csv is written at the end.
"""

import sys
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from goodjudge.card import questions, verdicts
from goodjudge.card.shapes import AS_GOOD, BETTER, REPLACE
from goodjudge.card.study import set_up
from goodjudge.data import ratings
from goodjudge.stats import intervals, severity

from helpers.evolvr import load as hanna
from helpers.sources.files import round_number

SEED = 20261124
HERE = Path(__file__).resolve().parent
RIGHT = HERE / "planted_judges.csv"
RESULTS = HERE / "results" / "planted-judges.csv"
KEPT = HERE.parent / "outputs" / "local" / "planted-judges"
QUESTIONS = {BETTER: "reads", AS_GOOD: "person", REPLACE: "replace"}
ANSWERS = ["yes", "no", "undecided"]
LEAKED = ("a person's copy", "made from the ratings")
AS_NEAR = ("points of 1 to 7", "a new rater of the same kind")  # with a rater's noise of .3
WRITERS, RATERS = 4, 4
AUTHOR, LENGTH, QUALITY = 0.20, 0.15, 0.65  # of the variance of what raters share
MOST_WRONG, LEAST_RIGHT = 0.05, 0.80  # the targets


class World(NamedTuple):
    """A study and what a planted judge may know of it.

    data: `Ratings`; heard: what a judge hears of each item, standardised; quality: the part of it
    that cannot be known unread; new: the score of a rater who is not in the data; level: how good
    the item's author is; own: {rater: a score per item}. All arrays: one number per item.
    """

    data: ratings.Ratings
    heard: np.ndarray
    quality: np.ndarray
    new: np.ndarray
    level: np.ndarray
    own: pd.DataFrame


def simulate(rng, prompts=60, shared=1.0, own=1.0):
    """Return a simulated `World`; shared: the standard deviation of what raters share, 0 where they
    have nothing in common, and nothing in common with what a judge hears; own: that of a rater's
    own noise; severity has 0.4 of it."""
    items = prompts * WRITERS
    writer = np.tile(np.arange(WRITERS), prompts)
    level = np.array([-1.342, -0.447, 0.447, 1.342])[writer]  # standard deviation 1
    length = rng.normal(size=items)
    quality = rng.normal(size=items)
    parts = np.sqrt([AUTHOR, LENGTH, QUALITY])[:, None] * np.array([level, length, quality])
    heard = parts.sum(axis=0)
    strict = 0.4 * own * rng.normal(size=RATERS + 1)
    noise = own * rng.normal(size=(items, RATERS + 1))
    said = shared * heard[:, None] + strict + noise
    points = to_points(said).round()
    table = pd.DataFrame(
        {
            "item": np.arange(items),
            "group": np.arange(items) // WRITERS,
            "writer": np.char.mod("author %d", writer),
            "words": (600 + 100 * length).round(),
        }
    )
    by_rater = pd.DataFrame(points[:, :RATERS], columns=[f"R{k}" for k in range(RATERS)])
    rows = by_rater.rename_axis("item").melt(
        ignore_index=False, var_name="rater", value_name="score"
    )
    data = ratings.Ratings(table, rows.reset_index(), "simulated")
    return World(data, heard, quality, points[:, RATERS], level, by_rater)


def draw_hanna(rng):
    """Return a `World` of half of HANNA's prompts, with one rater of each story taken out."""
    whole = ratings.average_aspects(hanna.load())
    alike_in_severity = severity.adjust_raters(whole).ratings["score"].to_numpy()
    whole = whole._replace(ratings=whole.ratings.assign(alike=alike_in_severity))
    prompts = rng.permutation(np.sort(whole.items["group"].unique()))[:48]
    data = ratings.keep(whole, whole.items["group"].isin(prompts))
    lot = pd.Series(rng.random(len(data.ratings)), data.ratings.index)
    is_out = lot == lot.groupby(data.ratings["item"]).transform("max")
    taken_out = data.ratings[is_out].set_index("item")["alike"]
    kept = data.ratings[~is_out].drop(columns="alike")
    data = data._replace(ratings=kept.reset_index(drop=True))
    items = data.items["item"]
    new = taken_out.reindex(items).to_numpy(float)
    level = taken_out.groupby(data.items.set_index("item")["writer"]).mean()
    place = data.ratings.groupby("item").cumcount()
    own = data.ratings.assign(place=place).pivot(index="item", columns="place", values="score")
    heard = standardise(new)
    return World(
        data,
        heard,
        heard,
        new,
        standardise(level.reindex(data.items["writer"]).to_numpy()),
        own.reindex(items).reset_index(drop=True),
    )


def standardise(values):
    """Return values with mean 0 and standard deviation 1."""
    return (values - values.mean()) / values.std()


def to_points(heard):
    """Return what a judge hears as points of 1 to 7, not rounded."""
    return np.clip(4 + 1.1 * heard, 1, 7)


def plant(world, rng):
    """Return {name: one score per item} of the planted judges (those of `planted_judges.csv`)."""
    heard = world.heard
    items = len(heard)
    table = world.data.items
    words = standardise(table["words"].to_numpy(float))
    writer, _ = pd.factorize(table["writer"], sort=True)
    prompt, _ = pd.factorize(table["group"], sort=True)

    def noise(size=items):
        return rng.normal(size=size)

    coin = np.where(rng.random(items) < 0.5, -1.0, 1.0)
    half = rng.permutation(items) % 2 == 0
    tenth = rng.permutation(items) % 10 == 0
    fifth = rng.permutation(items) % 5 == 0
    twentieth = rng.permutation(items) % 20 == 0
    place = np.argsort(np.argsort(heard, kind="stable"), kind="stable") / items
    of_author = swap_within(heard, writer, rng)
    return {
        "hears all that raters share": to_points(heard),
        "hears through noise of .5": to_points(heard + 0.5 * noise()),
        "hears through noise of .75": to_points(heard + 0.75 * noise()),
        "on a scale of 0 to 100": np.clip(50 + 15 * (heard + 0.5 * noise()), 0, 100).round(),
        "points of 1 to 7": to_points(heard + 0.3 * noise()).round(),
        "three grades": np.digitize(heard, [-0.5, 0.5]) * 2.0 + 2,
        "mean of three noisy answers": to_points(heard + noise((3, items)).mean(axis=0)),
        "quality without author and length": to_points(world.quality),
        "stretched: a curve instead of a line": np.exp(0.5 * heard + 0.15 * noise()),
        "a new rater of the same kind": world.new,
        "constant": np.full(items, 5.0),
        "constant but for one text in twenty": np.where(twentieth, 3.0, 5.0),
        "coin": np.where(coin > 0, 5.0, 3.0),
        "noise": to_points(noise()),
        "length": to_points(words),
        "length in three steps": np.digitize(words, [-0.5, 0.5]) * 2.0 + 2,
        "the shorter the better": to_points(-words),
        "length with noise": to_points((words + noise()) / np.sqrt(2)),
        "authorship": to_points(world.level),
        "authorship with noise": to_points((world.level + noise()) / np.sqrt(2)),
        "authorship and length": to_points((world.level + words) / np.sqrt(2)),
        "one favourite author": to_points(3.0 * (writer == rng.integers(writer.max() + 1)) - 1),
        "a number for each prompt": to_points(noise(prompt.max() + 1)[prompt]),
        "the order of the file": 1 + 6 * np.arange(items) / items,
        "reversed scale": to_points(-heard),
        "reversed for half of the texts": to_points(np.where(half, heard, -heard)),
        "drifting": 4 + heard + 6 * np.arange(items) / items - 3,
        "coin on half": to_points(np.where(half, heard, coin)),
        "coin on nine in ten": to_points(np.where(tenth, heard, coin)),
        "hears one author only": to_points(
            np.where(writer == 0, heard - heard[writer == 0].mean(), 0)
        ),
        "hears through noise of 2": to_points((heard + 2 * noise()) / np.sqrt(5)),
        "hears through noise of 3": to_points((heard + 3 * noise()) / np.sqrt(10)),
        "sees the worst three of a hundred": np.where(place < 0.03, 1.0, 7.0),
        "sees the worst one of a hundred": np.where(place < 0.01, 1.0, 7.0),
        "a file shifted by one row": to_points(np.roll(heard, 1)),
        "memory of a fifth": to_points(np.where(fifth, heard, noise())),
        "another text by the author": to_points(of_author),
        "severe by two points": np.clip(to_points(heard + 0.3 * noise()) - 2, 1, 7),
        "a person's copy": world.own.iloc[:, 0].to_numpy(float),
        "made from the ratings": world.own.mean(axis=1).to_numpy(float),
    }


def swap_within(values, kinds, rng):
    """Return the values, each moved to another item of its kind, by lot."""
    moved = values.copy()
    for kind in np.unique(kinds):
        rows = rng.permutation(np.flatnonzero(kinds == kind))
        moved[rows] = values[np.roll(rows, 1)]
    return moved


class Kind(NamedTuple):
    """A kind of studies. draw: rng -> `World`; studies: how many; right: (row of the table of right
    answers, question) -> the right answer."""

    draw: object
    studies: int
    right: object


def right_as_written(row, question):
    """Return what is right for a judge as it is written in the table."""
    return row[question]


def only_not_wrong(row, question):
    """Return what is wrong in a small study, where most verdicts must stay open."""
    return {"yes": "not no", "no": "not yes"}.get(row[question], row[question])


def right_of_few_groups(row, question):
    """Return that every question about a lead stays open with fewer than five groups; a judge that
    says the same of everything follows nobody at any size."""
    is_open = question != "replace" and row.name != "constant"
    return "undecided" if is_open else "either"


def right_without_agreement(row, question):
    """Return that nobody can be as good as raters who share nothing, nor read what is not there;
    what was made of the ratings follows them all the same."""
    if question == "reads":
        return "either" if row.name in LEAKED else "not yes"
    return "either" if row.name == "constant" else "undecided"


def right_where_raters_agree(row, question):
    """Return what is right where a rater's own noise is .3: two judges are as near as a rater by
    construction; of other good ones it depends on their noise, and of a severe one on how often it
    has no lower point to give. Bad ones are what they were."""
    if row.name in AS_NEAR:
        return "yes"
    is_open = row["kind"] == "good" or row.name == "severe by two points"
    return "either" if is_open and question != "reads" else row[question]


def right_in_hanna(row, question):
    """Return what is right in HANNA; whether a judge may replace a rater is known of none."""
    return row.get(f"{question} in HANNA", "either")


STUDIES = {
    "simulated, 240 texts": Kind(simulate, 40, right_as_written),
    "simulated, 32 texts": Kind(lambda rng: simulate(rng, 8), 40, only_not_wrong),
    "raters agree well, 240 texts": Kind(
        lambda rng: simulate(rng, own=0.3), 20, right_where_raters_agree
    ),
    "four prompts": Kind(lambda rng: simulate(rng, 4), 20, right_of_few_groups),
    "people do not agree": Kind(lambda rng: simulate(rng, 30, 0.0), 20, right_without_agreement),
    "HANNA, 528 stories": Kind(draw_hanna, 12, right_in_hanna),
}


def judge_study(kind, name, number):
    """Return the verdicts on all planted judges in one study: judge, question, verdict.

    All judges are compared at once, since they share the controls; then each is taken alone, as the
    card would have it. Two of them, length and authorship, have the name of a control, so that all
    are given another while they are compared.
    """
    rng = np.random.default_rng([SEED, zlib.crc32(name.encode()), number])
    world = kind.draw(rng)
    items = world.data.items["item"].to_numpy()
    planted = {f"planted {judge}": score for judge, score in plant(world, rng).items()}
    scores = pd.concat(
        pd.DataFrame({"item": items, "judge": judge, "score": score})
        for judge, score in planted.items()
    )
    whole = set_up(world.data, scores, seed=number)
    found = whole.compare(together=False)
    smallest, _ = verdicts.SMALLEST[whole.measure]
    rows = []
    for judge in planted:
        alone = found.drop(index=[other for other in planted if other != judge])
        study = set_up(world.data, scores[scores["judge"] == judge], seed=number)
        given, _ = questions.give_verdicts(study, alone, judge, smallest, ways=False)
        for one in given:
            rows.append((judge.removeprefix("planted "), QUESTIONS[one.question], one.answer))
    return pd.DataFrame(rows, columns=["judge", "question", "verdict"])


def run_all(studies, kept):
    """Return the verdicts of all studies: study, number, judge, question, verdict; studies: {name:
    `Kind`}; kept: the folder in which each study lies once it is done."""
    kept.mkdir(parents=True, exist_ok=True)
    tables = []
    for name, kind in studies.items():
        for number in range(kind.studies):
            path = kept / f"{name.replace(', ', '-').replace(' ', '-')}-{number}.csv"
            if not path.exists():
                part = path.with_suffix(".part")
                judge_study(kind, name, number).to_csv(part, index=False)
                part.rename(path)
            tables.append(pd.read_csv(path).assign(study=name, number=number))
    return pd.concat(tables, ignore_index=True)


def add_right(table, studies):
    """Return the verdicts with the kind of judge (good, bad) and the right answer."""
    right = pd.read_csv(RIGHT, index_col="judge")
    answers = []
    for study, judge, question in zip(table["study"], table["judge"], table["question"]):
        answers.append(studies[study].right(right.loc[judge], question))
    return table.assign(kind=table["judge"].map(right["kind"]), right=answers)


def rate(table):
    """Return the results: a line for each study, question and target, then one for each judge.

    Shares are over studies (Student's t over the share of each study); of one judge Wilson's.
    """
    lines = []
    for (study, question), rows in table.groupby(["study", "question"], sort=False):
        for what, asked, hit in list_shares(rows):
            if asked.any():
                of_study = hit[asked].groupby(rows["number"][asked]).mean()
                share = average_studies(of_study.to_numpy())
                none = [np.nan] * len(ANSWERS)
                lines.append((study, "all", what, question, *share[:3], len(of_study), *none))
    for (study, question, judge), rows in table.groupby(["study", "question", "judge"], sort=False):
        right = rows["right"].iloc[0]
        is_right = rows["verdict"] == right
        if right in ("not yes", "not no"):
            is_right = rows["verdict"] != right.removeprefix("not ")
        if right != "either":
            share = intervals.of_share(is_right.sum(), len(rows))
            counts = [(rows["verdict"] == verdict).sum() for verdict in ANSWERS]
            lines.append((study, judge, f"right: {right}", question, *share, *counts))
    columns = ["study", "judge", "what", "question", "share", "low", "high", "studies", *ANSWERS]
    results = pd.DataFrame(lines, columns=columns)
    for name in ("share", "low", "high"):
        results[name] = results[name].map(round_number).round(3)
    for name in ("studies", *ANSWERS):
        results[name] = results[name].astype("Int64")
    return results


def average_studies(shares):
    """Return estimate, low, high, n of the mean of one share per study, by Student's t; where all
    are 0, or all 1, Wilson's interval of so many studies, for a spread of 0 would promise too
    much."""
    if np.ptp(shares) == 0 and shares[0] in (0, 1):
        return intervals.of_share(shares.sum(), len(shares))
    row = intervals.of_mean(shares)
    ends = ["estimate", "low", "high"]
    row[ends] = row[ends].clip(0, 1)
    return row


def list_shares(rows):
    """Return (what, which verdicts are asked, which of them are so) for the targets: a wrong yes, a
    wrong no, a right yes of good judges, a right no of bad ones, undecided where it must be."""
    right, verdict = rows["right"], rows["verdict"]
    no_yes = right.isin(["no", "not yes", "undecided"])
    no_no = right.isin(["yes", "not no", "undecided"])
    is_good = rows["kind"] == "good"
    is_made = rows["judge"].isin(LEAKED)
    return [
        ("wrong yes", no_yes, verdict == "yes"),
        ("wrong yes, of judges not made from the ratings", no_yes & ~is_made, verdict == "yes"),
        ("wrong no", no_no, verdict == "no"),
        ("right yes of good judges", (right == "yes") & is_good, verdict == "yes"),
        ("right no of bad judges", (right == "no") & ~is_good, verdict == "no"),
        ("undecided where it must be", right == "undecided", verdict == "undecided"),
    ]


def main(many=None):
    studies = STUDIES
    if many:
        studies = {name: kind._replace(studies=many) for name, kind in STUDIES.items()}
    table = add_right(run_all(studies, KEPT), studies)
    results = rate(table)
    RESULTS.parent.mkdir(exist_ok=True)
    results.to_csv(RESULTS, index=False, lineterminator="\n")
    print(results[results["judge"] == "all"].drop(columns=ANSWERS).to_string(index=False))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else None)
