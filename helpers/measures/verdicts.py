"""What follows from a comparison: yes, no, alike, or that these data cannot tell; all with a margin
that is stated first."""

import numpy as np
import pandas as pd
from scipy import stats

from helpers import results
from helpers.measures import controls, intervals, statistics
from helpers.measures.ceiling import TOO_LITTLE
from helpers.measures.compare import CEILING, ENDS, PERSON, POWER
from helpers.measures.trial import ENOUGH, lead_names
from helpers.sources.names import display_name

BETTER = "Is it better than the best control that a user could have?"
AS_GOOD = "Is it as good as one more rater?"
QUESTIONS = {BETTER: "stranger", AS_GOOD: "person"}
WIDE = 80  # of 100 studies: a power known no better has no middle worth a word
NO_MEANING = "no meaning: it is not clear that people agree"
SMALLEST = {  # of a measure: the smallest difference that counts, and why
    statistics.balanced_accuracy: (0.05, "one more case in twenty decided rightly"),
    statistics.auc: (0.05, "one more pair in twenty ordered rightly"),
    statistics.pairwise_accuracy: (0.05, "one more pair in twenty ordered rightly"),
    statistics.pearson: (0.1, "less than two samples of a hundred items differ by chance"),
    statistics.spearman: (0.1, "less than two samples of a hundred items differ by chance"),
    statistics.mean_spearman: (0.1, "less than two samples of a hundred items differ by chance"),
    statistics.kendall: (0.1, "one more pair in twenty ordered rightly"),
}


def decide_whether_better(lead, n, smallest):
    """Return in words whether a scorer is better than its rival.

    lead: estimate, low, high of the scorer's lead; n: the groups that it rests on (items of one are
    not independent), from which follows how many would do; smallest: a smaller lead counts as none.
    The first row that holds is the answer:

        the interval of the lead    the answer
        no estimate                 "" (nothing was compared)
        no interval                 these data cannot tell: fewer than 5 groups
        high < smallest             no
        low >= smallest             yes
        low > 0                     yes, but perhaps by less than `smallest`
        any other                   these data cannot tell, and how many groups would
    """
    _, low, high = lead
    obstacle = find_no_interval(lead)
    if obstacle is not None:
        return obstacle
    if high < smallest:
        return "no"
    if low >= smallest:
        return "yes"
    if low > 0:
        return f"yes, but perhaps by less than {smallest:g}"
    return tell_groups_needed(lead, n, smallest)


def decide_whether_as_good(lead, n, smallest):
    """Return in words whether a scorer is as good as its rival.

    lead, n, smallest: of `decide_whether_better`. The first row that holds is the answer:

        the interval of the lead          the answer
        no estimate                       "" (nothing was compared)
        no interval                       these data cannot tell: fewer than 5 groups
        low > -smallest and high < 0      nearly: less good, by less than `smallest`
        low > -smallest                   yes, within `smallest`
        high < -smallest                  no
        high < 0                          less good, but perhaps by less than `smallest`
        any other                         these data cannot tell, and how many groups would
    """
    _, low, high = lead
    obstacle = find_no_interval(lead)
    if obstacle is not None:
        return obstacle
    if low > -smallest and high < 0:
        return f"nearly: less good, by less than {smallest:g}"
    if low > -smallest:
        return f"yes, within {smallest:g}"
    if high < -smallest:
        return "no"
    if high < 0:
        return f"less good, but perhaps by less than {smallest:g}"
    return tell_groups_needed(lead, n, smallest)


def find_no_interval(lead):
    """Return what is said of a lead (estimate, low, high) without an interval, None of others."""
    estimate, low, _ = lead
    if np.isnan(estimate):
        return ""
    return f"these data cannot tell: fewer than {ENOUGH} groups" if np.isnan(low) else None


def tell_groups_needed(lead, n, smallest):
    """Return that these data cannot tell, and how many groups would: `count_groups_needed`."""
    needed = count_groups_needed(lead, n, smallest)
    return (
        f"these data cannot tell: {n:.0f} groups, about {needed:,} would show a difference of "
        f"{smallest:g}"
    )


def count_groups_needed(lead, n, smallest):
    """Return the number of groups at which 80 of 100 studies would find a lead of `smallest`, from
    the width of an interval of `n` groups, which shrinks with the root of their number.

    lead: estimate, low, high.
    """
    estimate, _, high = lead
    visible = intervals.find_visible(high - estimate, n)
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


def answer(found, smallest):
    """Return what is said of the leads of each row of `compare` that is no control, a column for
    each of `QUESTIONS` that can be asked: of controls `decide_whether_better`, of a person
    `decide_whether_as_good`.

    Of several judges any may be taken for the best, so their leads are widened for it, unless the
    intervals of `compare` hold for all of them already (together=True). Nobody is as
    good as a person who hardly differs from guessing by more than what counts as none. A perfect
    judge is simulated, so that no number of groups would decide about it, and none is told.
    """
    rows = found[found["kind"] != "control"]
    judges = count_judges(found)
    answers = {}
    for question, asked in QUESTIONS.items():
        rival = find_rival(found) if asked == "stranger" else asked
        if found[lead_names(rival)[0]].isna().all():
            continue
        decide = decide_whether_as_good if rival == "person" else decide_whether_better
        answers[question] = []
        for _, row in rows.iterrows():
            lead = take_lead(row, rival, judges)
            reply = decide(lead[ENDS[:3]], lead["n"], smallest)
            if row["kind"] == "ceiling":
                reply, *_ = reply.split(", about ")
            answers[question].append(reply)
        if rival == "person":
            obstacle = find_no_meaning(found, smallest)
            if obstacle:
                answers[question] = [obstacle if said else "" for said in answers[question]]
    return pd.DataFrame(answers, rows.index)


def find_rival(found):
    """Return which leads of `compare` are over the best control that a user could have: "control"
    where the best of all knows no author, else "stranger"."""
    is_both = found.attrs["stranger"] == found.attrs["control"]
    if is_both and found.attrs["chosen"] not in controls.KNOW_WRITER:
        return "control"
    return "stranger"


def take_lead(row, rival, judges):
    """Return estimate, low, high, n of the lead of one row of `compare` over a rival; of one of
    several judges, any of which may be taken for the best, widened for that.

    rival: of `trial.lead_names`; judges: how many there are.
    """
    lead = row[[*lead_names(rival), "n"]].set_axis(ENDS)
    if row["kind"] == "judge" and judges > 1:
        return intervals.widen(lead, judges)
    return lead


def find_no_meaning(found, smallest):
    """Return why being as good as a person would mean nothing, "" where it means something.

    found: of `compare`; smallest: the difference that counts.
    """
    if found.attrs["why"] == TOO_LITTLE:
        return NO_MEANING
    person = found.loc[PERSON]
    above = person["estimate"] - found.attrs["guess"]
    if pd.notna(person["low"]) and above < 2 * smallest:
        return f"no meaning: a person is hardly more than {smallest:g} above guessing"
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


def tell(found, judge, answers, measure):
    """Return a list of sentences: how far a judge follows people and, where there are any, its
    answers (of `answer`).

    found: of `compare`; measure: its name. The interval of the best of several is widened.
    """
    show = results.format_interval
    who, row = introduce(found, judge)
    control, stranger = found.attrs["control"], found.attrs["stranger"]
    rivals = []
    if pd.notna(found.at[PERSON, "estimate"]):
        rivals.append(f"a person {show(found.loc[PERSON])}")
    rivals.append(f"the best control ({describe_control(found)}) {show(found.loc[control])}")
    if stranger != control and found.attrs["chosen"] in controls.KNOW_WRITER:
        rivals.append(f"the best control that a user could have {show(found.loc[stranger])}")
    widened = tell_widened(found)
    follows = f"{who} has {measure} {show(row)}{widened} against {found.attrs['target']}"
    sentences = [f"{follows}, {', '.join(rivals)}."]
    replies = []
    for question, reply in answers.loc[judge].items():
        if reply:
            replies.append(f"{question} {reply.capitalize()}.")
    if replies:
        sentences.append(" ".join(replies))
    return sentences


def introduce(found, judge):
    """Return (how a sentence on a judge begins, its estimate, low, high, n): of the best of several
    judges, with the interval widened for the choice. found: of `compare`."""
    name, row = display_name(judge), found.loc[judge, ENDS]
    judges = (found["kind"] == "judge").sum()
    if judges < 2:
        return f"{name[:1].upper()}{name[1:]}", row
    if count_judges(found) > 1:
        row = intervals.widen(row, judges, found.attrs["scale"])
    return f"The best of {judges} judges, {name},", row


def count_judges(found):
    """Return for how many judges an interval of `compare` must still be widened where any of them
    may be taken for the best: 1 where it holds for all of them already (together=True)."""
    return 1 if found.attrs.get("together") else int((found["kind"] == "judge").sum())


def tell_widened(found):
    """Return in brackets for which choice an interval of `introduce` is widened, "" of a single
    judge."""
    judges = (found["kind"] == "judge").sum()
    if judges < 2:
        return ""
    if found.attrs.get("together"):
        return f" (the intervals of the {judges} judges hold for all at once)"
    return f" (the interval is widened, as the best of {judges})"


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


def tell_ceiling(found, judge=None, show=results.format_interval):
    """Return a sentence on what a perfect judge could reach, and what it means where this judge has
    more; where nobody can say, why.

    found: of `compare`; judge: a name in it, None for none; show: a row of it as text.
    """
    ceiling = found.loc[CEILING]
    if np.isnan(ceiling["estimate"]):
        return tell_power(found)
    told = f"A perfect judge is estimated to have {show(ceiling)}"
    if judge is None or found.at[judge, "estimate"] <= ceiling["estimate"]:
        return f"{told}."
    if is_above_ceiling(found, judge):
        return (
            f"{told}: this judge clearly has more. Either that estimate is too low here, or the "
            "judge knows these ratings, as scores do that were made from them."
        )
    return f"{told}: that this judge has more may be chance, for neither number is exact."


def is_above_ceiling(found, judge):
    """Return whether a judge clearly has more than a perfect judge could: the whole interval of the
    one lies above that of the other; found: of `compare`."""
    return bool(found.at[judge, "low"] > found.at[CEILING, "high"])


def count_saved(found, labelled, cases):
    """Return how many of `labelled` labels each scorer spares at best (kind, estimate, low, high,
    n).

    found: rows of `compare` for Pearson's r, within ("aspect",) where labels are drawn alike from
    every aspect, so that knowing the aspect saves nothing; cases: how many there are in all. With
    explained = r² (0 where r is below 0) and share = labelled / cases,

        saved = labelled * explained * (1 - share) / (1 - share * explained)

    With so many fewer labels the interval of prediction-powered inference with the best weight is
    as wide (Angelopoulos, Duchi & Zrnic 2023), the cases being all there are.
    """
    share = min(labelled / cases, 1)
    explained = found[ENDS[:3]].clip(lower=0) ** 2
    saved = labelled * explained * (1 - share) / (1 - share * explained)
    return pd.concat([found["kind"], saved, found["n"]], axis=1)
