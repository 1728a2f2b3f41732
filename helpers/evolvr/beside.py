"""EvolvR's protocol (Appendix C) for any judge: stories beside partners, in both orders."""

import pandas as pd

from helpers import figures, judges, results
from helpers.evolvr.pairs import fill_requests
from helpers.judges.answers import labels
from helpers.judges.requests import prompts
from helpers.measures.intervals import of_mean, of_share, over_groups
from helpers.sources import readers

reader = labels.PAIR_OF_SCORES


def load_own(own_stories, criteria, rubric=""):
    """Return (texts {name: text}, how many of them, the first, are judged, {criterion: wording}).

    own_stories: as `readers.load_stories`, '' for those of this project; one alone is followed by
    ours, its partners. criteria: HANNA's, or any words. Raises DataError for a bad file.
    """
    known, ours = prompts.aspects("hanna"), readers.load_stories("data/stories")
    if rubric:
        tests = readers.load_rubric(rubric)
        criteria = known = dict(zip(tests["category"], readers.ask_of(tests).values()))
    mine = readers.load_stories(own_stories) if own_stories else ours
    others = ours[(len(mine) == 1) & ~ours["text"].isin(mine["text"])]
    texts = pd.concat([mine, others.assign(story="ours: " + others["story"])])
    asked = {name: f"{name} ({known[name]})" if name in known else name for name in criteria}
    return texts.set_index("story")["text"].to_dict(), len(mine), asked


def draw_pairs(count, partners, rng):
    """Return pairs of numbers below `count`: each stands beside `partners` others, or all (one
    beside one more, if both numbers are odd): neighbours on a ring in random order."""
    place, near = rng.permutation(count), min(partners, count - 1)
    steps = [(i, i + s) for s in range(1, near // 2 + 1) for i in range(count)]
    steps += [(i, i + count // 2) for i in range((count + 1) // 2) if near % 2]
    return [(place[i], place[j % count]) for i, j in steps]


def requests(texts, own, asked, partners, rng):
    """Return the judge's requests, each pair in both orders: item (the story shown first), partner
    (the other), aspect (a criterion), order, pair (a number), wording, and the prompt.

    texts, own, asked: as `load_own`; partners: of each story, one or more (else a ValueError).
    """
    if type(partners) is not int or partners < 1:
        raise ValueError(f"partners={partners!r}: expected a whole number, 1 or more")
    names, rows, pairs = list(texts), [], draw_pairs(own, partners, rng)
    if own == 1:
        pairs = [(0, 1 + mate) for mate in rng.permutation(len(names) - 1)[:partners]]
    for pair, (i, j) in enumerate(pairs):
        for order, a, b in (("one", i, j), ("other", j, i)):
            about = {"item": names[a], "partner": names[b], "order": order, "pair": pair}
            for name, words in asked.items():
                rows.append(about | {"aspect": name, "wording": words})
    slots = {"story_a": "item", "story_b": "partner", "aspect": "wording"}
    return fill_requests(pd.DataFrame(rows), "evolvr-evaluate", texts, **slots)


def ask(table, judge, options):
    """Return the judge's answers to a table of `requests`; JudgeError without a usable one."""
    answers = judges.ask(table, judge, reader, options)
    judges.check_usable(answers, judge)
    return answers


def list_pairs(answers):
    """Return one row per answer: pair, order, story_a (shown first), story_b, criterion, repeat,
    status, text (reasons and scores), score_a, score_b."""
    names = {"item": "story_a", "partner": "story_b", "aspect": "criterion"}
    table = answers[["pair", "order", *names, "repeat", "status", "text"]].rename(columns=names)
    score_a = answers["verdict"].str[0].astype(float)
    score_b = answers["verdict"].str[1].astype(float)
    return table.assign(score_a=score_a, score_b=score_b)


def score(answers):
    """Return the scores of answers, two rows per answer: item (a story), partner (the other one),
    aspect (the criterion), judge, status, score (from 1 to 5; nan where there is none)."""
    first = answers[["item", "partner", "aspect", "judge", "status"]]
    second = first.rename(columns={"item": "partner", "partner": "item"})
    score_a = answers["verdict"].str[0].astype(float)
    score_b = answers["verdict"].str[1].astype(float)
    return pd.concat([first.assign(score=score_a), second.assign(score=score_b)])


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
    """Return by criterion, over pairs judged in both orders (none: an empty table), the share of
    preferences that turn with the order, and the points more for who stands first; n: pairs."""
    table = list_pairs(answers)
    cases = [table[name] for name in ("pair", "criterion", "order")]
    lead = (table["score_a"] - table["score_b"]).groupby(cases).mean()
    lead = lead.unstack("order").reindex(columns=["one", "other"]).dropna()
    if lead.empty:
        return lead
    criteria = lead.index.unique("criterion")
    rows = {}
    for criterion, part in lead.groupby("criterion"):
        label = f" ({criterion})" if len(criteria) > 1 else ""
        turns = part.prod(axis=1) > 0  # who stands first is preferred, or less so, in both orders
        share = of_share(turns.sum(), len(part))
        rows[f"share of preferences that turn with the order{label}"] = share
        rows[f"points more when shown first{label}"] = of_mean(part.mean(axis=1))
    return pd.DataFrame(rows).T.rename_axis("what the order does")


def describe(requests, own, asked, partners):
    """Return a sentence on what a judge will be asked; own, asked, partners: as in `requests`."""
    said = f"{len(requests)} requests: {own} stories, each beside {partners} others (or all), "
    return f"{said}in both orders, on {', '.join(asked)}"


def describe_own(answers, texts, own, asked, partners):
    """Return `results.Own` of a reader's stories; answers: of `ask`; texts, own, asked, partners:
    as in `requests`."""
    judge = answers["judge"].iloc[0]
    name = results.display_name(judge)
    names = list(texts)[:own]
    by_story = rate_stories(score(answers), names)
    if len(asked) == 1:
        by_story = by_story.droplevel("criterion")
    order = rate_order(answers)
    finding = f"Stories as scored by {name}"
    if len(order) == 2:
        turned = results.format_interval(100 * order.iloc[0], digits=0)
        pairs = f"{order['n'].iloc[0]:.0f} pairs"
        finding = f"In {turned} % of {pairs} the preference of {name} turns with the order"
    title = f"SIMULATED: {finding}" if judge.startswith("simulated/") else finding
    most = min(partners, len(texts) - 1)
    measure = "mean score from 1 to 5"
    fig = figures.dots(by_story.head(40), title, measure, xlim=(0.8, 5.2), n=f"partners: {most}")
    table = list_pairs(answers)
    scored = table["score_a"].notna().sum()
    return results.Own(
        table,
        row="answer, with the judge's reasons",
        sentences=[f"{scored} of {len(table)} answers have scores."],
        figure=fig,
        label=f"Dots with intervals over partners, one row per story. {finding}:",
        tables=[(by_story, {"measure": "mean score", "n": "partners"}), (order, {"n": "pairs"})],
    )
