"""What does not look like a rating: codes for no answer, columns that count rows or say an age, and
rows and columns that are computed from others.

Nothing here decides: each function returns what it saw and why, in words. `forms` and `cleaning`
ask about it, or leave it out and say so; they never take it silently.
"""

import re

import numpy as np
import pandas as pd

from goodjudge.data.names import simplify

# a column of numbers with such a word in its name holds no ratings
FACTS = set(
    """id ids nr no number nummer num index idx row zeile year jahr birth age alter date datum time
    zeit timestamp seconds sekunden sec minutes minuten ms duration dauer progress finished lastpage
    page seite missing missrel serial ref case ip latitude longitude reward seed tokens token cost
    price latency zip plz phone status created updated submitted submit start end lastdata maxpage
    version hit""".split()
)
SURE = set("sure confident confidence certain certainty sicher unsure familiar difficulty".split())
SUMMARY = set(
    """mean means average averages avg total sum sd std stdev median mittelwert durchschnitt summe
    gesamt moyenne promedio variance consensus zscore""".split()
)
BESIDE = set("score scores rating ratings of the all raters items n standard deviation".split())
WEAK = {"n": "count", "count": "count", "min": "min", "max": "max"}  # may be a person's name, too
CODES = {9, 66, 77, 88, 97, 98, 99, 997, 998, 999, 9999, 99999}  # usual codes for no answer
NUMBERING = "numbers the rows"
CHECKED = "an attention check"
CHECK = re.compile(  # whether one reads what is asked: a name for it, or which answer to give
    r"\b(attention|attn|catch|trap|bot)[\W_]*(check|item|question|trial)s?|instructed[\W_]*resp|"
    r"\bplease\b.{0,40}\b(select|choose|mark|pick|tick|click)( on)?( the)?( number| option)?"
    r" *[\"'“‘]?(\d|strongly|(dis)?agree|never|always)",
    re.IGNORECASE,
)
BEYOND = ((7, 1), (5, 1), (1, -1))  # the end of a usual scale, and on which side codes may lie
RARE = 0.05  # the largest share of cells for codes that could be scores by their size
SURELY = 1.28  # standard errors
SCALES = ((0, 1), (1, 5), (0, 4), (1, 7), (0, 6), (1, 10), (0, 10), (1, 100), (0, 100))


def is_named_fact(name: str) -> bool:
    """Return whether a column is named like an id, a year, an age or a time.

    >>> is_named_fact("WorkTimeInSeconds"), is_named_fact("Creativity")
    (True, False)
    """
    return bool(FACTS & set(simplify(name).split("_")))


def is_check(name: str) -> bool:
    """Return whether a question or a text is named like an attention check.

    >>> is_check("attention_check_2"), is_check('Please select "3" here'), is_check("Attention")
    (True, True, False)
    """
    return bool(CHECK.search(name))


def is_named_sure(name: str) -> bool:
    """Return whether a question is about the rater: how sure, how familiar."""
    return bool(SURE & set(simplify(name).split("_")))


def is_summary(name: str) -> bool:
    """Return whether a row or column is named like something computed from others.

    >>> is_summary("Average"), is_summary("Mean creativity"), is_summary("Meaning")
    (True, True, False)
    """
    words = [word for word in simplify(name).split("_") if not word.isdigit()]
    if not SUMMARY.intersection(words):
        return False
    return words[0] in SUMMARY or words[-1] in SUMMARY or set(words) <= SUMMARY | BESIDE


def find_computed(numbers: pd.DataFrame, asked, rescaled: bool = False) -> dict[str, str]:
    """Return {a column: why} of columns computed from the others: named like a summary, or equal to
    their mean or sum row by row.

    numbers: nan where empty; asked: columns that are compared whatever their name; rescaled:
    whether a mean on another scale (z-scores) counts, which needs all rows on one scale.

    >>> find_computed(pd.DataFrame({"A": [1, 2, 5], "B": [2, 2, 2], "Mean": [1.5, 2, 3.5]}), [])
    {'Mean': 'computed: named like a summary'}
    """
    found = {name: "computed: named like a summary" for name in numbers if is_summary(str(name))}
    rest = numbers.drop(columns=list(found))
    weakly = {name: WEAK.get(simplify(str(name))) for name in rest}
    sure = rest.drop(columns=[name for name, weak in weakly.items() if weak])
    tops = sure.max()
    for name, weak in weakly.items():
        values = rest[name].dropna()
        is_odd = (values % 1 != 0).any() or values.max() > tops.drop(name, errors="ignore").max()
        ways = [weak] if weak else []
        if name in asked and is_odd and len(values) > 3 and values.nunique() > 1:
            ways += ["mean", "sum"]
        if not ways or len(sure.columns) < 3:
            continue
        others = sure.drop(columns=name, errors="ignore")
        for way in ways:
            if is_near(values, getattr(others, way)(axis=1)):
                found[name] = f"computed: the {way} of the others"
        if rescaled and name not in found and is_in_step(values, others.mean(axis=1)):
            found[name] = "computed: in step with the mean of the others"
    return found


def is_near(values: pd.Series, expected: pd.Series) -> bool:
    """Return whether nearly all values are the expected ones, rounded as they are."""
    step = 0.1 if np.allclose(values, values.round(1)) else 0.01
    far = (values - expected.reindex(values.index)).abs() > step / 2 + 1e-6
    return len(values) > 1 and far.mean() <= 0.05


def is_in_step(values: pd.Series, means: pd.Series) -> bool:
    """Return whether values are means on another scale, as z-scores are."""
    if len(values) < 6 or (values % 1 == 0).all() or means.nunique() < 4:
        return False
    return abs(values.corr(means)) > 0.9995


def find_fact(name: str, numbers: pd.Series, rows: int) -> str:
    """Return why a column of numbers seems to hold no ratings, "" where it does not.

    numbers: of its filled cells; rows: in the file.
    """
    is_whole = bool((numbers % 1 == 0).all())
    if len(numbers) > 3 and is_whole and numbers.is_unique:
        if numbers.diff().dropna().nunique() == 1:
            return NUMBERING
        if len(numbers) > 5:
            return "another whole number in every row"
    if is_check(name):
        return CHECKED
    if is_named_fact(name):
        return "named like an id, an age or a time"
    if rows > 5 and len(numbers) > 5 and numbers.nunique() == 1:
        return "the same in every row"
    return ""


def is_same_within(numbers: pd.Series, names: pd.Series) -> bool:
    """Return whether each name that stands in several rows has one number in all of them, and the
    names' numbers differ."""
    of_name = numbers.groupby(names.reindex(numbers.index))
    several = of_name.size() > 2
    if several.sum() < 2 or numbers.nunique() < 2:
        return False
    return bool((of_name.nunique()[several] == 1).all())


def find_codes(numbers: pd.Series, people=None) -> dict[float, int]:
    """Return {a number outside the scale that all others share: how often it stands}.

    numbers: all scores on one criterion; people: (lowest, highest) of people's scores, where these
    are a judge's.

    >>> find_codes(pd.Series([1.0, 7, 5, 4, 3, 2, 6, 5, 4, 4, -99]))
    {-99.0: 1}
    """
    counts = numbers.dropna().value_counts(normalize=True).sort_index()
    found = []
    negative, rest = counts[counts.index < 0], counts[counts.index >= 0]
    if len(negative) and len(rest) and negative.sum() <= 0.5:
        is_centred = len(negative) > 1 and -1 in negative and -negative.index[0] <= rest.index[-1]
        is_whole = (negative.index % 1 == 0).all()
        if is_whole and not is_centred and rest.index[-1] > 1:
            found += list(negative.index)
            counts = rest
    for many in (3, 2, 1):  # codes such as 97, 98, 99 stand together
        above, below = counts.iloc[-many:], counts.index[:-many]
        if len(below) and above.sum() <= 0.4 and is_beyond(above.index[0], below, above.sum()):
            found += list(above.index)
            counts = counts.iloc[:-many]
            break
    if people and people[0] > 0 and 0 < counts.get(0.0, 0) <= 0.3:
        if counts.index[1:2] >= people[0]:
            found.append(0.0)
    return {float(code): int((numbers == code).sum()) for code in sorted(found)}


def is_beyond(top: float, below: pd.Index, share: float) -> bool:
    """Return whether a number lies beyond the scale of all numbers below it.

    below: those numbers in order; share: of the numbers from `top` on among all.
    """
    low, high = below[0], below[-1]
    step = np.diff(below).max() if len(below) > 1 else 1
    if top - high < 2 * max(step, 1):
        return False
    if top in CODES and high < top / 1.2 and (top > 9 or (high <= 7 and low >= 0)):
        return True
    is_far = len(below) > 2 and top - high > 2 * (high - low)
    return is_far or (len(below) > 2 and high <= 10 < top and share <= 0.05)


def find_rare(numbers: pd.Series, people=None) -> tuple[dict[float, int], bool]:
    """Return ({a number that is rare and lies right beyond a usual scale: how often it stands},
    whether it is surely on no longer scale).

    numbers: all whole scores of a file; people: of `find_codes`. Such are 8 and 9 beyond 1 to 7, 6
    to 9 beyond 1 to 5, and 0 below 1; a 10 tells of a longer scale. Scores on a longer scale thin
    out towards its end, no faster than a normal curve and no slower than by the same factor at each
    step: codes do not (they stand apart, are far fewer than the end lets expect, or more).

    How often honest files are called sure, and codes are not, is simulated by
    `benchmarks/rare_codes.py` and kept in its `results/rare-codes.csv`.
    """
    counts = numbers.value_counts()
    is_whole = (counts.index % 1 == 0).all()
    if not is_whole or counts.index.min() < 0 or counts.index.max() > 10:
        return {}, False
    counts = counts.reindex(range(11), fill_value=0)
    usual = guess_scale(*people) if people else None
    for end, side in BEYOND:
        is_out = (counts.index - end) * side > 0
        out, rest = counts[is_out & (counts > 0)], counts[~is_out & (counts > 0)]
        if not 0 < out.sum() <= RARE * counts.sum() or 10 in out or len(rest) < 3:
            continue
        low, high = rest.index.min(), rest.index.max()
        if (side < 0 and high not in (5, 7)) or (end == 5 and low == 0):
            continue  # 0 to 4, to 6 and to 10 are usual, too
        found = {float(number): int(many) for number, many in out.items()}
        if usual and usual[0] <= out.index.min() and out.index.max() <= usual[1]:
            return {}, False
        is_within = usual and usual[0] <= low and high <= usual[1]
        return found, bool(is_within) or is_broken(counts, rest, end, side, out.sum())
    return {}, False


def is_broken(counts: pd.Series, rest: pd.Series, end: int, side: int, beyond: int) -> bool:
    """Return whether scores do not thin out towards the numbers beyond the end of a scale.

    counts: of each whole number; rest: of those up to the end; beyond: how many lie beyond.
    """
    last = rest.index.max() if side > 0 else rest.index.min()
    if counts[last + side] == 0:
        return True
    beyond, at_end, before = (many + 0.5 for many in (beyond, counts[end], counts[end - side]))
    bend = np.log(beyond * before / at_end**2)
    error = SURELY * np.sqrt(1 / beyond + 4 / at_end + 1 / before)
    steepest = -1 / max(np.cov(rest.index, fweights=rest), 0.1)
    slowest = -np.log(1 - min(at_end / before, 0.9))  # all beyond, where each step has that factor
    return bool(bend < steepest - error or bend > slowest + error)


def guess_scale(low: float, high: float) -> tuple[float, float]:
    """Return the usual scale on which scores from `low` to `high` lie.

    >>> guess_scale(2, 6), guess_scale(0.1, 0.9), guess_scale(1, 10)
    ((1.0, 7.0), (0.0, 1.0), (1.0, 10.0))
    """
    for least, most in SCALES:
        if least <= low and high <= most:
            return float(least), float(most)
    return float(low), float(high)
