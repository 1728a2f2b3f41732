"""By how much a judge of poems leads the best control that reads nothing, by each definition."""

from goodjudge.comparison import compare, controls
from goodjudge.comparison.cases import Trial
from goodjudge.data import ratings
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics

from helpers import choices


def vary_lead(data, scores, judge):
    """Return a table of `choices.vary`: by how much a judge leads the best control that reads
    nothing, by each definition; data: of `load.rate`; scores: item, judge, score of the same judge
    asked in several ways; judge: a name in it. Intervals hold for all ways of asking at once."""

    def lead(measure, data=data, within=(), judge=judge):
        settings = {"target": "all", "within": within, "simulate": False, "together": True}
        table = compare.compare(data, scores, measure, **settings)
        of_lead = [*compare.lead_names("control"), "n"]
        return table.loc[judge, of_lead].set_axis(compare.ENDS)

    cases = ratings.find_cases(data, "all")
    usual_count = find_usual_count(cases)
    without_count = data._replace(items=data.items.drop(columns=usual_count))
    length_only = data._replace(items=data.items[["item", "group", "words"]])
    rho = statistics.spearman
    other_rivals = {
        f"without {usual_count}": lead(rho, without_count),
        "length as the only control": lead(rho, length_only),
    }
    claims = {
        "Spearman's rho": lead(rho),
        "Pearson's r": lead(statistics.pearson),
        "Kendall's tau": lead(statistics.kendall),
        "pairwise accuracy": lead(statistics.pairwise_accuracy),
        "rho within a subject, averaged": lead(statistics.mean_spearman, within=("group",)),
        "the first and the last tier only": lead(rho, keep_end_tiers(data)),
        "the count chosen on the same poems": lead_over_count(cases, scores, judge, usual_count),
        **other_rivals,
    }
    for other_judge in scores["judge"].unique():
        if other_judge != judge:
            claims[f"asked for {other_judge}"] = lead(rho, judge=other_judge)
    return choices.vary(claims, aside=other_rivals)


def find_usual_count(cases):
    """Return the count that is most often chosen as the best of those that read nothing."""
    counts = controls.list_counts(cases)
    chosen_by_fold = controls.best_count(cases, counts)[1]
    chosen = list(chosen_by_fold.values())
    return max(counts, key=chosen.count)


def keep_end_tiers(data):
    """Return the `Ratings` of the poems in the first and in the last tier."""
    tier_by_item = data.ratings.set_index("item")["score"]
    tier = data.items["item"].map(tier_by_item)
    return ratings.keep(data, tier.isin([tier.min(), tier.max()]))


def lead_over_count(cases, scores, judge, count):
    """Return by how much (estimate, low, high, n) a judge leads a count in Spearman's rho, the sign
    of the count being that of the same cases; the interval holds for all judges at once."""
    trial = Trial(cases, statistics.spearman, (), ("group",), 0.95)
    values = trial.apply(cases[count].to_numpy(float))
    if values.value < 0:
        values = trial.apply(-values.score)
    follow = {
        name: trial.apply(score) for name, score in ratings.match_scores(cases, scores).items()
    }
    parts = [trial.subtract(follows, values)[1] for follows in follow.values()]
    value, left, rows = trial.subtract(follow[judge], values)
    row = trial.bound(value, left, rows)
    factor = intervals.find_factor(parts)
    row["low"], row["high"] = intervals.stretch(row["low"], value, row["high"], factor)
    return row
