"""The main claim of notebook 08 under other definitions: does it depend on a choice?"""

from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.diagnostics import reliability as people
from goodjudge.stats import metrics as statistics

from helpers import choices
from helpers.edits.load import KINDS, load_reward
from helpers.edits.pairs import ALL, WITHIN, lead_by_rater, list_pairs


def vary_lead(data):
    """Return a table of `choices.vary`: by how much a person leads length in LAMP, by each
    definition; a lead of 0 would mean that there is nothing to judge beyond length.

    data: LAMP's `Ratings`. n counts triples, or raters where the row says so.
    """
    claims = {ALL: lead_over_length(data)}
    for pair, kinds in list_pairs(KINDS["LAMP"]).items():
        is_of_pair = data.items["kind"].isin(kinds)
        claims[pair] = lead_over_length(ratings.keep(data, is_of_pair))
    claims["Kendall's tau"] = lead_over_length(data, statistics.kendall)
    claims["rater by rater (n: raters)"] = lead_by_rater(data)
    left_out = choices.leave_raters_out(data, lead_over_length)
    claims |= choices.find_extremes(left_out, "one rater left out")
    nobody = load_reward().head(0)
    new_raters = people.for_new_raters(data, nobody, statistics.pairwise_accuracy, within=WITHIN)
    claims["for new raters too (n: raters)"] = take_lead(new_raters)
    return choices.vary(claims).rename_axis("a person's lead over length")


def lead_over_length(data, measure=statistics.pairwise_accuracy):
    """Return by how much a person leads the best control: estimate, low, high, n (triples).

    data: `Ratings` of triples, or of one pair of each; measure: of `statistics`.
    """
    nobody = load_reward().head(0)
    comparison = compare.compare(data, nobody, measure, within=WITHIN, simulate=False)
    return take_lead(comparison)


def take_lead(comparison):
    """Return a person's lead over the best control as estimate, low, high, n; comparison: of
    `compare.compare`."""
    lead = comparison.loc[compare.PERSON, [*compare.lead_names("control"), "n"]]
    return lead.set_axis(compare.ENDS)
