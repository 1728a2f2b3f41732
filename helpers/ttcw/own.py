"""What a judge of the tests answered about a reader's own texts."""

import numpy as np
import pandas as pd
from goodjudge.comparison import compare
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics

from helpers import results
from helpers.sources.names import display_name
from helpers.ttcw import ask, figures

NO_EXPERTS = (
    "No expert judged these texts: this run cannot say whether the judge is right about them, nor "
    "whether it adds anything to a guess that reads nothing."
)

NEARLY_ALWAYS = 0.4  # from one half: more than 90 % of answers are the same


def describe_own(answers, tests, stories):
    """Return `results.Own` of a reader's texts: each verdict, how easily the judge says Yes, text
    by text and test by test, what goes with length, and what it cost.

    answers: of `ask.judge_own`; tests: test, category; stories: story, words.
    """
    judge = answers["judge"].iloc[0]
    names = tests.set_index("test")["category"]
    table = list_verdicts(answers, names)
    scores = list_scores(answers, names, stories)
    sentences = [
        tell_answers(table, judge),
        tell_share(scores),
        tell_length(scores),
        tell_repeats(answers),
        tell_cost(answers, judge),
        NO_EXPERTS,
    ]
    tables = [
        count_statuses(answers),
        count_yes(scores, "item", "text"),
        count_yes(scores, "test", "test"),
        sum_cost(answers),
    ]
    yes = scores["score"].sum()
    title = f"{yes:.0f} of {len(scores)} answers by {display_name(judge)} are Yes"
    return results.Own(
        table,
        row="story and test",
        sentences=[sentence for sentence in sentences if sentence],
        figure=figures.own_grid(table, title),
        label=f"A square for each text and test: {title}.",
        tables=[(shown, {}) for shown in tables if len(shown)],
    )


def list_scores(answers, names, stories):
    """Return `ask.score` with each test's name and each text's words. names: by test; stories:
    story, words."""
    words = stories.set_index("story")["words"]
    scores = ask.score(answers)
    return scores.assign(test=scores["aspect"].map(names), words=scores["item"].map(words))


def list_verdicts(answers, names):
    """Return a row per story, test and repeat: story, test (by name), repeat, verdict, status,
    usd."""
    table = answers.rename(columns={"item": "story", "aspect": "test"})
    table["test"] = table["test"].map(names)
    return table[["story", "test", "repeat", "verdict", "status", "usd"]]


def tell_answers(table, judge):
    """Return the sentence on how many answers have a verdict, and how many of these are Yes."""
    verdicts = table.loc[table["status"] == "ok", "verdict"]
    return (
        f"{table['story'].nunique()} stories × {table['test'].nunique()} tests, judge {judge}: "
        f"{len(verdicts)} of {len(table)} answers have a verdict, "
        f"{100 * verdicts.eq('Yes').mean():.0f} % of them Yes. An answer that is refused or cannot "
        "be read is neither Yes nor No."
    )


def tell_share(scores):
    """Return the sentence on how easily a judge says Yes, with the interval over texts."""
    values = scores["score"].to_numpy(float)
    share = intervals.over_groups(scores["item"], lambda rows: values[rows].mean())
    sentence = f"From text to text the share of Yes is {results.format_interval(share)}."
    if share["n"] < compare.ENOUGH:
        sentence = f"Fewer than {compare.ENOUGH} texts give the share of Yes no interval."
    if abs(share["estimate"] - 0.5) > NEARLY_ALWAYS:
        sentence += " Nearly every text gets the same answer, so an answer tells little about a"
        sentence += " text."
    return sentence


def tell_length(scores):
    """Return the sentence on whether longer texts get more Yes."""
    by_text = scores.groupby("item")[["score", "words"]].mean().dropna()
    if len(by_text) < compare.ENOUGH:
        return "These are too few texts to say whether longer ones get more Yes."
    score, words = by_text.to_numpy(float).T

    def follow(rows):
        return statistics.pearson(score[rows], words[rows], np.zeros(len(rows), int))

    r = intervals.over_groups(by_text.index, follow, scale="correlation")
    if np.isnan(r["low"]):
        return "The texts do not differ enough to say whether longer ones get more Yes."
    effect = "neither clearly more nor less"
    if r["low"] > 0:
        effect = "more"
    elif r["high"] < 0:
        effect = "less"
    return (
        f"It says Yes {effect} often to longer texts (r = {results.format_interval(r)}, "
        f"{len(by_text)} texts)."
    )


def tell_repeats(answers):
    """Return the sentence on how often a judge says the same again; '' if it was asked once."""
    read = answers[answers["status"] == "ok"].groupby(["item", "aspect"])["yes"]
    different = read.nunique()[read.size() > 1]
    if different.empty:
        return ""
    same = 100 * (different == 1).mean()
    return f"Asked again, it says the same in {same:.0f} % of {len(different)} cases."


def tell_cost(answers, judge):
    """Return the sentence on what the answers cost."""
    if judge.startswith("simulated/"):
        return "A simulated judge costs nothing."
    if judge.startswith("local/") and not answers["usd"].sum():
        return "No price is known: nothing on a machine of yours, as billed on a server of others."
    return f"The answers cost {answers['usd'].sum():.2f} USD when they were first asked for."


def count_statuses(answers):
    """Return the number of answers by what became of them: Yes or No, refused …"""
    counts = answers["status"].map(ask.STATUSES).value_counts()
    counts = counts.reindex(list(ask.STATUSES.values()), fill_value=0)
    counts = counts[counts > 0].rename("answers")
    return counts.rename_axis("what became of the answers").to_frame()


def count_yes(scores, column, label):
    """Return by text or test the number of verdicts and the per cent of Yes, most first."""
    groups = scores.groupby(column)["score"]
    table = pd.DataFrame({"verdicts": groups.size(), "Yes, %": (100 * groups.mean()).round()})
    return results.rank(table.rename_axis(label), "Yes, %", label)


def sum_cost(answers):
    """Return tokens and seconds of all answers in one row; an empty table where there are none."""
    if not answers["output_tokens"].sum():
        return pd.DataFrame()
    tokens = answers[["input_tokens", "output_tokens"]].sum()
    row = {
        "tokens in": tokens["input_tokens"],
        "tokens out": tokens["output_tokens"],
        "seconds an answer": answers["seconds"].mean(),
    }
    return pd.DataFrame(row, index=pd.Index([len(answers)], name="answers"))
