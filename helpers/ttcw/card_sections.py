"""The sections of a judge card (`helpers.ttcw.card`), each computed from one run's answers."""

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from helpers import results
from helpers.measures import baselines, intervals
from helpers.ttcw import judging
from helpers.ttcw.experts import COVERAGE

STATUSES = {
    "ok": "Yes or No",
    "refused": "refused",
    "unparsed": "no readable verdict",
    "missing": "not recorded",
    "error": "failed",
}
FEW = 10  # cases of the rarer verdict; with fewer no balanced accuracy is shown
ENOUGH = 5  # groups of stories, or texts of a reader's own; with fewer no interval is shown


def make_section(title, says, rows=None, label="", measure="", level=0.95, digits=2):
    """Return a section; rows: {name of the row: Series}, under the header `label` (one for each
    part of the names)."""
    table = pd.DataFrame(rows).T.rename_axis(label).reset_index() if rows else pd.DataFrame()
    cells = [
        [cell if isinstance(cell, str) else results.check_number(title, cell) for cell in row]
        for row in table.astype(object).to_numpy().tolist()
    ]
    return {
        "title": title,
        "says": says,
        "measure": measure,
        "level": round(level, 4),
        "digits": digits,
        "columns": list(table.columns),
        "rows": cells,
    }


def tell_answers(answers, judge, source):
    """Return the section on outcomes: a refused, unreadable, missing or failed answer is neither
    Yes nor No."""
    counts = answers["status"].value_counts().reindex(list(STATUSES), fill_value=0).rename(STATUSES)
    says = (
        f"{answers['story'].nunique()} texts, {answers['test'].nunique()} tests: {counts.iloc[0]:,}"
        f" of {len(answers):,} answers have a verdict; the others are neither Yes nor No."
    )
    if judge.startswith("simulated/"):
        says += " This judge is a rule that reads nothing: it tells nothing about the texts."
    if source == "simulated":
        says += " The experts are simulated too: a check of the method, no evidence."
    rows = {
        outcome: pd.Series({"answers": count, "%": round(100 * count / max(len(answers), 1))})
        for outcome, count in counts.items()
    }
    return make_section("What it answered", says, rows, "outcome")


def mean_over(table, column):
    """Return estimate, low, high, n of a share over groups of stories; with few
    groups no interval."""
    values = table[column].to_numpy(float)
    row = intervals.over_groups(
        table["group"], lambda rows: values[rows].mean() if len(rows) else np.nan
    )
    ends = row[["low", "high"]].clip(0, 1) if row["n"] >= ENOUGH else np.nan
    return pd.concat([row[["estimate"]], pd.Series(ends, ["low", "high"]), row[["n"]]])


def tell_threshold(said, name, calibrated=None):
    """Return the section on the share of Yes; beside experts also where they say Yes and where they
    say No."""
    rows, share = {"the judge": mean_over(said, name)}, said[name].mean()
    says = f"It says Yes to {100 * share:.0f} % of what it answered."
    if "truth" in said:
        rows |= {"two experts of three": mean_over(said, "truth")} | {
            f"the judge, where experts say {word}": mean_over(said[said["truth"] == truth], name)
            for word, truth in {"Yes": True, "No": False}.items()
        }
        says += (
            " A judge that can tell says Yes more often where experts do; one that is only generous"
            " does not."
        )
        for _, row in calibrated.iterrows():
            says += (
                " Were it as strict as experts are, its balanced accuracy over all tests would be "
                f"{row[judging.STRICT]:.2f}; knowing only how often each test is passed gives "
                f"{row['test rates alone']:.2f}."
            )
    elif abs(share - 0.5) > 0.4:
        says += " Nearly every text gets the same answer, so an answer tells little about a text."
    return make_section("How easily it says Yes", says, rows, "who", "share of Yes")


def tell_agreement(parts, name):
    """Return the section on agreement within tests, beside who wrote and a third expert."""
    rows = {}
    for label, part in parts.items():
        rated = judging.rate(part, [name, "who wrote", "a third expert"], within=True)
        rows |= {(label, who): row for who, row in rated.iterrows()}
        if part["score"].notna().any():
            rows[label, f"{name}, AUC of its probability of Yes"] = rank_within(
                part.dropna(subset=["score"])
            )
    return make_section(
        "Agreement with experts",
        "Against two experts who agree, within each test: 0.50 is guessing. “Who wrote” knows the"
        " kind of writer and reads nothing; “a third expert” is a person under the same rule."
        f" {say_coverage('balanced accuracy within tests')}",
        rows,
        ["stories", "who"],
        "balanced accuracy",
    )


def say_coverage(statistic):
    """Return how often such intervals hold the truth in the simulation of benchmarks/coverage.py,
    as a sentence."""
    share = pd.read_csv(COVERAGE).set_index("statistic").at[statistic, "estimate"]
    return (
        f"In simulation 95 % intervals of this kind hold the truth {100 * share:.0f} times in 100."
    )


def rank_within(part):
    """Return the mean over tests of the AUC of a judge's score (estimate, low, high, n)."""

    def value(rows):
        tests = [one for _, one in part.iloc[rows].groupby("test") if one["truth"].nunique() == 2]
        return np.mean(
            [roc_auc_score(one["truth"].astype(bool), one["score"]) for one in tests] or [np.nan]
        )

    return intervals.over_groups(part["group"], value)


def tell_gain(parts, said, name, level):
    """Return the section on the gain in AUC over knowing the tests, and on the labels that the
    judge saves."""
    rows = {
        label: baselines.gain_in_auc(part, name, level).rename({"auc": "AUC with the judge"})
        for label, part in parts.items()
    }
    clear = [label for label, row in rows.items() if row["low"] > 0]
    saved = judging.count_saved(said, name, 100)
    says = (
        "Who knows how often each test is passed can guess unread; AUC is the chance that a passed"
        " case is then ranked above a failed one, the gain what this judge's answers add. It is"
        f" clearly above zero on: {' and '.join(clear) or 'none'}. {say_coverage('gain in AUC')}"
    )
    if level > 0.95:
        says += " Here they are widened, for several judges are compared."
    if saved["estimate"] == saved["estimate"]:
        says += f" Of 100 expert labels the judge saves {results.format_interval(saved, digits=1)}."
    return make_section("What it adds", says, rows, "stories", "gain in AUC", level, 3)


def tell_kinds(said, name, kind, agreed=None):
    """Return the section on each test, writer or story: share of Yes; beside experts also balanced
    accuracy."""
    says, rows, by = "", {}, "Yes of the judge, %"
    for label, part in said.groupby(kind):
        rows[label] = pd.Series({"answers": len(part), by: round(100 * part[name].mean())})
        if agreed is not None:
            cases = agreed[agreed[kind] == label]
            enough = cases["truth"].value_counts().reindex([True, False]).min() >= FEW
            unknown = intervals.row(np.nan, np.nan, np.nan, cases["group"].nunique())
            rated = judging.rate(cases, [name]).iloc[0] if enough else unknown
            shares = pd.Series({"Yes of the experts, %": round(100 * part["truth"].mean())})
            rows[label] = pd.concat([rows[label], shares, rated])
    table = pd.DataFrame(rows).T.rename_axis(kind)
    if agreed is not None:
        by, known = "estimate", table["low"].dropna()
        says = (
            f"Against two experts who agree; 0.50 is guessing. {(known > 0.5).sum()} of"
            f" {len(known)} intervals lie above it. Nothing is shown where experts gave the rarer"
            f" verdict fewer than {FEW} times."
        )
    return make_section(
        f"{kind.capitalize()} by {kind}",
        says,
        dict(results.rank(table, by, kind).iterrows()),
        kind,
        "balanced accuracy",
    )


def tell_length(said, name, words, answers):
    """Return the section on length (do longer texts get more Yes?), place and repeats."""
    columns = {"judge": name, "experts": "truth"} if "truth" in said else {"judge": name}
    share = said.groupby(["story", "group"])[list(columns.values())].mean().reset_index()
    share = share.assign(words=share["story"].map(words)).dropna(subset=["words"])
    # nearly the same share everywhere: no interval
    with np.errstate(divide="ignore", invalid="ignore"):
        rows = (
            {
                who: baselines.correlate_scores(share[column], share["words"], share["group"])
                for who, column in columns.items()
            }
            if len(share) >= ENOUGH
            else {}
        )
    low, high = rows["judge"][["low", "high"]] if rows else (np.nan, np.nan)
    effect = (
        "more often"
        if low > 0
        else "less often"
        if high < 0
        else "neither clearly more nor less often"
    )
    says = (
        f"It says Yes {effect} to longer texts ({len(share)} texts)."
        if low == low
        else "Too few texts for length."
    )
    says += " Every text is shown alone: no place in a pair or a list can be preferred."
    usable = answers[answers["status"] == "ok"].groupby("item")["yes"]
    again = usable.nunique()[usable.size() > 1]
    if len(again):
        says += (
            f" Asked again, it says the same in {100 * (again == 1).mean():.0f} % of {len(again)}"
            " cases."
        )
    return make_section(
        "Length, place, repeats", says, rows, "whose share of Yes", "r with the number of words"
    )


def tell_cost(answers, judge):
    """Return the section on tokens, USD and seconds, where they are known."""
    if judge.startswith("simulated/"):
        return make_section("Cost", "A simulated judge costs nothing.")
    if judge.startswith("recorded/") and not answers["output_tokens"].sum():
        return make_section(
            "Cost",
            "What these answers cost when they were recorded is not known; replaying costs"
            " nothing.",
        )
    answers = answers[answers["status"] != "missing"]
    row = (
        answers[["input_tokens", "output_tokens", "usd"]]
        .sum()
        .set_axis(["tokens in", "tokens out", "USD"])
    )
    row["seconds an answer"] = answers["seconds"].mean()
    return make_section(
        "Cost",
        "As first paid and waited for; replaying costs nothing.",
        {len(answers): row},
        "answers",
    )
