"""`make_card`: people's ratings and a judge's scores in, a `Card` out."""

import datetime

import numpy as np
import pandas as pd

from goodjudge.card import cautions, methods, questions, tables, verdicts
from goodjudge.card.shapes import (
    CEILING,
    CONTROL,
    ENDS,
    JUDGE,
    OVER_CONTROL,
    OVER_PERSON,
    PERSON,
    WRITER,
    Card,
    Caution,
)
from goodjudge.card.study import rename_judges, set_up, take_sample
from goodjudge.comparison import compare, controls
from goodjudge.comparison.cases import lead_names
from goodjudge.data import orders
from goodjudge.data.ratings import Ratings
from goodjudge.diagnostics import reliability
from goodjudge.errors import DataError

COUNTING = (controls.LENGTH, controls.COUNT, controls.BEST_STRANGER)  # may be known of some items
PARTS = {"length": "short and long items"}  # of a factor, in a sentence
CLEAR = 0.05  # a smaller p, corrected, is called clear


def make_card(
    ratings: Ratings,
    scores: pd.DataFrame | None = None,
    *,
    judge: str | None = None,
    smallest: float | None = None,
    level: float = 0.95,
    seed: int = 0,
    date: str | None = None,
    unrated: pd.DataFrame | None = None,
) -> Card:
    """Return the `Card` of a judge beside people: is it good enough, and why?

    ratings: of `read_ratings`. scores: of `read_scores` (item, judge, score and perhaps aspect,
    repeat, order, partner, status); None: people alone. judge: the one that the card is about, if
    it was chosen beforehand; else the one that follows people furthest. smallest: the smallest
    difference of the measure that counts (0.1 of correlations, 0.05 of shares). level: of the
    intervals. seed: of what is simulated: the same seed gives the same card. date: as "2026-11-28";
    today. unrated: of `read_unrated`, scores of texts that nobody rated.

    The measure is Pearson's r of scores, balanced accuracy of Yes and No, pairwise accuracy of
    pairs and ranks. Judge, one more rater, controls and a simulated perfect judge are held against
    the same other raters, each rater left out in turn (`compare`). The verdict is against controls
    that a user could have; one that knows the writer, taught by people's ratings, decides nothing.
    Of more than 20,000 ratings a sample of groups is taken, and said.

    Raises DataError for options that cannot be, a judge that is not there, and ratings of one item.

    >>> import goodjudge as gj
    >>> ratings = gj.read_ratings(gj.find_sample("wide.csv"))
    >>> card = gj.make_card(ratings, gj.read_scores(gj.find_sample("scores.csv"), ratings))
    >>> card.judge, card.answers["Is it as good as one more rater?"]
    ('reads well', 'yes')
    """
    check_options(ratings, scores, smallest, level)
    whole = len(ratings.ratings)
    sampled, sampled_scores = take_sample(ratings, scores, seed)
    study = set_up(sampled, sampled_scores, level, seed)
    found, on_known = compare_everybody(study)
    about = choose_judge(found, judge)
    margin, _ = verdicts.SMALLEST[study.measure]
    margin = margin if smallest is None else float(smallest)
    judged = list(found.index[found["kind"] == "judge"])
    judges = 1 if judge is not None else len(judged)
    added = added_by(study)
    given, doubts = (), questions.Doubts()
    if about is not None:
        options = {"on_known": on_known, "added": added.loc[about]}
        given, doubts = questions.give_verdicts(study, found, about, margin, **options)
    of_control = found if on_known is None else on_known
    warned = cautions.find_cautions(
        study, of_control, about, of_control.attrs["stranger"], doubts.seen, doubts.writer
    )
    table, control = lay_out_comparison(study, found, on_known)
    diagnostics, uneven = diagnose(study, found, on_known, about, added)
    lenient = tables.find_leniency(study) if about is not None else tables.NOTHING
    diagnostics["leniency"] = tables.lay_out_leniency(study, lenient)
    diagnostics = {name: rows for name, rows in diagnostics.items() if len(rows)}
    means, savings = tables.correct_means(study, about, hide_unrated(unrated))
    sizes = count_sizes(study)
    text, references = methods.write_methods(
        study,
        table,
        given,
        margin,
        sizes=sizes,
        judge=about,
        judges=judges,
        control=control,
        beside=set(diagnostics),
        corrected=len(means) > 0,
    )
    own_groups = (study.data.items["group"] == study.data.items["item"]).all()
    warned += [*doubt_sample(study, whole), *doubt_known(study, on_known), *doubt_uneven(uneven)]
    return Card(
        judge=about,
        judges=judges if about is not None else 1,
        source=tell_source(ratings, scores),
        date=date or datetime.date.today().isoformat(),
        simulated=ratings.source == "simulated",
        measure=study.name,
        guess=study.guess,
        smallest=margin,
        level=level,
        comparison=table,
        control=control,
        verdicts=given,
        cautions=tuple(warned),
        sizes=name_sizes(study, sizes),
        read=tuple([*list_lines(ratings.ratings), *list_lines(scores), *savings]),
        people=tables.find_people(study),
        diagnostics=diagnostics,
        leniency=take_leniency(lenient, about),
        unit="logits" if study.yes_or_no else "points",
        means=means,
        sizes_needed=tables.plan_sizes(study, of_control, margin),
        methods=text,
        references=references,
        target=compare.ASKED[study.target],
        items=name_items(study),
        groups=name_items(study) if own_groups else "groups",
        scales=study.scales,
    )


def check_options(ratings, scores, smallest, level):
    """Raise DataError, with what was expected, for what cannot be compared."""
    if not isinstance(ratings, Ratings):
        raise DataError(
            f"ratings: found a {type(ratings).__name__}; expected what read_ratings returns"
        )
    if scores is not None:
        lacking = [name for name in ("item", "judge", "score") if name not in scores]
        if lacking:
            raise DataError(
                f"scores: no column {' and '.join(lacking)}; expected what read_scores returns"
            )
    if ratings.items["item"].nunique() < 2:
        raise DataError(
            "ratings: there is one item; expected several, for one item tells nothing about how "
            "far anybody follows the others"
        )
    if smallest is not None and not 0 < smallest < 1:
        raise DataError(f"smallest={smallest:g}; expected a number between 0 and 1, such as 0.1")
    if not 0.5 <= level < 1:
        raise DataError(f"level={level:g}; expected a number from 0.5 to below 1, such as 0.95")


def compare_everybody(study):
    """Return (the comparison on all items; the same on those of which every number is known that a
    control may count, such as the words, None where these are all or none).

    A control that counts, known of some items only, would be about other items than all other rows.
    """
    simulate = orders.has_ceiling(study.data)
    found = study.compare(simulate=simulate)
    if not simulate:
        found.attrs["why"] = (
            "a perfect judge of pairs or ranks can be simulated only where each group is one set "
            "without ties"
        )
    if study.is_known.all() or not study.is_known.any():
        return found, None
    on_known = study.compare(study.is_known, simulate=False)
    on_known.attrs["known"] = True
    return found, on_known


def choose_judge(found, wanted):
    """Return the judge that a card is about: the wanted one, else the one with the largest number,
    the first where none has a number; None where there is no judge. found: of `compare.compare`."""
    judges = found[found["kind"] == "judge"]
    if wanted is not None:
        renamed = rename_judges(pd.DataFrame({"judge": [wanted]}))["judge"].iloc[0]
        for name in (wanted, renamed):
            if name in judges.index:
                return name
        known = ", ".join(repr(str(name)) for name in judges.index) or "no judge"
        raise DataError(f"judge={wanted!r}: it is not in the scores; found {known}")
    if judges.empty:
        return None
    if judges["estimate"].isna().all():
        return judges.index[0]
    return judges["estimate"].round(10).idxmax()


def added_by(study):
    """Return what `questions.find_added` does; no rows where there is no judge."""
    if not len(study.scores):
        return pd.DataFrame(columns=ENDS, dtype=float)
    return questions.find_added(study)


def lay_out_comparison(study, found, on_known):
    """Return (the table of a `Card`, the row of the best control that a user could have).

    The leads over that control are on the items of which it is known.
    """
    columns = ["kind", *ENDS, *OVER_CONTROL, *OVER_PERSON]
    of_control = found if on_known is None else on_known
    rival = questions.find_rival(of_control)
    table = found.assign(kind=[name_kind(found, name) for name in found.index])
    table[OVER_PERSON] = found[lead_names("person")].to_numpy()
    leads = of_control[lead_names(rival)].reindex(found.index)
    led = found["kind"].isin(["judge", "person"])
    table[OVER_CONTROL] = leads.to_numpy()
    table.loc[~led, OVER_CONTROL] = np.nan
    if rival == "control":  # its lead of the ceiling is over this control
        top = found.index[found["kind"] == "ceiling"]
        if on_known is None:
            table.loc[top, OVER_CONTROL] = found.loc[top, lead_names("control")].to_numpy()
    table = table[columns]
    control = of_control.attrs["stranger"]
    if on_known is not None:
        table = table.drop(index=[name for name in COUNTING if name in table.index])
        row = on_known.loc[control]
        control = (
            f"{tables.NAMES.get(control, control)} ({study.is_known.sum():,} {name_items(study)})"
        )
        table.loc[control, ["kind", *ENDS]] = [CONTROL, *row[ENDS]]
    is_empty = table["estimate"].isna() & table["kind"].isin([CONTROL, WRITER, CEILING, PERSON])
    table = table[~is_empty | (table.index == control)]
    table.loc[control, "kind"] = CONTROL
    order = {JUDGE: 0, PERSON: 1, CONTROL: 2, WRITER: 3, CEILING: 4}
    table = table.iloc[np.argsort(table["kind"].map(order), kind="stable")]
    names = dict(tables.NAMES)
    if questions.find_rival(of_control) == "control":  # the best of all is the best of these
        names[controls.BEST] = names[controls.BEST_STRANGER]
    return table.rename(names), names.get(control, control)


def name_kind(found, name):
    """Return the kind that a row of `compare.compare` has on a card."""
    kind = found.at[name, "kind"]
    if kind != "control":
        return {"judge": JUDGE, "person": PERSON, "ceiling": CEILING}[kind]
    if name in controls.KNOW_WRITER:
        return WRITER
    chosen_of_all = name == controls.BEST and questions.find_rival(found) == "stranger"
    return WRITER if chosen_of_all else CONTROL


def diagnose(study, found, on_known, judge, added):
    """Return ({title: table} of where a judge fails, {factor: p} of `find_uneven`)."""
    diagnostics = {"each rater": tables.rate_raters(study, found)}
    if judge is None:
        return diagnostics, {}
    if on_known is not None:
        title = f"the {study.is_known.sum():,} {name_items(study)} of which every count is known"
        diagnostics[title] = tables.lay_out_known(on_known, study.name)
    diagnostics["by aspect"] = tables.rate_parts(study, judge, "aspect")
    diagnostics["by group"] = tables.rate_parts(study, judge, "group")
    diagnostics["what it adds"] = tables.lay_out_added(study, added)
    obstacle = questions.find_obstacle(study, found)
    diagnostics["replacing a rater"] = tables.replace_raters(study, obstacle)
    diagnostics["leniency"] = tables.NOTHING  # holds its place
    diagnostics["leniency by part"], uneven = tables.find_uneven(study, judge)
    diagnostics["writers"] = tables.rate_writers(study)
    diagnostics["within a writer"] = tables.rate_within_writers(study)
    diagnostics["consistency"] = tables.count_repeated(study)
    return diagnostics, uneven


def take_leniency(lenient, judge):
    """Return (estimate, low, high) of a judge's leniency, None where it is not known; lenient: of
    `tables.find_leniency`."""
    if lenient.empty or (judge, "leniency") not in lenient.index:
        return None
    row = lenient.loc[(judge, "leniency"), ["estimate", "low", "high"]].astype(float)
    return None if np.isnan(row["estimate"]) else tuple(row)


def hide_unrated(unrated):
    """Return scores of unrated items whose judges are called as on the card."""
    if unrated is None or not len(unrated) or "judge" not in unrated:
        return unrated
    return rename_judges(unrated)


def count_sizes(study):
    """Return {what: how many} of items, raters, aspects, ratings and groups."""
    counted = reliability.count(study.data, study.scores)
    return {
        name: int(counted[name]) for name in ("items", "raters", "aspects", "ratings", "groups")
    }


def name_items(study):
    """Return what the rows of ratings are called: of pairs, pairs."""
    return "pairs" if orders.are_pairs(study.data) else "items"


def name_sizes(study, sizes):
    """Return the sizes for readers: of pairs how many pairs and texts; aspects where there are
    several."""
    if orders.are_pairs(study.data):
        items = study.data.items
        sizes = {
            "texts": items["name"].nunique(),
            "pairs": items["set"].nunique(),
            **sizes,
            "ratings": sizes["ratings"] // 2,
        }
        del sizes["items"]
    if sizes["aspects"] < 2:
        sizes = {name: number for name, number in sizes.items() if name != "aspects"}
    return sizes


def tell_source(ratings, scores):
    """Return what the data are called: the names of the files, without folders."""
    names = []
    for table in (ratings.ratings, scores):
        report = None if table is None else table.attrs.get("report")
        if report is not None:
            names.append(str(report.where).replace("\\", "/").rpartition("/")[2])
    return " · ".join(names) or f"{ratings.source} data"


def list_lines(table):
    """Return the sentences of the cleaning report of a table that was read."""
    report = None if table is None else table.attrs.get("report")
    return [] if report is None else report.lines()


def doubt_sample(study, whole):
    """Return that the card is made from a sample of the ratings, in a list."""
    used = len(study.data.ratings)
    if used == whole:
        return []
    return [
        Caution(
            f"A sample of {used:,} of {whole:,} ratings",
            f"All numbers are of {study.groups:,} groups that were drawn at random, so that the "
            "card is there within a minute. Another seed draws others.",
        )
    ]


def doubt_known(study, on_known):
    """Return that the first question is asked of some of the items, in a list."""
    if on_known is None:
        return []
    counts = [
        name
        for name in controls.list_counts(study.data.items)
        if study.data.items[name].isna().any() and study.data.items[name].notna().any()
    ]
    names = " and ".join(counts)
    known, items = study.is_known.sum(), len(study.is_known)
    return [
        Caution(
            f"The column {names} is known of {known:,} of {items:,} {name_items(study)}",
            "Whether the judge is better than what you could have without reading is asked on "
            "these alone, where such a control is known; all else is about all of them.",
            counts[0],
        )
    ]


def doubt_uneven(uneven):
    """Return that a judge is more lenient with some than with others, in a list; uneven:
    {factor: p}, of `tables.find_uneven`."""
    clear = [(factor, p) for factor, p in uneven.items() if p < CLEAR]
    return [
        Caution(
            f"Its leniency differs by {factor}",
            "It is kinder to some than to others, by more than chance gives (p = "
            f"{max(p, 0.001):.3f}, corrected for what was looked at). Do not compare "
            f"{PARTS.get(factor, f'{factor}s')} by its scores; the table leniency by part says "
            "whom it favours.",
            {"length": "words"}.get(factor, factor),
        )
        for factor, p in clear
    ]
