"""Ask a judge to rank poems in lists: designs, requests, and the reading of ranked answers (none is
ever repaired)."""

import numpy as np
import pandas as pd

from helpers import judges
from helpers.judges import prompts
from helpers.judges.labels import SCORED, parse_list
from helpers.poetry.poems import normalise

CRITERIA = {  # what is asked, lowest and highest score, in our own words
    "Creativity": ("how creative it is", "the least creative of them", "the most creative of them"),
    "Quality": ("how good it is as a poem", "the weakest of them", "the strongest of them"),
    "Innovativeness": ("how new it is", "much like poems you know", "unlike any poem you know"),
    "Similarity": (
        "how much it resembles other poems you know",
        "like none of them",
        "very much like them",
    ),
    "Poeticness": ("how far it is a poem at all", "hardly a poem", "beyond doubt a poem"),
}


def draw_subsets(tiers, subsets, per_tier, rng):
    """Return lists of poem ids (subsets x size): `per_tier` a tier at random, shuffled (poetry,
    section 7.3)."""
    codes = np.asarray(pd.Categorical(tiers).codes)
    members = [np.flatnonzero(codes == code) for code in np.unique(codes)]
    if min(map(len, members)) < per_tier:
        raise ValueError(
            f"{per_tier} poems a tier asked for, but a tier has {min(map(len, members))}; lower"
            " per_tier"
        )
    return np.array(
        [
            rng.permutation(
                np.concatenate([rng.choice(m, per_tier, replace=False) for m in members])
            )
            for _ in range(subsets)
        ]
    )


def balance_subsets(tiers, subsets, per_tier, rng):
    """Return lists like `draw_subsets`, but poems equally often (to one) and pairs as evenly as a
    greedy gets.

    Every subset takes, tier by tier, the poems shown least so far; among those, the ones that met
    its poems least.
    """
    codes = np.asarray(pd.Categorical(tiers).codes)
    draw_subsets(tiers, 1, per_tier, rng)  # the same check
    members = {code: np.flatnonzero(codes == code) for code in np.unique(codes)}
    slots, shown = np.repeat(list(members), per_tier), np.zeros(len(codes))
    met, lists = np.zeros((len(codes), len(codes))), []
    for _ in range(subsets):
        chosen, meets = [], rng.random(len(codes)) / 2  # ties at random
        for slot in rng.permutation(slots):
            free = members[slot]
            pick = free[np.argmin(shown[free] * 1e6 + meets[free])]
            chosen.append(int(pick))
            meets += met[pick]
            meets[pick] = np.inf
        shown[chosen] += 1
        met[np.ix_(chosen, chosen)] += 1
        lists.append(rng.permutation(chosen))
    return np.array(lists)


def shuffle_all(poems, shuffles, rng):
    """Return lists (shuffles x poems) that hold every poem, each in a random order (poetry, section
    7.2)."""
    return np.array([rng.permutation(poems) for _ in range(shuffles)])


def list_requests(poems, lists, criterion, criteria=CRITERIA):
    """Return requests for `judges.ask`, one a list: item, system, shared, prompt, shown (ids in
    order).

    criteria: {criterion: (what is asked, meaning of 1, meaning of 5)}.
    """
    if criterion not in criteria:
        raise ValueError(f"criterion {criterion!r}: expected one of {', '.join(criteria)}")
    asked, low, high = criteria[criterion]
    texts = zip(poems.index, poems["name"], poems["text"])
    fenced = {
        i: "<poem>\n" + prompts.defuse(f"{name}\n\n{text}") + "\n</poem>" for i, name, text in texts
    }
    rows = []
    for number, ids in enumerate(np.asarray(lists)):
        body = "\n\n".join(fenced[i] for i in ids)
        filled = prompts.load("cat-rank").fill(
            poems=body, asked=asked, low=low, high=high, number=len(ids)
        )
        rows.append(
            {
                "item": f"{criterion}-{len(ids)}-{number:03d}",
                **filled,
                "shown": tuple(int(i) for i in ids),
            }
        )
    return pd.DataFrame(rows)


def single_requests(poems):
    """Return requests for the three-category question without context, one a poem (poetry, section
    6)."""
    prompt = prompts.load("cat-tier")
    return pd.DataFrame(
        [{"item": f"poem-{i:03d}", **prompt.fill(poem=text)} for i, text in poems["text"].items()]
    )


def read_list(entries, shown, names):
    """Return (ids best first, their scores, reason): reason '' for a valid answer, else why it is
    none.

    names: {id: name}. Valid is an answer numbered 1 to n that holds each shown poem once, by its
    name (case, quotes, dashes and spaces apart), with a whole score from 1 to 5. Reasons: no list,
    numbering, no score, off the scale, ambiguous, invented, duplicate, incomplete.
    """
    if not entries:
        return None, None, "no list"
    known, ids, scores = {normalise(names[i]): i for i in shown}, [], []
    for _, body in entries:
        match, bare = SCORED.match(body), normalise(body) in known
        scored = match and normalise(match[1]) in known
        faults = {
            "ambiguous": bare and scored,
            "no score": bare or not match,
            "off the scale": match and not 1 <= int(match[2]) <= 5,
            "invented": not scored,
        }
        if reason := next((reason for reason, there in faults.items() if there), ""):
            return None, None, reason
        ids.append(known[normalise(match[1])])
        scores.append(int(match[2]))
    faults = {
        "duplicate": len(set(ids)) < len(ids),
        "incomplete": len(ids) < len(shown),
        "numbering": [number for number, _ in entries] != list(range(1, len(ids) + 1)),
    }
    reason = next((reason for reason, there in faults.items() if there), "")
    return (None, None, reason) if reason else (ids, scores, "")


def rank_lists(poems, lists, criterion, judge, runs=1, attempts=3, criteria=CRITERIA, **options):
    """Ask for `runs` valid rankings of each list, with up to `runs * attempts` answers; return
    (ratings, log).

    ratings: one row a list, run and poem: list, run (number of the answer), poem, position (n for
    the first down to 1) and score (1-5). log: one row an answer: list, run, status, reason ('' if
    valid). `options` go to `judges.ask`.
    """
    requests, names = list_requests(poems, lists, criterion, criteria), poems["name"].to_dict()
    shown, missing = requests.set_index("item")["shown"], dict.fromkeys(requests["item"], runs)
    ratings, log = [], []
    for last in range(runs, runs * attempts + 1):
        part = requests[[missing[item] > 0 for item in requests["item"]]]
        if part.empty:
            break
        answers = judges.ask(part, judge, parse_list, repeats=last, **options)
        fresh = answers[answers["repeat"].between(1 if last == runs else last, last)]
        for answer in fresh.to_dict("records"):
            item, ok = answer["item"], answer["status"] == "ok"
            ids, scores, reason = (
                read_list(answer["verdict"], shown[item], names)
                if ok
                else (None, None, answer["status"])
            )
            log.append((item, answer["repeat"], answer["status"], reason))
            missing[item] -= not reason
            for place, i in enumerate(ids or []):
                ratings.append((item, answer["repeat"], i, len(ids) - place, scores[place]))
    return (
        pd.DataFrame(ratings, columns=["list", "run", "poem", "position", "score"]),
        pd.DataFrame(log, columns=["list", "run", "status", "reason"]),
    )


def small_design(tiers, seed=7):
    """Return {poems in a list: lists} small enough for a model on a laptop: 40 lists of 3, 4 of 15;
    always the same."""
    rng = np.random.default_rng(seed)
    return {"3": draw_subsets(tiers, 40, 1, rng), "15": draw_subsets(tiers, 6, 5, rng)[:4]}
