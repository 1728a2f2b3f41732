"""What one judge that was asked is worth: on the cases that it answered, beside a person, the best
controls, the best recorded judge and a perfect judge on these same cases."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import adds, compare, controls, intervals, statistics, verdicts
from helpers.measures.ratings import Ratings
from helpers.measures.trial import lead_names
from helpers.sources.names import display_name
from helpers.ttcw import ask

WITHIN = ("aspect",)  # a test is compared with itself
TAUGHT = "best control, taught by experts on the same authors"
STRANGER = "best control without the author"


class Asked(NamedTuple):
    """One judge's result. judge, rival: as they were asked for; table: of `rate`; gains: of
    `adds.find_gains`; answered, wanted: numbers of cases; level: of the intervals of the gains."""

    judge: str
    rival: str
    people: Ratings
    table: pd.DataFrame
    gains: pd.DataFrame
    answered: int
    wanted: int
    level: float

    @property
    def name(self):
        """The judge's name for readers."""
        return display_name(self.judge)


def keep_answered(people, scores, names):
    """Return the `Ratings` of the cases (a story and a test) that all of the judges answered."""
    kept = people.ratings
    for name in names:
        answered = scores.loc[scores["judge"] == name, ["item", "aspect"]].drop_duplicates()
        kept = kept.merge(answered, on=["item", "aspect"])
    there = people.items["item"].isin(kept["item"])
    return people._replace(items=people.items[there].reset_index(drop=True), ratings=kept)


def rate(people, scores, judge, rival, wanted, level):
    """Return the `Asked` of a judge: what it, the recorded judge `rival`, a person, the controls
    and a perfect judge reach on the cases that both judges answered.

    judge: as it was asked for; scores: of all judges; wanted: how many cases it was asked about.
    """
    answered = scores.loc[scores["judge"] == judge, ["item", "aspect"]].drop_duplicates()
    nothing = Asked(judge, rival, people, pd.DataFrame(), pd.DataFrame(), 0, wanted, level)
    if answered.empty:
        return nothing
    both = list(dict.fromkeys([judge, rival]))
    shared = keep_answered(people, scores, both)
    chosen = scores[scores["judge"].isin(both)]
    if shared.items.empty:
        return nothing._replace(answered=len(answered))
    table = compare.compare(shared, chosen, statistics.balanced_accuracy, within=WITHIN)
    own = scores[scores["judge"] == judge]
    gains = adds.find_gains(keep_answered(people, own, [judge]), own, level=level)
    return Asked(judge, rival, shared, table, gains, len(answered), wanted, level)


def name_rows(table):
    """Return {row of `compare`: how readers know it}: a person, the best control (it may know the
    author), the best that does not, and a perfect judge where there is one."""
    control, stranger = table.attrs["control"], table.attrs["stranger"]
    rows = {compare.PERSON: compare.PERSON, control: f"{TAUGHT}: {describe_best(table)}"}
    rows[stranger] = STRANGER if stranger == controls.BEST_STRANGER else f"{STRANGER}: {stranger}"
    if not np.isnan(table.loc[compare.CEILING, "estimate"]):
        rows[compare.CEILING] = compare.CEILING
    return rows


def describe_best(table):
    """Return what the best control of rows of `compare` is, in all plots or in most."""
    chosen = table.attrs["chosen"]
    return chosen if chosen == table.attrs["control"] else f"{chosen} for most plots"


def list_rows(asked):
    """Return the rows that a reader asks for first, best first: balanced accuracy of the judge, the
    best recorded one, a person, the best controls and a perfect judge; and the judge's lead over
    the controls and the person."""
    known = name_rows(asked.table)
    who = list(dict.fromkeys([asked.judge, asked.rival, *known]))
    rows = asked.table.loc[who, compare.ENDS].copy()
    lead = f"lead of {asked.name}"
    for rival, row in name_rivals(asked.table).items():
        leads = asked.table.loc[asked.judge, lead_names(rival)].to_numpy(float)
        rows.loc[row, [lead, f"{lead} low", f"{lead} high"]] = leads
    rows = rows.rename(known)
    return results.rank(rows.dropna(subset=["estimate"]), "estimate", "who")


def name_rivals(table):
    """Return {rival, as `compare` names leads over it: its row}."""
    control, stranger = table.attrs["control"], table.attrs["stranger"]
    rivals = {"control": control, "person": compare.PERSON}
    return rivals | ({"stranger": stranger} if stranger != control else {})


def tidy_rows(asked):
    """Return the rows of `list_rows` as text for readers; an empty table where there are none."""
    if asked.table.empty:
        return pd.DataFrame(columns=["in the same cases"])
    rows = list_rows(asked).rename_axis("in the same cases")
    return results.tidy(rows, measure="balanced accuracy", n="plots")


def own_row(asked):
    """Return estimate, low, high, n of the judge's balanced accuracy; nan where there is none."""
    return intervals.row() if asked.table.empty else asked.table.loc[asked.judge, compare.ENDS]


def show(asked, findings):
    """Show the judge's own section: its findings, and its table where there is one."""
    results.say(f"### The judge that was asked: {asked.name}")
    results.say("\n\n".join(findings))
    shown = tidy_rows(asked)
    if len(shown):
        results.show_table(shown.set_index(list(shown)[:1]))


def title(asked):
    """Return a figure's title about the judge."""
    own = own_row(asked)
    if np.isnan(own["low"]):
        return f"{asked.name}: too few verdicts to say how well it judges"
    control = asked.table.attrs["control"]
    best = f"the best control ({describe_best(asked.table)})"
    rivals = {"a third expert": compare.PERSON, best: control}
    beside = (f"{who} {asked.table.loc[row, 'estimate']:.2f}" for who, row in rivals.items())
    return f"{asked.name} has {own['estimate']:.2f}; in the same cases {', '.join(beside)}"


def place(asked, parts, scores):
    """Return (the judge's name, {panel: (its row or None, what is said of it there)}) for
    `figures.two_panels`, None without a judge: a row only where it answered about every story.

    parts: {panel: `Ratings`}.
    """
    if asked is None:
        return None
    own = scores[scores["judge"] == asked.judge]
    placed = {}
    for label, part in parts.items():
        answered = set(part.items["item"]) & set(own["item"])
        stories = f"answered about {len(answered)} of {len(part.items)} stories"
        placed[label] = None, stories
        if len(answered) == len(part.items):
            cases = keep_answered(part, own, [asked.judge])
            found = compare.compare(cases, own, statistics.balanced_accuracy, within=WITHIN)
            share = len(own.merge(part.items[["item"]]).drop_duplicates(["item", "aspect"]))
            whole = len(part.ratings.drop_duplicates(["item", "aspect"]))
            fewer = f"{share} of {whole} cases" if share < whole else ""
            placed[label] = found.loc[asked.judge], fewer
    return asked.name, placed


def widen_best(table, judge, tests):
    """Return rows of `compare` in which the intervals of the best of several judges are corrected
    for the choice (`intervals.widen`)."""
    table = table.copy()
    row = table.loc[judge]
    rivals = [lead_names(rival) for rival in ("control", "stranger", "person")]
    for names in [compare.ENDS[:3], *rivals]:
        given = pd.Series([*row[names], row["n"]], compare.ENDS)
        if not np.isnan(given["low"]):
            table.loc[judge, names] = intervals.widen(given, tests)[compare.ENDS[:3]].to_numpy()
    return table


def set_beside(tables, judge):
    """Return a judge beside a person, the best controls and a perfect judge, and its leads, as
    text: a column for each set of stories; tables: {stories: rows of `compare`}."""
    name_of_judge = display_name(judge)
    columns = {}
    for stories, table in tables.items():
        control, stranger = table.attrs["control"], table.attrs["stranger"]
        rows = {
            name_of_judge: judge,
            "a person": compare.PERSON,
            TAUGHT: control,
            STRANGER: stranger,
        }
        cells = {
            name: results.estimate_cell(table.loc[row, compare.ENDS[:3]], 2)
            for name, row in rows.items()
        }
        ceiling = table.loc[compare.CEILING, compare.ENDS[:3]]
        cells[compare.CEILING] = results.format_interval(ceiling)
        rivals = {"a person": "person", TAUGHT: "control", STRANGER: "stranger"}
        for name, rival in rivals.items():
            lead = table.loc[judge, lead_names(rival)]
            cells[f"lead of {name_of_judge} over {name}"] = results.format_interval(*lead)
        columns[stories] = cells
    return pd.DataFrame(columns)


def list_judges(answers, tables, people=None):
    """Return a row per judge, as text for the report's page of judges where it is shown: judge,
    answers, one count per status, share of Yes, usd (nan where nothing is known of it); and for
    each set of stories the balanced accuracy and the lead over the best control, with low and high.

    answers: of `ask.ask_panel`; tables: {stories: rows of `compare`}; people: the experts'
    `Ratings`, for a last row about a person.
    """
    rows = {}
    for judge, given in answers.groupby("judge", sort=False):
        verdicts = given.loc[given["status"] == "ok", "yes"].astype(float)
        counts = given["status"].value_counts().reindex(list(ask.STATUSES), fill_value=0)
        known = given["output_tokens"].sum() > 0
        usd = given["usd"].sum() if known else np.nan
        facts = {"answers": len(given), **counts, "share of Yes": verdicts.mean(), "usd": usd}
        rows[judge] = facts | read_tables(tables, judge)
    if people is not None:
        share = people.ratings["score"].mean()
        rows[compare.PERSON] = {"share of Yes": share} | read_tables(tables, compare.PERSON)
    return pd.DataFrame(rows).T.rename_axis("judge").reset_index().infer_objects()


def read_tables(tables, who):
    """Return what `compare` has of a judge or a person, {column of `list_judges`: number}."""
    cells = {}
    for stories, table in tables.items():
        if who not in table.index:
            continue
        agreement = table.loc[who, compare.ENDS[:3]].to_numpy(float)
        lead = table.loc[who, lead_names("control")].to_numpy(float)
        for name, three in (("agreement", agreement), ("lead", lead)):
            label = f"{name}, {stories}"
            cells |= dict(zip([label, f"{label} low", f"{label} high"], three))
    return cells


def list_statuses(answers):
    """Return how many answers of a judge are Yes or No, refused …: text for readers."""
    counts = answers["status"].map(ask.STATUSES).value_counts()
    counts = counts.rename("answers").rename_axis("what became of them")
    return results.tidy(counts.to_frame())


def tidy_gain(asked):
    """Return what the judge and a person add in AUC, as text; empty where nothing is known."""
    if asked.gains.empty:
        return pd.DataFrame()
    rows = asked.gains.loc[[asked.judge, compare.PERSON], compare.ENDS]
    rows = rows.rename_axis("what the answers add")
    return results.tidy(rows, 3, "gain in AUC", asked.level, "plots")


def percent(row):
    """Return a row of balanced accuracy as text in per cent, with its interval if there is one."""
    return results.estimate_cell(100 * row[compare.ENDS[:3]], 0)


def tell(asked):
    """Return the findings about the judge, the first with its balanced accuracy."""
    name = asked.name.replace("simulated judge", "The simulated judge")
    if not asked.answered:
        return [
            f"{name} gave a verdict in none of {asked.wanted} cases, so nothing can be said of it."
        ]
    items = asked.people.items
    written = "" if items["writer"].eq("NewYorker").any() else ", all by machines"
    answered = (
        f"It gave a verdict in {asked.answered} of {asked.wanted} cases (stories: {len(items)}, "
        f"plots: {items['group'].nunique()}{written})."
    )
    found = asked.table
    if found.empty or np.isnan(found.loc[asked.judge, "low"]):
        little = "was asked" if 2 * asked.answered >= asked.wanted else "answered"
        return [
            f"{name} {little} too little to say how well it judges: an interval takes stories on "
            f"{compare.ENOUGH} plots or more. {answered}"
        ]
    low, high = found.loc[asked.judge, ["low", "high"]]
    better = "clearly beats guessing" if low > 0.5 else "is not clearly better than guessing"
    if high < 0.5:
        better = "is clearly worse than guessing"
    ceiling = verdicts.tell_ceiling(found, asked.judge, lambda row: f"{percent(row)} %")
    told = [
        f"{name} {better}: its balanced accuracy is {percent(found.loc[asked.judge])} %; guessing "
        f"gives 50 %. In the same cases a third expert has {percent(found.loc[compare.PERSON])} %, "
        f"{tell_controls(found)}. {ceiling} {answered}"
    ]
    if asked.judge.startswith("simulated/"):
        told[0] += f" {results.MADE_UP}"
    if asked.answered < asked.wanted:
        told.append(
            f"{name} gave no verdict in {asked.wanted - asked.answered} of {asked.wanted} cases. "
            "All others are compared with it without these cases; if they are the hard ones, its "
            "numbers are too good."
        )
    if not np.isnan(asked.gains.loc[asked.judge, "low"]):
        told.append(tell_gain(asked, name))
    return told


def tell_gain(asked, name):
    """Return the finding about what the judge adds to knowing how often each test is passed."""
    own, person = (asked.gains.loc[who] for who in (asked.judge, compare.PERSON))
    clearly = "clearly adds" if own["low"] > 0 else "does not clearly add"
    return (
        f"{name} {clearly} to knowing how often each test is passed: with its answer AUC rises by "
        f"{results.estimate_cell(own, 3)}, with a third expert's in the same cases by "
        f"{results.estimate_cell(person, 3)} (intervals of {100 * asked.level:.3g} %)."
    )


def tell_controls(found):
    """Return what the best control has, and the best that does not know the author."""
    control, stranger = found.attrs["control"], found.attrs["stranger"]
    told = f"the best control ({verdicts.describe_control(found)}) {percent(found.loc[control])} %"
    if stranger != control:
        told += f", the best without the author {percent(found.loc[stranger])} %"
    return told
