"""The sentences of a card: three verdicts from their numbers, what to do, and what it rests on.

What to do follows from the answers by this table; the first row that holds is taken:

    better than    as good as     may it       on the scale of the
    not reading    one more       replace      people, not clearly
                   rater          a rater      lenient or severe      what to do

    no             any            any          any                    do not use it
    undecided      no             any          any                    do not rely on it
    undecided      any            any          any                    do not rely on it yet
    yes            yes            yes          yes                    use it like one more rater
    yes            yes            undecided    yes                    use it beside people
    yes            yes            any          any                    use its order
    yes            undecided      any          any                    use its order, beside people
    yes            no             any          any                    use its order, beside people

A control that knows the writer decides nothing: nobody who uses a judge has people's ratings of
the same writers. It says what these ratings are about.
"""

import math

import pandas as pd

from goodjudge.card.shapes import (
    AS_GOOD,
    BETTER,
    CEILING,
    NO,
    OVER_CONTROL,
    OVER_PERSON,
    PERSON,
    REPLACE,
    UNDECIDED,
    WRITER,
    YES,
    Verdict,
)
from goodjudge.card.texts import LETTERS, clean, cut, is_known, show_interval

DO_NOT_USE = "Do not use it: you could have as much without reading."
SAYS_THE_SAME = "Do not use it: it says the same of everything."
DO_NOT_RELY = "Do not rely on it: it is less good than one more rater."
NOT_YET = "Do not rely on it yet: these data cannot tell whether it is better than not reading."
LIKE_A_RATER = "Use it like one more rater."
BESIDE = "Use it as one more rater beside people, not yet in place of one."
ORDER = "Use its order, not its numbers."
ORDER_BESIDE = "Use its order as a help beside people, not in place of a rater."
THAN = {YES: "clearly better than", NO: "no better than", UNDECIDED: "perhaps no better than"}
NO_ADVICE = "Nothing was asked of this judge."


def advise(card):
    """Return what to do with the judge of a card: one sentence, of the table at the top."""
    if card.judge is None:
        return advise_on_people(card)
    answers = card.answers
    better, as_good = answers.get(BETTER), answers.get(AS_GOOD)
    if better is None:
        return NO_ADVICE
    if better == NO:
        is_constant = not is_known(card.comparison.at[card.judge, "estimate"])
        return SAYS_THE_SAME if is_constant else DO_NOT_USE
    if better == UNDECIDED:
        return DO_NOT_RELY if as_good == NO else NOT_YET
    if as_good != YES:
        return ORDER_BESIDE
    if is_level(card):
        if answers.get(REPLACE) == YES:
            return LIKE_A_RATER
        if answers.get(REPLACE) == UNDECIDED:
            return BESIDE
    return ORDER


def advise_on_people(card):
    """Return what to do where no judge was held against the people."""
    if card.people.empty:
        return "No judge was compared."
    return "No judge was compared: this page says how far your raters agree."


def is_level(card):
    """Return whether the judge's scores are on people's scale, not clearly above or below them."""
    if card.scales or card.leniency is None:
        return False
    _, low, high = card.leniency
    return is_known(low) and low <= 0 <= high


def tell_evidence(card):
    """Return one to three sentences: the numbers of judge, one more rater and the best control;
    and why its numbers cannot be taken as they are. "" of people alone."""
    if card.judge is None:
        return tell_people(card)
    row = card.comparison.loc[card.judge]
    name = call(card.judge)
    if not is_known(row["estimate"]):
        if answers_no(card):
            return f"{name} gives every one of the {card.items} the same score."
        return f"{name} follows nobody: too few of its {card.items} have ratings that differ."
    best = "" if card.judges < 2 else f", the best of {card.judges} judges,"
    told = f"{name}{best} follows your raters"
    numbers = f"{card.measure} {show_row(row)}"
    person, answers = find_person(card), card.answers
    parts = []
    if person is None or AS_GOOD not in answers:
        told += f" with {numbers}"
    else:
        way = compare_with_person(card, row)
        parts.append(f"{way} one more rater does ({numbers}; a rater {show_row(person)})")
    if card.control is not None and BETTER in answers:
        parts.append(f"{THAN[answers[BETTER]]} {describe_control(card)}")
    if parts and numbers in told:
        parts = [f"and {parts[0]}"]
    return " ".join([f"{' '.join([told, ' and '.join(parts)]).strip()}.", *tell_level(card)])


def answers_no(card):
    """Return whether the first question has a no, as where a judge says the same of everything."""
    return card.answers.get(BETTER, NO) == NO


def describe_control(card):
    """Return what can be had without reading, with its numbers: the best control, or guessing where
    that control, which was chosen on other groups, does worse."""
    control = card.comparison.loc[card.control]
    if is_known(control["estimate"]) and control["estimate"] >= card.guess:
        return f"the best control that never reads ({call(card.control)}: {show_row(control)})"
    return f"guessing ({card.guess:g}), for no control that never reads does better here"


def find_person(card):
    """Return the row of one more rater, None where it is not known."""
    persons = card.comparison[card.comparison["kind"] == PERSON]
    if persons.empty or not is_known(persons.iloc[0]["estimate"]):
        return None
    return persons.iloc[0]


def compare_with_person(card, row):
    """Return how a judge follows people beside one more rater, in words; row: the judge's."""
    answer = card.answers[AS_GOOD]
    if answer != YES:
        return "clearly less well than" if answer == NO else "as well as, or less well than,"
    lead = [row.get(name) for name in OVER_PERSON]
    if is_known(lead[1]) and lead[1] > 0:
        return "better than"
    if is_known(lead[2]) and lead[2] < 0:
        return "nearly as well as"
    return "about as well as"


def tell_level(card):
    """Return a sentence on why scores cannot be taken as they are, in a list; none where they can,
    and where nobody knows."""
    if card.scales:
        return [f"Its scores are on another scale ({clean(card.scales)})."]
    if card.leniency is None:
        return []
    estimate, low, high = card.leniency
    if not is_known(low) or low <= 0 <= high:
        return []
    side, turn = ("above", "high") if estimate > 0 else ("below", "low")
    size = show_interval(*sorted_size(estimate, low, high))
    return [f"Its scores lie {size} {card.unit} {side} the average rater's: clearly too {turn}."]


def sorted_size(estimate, low, high):
    """Return a difference without its sign: estimate, low, high."""
    return (estimate, low, high) if estimate > 0 else (-estimate, -high, -low)


def tell_people(card):
    """Return how far people agree, where no judge is compared."""
    person = find_person(card)
    if person is None:
        return ""
    told = f"One rater has {card.measure} {show_row(person)} with {card.target}"
    top = card.comparison[card.comparison["kind"] == CEILING]
    if len(top) and is_known(top.iloc[0]["estimate"]):
        told += f"; a judge that knew all that raters share would have {show_row(top.iloc[0])}"
    return f"{told}."


def find_writer(card):
    """Return (name, row) of the best control that knows the writer, None where there is none."""
    rows = card.comparison[card.comparison["kind"] == WRITER].dropna(subset=["estimate"])
    if rows.empty:
        return None
    name = rows["estimate"].astype(float).round(10).idxmax()
    return name, rows.loc[name]


def tell_writer(card):
    """Return what the controls that know the writer say about the ratings: a sentence or two, ""
    where there is no such control.

    Where the best of them reaches half of what one more rater has above guessing, or more, ratings
    are said to be largely about who wrote.
    """
    found = find_writer(card)
    if found is None:
        return ""
    name, row = found
    reached = row["estimate"] - card.guess
    told = (
        f"Who wrote each text ({call(name)}), learnt from people's ratings of the same writers, "
        f"gives {show_row(row)}. You do not have this before people have rated, so it decides "
        "nothing."
    )
    if is_known(row["low"]) and row["low"] <= card.guess:
        return f"{told} It is not clear that it gives anything."
    person = find_person(card)
    if person is None:
        return told
    above = person["estimate"] - card.guess
    if above > 0 and reached >= above / 2:
        return f"{told} Your raters' verdicts are largely about who wrote it."
    return f"{told} Your raters' verdicts are about more than who wrote it."


def decide_better(
    lead, above_guess, control, smallest, *, is_constant=False, obstacle="", doubt="", needed=""
):
    """Return the `Verdict` on `BETTER`.

    lead: estimate, low, high of the judge's lead over the best control that a user could have;
    above_guess: the same over guessing, since a constant is a control too; control: its name;
    smallest: the smallest difference that counts; obstacle: a sentence on why there is no number
    though the judge's scores differ; doubt, needed: of `decide_as_good`.

    A yes asks for both above 0 and tells the smaller, a no for one of them below `smallest`.
    """
    if obstacle:
        return Verdict(BETTER, UNDECIDED, obstacle, needed)
    if is_constant or not is_known(lead[0]):
        return Verdict(BETTER, NO, "It says the same of everything, so it follows nobody.")
    over = f"Its lead over {call(control)} is {show_interval(*lead)}"
    guess = f"It lies {show_interval(*above_guess)} above guessing"
    if not (is_known(lead[1]) and is_known(above_guess[1])):
        return Verdict(BETTER, UNDECIDED, f"{over}: too few groups for one.", needed)
    for told, (*_, high) in ((over, lead), (guess, above_guess)):
        if high < smallest:
            return Verdict(BETTER, NO, f"{told}: less than {smallest:g}, which counts as none.")
    for told, (_, low, _) in ((over, lead), (guess, above_guess)):
        if low <= 0:
            why = f"{told}: it may be nothing, and it may be {smallest:g} or more."
            return Verdict(BETTER, UNDECIDED, why, needed)
    if doubt:
        return Verdict(BETTER, UNDECIDED, f"{over}. {doubt}", needed)
    told, (_, low, _) = min(((over, lead), (guess, above_guess)), key=lambda pair: pair[1][0])
    size = f"{smallest:g} or more" if low >= smallest else f"perhaps less than {smallest:g}"
    return Verdict(BETTER, YES, f"{told}: clearly more than 0, {size}.")


def decide_as_good(lead, smallest, *, obstacle="", doubt="", needed=""):
    """Return the `Verdict` on `AS_GOOD`.

    lead: estimate, low, high of the judge's lead over one more rater; obstacle: a sentence on why
    the question has no answer here; doubt: a sentence on why a good number is not to be trusted
    (the judge may know these ratings); needed: said where it is undecided.
    """
    if obstacle:
        return Verdict(AS_GOOD, UNDECIDED, obstacle, needed)
    if not is_known(lead[0]):
        return Verdict(AS_GOOD, NO, "It says the same of everything, so it follows nobody.")
    estimate, low, high = lead
    told = f"Its lead over one more rater is {show_interval(*lead)}"
    if not is_known(low):
        why = f"{told}: too few groups for one."
        return Verdict(AS_GOOD, UNDECIDED, why, needed)
    if high < -smallest:
        return Verdict(AS_GOOD, NO, f"{told}: behind by more than {smallest:g}.")
    if doubt:
        return Verdict(AS_GOOD, UNDECIDED, f"{told}. {doubt}", needed)
    if low > 0:
        return Verdict(AS_GOOD, YES, f"{told}: clearly ahead.")
    if low > -smallest and high < 0:
        return Verdict(AS_GOOD, YES, f"{told}: behind, but by less than {smallest:g}.")
    if low > -smallest:
        return Verdict(AS_GOOD, YES, f"{told}: level, within {smallest:g}.")
    why = f"{told}: it may be level, and it may be behind by {smallest:g} or more."
    return Verdict(AS_GOOD, UNDECIDED, why, needed)


def decide_replace(wins, losses, raters, *, constants=None, obstacle="", doubt="", needed=""):
    """Return the `Verdict` on `REPLACE`, by the alternative annotator test.

    wins, losses: how many of the `raters` the judge clearly matches, and clearly falls behind;
    constants: {name: whether it would pass} of constants that do not clearly fail the test, for a
    pass that a constant has too is worth nothing; obstacle, doubt, needed: of `decide_as_good`.
    """
    if obstacle:
        return Verdict(REPLACE, UNDECIDED, obstacle, needed)
    told = f"Tested against each rater, it holds its own beside {wins} of {raters}"
    if losses:
        told += f" and clearly falls behind {losses}"
    if wins < raters / 2:
        answer = NO if losses > raters / 2 else UNDECIDED
        return Verdict(REPLACE, answer, f"{told}.", needed if answer == UNDECIDED else "")
    if doubt:
        return Verdict(REPLACE, UNDECIDED, f"{told}. {doubt}", needed)
    constants = constants or {}
    passing = [name for name, passes in constants.items() if passes]
    if passing or constants:
        does = "does" if passing else "might"
        names = " and ".join(call(name) for name in passing or constants)
        why = f"{told}. But so {does} {names}, which never reads."
        return Verdict(REPLACE, UNDECIDED, why, needed)
    return Verdict(REPLACE, YES, f"{told}; a constant clearly does not.")


def call(name):
    """Return a name in a sentence, not too long."""
    return cut(clean(name), LETTERS)


def show_row(row):
    """Return estimate, low, high of a row as text."""
    return show_interval(*(as_number(row[end]) for end in ("estimate", "low", "high")))


def as_number(value):
    """Return a number as float, nan for none."""
    return math.nan if pd.isna(value) else float(value)


def list_leads(row):
    """Return the leads of a row that are known, as {columns: text}."""
    shown = {}
    for columns in (OVER_CONTROL, OVER_PERSON):
        if all(name in row.index for name in columns) and is_known(row[columns[0]]):
            shown[columns[0]] = show_interval(*(as_number(row[name]) for name in columns))
    return shown
