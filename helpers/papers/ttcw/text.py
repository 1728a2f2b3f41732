"""*Art or Artifice?*, running text: what the verdicts and other printed numbers say of it."""

from functools import partial

import numpy as np
import pandas as pd

from helpers.measures import intervals
from helpers.sources.published import DATA, Printed, Rounded
from helpers.ttcw import load
from helpers.ttcw.load import load_tests, pass_rates

GUESSES = ["An experienced writer", "An amateur writer", "Written by AI"]  # section 5.2.2
QUESTIONS = ["agreement between experts", "human or machine", "which model"]  # section 1


def counted(verdicts, tests):
    """Return the counts that the released data fix, by name."""
    humans, machines = (
        verdicts[(verdicts["writer"] == "NewYorker") == is_human] for is_human in (True, False)
    )
    stories = load.load_stories().query("writer != 'NewYorker'")
    widest = stories.groupby("group")["words"].agg(np.ptp).max()
    links = pd.DataFrame(load.read_json("ttcw/ttcw_short_stories.json"))["content"]
    links = links[links.str.startswith("http")]
    fiction = ~links.str.contains("/personal-history/")
    pairs = verdicts.groupby("group")["expert"].nunique().sum()
    sizes, answers = tests["dimension"].value_counts(), load.load_recorded("cgpt")
    return {
        "tests": len(tests),
        "mean_length": stories["words"].mean(),
        "widest": widest,
        "half_widest": widest / 2,
        "fiction": fiction.sum(),
        "other_tests": len(tests) - 1,
        "stories_read": answers["story"].nunique(),
        "tests_read": answers["test"].nunique(),
        "dimensions": len(sizes),
        "tests_fluency": sizes["Fluency"],
        "tests_flexibility": sizes["Flexibility"],
        "tests_originality": sizes["Originality"],
        "stories": verdicts["story"].nunique(),
        "human_stories": humans["story"].nunique(),
        "machine_stories": machines["story"].nunique(),
        "writers": verdicts["writer"].nunique(),
        "machine_writers": machines["writer"].nunique(),
        "human_writers": humans.groupby("group")["story"].nunique().mean(),
        "groups": verdicts["group"].nunique(),
        "experts": verdicts["expert"].nunique(),
        "raters": verdicts.groupby(["story", "test"])["expert"].nunique().mean(),
        "assessments": pairs,
        "tasks": pairs / verdicts["expert"].nunique(),
        "verdicts": len(verdicts),
        "lowest_score": verdicts.groupby(["story", "expert"])["passed"].sum().min(),
    }


def claimed(verdicts, kappas, pearson, fewer=None):
    """Return what pass rates and agreement say about the claims of abstract, sections 1 and 5.4;
    fewer: the kappas of 44 stories."""
    overall, rates = 100 * verdicts.groupby("writer")["passed"].mean(), pass_rates(verdicts)
    human, machine = overall["NewYorker"], overall.drop("NewYorker")
    larger = overall[["GPT4", "Claude"]]
    dimension = load_tests().set_index("test")["dimension"]
    by = verdicts.groupby([verdicts["test"].map(dimension), "writer"])["passed"].mean().unstack()
    best = by.drop(columns="NewYorker").idxmax(axis=1)
    summaries = {"mean": pd.Series.mean, "smallest": pd.Series.min, "largest": pd.Series.max}
    of_44 = dict.fromkeys(summaries, "")
    if fewer is not None:
        for name, summary in summaries.items():
            of_44[name] = f"; of 44 stories, without group 2, it is {summary(fewer):.3f}"
    return {
        **{f"{name}_kappa_of_44": words for name, words in of_44.items()},
        "mean_kappa": kappas.mean(),
        "smallest_kappa": kappas.min(),
        "largest_kappa": kappas.max(),
        "correlation": pearson,
        "human_rate": human,
        "gpt35_rate": overall["GPT3.5"],
        "best_machine_rate": machine.max(),
        "gpt4_claude_rates": Rounded(larger.mean(), larger.min(), larger.max()),
        "largest_rate": rates.max().max(),
        "smallest_ratio": (human / machine).min(),
        "largest_ratio": (human / machine).max(),
        "largest_share": (machine / human).max(),
        "smallest_share": (machine / human).min(),
        "best_on_fluency": by.drop(columns="NewYorker").idxmax().eq("Fluency").sum(),
        "led_by_claude": best.drop("Originality").eq("Claude").sum(),
        "led_by_gpt4": best[["Originality"]].eq("GPT4").sum(),
        "tests_led": (rates["NewYorker"] > rates.drop(columns="NewYorker").max(axis=1)).sum(),
        "human_tests": len(rates) * human / 100,
    }


def leads_by_dimension(verdicts, leader="GPT4", rival="Claude"):
    """Return by dimension how much more often one model's stories pass than another's: estimate,
    low, high, n (groups)."""
    dimension = verdicts["test"].map(load_tests().set_index("test")["dimension"])
    rates = verdicts.groupby([dimension, "group", "writer"], sort=False)["passed"].mean().unstack()
    lead = rates[leader] - rates[rival]
    return lead.groupby(level=0, sort=False).apply(intervals.of_mean).unstack()


def text_facts(paper):
    """Return what other printed numbers say about the text (human lengths: refbased_v2)."""
    table9, text = paper.grid("Table 9"), partial(paper.number, "text")
    tests, limit = table9.drop(index="Average"), text("6.1", "correlation that only GPT4 exceeds")
    departments = text("5.3", "participants from university creative writing departments")
    agents = text("5.3", "participants who are literary agents")
    writers = text("5.3", "participants who are professional writers with an MFA")
    recruited, assessed = text("5.3", "participants recruited"), text("5.3", "assessments in total")
    led = text("5.4.3", "assessments not led by the New Yorker story")
    share = ("5.4.3", "share of rankings with the New Yorker story most preferred")
    low, high = paper.bounds("text", *share)
    human = Printed("refbased_v2").grid("Table 3")["New Yorker"]
    table2 = pd.read_csv(DATA / "papers" / "ttcw" / "table2.csv", index_col="test")
    named, quoted = (table2[column].str.split().map(set) for column in table2)
    behind = named.map(len)
    shown = text("5.2.2", "distinct stories in a group")
    return {
        "author_categories": len(GUESSES),
        "questions": len(QUESTIONS),
        "tests_quoted": sum(map(set.issubset, quoted, named)),
        "positive_averages": (table9.loc["Average"] > 0).sum(),
        "fewest_behind": behind.min(),
        "most_behind": behind.max(),
        "payment": text("5.2.2", "payment for a task") / shown,
        "minutes": 60 * text("5.2.2", "designed task duration in hours (lower)") / shown,
        "groups_found": (
            text("4.1", "groups in the Fluency dimension")
            + 3 * text("4.1", "groups in each of Flexibility, Originality and Elaboration")
        ),
        "departments": recruited - agents - writers,
        "agents": recruited - departments - writers,
        "writers_mfa": recruited - departments - agents,
        "share_led": 100 * (1 - led / assessed) if assessed else np.nan,
        "not_led": Rounded(led, assessed * (1 - high / 100), assessed * (1 - low / 100)),
        "gpt4_above": (tests["GPT4"] > limit).sum(),
        "largest_outside_gpt4": tests.drop(columns="GPT4").max().max(),
        "largest_average": table9.loc["Average"].abs().max(),
        "shortest_story": human.min(),
        "longest_story": human.max(),
    }
