"""Small decisions from a comparison, and sentences about its control and its ceiling; each with a
margin that is stated first."""

import numpy as np
import pandas as pd
from scipy import stats

from goodjudge.comparison import controls
from goodjudge.comparison.compare import CEILING, PERSON, POWER
from goodjudge.comparison.noise_ceiling import TOO_LITTLE
from goodjudge.stats import intervals, metrics

WIDE = 80  # of 100 studies: a power known no better has no middle worth a word
NO_MEANING = "It has no meaning: it is not clear that people agree."
SMALLEST = {  # of a measure: the smallest difference that counts, and why
    metrics.balanced_accuracy: (0.05, "one more case in twenty decided rightly"),
    metrics.auc: (0.05, "one more pair in twenty ordered rightly"),
    metrics.pairwise_accuracy: (0.05, "one more pair in twenty ordered rightly"),
    metrics.pearson: (0.1, "less than two samples of a hundred items differ by chance"),
    metrics.spearman: (0.1, "less than two samples of a hundred items differ by chance"),
    metrics.mean_spearman: (0.1, "less than two samples of a hundred items differ by chance"),
    metrics.kendall: (0.1, "one more pair in twenty ordered rightly"),
}


def count_groups_needed(lead, n, smallest, level=0.95):
    """Return the number of groups at which 80 of 100 studies would find a lead of `smallest`, from
    the width of an interval of `n` groups, which shrinks with the root of their number.

    lead: estimate, low, high; level: of the interval.
    """
    estimate, _, high = lead
    visible = intervals.find_visible(high - estimate, n, level)
    return int(np.ceil(n * (visible / smallest) ** 2))


def are_alike(row, margin, level=0.95):
    """Return "alike", "different" or "these data cannot tell" of a difference (estimate, low, high,
    n: groups), by two one-sided tests against the margin (Schuirmann 1987), each at 5 %.

    alike: both say that it is smaller than the margin; different: its interval holds no 0.
    """
    if np.isnan(row["low"]):
        return "these data cannot tell"
    df = max(row["n"] - 1, 1)
    half = (row["high"] - row["low"]) / 2
    narrower = half * stats.t.ppf(0.95, df) / stats.t.ppf((1 + level) / 2, df)
    if abs(row["estimate"]) + narrower < margin:
        return "alike"
    if row["low"] > 0 or row["high"] < 0:
        return "different"
    return "these data cannot tell"


def find_no_meaning(found, smallest):
    """Return why being as good as a person would mean nothing, "" where it means something.

    found: of `compare`; smallest: the difference that counts.
    """
    if found.attrs["why"] == TOO_LITTLE:
        return NO_MEANING
    person = found.loc[PERSON]
    above = person["estimate"] - found.attrs["guess"]
    if pd.notna(person["low"]) and above < 2 * smallest:
        return f"It has no meaning: a person is hardly more than {smallest:g} above guessing."
    return ""


def tell_most(found, groups="groups"):
    """Return " for most groups" where the best control differs from group to group, else "".

    found: of `compare`; groups: what they are called.
    """
    return "" if found.attrs["chosen"] == found.attrs["control"] else f" for most {groups}"


def describe_control(found):
    """Return how the best control of a comparison is told to readers: what it knows, and who taught
    it. found: of `compare`."""
    chosen = found.attrs["chosen"]
    most = tell_most(found)
    if chosen == controls.CONSTANT:
        return f"the same answer to everything{most}"
    if chosen in (controls.SHOWN_FIRST, controls.SHOWN_LAST):
        return f"what was {chosen}{most}"
    taught = "the same authors elsewhere" if chosen in controls.KNOW_WRITER else "other groups"
    return f"{chosen}{most}, taught by people's ratings of {taught}"


def tell_power(found):
    """Return in a sentence in how many studies a perfect judge's lead would be clear, or why this
    is not known."""
    power = [found.attrs[name] for name in POWER]
    if np.isnan(power[0]):
        return f"What a perfect judge could reach is not known: {found.attrs['why']}."
    likely, low, high = (round(one) for one in power)
    span = f"about {likely} ({low} to {high})"
    if low == high:
        span = f"{high}"
    elif high - low > WIDE:
        span = f"anything from {low} to {high}"
    return (
        f"A perfect judge's lead over the best control would be clear in {span} of 100 studies "
        "like this one."
    )


def is_above_ceiling(found, judge):
    """Return whether a judge clearly has more than a perfect judge could: the whole interval of the
    one lies above that of the other; found: of `compare`."""
    return bool(found.at[judge, "low"] > found.at[CEILING, "high"])
