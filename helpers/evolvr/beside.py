"""Stories judged by EvolvR's protocol (Appendix C): each beside partners, in both orders.

A judge never scores a story alone. It sees two, A and B, and gives both a score from 1 to 5, then
the same two once more with A and B exchanged. A story's score is its mean over partners and orders.
Both orders also show what the order does: a judge that says "A: 5, B: 3" of every pair prefers
whatever it reads first.

    requests -> judges.ask -> score -> rate_stories, rate_order
"""

import pandas as pd
from goodjudge.stats.intervals import of_mean, of_share, over_groups

from helpers import judges, prompts, results
from helpers.evolvr.ask import reader as DIGIT
from helpers.evolvr.pairs import PAIR_OF_SCORES, fill_requests

reader = PAIR_OF_SCORES


def word_criteria(criteria):
    """Return {criterion: its name and, for HANNA's, its definition in brackets}; criteria: HANNA's,
    or any words."""
    definitions = prompts.aspects("hanna")
    wordings = {}
    for name in criteria:
        meaning = definitions.get(name, definitions.get(name.lower()))
        wordings[name] = f"{name} ({meaning})" if meaning else name
    return wordings


def requests(texts, wordings, partners, rng):
    """Return the judge's requests, each pair in both orders: item (the story shown first), partner
    (the other), aspect (a criterion), order, pair (a number), wording, and the prompt.

    texts: {story: text}, two or more; wordings: of `word_criteria`; partners: of each story, one or
    more. ValueError for fewer.
    """
    if type(partners) is not int or partners < 1:
        raise ValueError(f"partners={partners!r}: expected a whole number, 1 or more")
    if len(texts) < 2:
        raise ValueError("one story has no partner: add another, say one of data/stories")
    names = list(texts)
    pairs = draw_pairs(len(names), partners, rng)
    rows = []
    for pair, (i, j) in enumerate(pairs):
        in_both_orders = {"one": (names[i], names[j]), "other": (names[j], names[i])}
        for order, (first, second) in in_both_orders.items():
            about = {"item": first, "partner": second, "order": order, "pair": pair}
            for criterion, wording in wordings.items():
                rows.append(about | {"aspect": criterion, "wording": wording})
    slots = {"story_a": "item", "story_b": "partner", "aspect": "wording"}
    return fill_requests(pd.DataFrame(rows), "evolvr-evaluate", texts, **slots)


def draw_pairs(count, partners, rng):
    """Return pairs of numbers below `count`, so that each stands beside `partners` others, or all,
    if these are fewer (one stands beside one more, if both numbers are odd).

    The numbers lie on a ring in random order, and near ones are paired: on the ring 2 0 4 1 3 with
    two partners 2-0, 0-4, 4-1, 1-3 and 3-2.
    """
    ring = rng.permutation(count)
    partners = min(partners, count - 1)
    places = []  # pairs of places on the ring
    for step in range(1, partners // 2 + 1):  # each step gives every number two partners
        places += [(place, place + step) for place in range(count)]
    if partners % 2:  # one more: the number opposite
        places += [(place, place + count // 2) for place in range((count + 1) // 2)]
    return [(ring[first], ring[second % count]) for first, second in places]


def split_sides(requests):
    """Return two requests per row of `requests`, one about each story (side A or B, the item): a
    judge answers with one digit and no reasons, so that its probabilities can count."""
    template = prompts.load("evolvr-digit")
    tables = []
    for side in "AB":
        table = requests.assign(side=side)
        if side == "B":
            table = table.rename(columns={"item": "partner", "partner": "item"})
        if "prompt" in table:
            asked = [template.fill(side=side, aspect=one)["prompt"] for one in table["wording"]]
            table["prompt"] = asked
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def ask(table, judge, options):
    """Return the judge's answers to a table of `requests`, or of `split_sides`; JudgeError without
    a usable one."""
    answers = judges.ask(table, judge, DIGIT if "side" in table else reader, options)
    judges.check_usable(answers, judge)
    return answers


def list_pairs(answers):
    """Return one row per answer: pair, order, story_a (shown first), story_b, criterion, repeat,
    status, text (reasons and scores), score_a, score_b."""
    names = {"item": "story_a", "partner": "story_b", "aspect": "criterion"}
    table = answers[["pair", "order", *names, "repeat", "status", "text"]].rename(columns=names)
    score_a, score_b = split_verdicts(answers)
    return table.assign(score_a=score_a, score_b=score_b)


def split_verdicts(answers):
    """Return the scores of the stories shown first and second, two columns; nan where an answer
    has none."""
    verdict = answers["verdict"]  # (score of A, score of B)
    return verdict.str[0].astype(float), verdict.str[1].astype(float)


def score(answers):
    """Return the scores of answers, two rows per answer: item (a story), partner (the other one),
    aspect (the criterion), pair (its number), judge, status, shown (the story first or second),
    score (from 1 to 5; nan where there is none). Of `split_sides` one row per answer: the expected
    score by the probabilities of the digits, where the server gives them, else the digit."""
    if "side" in answers:
        return score_digits(answers)
    first = answers[["item", "partner", "aspect", "pair", "judge", "status"]]
    second = first.rename(columns={"item": "partner", "partner": "item"})
    score_a, score_b = split_verdicts(answers)
    first = first.assign(shown="first", score=score_a)
    return pd.concat([first, second.assign(shown="second", score=score_b)])


def score_digits(answers):
    """Return what `score` does, of answers to `split_sides`."""
    is_read = answers["status"] == "ok"
    digit = pd.to_numeric(answers["verdict"].where(is_read))
    table = answers[["item", "partner", "aspect", "pair", "judge", "status"]]
    shown = answers["side"].map({"A": "first", "B": "second"})
    return table.assign(shown=shown, score=answers["score"].where(is_read).fillna(digit))


def rate_stories(scores, names):
    """Return a row per criterion and story of `names`: mean score over partners and orders
    (estimate, low, high, n partners), and its SD over partners; scores: of `score`."""
    known = scores.dropna(subset="score")
    known = known[known["item"].isin(names)]
    rows = {}
    for key, part in known.groupby(["aspect", "item"]):
        by_partner = part.groupby("partner")["score"].mean()
        mean = mean_over(by_partner)
        rows[key] = {**mean, "SD over partners": by_partner.std()}
    table = pd.DataFrame(rows).T.rename_axis(["criterion", "story"])
    table[["low", "high"]] = table[["low", "high"]].clip(1, 5)  # the scale
    return results.rank(table, "estimate", "criterion", "story")


def mean_over(by_partner):
    """Return the mean of a Series by partner: estimate, low, high, n (partners)."""
    return over_groups(by_partner.index, lambda rows: by_partner.iloc[rows].mean())


def rate_order(answers):
    """Return what the order does, by criterion: the share of preferences that turn with it, and how
    many points more a story has when it is shown first (estimate, low, high, n: pairs).

    answers: to `requests`. Pairs judged in both orders count; an empty table where there are none.
    """
    table = list_pairs(answers)
    table["lead of first"] = table["score_a"] - table["score_b"]
    by_order = table.pivot_table("lead of first", ["pair", "criterion"], "order")
    both = by_order.reindex(columns=["one", "other"]).dropna()  # a row per pair and criterion
    if both.empty:
        return both
    criteria = both.index.unique("criterion")
    rows = {}
    for criterion, leads in both.groupby("criterion"):
        label = f" ({criterion})" if len(criteria) > 1 else ""
        # the story shown first has more points in both orders, or in neither
        turns = leads["one"] * leads["other"] > 0
        share = of_share(turns.sum(), len(leads))
        rows[f"share of preferences that turn with the order{label}"] = share
        rows[f"points more when shown first{label}"] = of_mean(leads.mean(axis=1))
    return pd.DataFrame(rows).T.rename_axis("what the order does")
