"""The verdicts of a card: what `wording` needs to word them, and what would decide an open one.

A *yes* or a *no* is given only where the interval allows no other; the smallest difference that
matters is stated before. Three verdicts of the same question, with a smallest difference of 0.1:

    lead over the control    verdict
    0.20 [0.05, 0.35]        yes: all of it lies above 0
    0.02 [-0.04, 0.08]       no: a lead of 0.1 is excluded
    0.05 [-0.10, 0.20]       undecided: it may be nothing, and it may be 0.1 or more

The rival of the first question is the best control that a user of the judge could have: a
constant, the length, other counts, the place in which an item was shown. A control that knows the
writer was taught by people's ratings of the same writers, which nobody has for new ones: it decides
nothing. But where nothing can be learnt about writers, since each stands in one group only, a lead
may be the writer's: then a yes needs that the judge clearly adds to the writer (`added`).

A judge that may know the ratings (`suspect`) has no yes to being as good as a rater, nor to
anything else: nothing is decided by ratings that it may have seen. And a judge may replace a rater
only where it is clear that a constant may not.

Everywhere here study: of `study.set_up`; found: of `compare.compare`; judge: a name in it;
smallest: the smallest difference that matters.
"""

from typing import NamedTuple

import numpy as np

from goodjudge.card import sample_size, verdicts, wording
from goodjudge.card.shapes import AS_GOOD, BETTER, REPLACE, UNDECIDED
from goodjudge.comparison import added, controls
from goodjudge.comparison.cases import lead_names
from goodjudge.comparison.compare import CEILING, ENDS, PERSON
from goodjudge.comparison.noise_ceiling import TOO_LITTLE
from goodjudge.data import orders, ratings
from goodjudge.diagnostics import alt_test, copies
from goodjudge.format import format_interval
from goodjudge.stats.intervals import ENOUGH

EPSILON = 0.2  # of the alternative annotator test: what a judge's lower cost is worth
UNSEEN = "Ratings that the judge cannot have seen: new items, or new raters."
LEARNABLE = (
    "Items by the same writers in several groups, or more items of each writer: among these the "
    "judge must follow people, too."
)
NO_TEXT = "The judge says the same of everything, or too few of its items have ratings that differ."


class Doubts(NamedTuple):
    """Why a good number is not to be trusted, "" for nothing. seen: the judge may know these
    ratings; writer: its lead may be the writer's."""

    seen: str = ""
    writer: str = ""


def give_verdicts(study, found, judge, smallest, *, on_known=None, added=None, ways=True):
    """Return (the three `Verdict` on a judge, its `Doubts`).

    on_known: the comparison on the items on which every control is known, where these are not all:
    the first question is asked of it; added: of `find_added` of this judge, None to compute it;
    ways=False leaves out what would decide, which takes a second or two.
    """
    added = find_added(study).loc[judge] if added is None else added
    seen = suspect(study, found, judge)
    doubts = Doubts(seen, doubt_writer(study.data, added))
    test = Replacement(study, found, judge)
    asked = {
        BETTER: lambda needed: ask_better(study, on_known, found, judge, smallest, doubts, needed),
        AS_GOOD: lambda needed: ask_as_good(study, found, judge, smallest, seen, needed),
        REPLACE: lambda needed: test.ask(seen, needed),
    }
    given = []
    setting = None
    for question, ask in asked.items():
        verdict = ask("")
        if ways and verdict.answer == UNDECIDED:
            if question == REPLACE:
                needed = test.tell_needed(seen)
            else:
                of = found if question == AS_GOOD or on_known is None else on_known
                if setting is None or of is on_known:
                    setting = find_setting(study, of, judge)
                rival = "person" if question == AS_GOOD else "stranger"
                needed = tell_needed(study, of, judge, rival, smallest, setting, doubts)
            verdict = ask(needed)
        given.append(verdict)
    return tuple(given), doubts


def find_setting(study, found, judge):
    """Return the `sample_size.Setting` of a comparison; that of the items that it is about."""
    data = study.data
    if found.attrs.get("known"):
        data = ratings.keep(data, study.is_known)
    return sample_size.find_setting(data, found, judge, study.seed)


def find_added(study):
    """Return what one standard deviation of each judge, and of a person, goes with in people's
    single ratings, given writer, rater and counts (`added.find_added`); counts that are known of
    some items only are left out."""
    data = study.data
    counts = controls.list_counts(data.items)
    partly = [name for name in counts if data.items[name].isna().any()]
    data = data._replace(items=data.items.drop(columns=partly))
    return added.find_added(data, study.compared, level=study.level)


def doubt_writer(data, row):
    """Return why a judge's lead may be the writer's, "" where nothing says so; row: of
    `find_added`."""
    if not are_unlearnt(data) or row["low"] > 0:
        return ""
    return (
        "The items of each writer stand in one group only, so that what the writer alone would "
        "tell cannot be learnt here, and that the judge adds to it is not clear."
    )


def are_unlearnt(data):
    """Return whether nothing can be learnt about most writers, since each has several items but
    all of them in one group; data: `Ratings`."""
    if "writer" not in data.items:
        return False
    known = data.items.dropna(subset=["writer"])
    by_writer = known.groupby("writer")
    text = "name" if orders.are_pairs(data) else "item"
    if len(by_writer) < 2 or by_writer[text].nunique().max() < 2:
        return False
    return bool((by_writer["group"].transform("nunique") == 1).mean() > 0.5)


def suspect(study, found, judge):
    """Return why a judge may know these ratings, a sentence, "" where nothing says so.

    Above the ceiling: the whole interval of the judge lies above that of a perfect judge. Other
    signs: `copies`.
    """
    data, scores = study.data, study.compared
    copied = copies.find_copied(data, scores, judge)
    above = verdicts.is_above_ceiling(found, judge)
    if not copied and not above:
        copied = copies.find_copied_pair(data, scores, judge)
    if copied:
        names = " and ".join(str(name) for name in copied)
        return (
            f"It agrees with {names} as a copy would, so that it may know these ratings, and "
            "nothing new is known of it."
        )
    if above:
        return (
            f"It has {format_interval(found.loc[judge, ENDS])}, clearly more than a perfect judge "
            f"is estimated to have ({format_interval(found.loc[CEILING, ENDS])}): either that "
            "estimate is too low, or it knows these ratings."
        )
    heap = copies.find_heap(data, scores, judge)
    if heap is None:
        return ""
    hits, expected, of_raters = heap
    return (
        f"It gives the mean of an item's ratings, rounded, in {hits:.0%} of the items, where its "
        f"other distances let expect {expected:.0%} (a rater gives that of the others in "
        f"{of_raters:.0%}), so that it may know some of these ratings."
    )


def find_rival(found):
    """Return which leads of `compare` are over the best control that a user could have: "control"
    where the best of all knows no writer, else "stranger"."""
    is_both = found.attrs["stranger"] == found.attrs["control"]
    if is_both and found.attrs["chosen"] not in controls.KNOW_WRITER:
        return "control"
    return "stranger"


def take_lead(found, judge, rival):
    """Return estimate, low, high, n of a judge's lead over a rival; the "stranger" is the best
    control that a user could have."""
    if rival == "stranger":
        rival = find_rival(found)
    return found.loc[judge, [*lead_names(rival), "n"]].astype(float).set_axis(ENDS)


def rise_above_guess(found, judge):
    """Return by how much a judge is above guessing: estimate, low, high, n."""
    guess = found.attrs["guess"]
    return found.loc[judge, ENDS].astype(float) - [guess, guess, guess, 0]


def list_ends(row):
    """Return estimate, low, high of a row as a tuple of floats."""
    return tuple(float(row[name]) for name in ENDS[:3])


def is_constant(study, judge):
    """Return whether a judge says the same of every item."""
    score = study.compared.loc[study.compared["judge"] == judge, "score"].dropna()
    return score.nunique() < 2


def ask_better(study, on_known, found, judge, smallest, doubts, needed):
    """Return the `Verdict` on `BETTER`: of the items on which every control is known."""
    found = found if on_known is None else on_known
    if np.isnan(found.at[judge, "estimate"]):
        same = is_constant(study, judge)
        nothing = (np.nan, np.nan, np.nan)
        obstacle = "" if same else NO_TEXT
        return wording.decide_better(
            nothing, nothing, "", smallest, is_constant=same, obstacle=obstacle, needed=needed
        )
    lead = list_ends(take_lead(found, judge, "stranger"))
    above = list_ends(rise_above_guess(found, judge))
    doubt = doubts.seen or doubts.writer or find_equal_control(found, judge)
    control = name_control(found.attrs["stranger"])
    if found.at[found.attrs["stranger"], "estimate"] < found.attrs["guess"]:
        lead, control = above, "guessing"  # the better rival
    return wording.decide_better(lead, above, control, smallest, doubt=doubt, needed=needed)


def find_equal_control(found, judge):
    """Return which control that a user could have is by itself as good as a judge, a sentence, ""
    where none is: the best control is chosen among several, and may so be less good than one of
    them."""
    users = found[(found["kind"] == "control") & ~found.index.isin(controls.KNOW_WRITER)]
    users = users.drop(index=[controls.BEST], errors="ignore")
    as_good = users.index[users["estimate"] >= found.at[judge, "estimate"] - 1e-9]
    if as_good.empty:
        return ""
    return f"But {as_good[0]}, which never reads, is by itself as good."


def name_control(name):
    """Return how the best control that a user could have is called in a sentence."""
    if name in (controls.BEST, controls.BEST_STRANGER):
        return "the best control that never reads"
    return name


def ask_as_good(study, found, judge, smallest, seen, needed):
    """Return the `Verdict` on `AS_GOOD`."""
    obstacle = ""
    if np.isnan(found.at[PERSON, "estimate"]):
        obstacle = "No item has two raters, so how good a rater is cannot be known."
    elif np.isnan(found.at[judge, "estimate"]):
        obstacle = "" if is_constant(study, judge) else NO_TEXT
    else:
        obstacle = verdicts.find_no_meaning(found, smallest)
    lead = list_ends(take_lead(found, judge, "person"))
    return wording.decide_as_good(lead, smallest, obstacle=obstacle, doubt=seen, needed=needed)


def find_obstacle(study, found):
    """Return why nobody can say whether a judge could take a rater's place, "" where one can."""
    if study.scales:
        return "Judge and people use different scales, so this is not asked."
    if found.attrs["why"] == TOO_LITTLE:
        return (
            "It is not clear that people agree: to be as near to them as they are to each other "
            "is easy."
        )
    if not study.several:
        return "One rater per item: there is nobody to be near to."
    if study.groups < ENOUGH:
        return f"With fewer than {ENOUGH} groups nothing can be said about other items than these."
    return ""


class Replacement:
    """The third question: may a judge replace a rater, by the alternative annotator test?

        the judge                   each constant           the verdict
        wins against half or more   clearly loses           yes
        wins against half or more   may pass, or passes     undecided
        clearly loses               any                     no
        any other                   any                     undecided

    To lose clearly is to lose clearly to more than half of the raters. In a small study a constant
    neither passes nor loses clearly, and then nobody knows what a pass is worth.
    """

    def __init__(self, study, found, judge):
        self.study = study
        self.obstacle = find_obstacle(study, found)
        self.is_other_scale = bool(study.scales)
        self.of = name_units(study.data, study.unit)
        self.deficits, self.wins, self.losses = [], 0, 0
        self.constants = None
        if self.obstacle:
            return
        self.cases = ratings.find_cases(study.data)
        score = ratings.match_scores(self.cases, study.scores)[judge]
        self.deficits = alt_test.list_deficits(self.cases, score, study.unit)
        if not self.deficits:
            self.obstacle = tell_too_few(self.of)
            return
        self.wins, self.losses = count_won_and_lost(self.deficits)
        if self.wins >= len(self.deficits) / 2:
            self.constants = list_constants(self.cases, study.unit)

    def ask(self, seen, needed=""):
        """Return the `Verdict` on `REPLACE`; seen: of `suspect`."""
        raters = len(self.deficits)
        told = {"constants": self.constants, "obstacle": self.obstacle, "doubt": seen}
        return wording.decide_replace(self.wins, self.losses, raters, **told, needed=needed)

    def tell_needed(self, seen):
        """Return what would decide whether a judge may replace a rater."""
        if self.is_other_scale:
            return "Scores on the scale of the ratings."
        if self.obstacle and not self.deficits:
            if self.obstacle == tell_too_few(self.of):
                return (
                    f"{alt_test.LEAST} {self.of} or more by each rater, each rated by others too."
                )
            return "Five groups or more, two raters for each item, and people who agree."
        if seen:
            return UNSEEN
        units = [len(of_rater) for of_rater in self.deficits]
        there = int(np.median(units))
        if self.wins >= len(self.deficits) / 2:
            return tell_what_fails_constants(self.cases, self.study.unit, there, self.of)
        needed = sample_size.count_units_needed(self.deficits, EPSILON)
        if needed <= there:
            deficit = np.mean([of_rater.mean() for of_rater in self.deficits])
            by = "each rater" if min(units) == max(units) else "the median rater"
            return (
                f"More {self.of} would help little: there are {there:,} by {by}, which is enough "
                "for a judge that is as near to the others as a rater is. This one lies at the "
                f"limit, neither clearly below it nor clearly above: its mean deficit is "
                f"{deficit:.2f}, and up to {EPSILON:g} is allowed."
            )
        return tell_more_units(needed, there, len(self.deficits), self.of)


def count_won_and_lost(deficits):
    """Return how many raters a scorer beats, and to how many it clearly loses; deficits: of
    `alt_test.list_deficits`."""
    wins = alt_test.beat_raters(deficits, EPSILON).sum()
    losses = alt_test.beat_raters([-of_rater for of_rater in deficits], -EPSILON).sum()
    return int(wins), int(losses)


def tell_too_few(of):
    """Return why the alternative annotator test cannot be made; of: what its units are called."""
    return f"No rater has {alt_test.LEAST} {of} that others rated."


def list_constants(cases, unit):
    """Return {name: whether it would pass the test} of the constants (also the mean of the aspect)
    that do not clearly fail it; cases, unit: of `alt_test.list_deficits`.

    A constant fails clearly where it loses clearly to more than half of the raters. That it was not
    shown to pass is not enough: few items show neither.
    """
    constants = {}
    for name, deficits in list_deficits_of_constants(cases, unit).items():
        wins, losses = count_won_and_lost(deficits)
        half = len(deficits) / 2
        if losses <= half:
            constants[name] = bool(wins >= half)
    return constants


def list_deficits_of_constants(cases, unit):
    """Return {name: deficits} of the constants: the same score for all, the mean of the aspect,
    and, of pairs, always the one that was shown first, or second; arguments of `list_constants`."""
    guesses = {}
    for name, guess in alt_test.make_unread(cases).items():
        is_constant = name.startswith("always") or name == "the aspect's mean"
        if is_constant:
            guesses[name] = guess
    if "name" in cases and "position" in cases:  # pairs, whose places are 1 and 2
        place = cases["position"].to_numpy(float)
        guesses["always the one shown first"] = 3 - place
        guesses["always the one shown second"] = place
    return {name: alt_test.list_deficits(cases, guess, unit) for name, guess in guesses.items()}


def tell_needed(study, found, judge, rival, smallest, setting, doubts):
    """Return what would decide an open question about a lead; rival: "stranger" or "person";
    setting: of `find_setting`; doubts: `Doubts`."""
    if np.isnan(found.at[judge, "estimate"]):
        return "Items whose ratings differ, each with a score of the judge."
    lead = take_lead(found, judge, rival)
    if rival == "person":
        if np.isnan(found.at[PERSON, "estimate"]):
            return "A second rater for each item."
        obstacle = verdicts.find_no_meaning(found, smallest)
        if obstacle == verdicts.NO_MEANING:
            return "First it must be clear that people agree: more items, or more raters of each."
        if obstacle:
            return "No study of this kind: these raters hardly follow each other."
    if doubts.seen:
        return UNSEEN
    if rival == "stranger" and doubts.writer and lead["low"] > 0:
        return LEARNABLE
    if np.isnan(lead["low"]):
        return f"At least {ENOUGH} groups, better a dozen or more."
    open_leads = [lead] if rival == "person" else [lead, rise_above_guess(found, judge)]
    needed = max(
        verdicts.count_groups_needed(list_ends(wide), wide["n"], smallest, study.level)
        for wide in open_leads
    )
    told = sample_size.tell_ways(needed, setting, rival)
    least = -smallest if rival == "person" else 0.0
    if found.attrs["guess"] == 0:  # of a correlation
        missing = least - lead["low"]
        again = sample_size.tell_repeats(
            study.compared, judge, found.at[judge, "estimate"], missing
        )
        told = f"{told} {again}".strip()
    return told


def name_units(data, unit):
    """Return what the units of the alternative annotator test are called, in the plural;"""
    if tuple(unit) == ("set",):
        return "pairs" if orders.are_pairs(data) else "rankings"
    return "items" if len(unit) == 1 else "verdicts"


def tell_what_fails_constants(cases, unit, there, of):
    """Return what would show that no constant passes.

    cases, unit: of `alt_test.list_deficits`; there: how many units a rater has; of: what they
    are called.
    """
    constants = list_constants(cases, unit)
    if any(constants.values()):
        return "No number of items: a test is needed that a constant fails."
    needed = [there]
    for name, deficits in list_deficits_of_constants(cases, unit).items():
        if name not in constants:
            continue
        deciding_rater = len(deficits) // 2  # who makes more than half
        mean_deficits = sorted((of_rater.mean() for of_rater in deficits), reverse=True)
        beyond = mean_deficits[deciding_rater] - EPSILON
        if beyond <= 0:
            return (
                f"Perhaps no number of items: by these ratings, {name} is near enough to pass. A "
                "test is needed that a constant fails."
            )
        needed.append(sample_size.count_units_needed(deficits, beyond))
    if max(needed) == there:
        return (
            f"A few more {of}: with {there:,} by each rater such a constant would fail clearly in "
            "80 of 100 studies, and in this one it did not."
        )
    return tell_more_units(max(needed), there, len(deficits), of)


def tell_more_units(needed, there, raters, of):
    """Return in a sentence that each rater needs more units, and what they cost in ratings.

    needed, there: units by each rater; of: what they are called.
    """
    if needed * raters > sample_size.FEASIBLE:
        return f"No study of feasible size: about {needed:,} {of} by each rater."
    more = (needed - there) * raters
    return f"About {needed:,} {of} by each rater instead of {there:,}: {more:,} more ratings."
