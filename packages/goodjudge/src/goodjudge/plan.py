"""How likely a study that does not exist yet is to show a judge's lead over a control.

Its raters, items and scorers are supposed to be like those of a study that exists: the variances of
`model` say how much of a rating is the item's, the rater's, and neither's. Then studies of the new
size are simulated:

1. items differ by what all raters share about them (group, item, item x aspect); every rater rates
   every item, and adds severity, a liking of his or her own, and noise;
2. a judge and a control each know a part of what is shared; the rest of what they say is of the
   same make and follows nobody. How much each knows is set by the values that they are to have;
3. both are held against the mean of the other raters, each rater left out in turn, as `compare`
   does, by the same measure: of Yes and No balanced accuracy, of pairs and rankings pairwise
   accuracy within each set, else Pearson's r.

The spread of the lead over the simulated studies says in how many of 100 the lead would be clear
(`noise_ceiling.find_power`). It shrinks with the root of the number of groups, so that one size is
simulated for each number of raters; `tests/test_planning.py` holds other sizes against it. The
control is taken as known. Learning it on the same ratings costs little; choosing it among five
costs up to a quarter of the chances (39 of 100 studies became 29 in 100 simulated ones).
"""

import io
import json
import textwrap
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from goodjudge.card import verdicts
from goodjudge.card.shapes import Verdict
from goodjudge.comparison import compare, noise_ceiling
from goodjudge.comparison.random_effects.design import RESIDUAL, lay_out
from goodjudge.comparison.random_effects.fit import fit_model
from goodjudge.comparison.random_effects.responses import POINTS, RANKS, SETS, VERDICTS
from goodjudge.data import orders, ratings
from goodjudge.data.reading import read_ratings
from goodjudge.errors import DataError
from goodjudge.files import replace_file
from goodjudge.stats import metrics, severity
from goodjudge.stats.intervals import ENOUGH

BORROWED = resources.files("goodjudge") / "planning.csv"  # variances of public data sets
RESPONSES = {"points": POINTS, "yes or no": VERDICTS, "ranks": RANKS, "orders": RANKS}
MEASURES = {  # of each response: the measure of a plan, and its name
    "points": (metrics.pearson, "Pearson's r"),
    "yes or no": (metrics.balanced_accuracy, "balanced accuracy"),
    "ranks": (metrics.pearson, "Pearson's r"),  # scores that are places
    "orders": (metrics.pairwise_accuracy, "pairwise accuracy"),  # pairs and rankings
}
EFFECTS = ["group", "item", "item x aspect", "rater", "rater x aspect", "rater x group"]
EFFECTS += ["rater x item", RESIDUAL]
STUDIES = 2400  # simulated for each number of raters
AT_ONCE = 50  # drawn together, so that they fit into memory
LUCK = 2  # of 100 studies: how far another seed moves a whole column
SIMULATED = 120  # items of each, about
SHARES = np.linspace(0, 1, 21)  # of what is shared, that a scorer may know
WANTED = 80  # of 100 studies
ITEMS_TRIED = (0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24)  # times as many as asked
RATERS_TRIED = (2, 3, 4, 5, 6, 8, 10)
MOST_RATERS = 200  # of one text; more do not fit into memory, and no study has them
MOST_ASPECTS = 50
CONTROL_IS_KNOWN = (
    "The control is taken as known. Where a study must choose it among several on its own ratings, "
    "up to a quarter of these chances may go: plan for more."
)


class Assumed(NamedTuple):
    """What is supposed of a study.

    source: whose variances these are, in words; response: a key of `RESPONSES`; variances: {effect
    of `EFFECTS`: its share of the variance of one latent rating}; aspects, together: how many
    aspects an item is rated on, and how many items are in a group; yes: the share of Yes (nan of
    other responses); raters: of an item, in the study that exists; control: what the best control
    that does not know the author has there, in the measure.
    """

    source: str
    response: str
    variances: dict
    aspects: int
    together: int
    yes: float
    raters: int
    control: float


TEXTBOOK = Assumed(
    "assumed: a third of a rating is the item's, a sixth the rater's severity, half noise",
    "points",
    dict(zip(EFFECTS, [0.0, 0.33, 0.0, 0.17, 0.0, 0.0, 0.0, 0.5])),
    1,
    1,
    np.nan,
    3,
    0.3,
)


def load_assumed(like):
    """Return the `Assumed` of a public data set of `BORROWED`, or `TEXTBOOK` for "".

    Raises DataError for a name that is not there.
    """
    if not like:
        return TEXTBOOK
    table = pd.read_csv(BORROWED, index_col="like")
    if like.lower() not in table.index:
        known = ", ".join(table.index)
        raise DataError(
            f"like: there is no study {like!r:.60}; expected {known}, or a file of ratings"
        )
    row = table.loc[like.lower()]
    return Assumed(
        row["source"],
        row["response"],
        {name: float(row[name]) for name in EFFECTS},
        int(row["aspects"]),
        int(row["items a group"]),
        float(row["yes"]),
        int(row["raters"]),
        float(row["control"]),
    )


def borrow(data, control, source, rng):
    """Return the `Assumed` of ratings that exist.

    data: `Ratings`; control: what the best control has in the measure (of `compare`, within
    ("aspect",) where there are several); source: in words; rng: for the model of verdicts and
    ranks. Nothing is taken off that is known unread: authorship is a part of what raters share.
    Of pairs and ranks each set is a group, and a tie is broken by lot. Raises DataError where no
    rater rated two items, the ratings do not vary, or there are too few sets.
    """
    has_sets = orders.are_orders(data)
    if has_sets:
        data = lay_out_sets(data, source, rng)
    if data.ratings["score"].nunique() < 2:
        raise DataError(f"{source}: all ratings are the same; expected some that differ")
    design = lay_out(data)
    fitted = fit_model(design, rng)
    total = sum(fitted.variances.values())
    shares = {name: fitted.variances.get(name, 0.0) / total for name in EFFECTS}
    items_of_group = data.items.groupby("group")["item"].nunique()
    if items_of_group.max() == 1:  # then the model calls what items differ by the group's
        shares["item"] += shares["group"]
        shares["group"] = 0.0
    response = "orders"
    if not has_sets:
        response = next(name for name, kind in RESPONSES.items() if kind is design.response)
    rows = design.rows
    yes = rows["score"].mean() if response == "yes or no" else np.nan
    raters = rows.groupby(["item", "aspect"])["rater"].nunique()
    return Assumed(
        source,
        response,
        {name: round(float(share), 3) for name, share in shares.items()},
        rows["aspect"].nunique(),
        int(items_of_group.median()),
        round(float(yes), 3),
        int(raters.median()),
        round(float(control), 3),
    )


def lay_out_sets(data, source, rng):
    """Return `Ratings` of pairs or ranks in which each set is a group and no two places tie: of
    equal ones the lot decides, as a person would who must. Raises DataError for fewer than `SETS`
    sets, each rater's counted; source: in words; rng: for the lot."""
    items = data.items.assign(group=data.items["set"])
    table = data.ratings.merge(items[["item", "set"]], on="item")
    one_set = [table[name] for name in ("set", "rater", "aspect") if name in table]
    if len(table.groupby(one_set)) < SETS:
        raise DataError(
            f"{source}: too few pairs or rankings to learn from; expected {SETS} or more, those of "
            "each rater counted"
        )
    by_lot = table["score"] + rng.uniform(0, 0.1, len(table))  # places lie half a place apart
    return data._replace(
        items=items, ratings=data.ratings.assign(score=by_lot.groupby(one_set).rank().to_numpy())
    )


def find_control(data):
    """Return what the best control that does not know the author has in these ratings (`Ratings`),
    by the measure of a plan: balanced accuracy of Yes and No, pairwise accuracy of pairs and ranks,
    else Pearson's r."""
    several = "aspect" in data.ratings and data.ratings["aspect"].nunique() > 1
    within = ("aspect",) if several else ()
    adjusted, measure = data, metrics.pearson
    if orders.are_orders(data):
        measure, within = metrics.pairwise_accuracy, orders.choose_within(data)
    elif ratings.say_yes_or_no(data.ratings["score"]):
        measure = metrics.balanced_accuracy
    else:
        adjusted = severity.adjust_raters(data)
    nobody = pd.DataFrame(columns=["item", "judge", "score"])
    found = compare.compare(adjusted, nobody, measure, within=within, simulate=False)
    return found.at[found.attrs["stranger"], "estimate"]


def to_row(like, assumed):
    """Return what is supposed of a study as a row of `BORROWED`: {column: value}; like: its name
    there. `load_assumed` reads it."""
    return {
        "like": like,
        "source": assumed.source,
        "response": assumed.response,
        "aspects": assumed.aspects,
        "items a group": assumed.together,
        "raters": assumed.raters,
        "yes": assumed.yes,
        "control": assumed.control,
        **assumed.variances,
    }


def choose_measure(assumed):
    """Return the measure of `statistics` of a plan: of `MEASURES`."""
    return MEASURES[assumed.response][0]


class Drawn(NamedTuple):
    """Simulated studies: true, what all raters share (studies x items x aspects); strange: twice
    the same kind of numbers, which follow nobody (2 x studies x items x aspects); answers: of each
    rater, and target: what this rater, when left out, and a scorer are held against (studies x
    raters x items x aspects)."""

    true: np.ndarray
    strange: np.ndarray
    answers: np.ndarray
    target: np.ndarray
    group: np.ndarray


def draw_studies(assumed, items, raters, groups, rng, studies=AT_ONCE):
    """Return the `Drawn` of studies of a size; rng: a random generator."""
    group = np.arange(items) * groups // items  # of each item
    true = draw_shared(assumed, group, rng, studies)
    strange = np.array([draw_shared(assumed, group, rng, studies) for _ in range(2)])
    latent = true[:, None] + draw_own(assumed, group, raters, rng, studies)
    answers = answer(assumed, latent, group)
    return Drawn(true, strange, answers, find_target(answers), group)


def draw_shared(assumed, group, rng, studies):
    """Return studies x items x aspects: effects that raters share; group: of each item, 0, 1, …"""
    items, groups, aspects = len(group), group[-1] + 1, assumed.aspects
    spread = {name: np.sqrt(variance) for name, variance in assumed.variances.items()}
    of_group = spread["group"] * rng.standard_normal((studies, groups, 1))
    of_item = spread["item"] * rng.standard_normal((studies, items, 1))
    of_both = spread["item x aspect"] * rng.standard_normal((studies, items, aspects))
    return of_group[:, group] + of_item + of_both


def draw_own(assumed, group, raters, rng, studies):
    """Return studies x raters x items x aspects: what is a rater's own; group: of each item."""
    items, groups, aspects = len(group), group[-1] + 1, assumed.aspects
    shapes = {
        "rater": (1, 1),
        "rater x aspect": (1, aspects),
        "rater x item": (items, 1),
        RESIDUAL: (items, aspects),
    }
    spread = np.sqrt(assumed.variances["rater x group"])
    of_groups = spread * rng.standard_normal((studies, raters, groups, 1))
    own = np.broadcast_to(of_groups[:, :, group], (studies, raters, items, aspects)).copy()
    for name, shape in shapes.items():
        variance = assumed.variances[name]
        if variance > 0:
            own += np.sqrt(variance) * rng.standard_normal((studies, raters, *shape))
    return own


def answer(assumed, latent, group):
    """Return the answers to latent values (studies x raters x items x aspects): points, 1 or 0, or
    places within a group."""
    if assumed.response == "yes or no":
        spread = np.sqrt(sum(assumed.variances.values()))
        return (latent > -spread * stats.norm.ppf(assumed.yes)).astype(float)
    if assumed.response in ("ranks", "orders"):
        places = np.empty_like(latent)
        for number in np.unique(group):
            here = group == number
            places[:, :, here] = stats.rankdata(latent[:, :, here], axis=2)
        return places
    return latent


def find_target(answers):
    """Return what a scorer is held against: the mean of the other raters, each left out in turn; of
    a single rater, this one's. answers: studies x raters x items x aspects."""
    raters = answers.shape[1]
    if raters == 1:
        return answers
    others = answers.sum(axis=1, keepdims=True) - answers
    return (others / (raters - 1)).round(9)


def measure_share(assumed, drawn, share, stranger):
    """Return the measure of a scorer that knows a share of the variance of what raters share, in
    each study twice: with its errors, and with the same errors the other way round (2 x studies),
    so that the mean over both hardly depends on luck.

    stranger: 0 or 1, whose errors of `drawn` it has.
    """
    known = np.sqrt(share) * drawn.true
    errors = np.sqrt(1 - share) * drawn.strange[stranger]
    values = []
    for score in (known + errors, known - errors):
        if assumed.response == "yes or no":
            score = say_yes(score, drawn.target)
        values.append(measure_scorer(assumed, score[:, None], drawn))
    return np.array(values)


def say_yes(score, target):
    """Return 1 for the highest scores, as many as there are passes (a target above 0.5), else 0;
    score: studies x items x aspects; target: studies x raters x items x aspects."""
    decided = target != 0.5
    share = (target > 0.5).sum() / max(decided.sum(), 1)
    return (score > np.quantile(score, 1 - share)).astype(float)


def measure_scorer(assumed, score, drawn):
    """Return the measure of a scorer in each study.

    drawn: `Drawn`, whose targets are studies x raters x items x aspects; score: the same, or one
    rater for all. Pearson's r is taken within aspects and rater by rater, then averaged; balanced
    accuracy, of scores 1 and 0, aspect by aspect, and where the other raters tie nothing is asked;
    pairwise accuracy in each set.
    """
    target = drawn.target
    if assumed.response == "orders":
        return order_sets(score, target, drawn.group)
    if assumed.response == "yes or no":
        passed, failed, yes = target > 0.5, target < 0.5, score > 0.5
        cases = np.array([passed, passed & yes, failed, failed & ~yes])
        sums = cases.sum(axis=(2, 3))  # 4 x studies x aspects
        return metrics.accuracy_of_sums(np.moveaxis(sums, 0, 1).astype(float))
    x = score - score.mean(axis=2, keepdims=True)
    y = target - target.mean(axis=2, keepdims=True)
    together = (x * y).sum(axis=(2, 3))
    squares = (x**2).sum(axis=(2, 3)) * (y**2).sum(axis=(2, 3))
    return (together / np.sqrt(np.maximum(squares, 1e-12))).mean(axis=1)


def order_sets(score, target, group):
    """Return the pairwise accuracy of a scorer in each study, as `metrics.pairwise_accuracy`
    takes it in each rater's set, a group; that of guessing where no set has two items.

    score, target: of `measure_scorer`; group: of each item, 0, 1, …, in order.
    """
    first, second = np.nonzero(np.triu(group[:, None] == group[None, :], 1))
    if not len(first):
        return np.full(len(target), metrics.find_guess(metrics.pairwise_accuracy))
    of_target = np.sign(target[:, :, first] - target[:, :, second])
    of_score = np.sign(score[:, :, first] - score[:, :, second])
    is_asked = of_target != 0
    is_right = np.where(of_score == 0, 0.5, of_score == of_target) * is_asked
    starts = np.flatnonzero(np.diff(group[first], prepend=-1))  # of each set's pairs
    asked = np.add.reduceat(is_asked.astype(float), starts, axis=2)
    right = np.add.reduceat(is_right, starts, axis=2)
    known = asked > 0
    shares = np.where(known, right / np.maximum(asked, 1), 0)
    return shares.sum(axis=(1, 2, 3)) / np.maximum(known.sum(axis=(1, 2, 3)), 1)


def trace_curve(assumed, raters, rng):
    """Return the mean value, where so many raters rate each item, of scorers that know each of
    `SHARES`; it never falls."""
    drawn = draw_usual(assumed, raters, rng)
    curve = [measure_share(assumed, drawn, share, 0).mean() for share in SHARES]
    return np.maximum.accumulate(curve)


def find_share(curve, value, raters):
    """Return the share of what raters share that a scorer knows who has a value of the measure.

    curve: of `trace_curve`. Raises DataError for a value that not even a perfect judge has.
    """
    if value > curve[-1]:
        raise DataError(
            f"lead: not even a perfect judge would have {value:.2f} with {raters} raters an item "
            f"(it has {curve[-1]:.2f}); expected a smaller lead, or more raters"
        )
    return float(np.interp(value, curve, SHARES))


def draw_usual(assumed, raters, rng, studies=AT_ONCE):
    """Return the `Drawn` of studies of the usual size, with groups as in `assumed`."""
    groups = max(SIMULATED // assumed.together, ENOUGH)
    return draw_studies(assumed, groups * assumed.together, raters, groups, rng, studies)


class Scorers(NamedTuple):
    """How much of what raters share the judge and the control of a plan know (0 to 1)."""

    judge: float
    control: float


def set_scorers(assumed, raters, lead, seed=0):
    """Return the `Scorers` of a plan: the control has the value that it has in the study that is
    borrowed from, and the judge leads it by `lead` where so many raters rate each item.

    Raises DataError where not even a perfect judge has this lead.
    """
    guess = metrics.find_guess(choose_measure(assumed))
    here = trace_curve(assumed, raters, np.random.default_rng([seed, 0]))
    value, share = guess, 0.0  # of a control that says the same of every item
    if assumed.control > guess:
        there = trace_curve(assumed, assumed.raters, np.random.default_rng([seed, 0]))
        share = find_share(there, assumed.control, assumed.raters)
        value = np.interp(share, SHARES, here)
    return Scorers(find_share(here, value + lead, raters), share)


def simulate_leads(assumed, scorers, items, raters, groups, rng):
    """Return the judge's lead over the control in each of many simulated studies of a size."""
    leads = []
    for _ in range(STUDIES // (2 * AT_ONCE)):  # each is used twice
        drawn = draw_studies(assumed, items, raters, groups, rng)
        judge = measure_share(assumed, drawn, scorers.judge, 0)
        control = metrics.find_guess(choose_measure(assumed))
        if scorers.control > 0:
            control = measure_share(assumed, drawn, scorers.control, 1)
        leads.append(judge - control)
    return np.concatenate(leads, axis=1).ravel()


def find_lead(assumed, scorers, raters, together, rng):
    """Return (mean, spread) of the judge's lead where so many raters rate each item: the spread is
    that of one group; of n groups it is smaller by the root of n. together: items in a group."""
    groups = max(round(SIMULATED / together), ENOUGH)
    leads = simulate_leads(assumed, scorers, round(groups * together), raters, groups, rng)
    return leads.mean(), leads.std(ddof=1) * np.sqrt(groups)


def find_chance(lead, spread, groups):
    """Return in how many of 100 studies a lead would be clear, 0 of fewer than five groups, which
    have no interval; lead, spread: of `find_lead`."""
    if groups < ENOUGH:
        return 0.0
    return noise_ceiling.find_power(lead, spread / np.sqrt(groups), groups, 0.95)


def plan(assumed, lead, items, raters, groups=None, seed=0):
    """Return how likely studies of several sizes are to show a judge's lead over the control.

    assumed: an `Assumed`; lead: of the judge, where `raters` rate each item; items, raters, groups:
    of the study that is asked about; without groups as many as items of `assumed` make. Returns
    items, raters, groups, ratings (items x raters x aspects), lead (mean over simulated studies),
    chance (in how many of 100 studies the lead is clear), and asked (True for the size that is
    asked about). Raises DataError for a size or a lead that cannot be.
    """
    check_size(items, raters, groups, lead)
    together = assumed.together if groups is None else items / groups
    scorers = set_scorers(assumed, raters, lead, seed)
    items_tried = sorted({max(round(items * times), 2) for times in ITEMS_TRIED})
    rows = []
    for panel in sorted({*RATERS_TRIED, raters}):
        rng = np.random.default_rng([seed, 1])
        mean, spread = find_lead(assumed, scorers, panel, together, rng)
        for many in items_tried:
            of_size = max(round(many / together), 1)
            chance = round(find_chance(mean, spread, of_size))
            cost = many * panel * assumed.aspects
            asked = many == items and panel == raters
            rows.append((many, panel, of_size, cost, round(mean, 3), chance, asked))
    names = ["items", "raters", "groups", "ratings", "lead", "chance", "asked"]
    return pd.DataFrame(rows, columns=names).sort_values(["items", "raters"], ignore_index=True)


def check_size(items, raters, groups, lead):
    """Raise DataError, with what was expected, where a size or a lead cannot be."""
    if items < 2:
        raise DataError(f"items: {items}; expected 2 or more")
    if not 1 <= raters <= MOST_RATERS:
        raise DataError(f"raters: {raters}; expected a number from 1 to {MOST_RATERS}")
    if groups is not None and not 1 <= groups <= items:
        raise DataError(f"groups: {groups}; expected a number from 1 to the {items} items")
    if not 0 < lead < 1:
        raise DataError(f"lead: {lead:g}; expected a number above 0 and below 1, such as 0.1")


def find_cheapest(table):
    """Return the row of a plan with the fewest ratings whose chance is `WANTED` or more, of equally
    many the one with fewer raters; None where there is none."""
    enough = table[table["chance"] >= WANTED]
    if enough.empty:
        return None
    return enough.sort_values(["ratings", "raters"], kind="stable").iloc[0]


def tell_preregistration(assumed, table, lead):
    """Return one line for a preregistration: size, lead, chance, and what they rest on."""
    asked = table[table["asked"]].iloc[0]
    _, measure = MEASURES[assumed.response]
    return (
        f"{tell_size(assumed, asked)}: if the judge leads the best control that a user "
        f"could have by {lead:g} in {measure}, {asked['chance']} of 100 such studies would show it "
        f"(95 % interval above 0); simulated, {assumed.source}, the control at "
        f"{max(assumed.control, metrics.find_guess(choose_measure(assumed))):g}."
    )


def tell_size(assumed, row):
    """Return the size of a study in words; row: of `plan`."""
    aspects = "" if assumed.aspects == 1 else f" on {assumed.aspects} aspects"
    groups = "" if row["groups"] == row["items"] else f" in {row['groups']:,} groups"
    return (
        f"{row['items']:,} items{groups}, each rated by {row['raters']} raters{aspects} "
        f"({row['ratings']:,} ratings)"
    )


def plot_plan(table, lead):
    """Return a figure of a plan: items by raters, the chance in each field, the cheapest size that
    reaches `WANTED` in a frame, the size that is asked about bold and in brackets."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    wide = table.pivot(index="items", columns="raters", values="chance")
    fig = Figure((4.8, 0.9 + 0.33 * len(wide)), dpi=200, layout="constrained")
    ax = fig.subplots()
    ax.imshow(wide, cmap="Greens", vmin=0, vmax=150, aspect="auto", origin="lower")
    cheapest = find_cheapest(table)
    for place, items in enumerate(wide.index):
        for column, raters in enumerate(wide):
            is_asked = table.query("items == @items and raters == @raters")["asked"].item()
            text = f"{wide.at[items, raters]:.0f}"
            look = {"ha": "center", "va": "center", "weight": "bold" if is_asked else "normal"}
            ax.text(column, place, f"[{text}]" if is_asked else text, size=9, **look)
    if cheapest is not None:
        corner = (
            wide.columns.get_loc(cheapest["raters"]) - 0.5,
            wide.index.get_loc(cheapest["items"]) - 0.5,
        )
        ax.add_patch(Rectangle(corner, 1, 1, fill=False, lw=2.5, ec="#D55E00"))
    below = f"[asked]; framed: the cheapest; a column is one simulation, give or take {LUCK}"
    ax.set(xticks=range(wide.shape[1]), xticklabels=wide.columns)
    ax.set_xlabel(f"raters per item\n{below}", size=8)
    sizes = [f"{items:,}" for items in wide.index]
    ax.set(yticks=range(len(wide)), yticklabels=sizes, ylabel="items")
    title = f"{tell_cheapest(cheapest)}: how many of 100 studies show a lead of {lead:g}"
    ax.set_title("\n".join(textwrap.wrap(title, 52)), size=10, loc="left")
    return fig


def tell_cheapest(cheapest):
    """Return the finding of a plan as a title; cheapest: of `find_cheapest`."""
    if cheapest is None:
        return f"No size that was tried shows the lead in {WANTED} of 100 studies (simulated)"
    return (
        f"Of the sizes tried, {cheapest['items']:,} items by {cheapest['raters']} raters are the "
        f"cheapest with {WANTED}\u00a0% or more (simulated)"
    )


class Plan(NamedTuple):
    """A plan: what was supposed (`Assumed`), the judge's lead, the table of `plan`, and the
    `Verdict`: would a study of the asked size show the lead?"""

    assumed: Assumed
    lead: float
    table: pd.DataFrame
    verdict: Verdict

    def __str__(self):
        wide = self.table.pivot(index="items", columns="raters", values="chance").astype(int)
        wide.index = [f"{size:,}" for size in wide.index]
        grid = wide.rename_axis(index="items", columns="raters").to_string()
        told = [f"{self.verdict.answer}: {self.verdict.why}", self.verdict.needed]
        told = [textwrap.fill(line, 88) for line in told if line]
        heading = f"In how many of 100 studies a lead of {self.lead:g} would be clear (SIMULATED):"
        last = [CONTROL_IS_KNOWN, "", "For the preregistration:", self.preregistration]
        last = [textwrap.fill(line, 88) for line in last]
        return "\n".join([*told, "", heading, grid, "", *last])

    @property
    def preregistration(self):
        """A line for a preregistration."""
        return tell_preregistration(self.assumed, self.table, self.lead)

    def to_json(self):
        """Return verdict, table and the line for a preregistration as JSON."""
        content = {
            "simulated": True,
            "verdicts": [vars(self.verdict)],
            "lead": self.lead,
            "measure": MEASURES[self.assumed.response][1],
            "like": self.assumed.source,
            "aspects": self.assumed.aspects,
            "sizes": json.loads(self.table.to_json(orient="records")),
            "preregistration": self.preregistration,
        }
        return json.dumps(content, indent=1, ensure_ascii=False)

    def save(self, folder):
        """Write the table and its picture to a folder, plan.csv and plan.png; return the paths."""
        picture = io.BytesIO()
        plot_plan(self.table, self.lead).savefig(
            picture, format="png", metadata={"Software": None, "Description": self.preregistration}
        )
        table = self.table.to_csv(index=False, lineterminator="\n")
        folder = Path(folder)
        return [
            replace_file(folder / "plan.csv", table),
            replace_file(folder / "plan.png", picture.getvalue()),
        ]


def plan_study(
    items: int,
    raters: int,
    *,
    groups: int | None = None,
    aspects: int | None = None,
    lead: float | None = None,
    like: str = "",
    seed: int = 0,
    **reading,
) -> Plan:
    """Return the `Plan` of a study that nobody has made: would it show that a judge leads the best
    control that a user could have?

    items, raters, groups: its size; without groups as many as items of `like` make. aspects:
    questions about each item; None: as in `like`. lead: of the judge, in the measure; None: the
    smallest difference that counts. like: "ttcw", "hanna", "lamp", a file of ratings, or "" for
    assumed variances; reading: options of `read_ratings` for that file.

    The answer is yes where 80 of 100 such studies would show the lead. Raises DataError for a size
    or a lead that cannot be, and for a file that cannot be read. Simulated; the way is described at
    the top of this module.

    >>> plan_study(60, 3, like="hanna").verdict.answer      # doctest: +SKIP
    'no'
    """
    check_size(items, raters, groups, 0.5 if lead is None else lead)
    assumed = suppose(like, reading)
    if aspects is not None:
        if not 1 <= aspects <= MOST_ASPECTS:
            raise DataError(f"aspects: {aspects}; expected a number from 1 to {MOST_ASPECTS}")
        assumed = assumed._replace(aspects=aspects)
    if lead is None:
        lead = verdicts.SMALLEST[choose_measure(assumed)][0]
    table = plan(assumed, lead, items, raters, groups, seed)
    asked = table[table["asked"]].iloc[0]
    cheapest = find_cheapest(table)
    enough = bool(asked["chance"] >= WANTED)
    question = f"Would it show a lead of {lead:g}?"
    why = (
        f"{asked['chance']} of 100 studies of {tell_size(assumed, asked)} would show a lead of "
        f"{lead:g} in {MEASURES[assumed.response][1]}. "
        f"Supposed: {assumed.source.removeprefix('assumed: ')}."
    )
    if groups is None and assumed.together > 1:
        why += f" There {assumed.together} items are in a group; say how many groups yours make."
    if cheapest is None:
        needed = f"{tell_cheapest(cheapest).removesuffix(' (simulated)')}."
    else:
        needed = f"The cheapest tried with {WANTED} or more: {tell_size(assumed, cheapest)}."
    return Plan(assumed, lead, table, Verdict(question, "yes" if enough else "no", why, needed))


def suppose(like, reading):
    """Return the `Assumed` of a public data set, of a file of ratings, or of "" the usual."""
    path = Path(like)
    if not like or not (path.suffix or len(path.parts) > 1 or path.exists()):
        return load_assumed(like)
    data = read_ratings(path, **reading)
    control = find_control(data)
    return borrow(data, control, f"variances of {path.name}", np.random.default_rng(0))
