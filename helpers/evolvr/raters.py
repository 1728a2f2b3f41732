"""How far HANNA's raters agree: the paper's index, correlation, severity, the ceiling of noise.

Three raters rate each story on six aspects. `agreement_index` is what evolvr's Table 8 prints of
single stories, and of two that are compared. `variances` splits what raters say into stories,
severity and the rest; `ceilings` says how well a perfect judge could follow their means.
`about_pairs` asks whether two raters agree better about two stories that they compare than about
two that they rate singly. Of two stories of one prompt, rated by x and y (severity taken off):

               story a   story b      compared, each rater's own difference:   4 - 1 and 3 - 2
    rater x       4         1         rated singly, story a by one of them     4 - 2 and 3 - 1
    rater y       3         2         and story b by the other:

Two raters agree as far as such pairs of numbers correlate, over all pairs of stories and raters.
Notebooks 05 and S3 show the results.
"""

from itertools import permutations
from typing import NamedTuple

import numpy as np
import pandas as pd
from goodjudge.stats import intervals, severity
from goodjudge.stats import metrics as statistics
from goodjudge.stats.jackknife import average, by_block, leave_out

from helpers.evolvr.load import ASPECTS, RATERS, rating_array

SIX = "mean of all six"
ONE = ["one story,\nas rated", "one story,\nseverity\nremoved"]
TWO = ["two stories,\nrated singly,\nseverity\nremoved", "two stories,\ncompared"]


def agreement_index(ratings):
    """Return 1 / (1 + mean over items of the population SD of an item's ratings); axes: …, items,
    raters (nan: did not rate; an item with fewer than two ratings does not count). It gives evolvr,
    Table 8: column Pointwise for stories, Pairwise for `same_rater_differences` of all pairs."""
    ratings = np.asarray(ratings, float)
    has_enough = (~np.isnan(ratings)).sum(axis=-1) >= 2
    usable = np.where(has_enough[..., None], ratings, 0)  # 0: adds no spread
    find_sd = np.nanstd if np.isnan(usable).any() else np.std  # the same, in half the time
    spread = find_sd(usable, axis=-1)
    mean_spread = spread.sum(axis=-1) / has_enough.sum(axis=-1)
    return 1 / (1 + mean_spread)


def pair_up(prompts):
    """Return (a, b): all ordered pairs of different stories of one prompt."""
    prompts = np.asarray(prompts)
    share_prompt = prompts[:, None] == prompts[None]  # stories x stories
    are_different = ~np.eye(len(prompts), dtype=bool)
    return np.nonzero(share_prompt & are_different)


def same_rater_differences(arrays, who, a, b):
    """Return aspects x pairs x 3: how much better story a than story b was rated by each rater of
    a; nan if b was not. arrays, who: of `load.rating_array`; a, b: positions of stories."""
    is_same = who[a][:, :, None] == who[b][:, None, :]  # pairs x raters of a x raters of b
    slot_in_b = is_same.argmax(axis=2)
    of_b = np.take_along_axis(arrays[:, b], slot_in_b[None], axis=2)
    return np.where(is_same.any(axis=2), arrays[:, a] - of_b, np.nan)


def variances(data):
    """Return by aspect the variances of a single rating (stories, severity, rest) and those of a
    story's mean rating (mean as rated; mean, severity removed), in squared points.

    The model (generalizability theory) is additive. rest: the variance within stories once severity
    is away; severity: by how much it falls; stories: that of means without severity, less their
    share of the rest. data: HANNA's `Ratings`; DataError for other aspects.
    """
    rated, who = rating_array(data)
    return pd.DataFrame(
        split_variances(rated, number_raters(who)), pd.Index(ASPECTS, name="aspect")
    )


def split_variances(rated, rater):
    """Return the columns of `variances`, one number per aspect each; rated: aspects x stories x 3;
    rater: who gave them, as numbers from 0, stories x 3."""
    stories = np.repeat(np.arange(len(rater)), RATERS)
    free = np.empty(rated.shape)
    freedom = 0  # of all aspects together
    for aspect, scores in enumerate(rated):
        severities, of_aspect = severity.fit_severity(stories, rater.ravel(), scores.ravel())
        free[aspect] = scores + severities.reshape(scores.shape)
        freedom += of_aspect
    of_means = free.mean(axis=2).var(axis=1, ddof=1)
    squares = free.var(axis=2, ddof=1).sum(axis=1) * (RATERS - 1)
    rest = squares * len(rated) / freedom
    return {
        "stories": of_means - rest / RATERS,
        "severity": rated.var(axis=2, ddof=1).mean(axis=1) - rest,
        "rest": rest,
        "mean as rated": rated.mean(axis=2).var(axis=1, ddof=1),
        "mean, severity removed": of_means,
    }


def number_raters(names):
    """Return each rater's number, from 0 in order of names, where the name stands in an array."""
    _, numbers = np.unique(names, return_inverse=True)
    return numbers.reshape(names.shape)


def ceilings(data):
    """Return the highest possible correlation with mean ratings (estimate, low, high, n prompts),
    as rated and severity removed. 95 % intervals (jackknife) speak of other prompts for these
    writers and raters."""
    rated, who = rating_array(data)
    rater = number_raters(who)
    prompts = data.items["group"].to_numpy()
    ceiling = find_ceiling(rated, rater)
    without_each = []
    for prompt in np.unique(prompts):
        others = prompts != prompt
        without_each.append(find_ceiling(rated[:, others], rater[others]))
    rows = {}
    for kind, estimate in ceiling.items():
        left_out = [smaller[kind] for smaller in without_each]
        rows[kind] = to_row([estimate, *left_out])
    return to_table(rows).rename_axis("ceiling")


def find_ceiling(rated, rater):
    """Return {as rated, severity removed: the highest possible correlation with mean ratings}: the
    square root of the share of the means' variance that belongs to stories and aspects.

    rated, rater: of `split_variances`.
    """
    by_aspect = split_variances(rated, rater)
    variance = {name: numbers.mean() for name, numbers in by_aspect.items()}
    of_aspects = rated.mean(axis=(1, 2)).var()
    true = variance["stories"] + of_aspects
    as_rated = variance["mean as rated"] + of_aspects
    severity_removed = variance["mean, severity removed"] + of_aspects
    return {
        "as rated": np.sqrt(true / as_rated),
        "severity removed": np.sqrt(true / severity_removed),
    }


def correlate(first, second, groups, blocks=None):
    """Return Pearson's r over all pairs of numbers (nan left out), then r without each group in
    turn.

    first, second: items x pairs of raters; groups: one per item; blocks: None, or what each pair of
    numbers belongs to (a rater, as a whole number from 0), items x pairs, for the mean r of the
    blocks, weighted by their pairs.
    """
    known = ~np.isnan(first + second)
    group_of_each = np.broadcast_to(np.reshape(groups, (-1, 1)), known.shape)
    group = group_of_each[known]
    label = np.zeros(len(group), int)  # one for all: no mean is taken off first
    block = label if blocks is None else blocks[known]
    numbers = first[known], second[known], label
    values, counts = by_block(statistics.pearson, *numbers, block)
    without_each = leave_out(statistics.pearson, *numbers, group, block)
    return np.append(average(values, counts), without_each)


def to_row(values, scale="correlation"):
    """Return estimate, low, high, n of what `correlate` returns; scale: None for a difference."""
    return intervals.combine(values[0], [np.asarray(values[1:])], scale=scale)


def to_table(rows):
    """Return {name: a row estimate, low, high, n} as a table with a whole n."""
    return pd.DataFrame(rows).T.astype({"n": int})


# a story's three raters make six ordered pairs: the first of each, the second of each
PAIRS = np.transpose(list(permutations(range(RATERS), 2)))


class View(NamedTuple):
    """What two raters said of the same case: a story, or two of a prompt.

    first, second: their numbers, aspects x cases x 6 (ordered pairs of raters), nan where one is
    missing; prompts: one per case; rater: who said `first`, cases x 6.
    """

    first: np.ndarray
    second: np.ndarray
    prompts: np.ndarray
    rater: np.ndarray


def list_views(rated, free, who, prompts):
    """Return {name: `View`}: of one story, as rated and without severity (ONE); of two stories,
    either one rating from either rater or each rater's own difference (TWO).

    rated, free: ratings as given and without severity, aspects x stories x 3 (nan: left out); who:
    of `load.rating_array`; prompts: one per story.
    """
    one_as_rated, one_free = ONE
    singly, compared = TWO
    return {
        one_as_rated: view_one(rated, who, prompts),
        one_free: view_one(free, who, prompts),
        singly: view_singly(free, who, prompts),
        compared: view_compared(rated, who, prompts),
    }


def view_one(scores, who, prompts):
    """Return the `View` of one story: what one rater gave it, and what another gave it."""
    p, q = PAIRS
    return View(scores[..., p], scores[..., q], prompts, who[:, p])


def view_compared(scores, who, prompts):
    """Return the `View` of two stories of a prompt: one rater's own difference, and another's."""
    p, q = PAIRS
    a, b = pair_up(prompts)
    differences = same_rater_differences(scores, who, a, b)  # aspects x pairs of stories x 3
    return View(differences[..., p], differences[..., q], prompts[a], who[a][:, p])


def view_singly(free, who, prompts):
    """Return the `View` of two stories of a prompt, each rated by one of two raters: story a by one
    and b by the other, and the other way round; free: without severity.

    With the ratings of the module's example, p being x and q being y: 3 - 1 and 4 - 2.
    """
    p, q = PAIRS
    a, b = pair_up(prompts)
    differences = same_rater_differences(free, who, a, b)  # nan: this rater has not rated b
    of_a = free[:, a]  # aspects x pairs of stories x 3
    of_b = of_a - differences  # what a's raters gave b, in the order of a's raters
    a_by_q_less_b_by_p = of_a[..., q] - of_b[..., p]
    a_by_p_less_b_by_q = of_a[..., p] - of_b[..., q]
    return View(a_by_q_less_b_by_p, a_by_p_less_b_by_q, prompts[a], who[a][:, p])


def correlate_aspects(view, blocks=None):
    """Return what `correlate` does of a `View`, a row per aspect: aspects x (1 + prompts)."""
    r = []
    for first, second in zip(view.first, view.second):
        r.append(correlate(first, second, view.prompts, blocks))
    return np.array(r)


def about_pairs(data):
    """Return (between, change): how far two raters agree about one story and about two (estimate,
    low, high, n of Pearson's r by aspect and view, and the mean r), and what comparing adds.

    Views: of `list_views`. 95 % intervals (jackknife) speak of other prompts.
    """
    rated, who = rating_array(data)
    free, _ = rating_array(severity.remove_severity(data))
    views = list_views(rated, free, who, data.items["group"].to_numpy())
    r = {name: name_aspects(correlate_aspects(view)) for name, view in views.items()}
    singly, compared = TWO
    between = {}
    change = {}
    for aspect in [*ASPECTS, SIX]:
        for view in views:
            between[aspect, view] = to_row(r[view][aspect])
        change[aspect] = to_row(r[compared][aspect] - r[singly][aspect], scale=None)
    return to_table(between), to_table(change).rename_axis("aspect")


def name_aspects(r):
    """Return {aspect: its r, then without each prompt}, and their mean; r: of
    `correlate_aspects`."""
    by_aspect = dict(zip(ASPECTS, r))
    by_aspect[SIX] = r.mean(axis=0)
    return by_aspect
