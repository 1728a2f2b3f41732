"""Judges of the fourteen tests beside the experts: answers, targets, ratings, the search for the runs of Table 9."""

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from helpers import judges, results
from helpers.judges import labels, prompts
from helpers.measures import agreement, baselines, intervals
from helpers.sources import readers
from helpers.sources.published import agrees
from helpers.ttcw import data as ttcw

# balanced accuracy as the authors print it themselves: salesforce/creativity_eval, Art_or_Artifice/Evaluating_LLM.ipynb
REPOSITORY = {"recorded/gemini-pro": "0.46", "recorded/cgpt": "0.49", "recorded/claudev2": "0.50", "recorded/claudev21": "0.52",
              "recorded/claudev13": "0.53", "recorded/gpt4": "0.54", "recorded/claude3-opus": "0.58"}
RUNS = {"GPT3.5": "recorded/cgpt", "GPT4": "recorded/gpt4", "Claude": "recorded/claudev13"}  # of Table 9's columns
SPOKEN = dict(zip([f"recorded/{name}" for name in ttcw.JUDGES],
                  ["GPT-3.5", "GPT-4", "Claude 1.3", "Claude 2", "Claude 2.1", "Claude 3 Opus", "Gemini Pro"]))


def speak(judge):
    """Return the name of a judge for readers: 'Claude 3 Opus' for recorded/claude3-opus; others keep their own."""
    return SPOKEN.get(judge, judge)


def find_majority(verdicts):
    """Return one row a story and test: story, group, writer, test, votes (0-3), item, truth (two experts or more say Yes)."""
    table = verdicts.groupby(["story", "group", "writer", "test"], as_index=False)["passed"].sum()
    table = table.rename(columns={"passed": "votes"})
    return table.assign(item=table["story"] + "/" + table["test"].astype(str), truth=table["votes"] >= 2)


def list_panel(judge, source, own_stories):
    """Return the judges to ask: the recorded ones (simulated without the open data) and `judge`, if it is another."""
    panel = [f"recorded/{name}" for name in ttcw.JUDGES] if source == "open" else ["simulated/lenient", "simulated/coin"]
    return panel if judge in ("recorded/all", *panel) or own_stories else [*panel, judge]


def say_yes_often(row, rng):
    """A made-up judge for machines without the open data: says Yes three times in four, whatever it reads."""
    return "Verdict: " + ("Yes" if rng.random() < 0.75 else "No")


def ask_panel(panel, stories, tests, truth, limit=0, repeats=1, **options):
    """Return the answers of every judge of `panel`, joined to `truth`: what `judges.ask` returns, and judge, yes.

    A live judge is asked about stories whose text is at hand alone, `limit` requests at most, each `repeats` times.
    """
    requests = ttcw.make_requests(stories, tests, prompts.load("ttcw-yes-no"))
    found = []
    for name in panel:
        provider, model = name.split("/", 1)
        live = provider in judges.LIVE
        wanted = requests[requests["story"].isin(stories.loc[stories["text"] != "", "story"])] if live else requests
        recorded = ttcw.load_recorded(model) if provider == "recorded" and model in ttcw.JUDGES else None
        answers = judges.ask(wanted, name, labels.parse_yes_no, recorded=recorded, simulators={"lenient": say_yes_often},
                             repeats=repeats if live else 1, limit=limit if live else 0, **options)
        found.append(answers.merge(truth, on="item").assign(judge=name))
    answers = pd.concat(found, ignore_index=True)
    missing = answers["note"].fillna("").str.startswith("missing")
    return answers.assign(yes=answers["verdict"].eq("Yes"), status=answers["status"].mask(missing, "missing"))


def add_answers(target, answers):
    """Return `target` (a column item) with one column a judge, named as readers say it: True, False, or missing.

    A judge that was asked several times is taken at its first usable answer.
    """
    usable = answers[answers["status"] == "ok"].drop_duplicates(["judge", "item"])
    said = usable.assign(judge=usable["judge"].map(speak)).pivot(index="item", columns="judge", values="yes")
    return target.join(said.astype(object), on="item")


def rate(table, names, measure=agreement.balanced_accuracy):
    """Return one row a name (estimate, low, high, n: groups): its column of answers against `truth`.

    table: group, test, truth and a column of True, False or missing a name; rows without an answer are left out.
    `measure` gets answers and truth and, if it is `balanced_accuracy_within`, the tests. One group has no interval.
    """
    rows = {}
    for name in names:
        part = table.dropna(subset=[name])
        columns = [part[name].to_numpy(bool), part["truth"].to_numpy(bool)]
        columns += [part["test"].to_numpy()] if measure is agreement.balanced_accuracy_within else []

        def value(chosen, columns=columns):
            return measure(*(column[chosen] for column in columns))

        if part["group"].nunique() > 1:
            rows[name] = intervals.over_groups(part["group"], value)
        else:
            point = value(np.arange(len(part))) if len(part) else np.nan
            rows[name] = intervals.row(point, np.nan, np.nan, part["group"].nunique())
    return pd.DataFrame(rows).T


def calibrate(table, names):
    """Return for each name what its threshold hides: as answered, at the experts' rate, AUC (all over all tests).

    At the experts' rate: the answer and the test rates make a probability (fitted on the other groups), and Yes is
    said as often as the experts say it. A last row has the test rates alone.
    """
    rows = {}
    for name in [*names, None]:
        part = table if name is None else table.dropna(subset=[name])
        if part["group"].nunique() < 2 or part["truth"].nunique() < 2:
            continue  # a short live run has nothing to learn from
        truth, guess = part["truth"].to_numpy(bool), baselines.predict_probability(part, name)
        often = guess >= np.quantile(guess, 1 - truth.mean(), method="higher")
        answered = [np.nan, np.nan] if name is None else [
            100 * part[name].mean(), agreement.balanced_accuracy(part[name], truth)]
        rows[name or "test rates alone"] = [*answered, agreement.balanced_accuracy(often, truth), roc_auc_score(truth, guess)]
    return pd.DataFrame(rows, index=["Yes, %", "as answered", "at the experts' rate", "AUC"]).T


def estimate_rate(table, name, labelled, draws, rng):
    """Return (rows, saved): what a few labels and a judge say about the experts' rate of Yes.

    rows: estimate, low, high, n of one random draw of `labelled` labels, alone and with the judge's answers to all.
    saved: the share of labels that the judge spares, 1 - (ratio of mean squared errors) over all draws.
    """
    part = table.dropna(subset=[name])
    truth, said = part["truth"].to_numpy(float), part[name].to_numpy(float)
    labelled = min(labelled, len(truth) // 2)
    alone, helped = [], []
    for _ in range(draws):
        order = rng.permutation(len(truth))
        mine, rest = order[:labelled], order[labelled:]
        alone.append(intervals.of_mean(truth[mine]))
        helped.append(baselines.calibrate_rate(truth[mine], said[mine], said[rest]))
    error = [np.mean([(one["estimate"] - truth.mean()) ** 2 for one in found]) for found in (helped, alone)]
    return pd.DataFrame({f"{labelled} labels alone": alone[0], f"{labelled} labels and {name}": helped[0]}).T, 1 - error[0] / error[1]


def kappas(answers, rule, fill=None):
    """Return Cohen's kappa by test of answers (votes, yes, status) with the experts' votes under a rule.

    fill: what an answer without a verdict counts as (None: left out).
    """
    ok = answers["status"] == "ok"
    part = answers[ok] if fill is None else answers.assign(yes=answers["yes"] | (~ok & fill))
    return pd.Series({test: agreement.cohen_kappa(p["yes"], rule(p)) for test, p in part.groupby("test")})


def search_table9(answers, verdicts, printed):
    """Return every definition tried for each printed column: column, run, truth, stories, missing, matches (of 14).

    answers: as `ask_panel` returns them; printed: Table 9, tests x columns.
    """
    slots = verdicts.groupby("story")["expert"].rank(method="dense").astype(int)
    single = verdicts.pivot_table(index=["story", "test"], columns=slots, values="passed")
    answers = answers.join(single, on=["story", "test"])
    truths = {"majority": [lambda p: p["votes"] >= 2], "any expert": [lambda p: p["votes"] >= 1],
              "all experts": [lambda p: p["votes"] == 3], "mean over single experts": [lambda p, k=k: p[k] for k in single]}
    keeps = {"48 stories": lambda t: t["story"] != "", "without group 2": lambda t: t["group"] != 2,
             "36 machine": lambda t: t["writer"] != "NewYorker"}
    rows = []
    for name, mine in answers.groupby("judge", sort=False):
        for stories, keep in keeps.items():
            for missing, fill in {"left out": None, "No": False, "Yes": True}.items():
                for truth, rules in truths.items():
                    found = pd.concat([kappas(mine[keep(mine)], rule, fill) for rule in rules], axis=1).mean(axis=1, skipna=False)
                    rows += [(column, name, truth, stories, missing,
                              sum(agrees(f"{printed.at[t, column]:.2f}", value) for t, value in found.items()))
                             for column in printed]
    table = pd.DataFrame(rows, columns=["column", "run", "truth", "stories", "missing", "matches"])
    return results.rank(table, "matches", "column", "run", "truth", "stories", "missing")


def table9_check(answers, column, name, matched):
    """Return what `Paper.check` needs for one column of Table 9: (values, how, basis)."""
    values = kappas(answers[answers["judge"] == name], lambda p: p["votes"] >= 2).rename(ttcw.ROWS)
    how = f"kappa of the released {name} with the majority of experts"
    how += "" if matched else "; the run behind the table was not released"
    return values.to_frame(column), how, "raw" if matched else "none"


def add_scores(verdicts, answered):
    """Return one row a story: story, group, writer, expert (mean tests passed), a column a judge, jury, who wrote.

    Judges' scores are shares of Yes times 14; "who wrote" is the mean score of the same writer's other stories.
    """
    table = verdicts.groupby(["story", "group", "writer"])["passed"].sum().div(3).rename("expert").reset_index()
    spoken = answered.assign(judge=answered["judge"].map(speak))
    said = 14 * spoken.pivot_table(index="story", columns="judge", values="yes")
    table = table.join(said, on="story").join(said.mean(axis=1).rename("jury"), on="story")
    total, count = (table.groupby("writer")["expert"].transform(name) for name in ("sum", "size"))
    return table.assign(**{"who wrote": (total - table["expert"]) / (count - 1)})


def list_values(table, name, row):
    """Return {name: number} of one judge for programs: balanced_accuracy, ba_low, ba_high, kappa, yes, n (answers)."""
    part = table.dropna(subset=[name])
    kappa = agreement.cohen_kappa(part[name].to_numpy(bool), part["truth"])
    return {"balanced_accuracy": row["estimate"], "ba_low": row["low"], "ba_high": row["high"], "kappa": kappa,
            "yes": float(part[name].mean()), "n": len(part)}


def load_own(own_stories, rubric, judge):
    """Return a reader's (stories, tests), None where not given; raise ValueError or DataError for what cannot be used."""
    if rubric and not own_stories:
        raise ValueError("rubric needs own_stories: the answers about the public stories are answers to the fourteen tests")
    mine = readers.load_stories(own_stories) if own_stories else None
    my_tests = readers.load_rubric(rubric) if rubric else None
    if own_stories:
        readers.refuse_recorded(judge)
    return mine, my_tests


def plan_panel(stories, tests, judge, limit, repeats, transcripts):
    """Return `judges.plan` for the stories whose text is at hand."""
    requests = ttcw.make_requests(stories[stories["text"] != ""], tests, prompts.load("ttcw-yes-no"))
    return judges.plan(requests.head(limit or None), judge, repeats=repeats, transcripts=transcripts)


def judge_own(stories, tests, judge, **options):
    """Return (answers, passes): a judge's answers about a reader's stories, and its share of Yes, stories x tests."""
    requests = ttcw.make_requests(stories, tests, prompts.load("ttcw-yes-no"))
    answers = judges.ask(requests, judge, labels.parse_yes_no, simulators={"lenient": say_yes_often}, **options)
    answers = answers.merge(requests[["item", "story", "test"]], on="item")
    judges.check_usable(answers, judge)
    usable = answers[answers["status"] == "ok"].assign(yes=lambda t: t["verdict"].eq("Yes"))
    passes = usable.pivot_table(index="story", columns="test", values="yes")
    return answers, passes.set_axis(tests.set_index("test")["category"].loc[passes.columns], axis=1)
