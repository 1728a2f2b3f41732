"""The one comparison: judges, a person, controls and the ceiling, on the same cases."""

import numpy as np
import pandas as pd
from scipy import stats

from helpers import results
from helpers.measures import agreement, controls, intervals, ratings, statistics
from helpers.sources.names import display_name

PERSON, CEILING = "a person", "a perfect judge"
ENOUGH = 5  # groups; an interval from fewer would say nothing
STUDIES = 100  # simulated, for the ceiling
ENDS = ["estimate", "low", "high", "n"]
QUESTIONS = {
    "Is it better than the best control?": "control",
    "Is it as good as one more rater?": "person",
}
ASKED = {"others": "the other raters", "all": "all raters"}  # how `target` is said to readers


def lead_names(rival):
    """Return the columns of the paired lead over the "control" or a "person"."""
    return [f"over {rival}", f"over {rival} low", f"over {rival} high"]


def compare(
    data, scores, measure, *, target="others", within=(), over=("group",), level=0.95, seed=0
):
    """Return one row per scorer: how far it follows people, beside all it must be held against.

    data: `Ratings`; scores: item, judge, score and perhaps aspect, status, repeat, order, partner
    (see `ratings.match_scores`); measure: of `statistics`, taken within the columns `within`. over:
    the groups that intervals speak of, one column or two (a claim about new writers and new
    prompts). target="others": a judge and a left-out rater are held against the same remaining
    raters, on the same cases, each rater in turn; "all": everybody against the mean of all raters,
    where no person can be a row.

    Columns: kind (judge, person, control, ceiling), estimate, low, high, n (groups; no interval
    from fewer than five); the paired leads on the cases that both answered (`over control`, `over
    control low`, `over control high`, `over person`, …); and `visible`, the lead over the control
    that 80 of 100 such studies would find. The best control is chosen afterwards, which favours it.
    The ceiling is simulated (`simulate_perfect`). attrs: target, control (the best), found (per
    cent of simulated studies in which the perfect judge's lead over the control would be clear).
    """
    cases = ratings.find_cases(data, target)
    if measure in statistics.OF_TWO_KINDS:  # people who tie say neither
        cases["target"] = cases["target"].where(cases["target"] != 0.5)
    trial = Trial(cases, measure, within, over, level)
    judges = ratings.match_scores(cases, scores)
    unread = controls.make_controls(cases, measure, within)
    given = judges | {PERSON: cases["person"].to_numpy(float)} | unread
    rows = {name: dict(trial.rate(score)) for name, score in given.items()}
    best = max(unread, key=lambda name: np.nan_to_num(rows[name]["estimate"]))
    if np.isnan(rows[best]["estimate"]):  # all others run against people: none beats a constant
        end = 0.0 if rows[best]["n"] >= ENOUGH else np.nan
        rows[best] |= {"estimate": 0.0, "low": end, "high": end}
    for name in [*judges, PERSON]:
        rows[name] |= trial.lead("control", given[name], given[best])
    for name in [*judges, best]:
        rows[name] |= trial.lead("person", given[name], given[PERSON])
    rng = np.random.default_rng(seed)
    rows[CEILING], clear = simulate_perfect(data, trial, given[best], rng)
    kinds = ["judge"] * len(judges) + ["person"] + ["control"] * len(unread) + ["ceiling"]
    found = pd.DataFrame.from_dict(rows, orient="index", dtype=float).rename_axis("who")
    leads = [*lead_names("control"), "visible", *lead_names("person")]
    found = found.reindex(columns=[*ENDS, *leads])
    found.insert(0, "kind", kinds)
    if trial.count(slice(None)) < ENOUGH:  # no interval, of a simulated judge neither
        ends = [name for name in found if name.endswith(("low", "high"))]
        found[ends], clear = np.nan, np.nan
    found.attrs = {"target": ASKED[target], "control": best, "found": clear}
    return found


class Trial:
    """The cases of one comparison, its measure and its groups: rates scores, alone and in pairs."""

    def __init__(self, cases, measure, within, over, level):
        self.cases, self.measure, self.level, self.known = cases, measure, level, {}
        self.target = cases["target"].to_numpy(float)
        self.labels = cases.groupby([*within] or np.zeros(len(cases))).ngroup().to_numpy()
        self.groups = [pd.factorize(cases[name])[0] for name in over]
        if len(over) > 1:
            self.groups.append(cases.groupby([*over]).ngroup().to_numpy())
        self.named = self.groups[:2]
        # of very many groups whole blocks are left out: the same variance in less time
        self.groups = [part % 200 if part.max() > 2000 else part for part in self.groups]
        self.scale = "correlation" if measure in statistics.CORRELATIONS else None

    def leave_out(self, score, rows):
        """Return the measure over some cases, and without each group in turn, kind by kind."""
        key = score.tobytes(), rows.tobytes()
        if key not in self.known:
            given = score[rows], self.target[rows], self.labels[rows]
            parts = [statistics.leave_out(self.measure, *given, g[rows]) for g in self.groups]
            self.known[key] = self.measure(*given), parts
        return self.known[key]

    def rate(self, score):
        """Return estimate, low, high, n of one scorer, on the cases that it answered."""
        rows = np.flatnonzero(~np.isnan(score + self.target))
        if not len(rows):
            return intervals.row()
        return self.bound(*self.leave_out(score, rows), rows, self.scale)

    def count(self, rows):
        """Return how many groups some cases have; of two kinds, the smaller number."""
        return min(len(np.unique(groups[rows])) for groups in self.named)

    def bound(self, estimate, parts, rows, scale=None):
        """Return estimate, low, high, n; without an interval where there are few groups."""
        n = self.count(rows)
        if n < ENOUGH or np.isnan(estimate):
            return intervals.row(estimate, n=n)
        found = intervals.combine(estimate, parts, self.level, scale)
        return intervals.row(*found[ENDS[:3]], n)

    def lead(self, rival, score, against):
        """Return by how much a scorer leads a rival on the cases that both answered, by columns."""
        rows = np.flatnonzero(~np.isnan(score + against + self.target))
        if not len(rows):
            return {}
        (mine, left), (other, right) = (self.leave_out(one, rows) for one in (score, against))
        if self.scale and np.ptp(against[rows]) == 0:  # a constant has no correlation: 0
            other, right = 0.0, [np.zeros(len(part)) for part in left]
        lead = self.bound(mine - other, [a - b for a, b in zip(left, right)], rows)
        found = dict(zip(lead_names(rival), lead))
        if rival == "control":
            found["visible"] = find_visible(lead["high"] - mine + other, lead["n"], self.level)
        return found


def find_visible(half, n, level=0.95):
    """Return the lead that 80 of 100 studies would find, from half the width of an interval."""
    return half * (1 + stats.norm.ppf(0.8) / stats.t.ppf((1 + level) / 2, max(n - 1, 1)))


def simulate_perfect(data, trial, control, rng):
    """Return (row, found): what a judge with the people's own true scores would reach, and in what
    per cent of studies its lead over the control would be clear.

    The model is additive: an item's true score is what its writer, kind, aspect and counts predict,
    and a normal rest; a rating is a true score, the rater's severity and a normal error (where
    people say only 0 or 1: a Yes with that probability). All variances are those of the data. low,
    high: the middle 95 % of simulated studies, whose spread is the error of the lead. Nothing (nan)
    where no item has two raters.
    """
    fitted, spread, severity, error, binary = fit_scores(data, trial.cases)
    if np.isnan(error):
        return intervals.row(), np.nan
    case = trial.cases.groupby(["item", "aspect"]).ngroup().to_numpy()
    raters, alone = trial.cases["raters"].to_numpy(), trial.cases["person"].isna().all()
    people, found = raters if alone else np.ones(len(case), int), []
    for _ in range(STUDIES):
        true = fitted + spread * rng.standard_normal(case.max() + 1)[case]
        said = true + severity + rng.normal(0, error / np.sqrt(people))
        if binary:
            said = rng.binomial(people, np.clip(true + severity, 0, 1)) / people
        if not alone:
            said = (np.bincount(case, said)[case] - said) / (raters - 1)
        tied = (trial.measure in statistics.OF_TWO_KINDS) & (said.round(9) == 0.5)
        rows = np.flatnonzero(~np.isnan(control) & ~tied)
        given = said.round(9)[rows], trial.labels[rows]
        if trial.measure is statistics.balanced_accuracy:  # a Yes where a pass is likelier than
            true = 0.5 + statistics.centre(true, trial.labels)  # usual: no rule scores higher
        found.append([trial.measure(score[rows], *given) for score in (true, control)])
    perfect, other = np.nan_to_num(found).T  # a constant has no correlation: 0
    lead, n = perfect - other, trial.count(slice(None))
    needed = stats.t.ppf((1 + trial.level) / 2, max(n - 1, 1)) * lead.std(ddof=1)
    row = dict(zip(ENDS, [perfect.mean(), *np.percentile(perfect, [2.5, 97.5]), n]))
    ends = [lead.mean(), *np.percentile(lead, [2.5, 97.5])]
    return row | dict(zip(lead_names("control"), ends)), 100 * float((lead > needed).mean())


def fit_scores(data, cases):
    """Return, for each case, the true score that its writer, kind, aspect and counts predict; the
    SD of the rest of true scores; the case's severity; the SD of a rating's error; whether people
    say only 0 or 1."""
    table, freedom = agreement.find_severity(data)
    key = ["item", "aspect"]
    given = table.assign(free=table["score"] - table["severity"]).groupby(key)["free"]
    apart = given.var(ddof=0).mul(given.size()).sum()
    error = np.sqrt(apart / freedom) if freedom > 0 else np.nan
    cells = cases.drop_duplicates(key)
    index, everywhere = (pd.MultiIndex.from_frame(part[key]) for part in (cells, cases))
    mean = given.mean().reindex(index).to_numpy()
    counts = cells[controls.list_counts(cases)].astype(float)
    counts = (counts - counts.mean()) / counts.std().where(counts.std() > 0, 1)
    known = [name for name in ("writer", "kind", "aspect") if name in cells]
    kinds = cells.groupby(known).ngroup()
    x = np.column_stack([pd.get_dummies(kinds).to_numpy(float), counts.fillna(0)])
    weights, _, rank, _ = np.linalg.lstsq(x, mean, rcond=1e-10)
    rest = ((mean - x @ weights) ** 2).sum() / max(len(mean) - rank, 1)
    spread = np.sqrt(max(rest - error**2 / given.size().mean(), 0))
    by = key if cases["rater"].eq("").all() else [*key, "rater"]
    severity = table.groupby(by)["severity"].mean()
    severity = severity.reindex(pd.MultiIndex.from_frame(cases[by])).to_numpy()
    fitted = pd.Series(x @ weights, index).reindex(everywhere).to_numpy()
    return fitted, spread, severity, error, bool(table["score"].isin([0, 1]).all())


def summarise(found, judge):
    """Return the rows that a reader asks for first: estimate, low, high, n of judge, person, the
    best control and a perfect judge, and the judge's paired leads over control and person.

    found: of `compare`; judge: a name in it.
    """
    control = found.attrs["control"]
    names = {judge: "the judge", PERSON: PERSON, control: f"control: {control}", CEILING: CEILING}
    rows = found.loc[list(names), ENDS].rename(names)
    for rival, who in (("control", control), ("person", PERSON)):
        lead = found.loc[judge, [*lead_names(rival), "n"]]
        rows.loc[f"the judge less {who}"] = lead.to_numpy(float)
    return rows


def decide(lead, n, smallest, least=0.0):
    """Return "yes", "no", or that these data cannot tell and how many groups would be needed.

    lead: estimate, low, high; n: groups. yes: the interval lies above `least`; no: it lies below
    `least` or holds no lead of `smallest` above it. Else the number of groups is that at which 80
    of 100 studies would find a lead of `smallest`, from the width of this interval.
    """
    estimate, low, high = lead
    if np.isnan(low):
        return "" if np.isnan(estimate) else f"these data cannot tell: fewer than {ENOUGH} groups"
    if low > least:
        return "yes"
    if high < least + smallest:
        return "no"
    needed = int(np.ceil(n * (find_visible(high - estimate, n) / smallest) ** 2))
    return f"these data cannot tell: {n:.0f} groups, about {needed:,} needed"


def answer(found, smallest):
    """Return what `decide` says of the leads of each row of `compare` that is no control: a column
    for each of `QUESTIONS`."""
    rows = found[found["kind"] != "control"]
    told = {}
    for question, rival in QUESTIONS.items():
        leads, least = rows[lead_names(rival)].to_numpy(), -smallest * (rival == "person")
        told[question] = [decide(lead, n, smallest, least) for lead, n in zip(leads, rows["n"])]
    return pd.DataFrame(told, rows.index)


def tell(found, judge, answers, measure):
    """Return in two sentences how far a judge follows people, and its answers (of `answer`)."""
    show, control = results.format_interval, found.attrs["control"]
    name, many = display_name(judge), (found["kind"] == "judge").sum()
    who = f"The best of {many} judges, {name}," if many > 1 else f"{name[:1].upper()}{name[1:]}"
    follows = f"{who} has {measure} {show(found.loc[judge])} against {found.attrs['target']}"
    person = f"a person {show(found.loc[PERSON])}, " * pd.notna(found.at[PERSON, "estimate"])
    beside = f"{person}the best control that reads nothing ({control})"
    told = [f"{asked} {said.capitalize()}." for asked, said in answers.loc[judge].items() if said]
    return [f"{follows}, {beside} {show(found.loc[control])}.", *filter(None, [" ".join(told)])]


def count_saved(found, labelled, cases):
    """Return how many of `labelled` labels each scorer spares at best: r² (1 - labelled / cases) of
    them (kind, estimate, low, high, n).

    found: rows of `compare` for Pearson's r, within ("aspect",) where labels are drawn alike from
    every aspect, so that knowing the aspect saves nothing; cases: how many there are in all. An r
    below 0 saves nothing. So much smaller is the variance of prediction-powered inference with the
    best weight (Angelopoulos, Duchi & Zrnic 2023).
    """
    saved = labelled * (1 - min(labelled / cases, 1)) * found[ENDS[:3]].clip(lower=0) ** 2
    return pd.concat([found["kind"], saved, found["n"]], axis=1)


def to_values(tables, of="one judge"):
    """Return {name: number} for `results.save_findings`; tables: {task: rows of `summarise`}; of:
    "one judge" (the open one) or "best judge" (the best of a study, its choice corrected for)."""
    return {
        " / ".join([of, task, row, end]): float(line[end])
        for task, table in tables.items()
        for row, line in table.iterrows()
        for end in ENDS
    }


def from_values(values, of="one judge"):
    """Return (task, row): estimate, low, high, n of what `to_values` wrote; other values are left
    out."""
    rows = [
        [*key.split(" / ")[1:], one] for key, one in values.items() if key.startswith(f"{of} / ")
    ]
    names = ["task", "row", None]
    found = pd.DataFrame(rows, columns=[*names, "value"]).set_index(names)["value"]
    return found.astype(float).unstack(sort=False)
