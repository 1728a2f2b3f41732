"""A class's own votes about stories of this project: the form, the checked table, its kappa beside
the experts'."""

import numpy as np
import pandas as pd
from goodjudge.stats import intervals

from helpers import agreement, prompts
from helpers.sources import readers
from helpers.sources.files import DataError, refuse
from helpers.sources.public import ROOT

# one plot in three ways; students see the letters
STORIES = {"A": "piano-plain", "B": "piano-told", "C": "piano-careful"}
TEXTS = ROOT / "data" / "stories"
COLUMNS = ["student", "story", "test", "vote"]
TESTS = {9: "free of stock phrases", 12: "unsaid, yet it reaches you", 13: "a world for the senses"}
MEANING = {"yes": True, "y": True, "1": True, "no": False, "n": False, "0": False}


def read_form():
    """Return ({letter: text}, {test: question}): what a class reads, both written
    for this project."""
    questions = prompts.aspects("ttcw")
    texts = {letter: readers.read_text(TEXTS / f"{name}.txt") for letter, name in STORIES.items()}
    return texts, {test: questions[test] for test in TESTS}


def load_votes(path):
    """Return a class's votes: student, story, test, passed (True: yes); `.attrs["empty"]` counts
    the rows without a vote, `.attrs["guesses"]` has {student: guess}.

    path: a CSV with the columns student, story, test, vote (yes or no; empty: no vote) and perhaps
    guess (of the experts' kappa, 0 to 1), or a folder of such files, one per student. Raises
    DataError naming file and row: an unknown story, test or vote, no student, a number that two
    students use (with both files), a guess that is none, too few votes on a question.
    """
    wanted = f"a CSV with the columns {', '.join(COLUMNS)}, or a folder of such files"
    path = readers.resolve(path, wanted)
    files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    if not files:
        raise DataError(f"{path}: no .csv file; expected one per student, like votes-template.csv")
    tables = [readers.read_csv(file, COLUMNS) for file in files]
    for file, table in zip(files, tables):
        if path.is_dir():
            table["where"] = f"{file.name}, " + table["where"]
    table = pd.concat(tables, ignore_index=True)
    for name in COLUMNS:
        table[name] = table[name].str.strip()
    table["vote"] = table["vote"].str.casefold()
    table["guess"] = table.get("guess", pd.Series("", table.index)).fillna("").str.strip()
    guess = pd.to_numeric(table["guess"], errors="coerce")
    tests = list(map(str, TESTS))
    again = table.duplicated(COLUMNS[:3])
    first = table.groupby(COLUMNS[:3])["where"].transform("first")[again]
    taken = f"a number of its own for each student; {[*first, ''][0]} has voted under this one"
    checks = [
        ("student", table["student"] == "", "a number for each student (no names)"),
        ("story", ~table["story"].isin(list(STORIES)), f"one of {', '.join(STORIES)}"),
        ("test", ~table["test"].isin(tests), f"one of {', '.join(tests)}"),
        ("vote", ~table["vote"].isin([*MEANING, ""]), "yes or no, or nothing for no vote"),
        ("student", again, taken),
        ("guess", ~(guess.between(0, 1) | (table["guess"] == "")), "a number from 0 to 1"),
    ]
    refuse(table, path.name, checks)
    table["test"] = table["test"].astype(int)
    guesses = guess.groupby(table["student"], sort=False).first().dropna().to_dict()
    given = table[table["vote"] != ""]
    votes = given.groupby(["story", "test"]).size()
    asked = pd.MultiIndex.from_product([table["story"].unique(), table["test"].unique()])
    votes = votes.reindex(asked, fill_value=0)
    if (votes < 3).any():
        story, test = (votes < 3).idxmax()
        raise DataError(
            f"{path.name}: votes on story {story}, test {test}: {votes[story, test]}; "
            "expected 3 or more, since the interval leaves out one student and agreement takes two"
        )
    given = given[COLUMNS[:3]].assign(passed=given["vote"].map(MEANING).astype(bool))
    given = given.reset_index(drop=True)
    given.attrs |= {"empty": len(table) - len(given), "guesses": guesses}
    return given


def simulate_votes(rng, students=24):
    """Return SIMULATED votes as `load_votes` does: students differ in strictness; a story told
    better passes more often."""
    # stories x tests, logits
    ease = np.array([[-0.2, -0.6, -0.9], [-1.2, -1.8, -1.5], [1.4, 1.2, 1.6]])
    strict = rng.normal(0, 0.7, students)
    yes = rng.random((students, *ease.shape)) < 1 / (1 + np.exp(strict[:, None, None] - ease))
    rows = [
        (f"simulated-{student + 1:02d}", story, test, bool(yes[student, i, j]))
        for student in range(students)
        for i, story in enumerate(STORIES)
        for j, test in enumerate(TESTS)
    ]
    votes = pd.DataFrame(rows, columns=["student", "story", "test", "passed"])
    votes.attrs |= {"empty": 0, "guesses": {}}
    return votes


def count_votes(votes):
    """Return two tables, stories x tests: how many students say yes, and how many voted."""
    grouped = votes.pivot_table(
        index="story", columns="test", values="passed", aggfunc=["sum", "size"]
    )
    return grouped["sum"].astype(int), grouped["size"].astype(int)


def mean_kappa(votes):
    """Return the mean over tests of Fleiss' kappa as estimate, low, high, n: for other students, on
    these very stories and tests.

    The interval leaves out one student after the other (jackknife, Student's t; n: students). nan
    if a class says one and the same.
    """
    wide = votes.assign(passed=votes["passed"].astype(float)).pivot(
        index="student", columns=["test", "story"], values="passed"
    )
    cube = (
        wide.sort_index(axis=1)
        .to_numpy()
        .reshape(len(wide), votes["test"].nunique(), -1)
        .swapaxes(1, 2)
    )

    def statistic(rows):
        kappas = agreement.fleiss_kappa(
            np.nansum(cube[rows], axis=0), (~np.isnan(cube[rows])).sum(axis=0)
        )
        return kappas[~np.isnan(kappas)].mean() if not np.isnan(kappas).all() else np.nan

    found = intervals.over_groups(wide.index, statistic)
    found["high"] = min(
        found["high"], 1.0
    )  # of few students it would reach beyond perfect agreement
    return found


def draw_stories(counts, stories, draws, rng):
    """Return the middle 95 % of mean kappas of the experts on `stories` stories drawn at random:
    estimate (median), low, high, n.

    counts: stories x tests, how many of three experts say Yes. Draws on which every test is
    unanimous are left out.
    """
    places = rng.random((draws, len(counts))).argsort(axis=1, kind="stable") < stories
    kappas = agreement.fleiss_kappa(counts, weights=places.astype(float))
    means = np.nanmean(kappas[~np.isnan(kappas).all(axis=1)], axis=1)
    low, middle, high = np.quantile(means, [0.025, 0.5, 0.975])
    return intervals.row(middle, low, high, stories)
