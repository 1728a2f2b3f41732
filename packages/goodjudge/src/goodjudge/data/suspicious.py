"""What does not look like a rating: codes for no answer, columns that count rows or say an age, and
rows and columns that are computed from others.

Nothing here decides: each function returns what it saw and why, in words. `forms` and `reading` ask
about it, or leave it out and say so; they never take it silently.
"""

import re

import numpy as np
import pandas as pd

from goodjudge.data.names import simplify

# a column of numbers with such a word in its name holds no ratings
FACTS = set(
    """id ids nr no number nummer num index idx row zeile year jahr birth age alter date datum time
    zeit timestamp zeitstempel tstamp seconds sekunden sec secs minutes minuten ms duration dauer
    progress finished lastpage page seite missing missrel missing serial ref case ip latitude
    longitude reward seed tokens token cost price usd latency lead zip plz phone status created
    updated submitted submit start end sum_time deg_time lastdata maxpage interview version hit
    worktime annee edad alder""".split()
)
SURE = set(
    """sure confident confidence certain certainty sicher sicherheit unsure familiar familiarity
    difficulty attention""".split()
)
SUMMARY = set(
    """mean means average averages avg sum total sd std stdev median mittelwert mittel durchschnitt
    summe gesamt moyenne promedio totale schnitt mw stdabw variance summary sdev""".split()
)
WEAK = set("n min max count media minimum maximum anzahl valid se var total sum".split())
LONG = "|".join(sorted(word for word in SUMMARY | WEAK if len(word) > 3))
SHORT = "|".join(sorted(word for word in SUMMARY | WEAK if len(word) < 4))
MAYBE = re.compile(rf"{LONG}|(?<![^\W\d_])(?:{SHORT})(?![^\W\d_])", re.IGNORECASE)
BESIDE = set("score scores rating ratings of the all raters items dev deviation standard".split())
# numbers that tools and statisticians write for no answer
CODES = {9, 66, 77, 88, 97, 98, 99, 997, 998, 999, 9999, 99999}


def is_named_fact(name: str) -> bool:
    """Return whether a column is named like an id, a year, an age or a time.

    >>> is_named_fact("WorkTimeInSeconds"), is_named_fact("Creativity")
    (True, False)
    """
    return bool(FACTS & set(simplify(name).split("_"))) or simplify(name).startswith("time_")


def is_named_sure(name: str) -> bool:
    """Return whether a question is about the rater: how sure, how familiar."""
    return bool(SURE & set(simplify(name).split("_")))


def is_summary(name: str, weak: bool = False) -> bool:
    """Return whether a row or column is named like something computed from others; weak: names that
    may as well be a person's or a scale's (n, Max) count too.

    >>> is_summary("Average"), is_summary("Mean creativity"), is_summary("Max")
    (True, True, False)
    """
    if not MAYBE.search(name):
        return False
    words = [word for word in simplify(re.sub(r"\d", " ", name)).split("_") if word]
    meant = SUMMARY - (WEAK if len(words) == 1 and not weak else set())
    meant = meant | {"total", "sum"} | (WEAK if weak else set())
    if all(word in meant | BESIDE for word in words) and set(words) & meant:
        return True
    return words[0] in meant - WEAK or words[-1] in meant - WEAK - {"means"}


def find_computed(numbers: pd.DataFrame) -> dict[str, str]:
    """Return {a column: what it is of the others} of columns computed from others: by their name,
    their values or both; numbers: a column per rater, item or criterion, nan where empty.

    >>> find_computed(pd.DataFrame({"A": [1, 2, 5], "B": [2, 2, 2], "Mean": [1.5, 2, 3.5]}))
    {'Mean': 'the mean of the others'}
    """
    found = {name: "named like a summary" for name in numbers if is_summary(str(name))}
    others = numbers.drop(columns=list(found))
    if len(others.columns) < 2:
        return {}
    ways = summarise(others)
    for name in numbers:
        if name in found or is_summary(str(name), weak=True):
            beside = others.drop(columns=name, errors="ignore")
            known = ways if name in found else summarise(beside)
            what = match_summary(numbers[name], known, least=1)
            if what:
                found[name] = f"the {what} of the others"
    rest = [name for name in others if name not in found]
    if len(rest) < 3 or len(numbers) < 4:
        return found
    table = others[rest]
    low, high = table.min().sort_values(), table.max().sort_values()
    for name in rest:  # nobody called them so: only means with decimals, and sums beyond the scale
        values = table[name].dropna()
        has_decimals = (values % 1 != 0).any()
        beyond = values.max() > (high.iloc[-2] if high.index[-1] == name else high.iloc[-1])
        if not (has_decimals or beyond) or values.nunique() < 3 or low.empty:
            continue
        known = summarise(table.drop(columns=name))
        what = match_summary(table[name], {way: known[way] for way in ("mean", "sum")}, least=4)
        if what:
            found[name] = f"the {what} of the others"
    return found


def summarise(table: pd.DataFrame) -> dict[str, pd.Series]:
    """Return {mean, sum, …: one value per row} of a table."""
    ways = {"mean": table.mean(axis=1), "sum": table.sum(axis=1), "median": table.median(axis=1)}
    ways |= {
        "lowest": table.min(axis=1),
        "highest": table.max(axis=1),
        "count": table.count(axis=1),
    }
    return ways | {"SD": table.std(axis=1), "SD (n)": table.std(axis=1, ddof=0)}


def match_summary(values: pd.Series, ways: dict[str, pd.Series], least: int) -> str:
    """Return which summary of the others a column is in nearly all rows, "" for none; least: rows
    that must be there."""
    values = values.dropna()
    if len(values) < least:
        return ""
    digits = next(d for d in range(7) if d == 6 or np.allclose(values, values.round(d), atol=1e-9))
    for way, expected in ways.items():
        near = (values - expected.reindex(values.index)).abs() <= 0.5 * 10**-digits + 1e-7
        if near.mean() >= 0.95 and (digits > 0 or way != "mean" or values.nunique() > 1):
            return way
    return ""


def find_fact(name: str, numbers: pd.Series, rows: int) -> str:
    """Return why a column of numbers seems to hold no ratings, "" where it does not.

    numbers: of its filled cells; rows: in the file.
    """
    whole = bool((numbers % 1 == 0).all())
    if len(numbers) > 3 and whole and numbers.is_unique:
        steps = set(numbers.diff().dropna())
        if len(steps) == 1:
            return "numbers the rows"
        if len(numbers) > 5:
            return "another whole number in every row"
    if is_named_fact(name):
        return "named like an id, an age or a time"
    if rows > 5 and len(numbers) > 5 and numbers.nunique() == 1:
        return "the same in every row"
    return ""


def is_same_within(numbers: pd.Series, names: pd.Series, rows: int, least: int) -> bool:
    """Return whether each name with `rows` rows or more has one number in all of them, and there
    are `least` such names or more, of different numbers."""
    of_name = numbers.groupby(names.reindex(numbers.index))
    several = of_name.size() >= rows
    if several.sum() < least or numbers.nunique() < 2:
        return False
    return bool((of_name.nunique()[several] == 1).all())


def find_codes(numbers: pd.Series, scale=None, people=None) -> dict[float, int]:
    """Return {a number outside the scale that all others share: how often it stands}.

    numbers: all scores on one criterion; scale: (lowest, highest) that the reader told, so that all
    inside are scores; people: (lowest, highest) of people's scores, where these are a judge's.

    >>> find_codes(pd.Series([1.0, 7, 5, 4, 3, 2, 6, 5, 4, 4, -99]))
    {-99.0: 1}
    """
    counts = numbers.dropna().value_counts().sort_index()
    if scale is not None:
        return {}
    found: dict[float, int] = {}
    negative, rest = counts[counts.index < 0], counts[counts.index >= 0]
    if len(negative) and len(rest):
        share = negative.sum() / counts.sum()
        both_ways = -1.0 in negative and len(negative) > 1 and -negative.index[0] <= rest.index[-1]
        both_ways |= rest.index[-1] <= 1 and list(negative.index) == [-1.0] and share >= 0.1
        is_whole = (negative.index == negative.index.astype(int)).all()
        if is_whole and not both_ways and share <= 0.5 and rest.index[-1] >= 1:
            found |= negative.to_dict()
            counts = rest
    size = int(numbers.notna().sum())
    for many in (4, 3, 2, 1):  # codes such as 97, 98, 99 stand together
        if len(counts) <= many:
            continue
        above, below = counts.iloc[-many:], counts.index[:-many]
        share = above.sum() / size
        if share <= 0.4 and is_beyond(above.index[0], below, share, size):
            found |= above.to_dict()
            counts = counts.iloc[:-many]
            break
    if people and 0.0 in counts and people[0] > 0 and len(counts) > 1:
        if counts.index[1] >= people[0] and counts[0.0] / size <= 0.3:
            found[0.0] = int(counts[0.0])
    return {float(code): int(found[code]) for code in sorted(found)}


def is_beyond(top: float, below: pd.Index, share: float, size: int) -> bool:
    """Return whether the highest number lies beyond the scale of all others.

    below: the other numbers in order; share: of the highest among all; size: of the column.
    """
    low, high = below[0], below[-1]
    step = np.median(np.diff(below)) if len(below) > 1 else 1.0
    gap = top - high
    if top in CODES and gap >= 2 * max(step, 1) and high < top / 1.2:
        return top > 9 or (high <= 7 and low >= 0 and (below == below.astype(int)).all())
    if size < 8 or len(below) < 2:
        return False
    if gap > 2 * (high - low) and gap > 2 * step and high - low > 0:
        return len(below) > 2 or gap > 10
    return high <= 10 < top and top > 2 * high and share <= 0.05


def guess_scale(low: float, high: float) -> tuple[float, float]:
    """Return the usual scale on which scores from `low` to `high` lie.

    >>> guess_scale(2, 6), guess_scale(0.1, 0.9), guess_scale(1, 10)
    ((1.0, 7.0), (0.0, 1.0), (1.0, 10.0))
    """
    for least, most in (
        (0, 1),
        (1, 5),
        (0, 4),
        (1, 7),
        (0, 6),
        (1, 10),
        (0, 10),
        (1, 100),
        (0, 100),
    ):
        if least <= low and high <= most:
            return float(least), float(most)
    return float(low), float(high)
