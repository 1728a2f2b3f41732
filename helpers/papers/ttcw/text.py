"""*Art or Artifice?*, running text: what the verdicts and other printed numbers say of it.

Each function returns {name: fact}, and facts.csv says which phrase states the fact of a name:

    row    column                                           fact
    5.4.1  overall pass rate of New Yorker stories          human_rate
    5.4.1  mean tests passed by a New Yorker story          human_tests

so the rate printed there is checked by `human_rate`, which `from_rates` gives, in per cent.
"""

import numpy as np
import pandas as pd

from helpers.papers.ttcw.tables import OF_44, RUNS
from helpers.sources.kept import read_kept
from helpers.sources.published import Printed, Rounded
from helpers.ttcw import load

GUESSES = ["An experienced writer", "An amateur writer", "Written by AI"]  # section 5.2.2
QUESTIONS = ["agreement between experts", "human or machine", "which model"]  # section 1
HUMAN = "NewYorker"
STRONG = 0.5  # a correlation that is called large (Cohen 1988)


def facts(paper, verdicts, kappas, correlation, fewer=None):
    """Return {name: fact} for the rules of facts.csv.

    kappas: the experts' by test, of 48 stories; fewer: of 44 stories, or None; correlation: of the
    experts' scores.
    """
    known = from_print(paper) | from_table2(paper)
    known |= from_stories() | from_explanations()
    known |= count_verdicts(verdicts) | compare_tests(verdicts)
    known |= from_rates(verdicts) | find_leaders(verdicts)
    known["correlation"] = correlation
    for name, of in {"mean": np.mean, "smallest": np.min, "largest": np.max}.items():
        known[f"{name}_kappa"] = of(kappas)
        known[f"{name}_kappa_of_44"] = "" if fewer is None else OF_44.format(of(fewer))
    return known


def from_print(paper):
    """Return what other printed numbers say about the text: on participants and tasks, on judges
    in Table 9, on the lengths of New Yorker stories in refbased_v2."""
    recruited = paper.stated("recruited")
    departments, agents = paper.stated("departments"), paper.stated("agents")
    writers = paper.stated("writers")
    assessed, not_led = paper.stated("assessments"), paper.stated("not_led")
    low, high = paper.bounds(*paper.cell("share_led"))
    stories = paper.stated("stories_in_a_group")
    kappas = paper.grid("Table 9")
    averages = kappas.loc["Average"]
    kappas = kappas.drop(index="Average")
    lengths = Printed("refbased_v2").grid("Table 3")["New Yorker"]
    return {
        "author_categories": len(GUESSES),
        "questions": len(QUESTIONS),
        "departments": recruited - agents - writers,
        "agents": recruited - departments - writers,
        "writers_mfa": recruited - departments - agents,
        "payment": paper.stated("payment") / stories,
        "minutes": 60 * paper.stated("hours") / stories,
        "groups_found": paper.stated("groups_fluency") + 3 * paper.stated("groups_elsewhere"),
        "share_led": 100 * (1 - not_led / assessed) if assessed else np.nan,
        "not_led": Rounded(not_led, assessed * (1 - high / 100), assessed * (1 - low / 100)),
        "positive_averages": (averages > 0).sum(),
        "largest_average": averages.abs().max(),
        "gpt4_above": (kappas["GPT4"] > paper.stated("only_gpt4_above")).sum(),
        "largest_outside_gpt4": kappas.drop(columns="GPT4").max().max(),
        "shortest_story": lengths.min(),
        "longest_story": lengths.max(),
    }


def from_table2(paper):
    """Return what Table 2 says about the experts behind each test and those that are quoted, and
    how the instructions of Tables 3 and 15 to 27 compare with the text."""
    path = paper.folder / paper.paper / "table2.csv"
    table2 = pd.read_csv(path, index_col="test")
    named = table2["participants"].str.split().map(set)
    quoted = table2["quoted"].str.split().map(set)
    return {
        "tests_quoted": sum(quoted[test] <= named[test] for test in table2.index),
        "fewest_behind": named.map(len).min(),
        "most_behind": named.map(len).max(),
        "questions_kept": (table2["question"] == "same").sum(),  # as in section 4.2
        "verdicts_last": (table2["verdict"] == "last").sum(),  # after the reasons
    }


def from_stories():
    """Return what the released stories, tests and recorded answers fix."""
    stories = load.load_stories()
    machine = stories[stories["writer"] != HUMAN].astype({"words": int})
    by_group = machine.groupby("group")["words"]
    widest = (by_group.max() - by_group.min()).max()
    tests = load.load_tests()
    sizes = tests["dimension"].value_counts()
    answers = load.load_answers("cgpt")
    plots = read_kept("ttcw-plots")
    return {
        "mean_length": machine["words"].mean(),
        "widest": widest,
        "half_widest": widest / 2,
        "fiction": (stories["filed as"] == "fiction").sum(),
        "tests": len(tests),
        "other_tests": len(tests) - 1,
        "dimensions": len(sizes),
        "tests_fluency": sizes["Fluency"],
        "tests_flexibility": sizes["Flexibility"],
        "tests_originality": sizes["Originality"],
        "stories_read": answers["story"].nunique(),
        "tests_read": answers["test"].nunique(),
        "plot_sentences": round_to_ends(plots["sentences"]),
        "plots_of_a_group": round_to_ends(plots["summaries"]),
        "models_of_a_story": round_to_ends(machine.groupby("story")["writer"].nunique()),
    }


def from_explanations():
    """Return what the length of explanations says about section 6.1, and how many answers of its
    three models begin with the verdict."""
    explanations = read_kept("ttcw-explanations")
    typical = explanations.groupby("by")["words"].median()
    judges = [judge.removeprefix("recorded/") for judge in RUNS.values()]
    of_models = typical[judges].map("{:.0f}".format)
    first = explanations.loc[explanations["by"].isin(judges), "verdict first"]
    return {
        "longer_explanations": (typical[judges] > typical["experts"]).sum(),
        "typical_words": f"{', '.join(of_models)} against {typical['experts']:.0f}",
        "verdict_first": int(first.sum()),
        "answers": len(first),
    }


def count_verdicts(verdicts):
    """Return how many stories and writers there are, and how many experts gave how many verdicts;
    an assessment is what one expert says of a group of stories."""
    stories = verdicts.drop_duplicates("story")
    is_human = stories["writer"] == HUMAN
    writers = stories["writer"].nunique()
    experts = verdicts["expert"].nunique()
    assessments = verdicts.groupby("group")["expert"].nunique().sum()
    return {
        "stories": len(stories),
        "human_stories": is_human.sum(),
        "machine_stories": (~is_human).sum(),
        "groups": stories["group"].nunique(),
        "writers": writers,  # a story of each in a group
        "machine_writers": writers - 1,
        "human_writers": stories[is_human].groupby("group").size().mean(),  # in a group
        "experts": experts,
        "raters": verdicts.groupby(["story", "test"])["expert"].nunique().mean(),  # of a story
        "assessments": assessments,
        "tasks": assessments / experts,
        "verdicts": len(verdicts),
        "lowest_score": verdicts.groupby(["story", "expert"])["passed"].sum().min(),
    }


def compare_tests(verdicts):
    """Return what the verdicts say of the overlap of tests that appendix A.2 names: whether the two
    correlate strongly, and how they stand among all pairs."""
    overlap = load.correlate_tests(verdicts)
    machines = load.correlate_tests(verdicts[verdicts["writer"] != HUMAN])
    named = tuple(sorted((load.PACING, load.SCENE)))
    return {
        "strong_pair": int(overlap[named] >= STRONG),
        "pair_r": f"{overlap[named]:.2f}",
        "pair_place": f"{(overlap > overlap[named]).sum() + 1} of {len(overlap)}",
        "pair_place_machines": (machines > machines[named]).sum() + 1,
        "strong_pairs": (overlap >= STRONG).sum(),
    }


def from_rates(verdicts):
    """Return what pass rates, in per cent, say about the claims of abstract and section 5.4."""
    by_writer = 100 * verdicts.groupby("writer")["passed"].mean()
    by_test = load.pass_rates(verdicts)  # tests x writers
    human, machines = by_writer[HUMAN], by_writer.drop(HUMAN)
    best_machine = by_test.drop(columns=HUMAN).max(axis=1)
    return {
        "human_rate": human,
        "human_tests": len(by_test) * human / 100,  # passed by a story, of 14
        "gpt35_rate": by_writer["GPT3.5"],
        "best_machine_rate": machines.max(),
        "gpt4_claude_rates": round_to_ends(by_writer[["GPT4", "Claude"]]),
        "largest_rate": by_test.max().max(),
        "smallest_ratio": (human / machines).min(),
        "largest_ratio": (human / machines).max(),
        "smallest_share": (machines / human).min(),
        "largest_share": (machines / human).max(),
        "tests_led": (by_test[HUMAN] > best_machine).sum(),
    }


def round_to_ends(numbers):
    """Return the mean of some numbers as a Rounded number that may be any of them."""
    return Rounded(numbers.mean(), numbers.min(), numbers.max())


def find_leaders(verdicts):
    """Return which dimensions each model does best on, and which models lead each dimension, as
    section 5.4.1 claims."""
    passed = verdicts.groupby([dimension_of(verdicts), "writer"])["passed"]
    rates = passed.mean().unstack().drop(columns=HUMAN)  # dimensions x models
    best_writer = rates.idxmax(axis=1)
    return {
        "best_on_fluency": (rates.idxmax() == "Fluency").sum(),
        "led_by_claude": (best_writer.drop("Originality") == "Claude").sum(),
        "led_by_gpt4": int(best_writer["Originality"] == "GPT4"),
    }


def dimension_of(verdicts):
    """Return the dimension of each verdict's test, a Series."""
    dimensions = load.load_tests().set_index("test")["dimension"]
    return verdicts["test"].map(dimensions)
