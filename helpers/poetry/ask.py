"""Ask a judge about poems, read ranked lists strictly (none is repaired), the whole study, and what
probabilities say of single poems and of pairs."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd

from helpers import judges, results
from helpers.judges.answers import labels
from helpers.judges.answers.lists import split_score
from helpers.judges.requests import prompts
from helpers.measures import intervals
from helpers.poetry import analysis, simulate
from helpers.poetry.load import CRITERIA, name_poems, normalise

reader = labels.RANKING  # of ranked lists
# judges whose probabilities are their grades
rating_reader = labels.choice({str(grade): grade for grade in range(1, 6)})
tier_reader = labels.choice({"Good": 2, "Medium": 1, "Bad": 0})
pair_reader = labels.choice({"A": 1, "B": 0})


def requests(poems, lists, criterion, criteria=CRITERIA):
    """Return requests to rank lists of poems, the paper's method: item (a list), aspect (the
    criterion), list (its number), shown (ids in order), system, shared, prompt.

    A small model ranks no list, and a poem alone or beside one other asks for less. So there are
    three more kinds, each with its reader: `rating_requests`, `tier_requests` and `pair_requests`.
    """
    asked, low, high = criteria[criterion]
    prompt, rows = prompts.load("cat-rank"), []
    fenced = "<poem>\n" + (poems["name"] + "\n\n" + poems["text"]).map(prompts.defuse) + "\n</poem>"
    for number, ids in enumerate(np.asarray(lists).tolist()):
        body = "\n\n".join(fenced[ids])
        filled = prompt.fill(poems=body, asked=asked, low=low, high=high, number=len(ids))
        about = {"item": f"list {number} of {len(ids)}", "aspect": criterion, "list": number}
        rows.append(about | filled | {"shown": tuple(ids)})
    return pd.DataFrame(rows)


def tier_requests(poems, form="graded-tier"):
    """Return requests for a poem's kind of venue, one by one: item, poem (its id), system, shared,
    prompt; form: "graded-tier" (one word), or "cat-tier" (in the paper's words)."""
    prompt, rows = prompts.load(form), []
    for item, (poem, text) in zip(name_poems(poems.index), poems["text"].items()):
        rows.append({"item": item, "poem": poem} | prompt.fill(poem=text))
    return pd.DataFrame(rows)


def rating_requests(poems):
    """Return requests for ratings from 1 to 5, one per poem and criterion: item, aspect, poem (its
    id), system, shared, prompt."""
    prompt, rows = prompts.load("graded-poem"), []
    for item, (poem, text) in zip(name_poems(poems.index), poems["text"].items()):
        for criterion, (asked, *_) in CRITERIA.items():
            about = {"item": item, "aspect": criterion, "poem": poem}
            rows.append(about | prompt.fill(poem=text, asked=asked))
    return pd.DataFrame(rows)


def pair_requests(poems, seed=0):
    """Return requests for the better of two poems: item (the better tier's), partner, order ('+':
    the item is A, '-': it is B), system, shared, prompt. Every poem meets one of each other tier,
    drawn by `seed`."""
    rng = np.random.default_rng(seed)
    prompt, texts, rows = prompts.load("graded-pair"), poems["text"], []
    names = dict(zip(poems.index, name_poems(poems.index)))
    tiers = poems["tier"].cat.categories
    members = {tier: rng.permutation(poems.index[poems["tier"] == tier]) for tier in tiers}
    for upper, lower in itertools.combinations(tiers, 2):
        for better, worse in zip(members[upper], members[lower]):
            about = {"item": names[better], "partner": names[worse]}
            better_first = prompt.fill(poem_a=texts[better], poem_b=texts[worse])
            better_second = prompt.fill(poem_a=texts[worse], poem_b=texts[better])
            rows.append(about | {"order": "+"} | better_first)
            rows.append(about | {"order": "-"} | better_second)
    return pd.DataFrame(rows)


def read_list(entries, shown, names):
    """Return (ids best first, their scores, reason: '' for a valid answer, else why not): one
    numbered 1 to n that holds each shown poem once, by its name ({id: name}; case, quotes, dashes
    and spaces apart), with a whole score from 1 to 5."""
    id_of_name = {normalise(names[i]): i for i in shown}
    ids = []
    scores = []
    for _, body in entries or ():
        name, score, reason = read_entry(body, id_of_name)
        if reason:
            return None, None, reason
        ids.append(id_of_name[name])
        scores.append(score)
    reason = ""
    if not ids:
        reason = "no list"
    elif len(set(ids)) < len(ids):
        reason = "duplicate"
    elif len(ids) < len(shown):
        reason = "incomplete"
    elif [number for number, _ in entries] != list(range(1, len(ids) + 1)):
        reason = "numbering"
    return (None, None, reason) if reason else (ids, scores, "")


def read_entry(body, names):
    """Return (name, score, reason: '' for a valid line of a list, else why not).

    body: the line without its number, such as "Author - Title : 3"; names: of the poems shown, as
    `normalise` spells them. A name may end as a score does: two that fit are ambiguous.
    """
    written_name, score = split_score(body) or ("", None)
    name = normalise(written_name)
    is_bare_name = normalise(body) in names
    if is_bare_name and name in names:
        return "", 0, "ambiguous"
    if is_bare_name or score is None:
        return "", 0, "no score"
    if not 1 <= score <= 5:
        return "", 0, "off the scale"
    if name not in names:
        return "", 0, "invented"
    return name, score, ""


def score(answers, poems):
    """Return what answers to `requests` say of each poem of a list: item, judge, aspect, list,
    repeat, poem (its id), position (n for the first down to 1), score (1 to 5), status and reason
    ('' if the answer is valid, as `read_list`; else there is neither position nor score)."""
    names = poems["name"].to_dict()
    parts = []
    for answer in answers.to_dict("records"):
        shown, reason = answer["shown"], answer["status"]
        ids, scores, positions = shown, np.nan, np.nan
        if reason == "ok":
            ranked, grades, reason = read_list(answer["verdict"], shown, names)
            if not reason:
                ids, scores, positions = ranked, grades, range(len(ranked), 0, -1)
        part = pd.DataFrame({"item": name_poems(ids), "poem": ids})
        part = part.assign(position=positions, score=scores, reason=reason)
        for column in ("judge", "aspect", "list", "repeat", "status"):
            part[column] = answer[column]
        parts.append(part)
    columns = ["item", "judge", "aspect", "list", "repeat", "poem", "position", "score"]
    columns += ["status", "reason"]
    return pd.concat(parts, ignore_index=True)[columns]


def rank_lists(
    poems, lists, criterion, judge, options=None, *, runs=1, attempts=3, criteria=CRITERIA
):
    """Return `runs` valid rankings of each list, from up to runs * attempts: list, run, poem,
    position (n for the first down to 1), score; and of each answer list, run, status, reason ('' if
    valid)."""
    options = options or judges.Options()
    table = requests(poems, lists, criterion, criteria)
    missing = dict.fromkeys(table["list"], runs)
    parts = []
    for last in range(runs, runs * attempts + 1):
        unanswered = table[table["list"].map(missing) > 0]
        if unanswered.empty:
            break
        answers = judges.ask(unanswered, judge, reader, replace(options, repeats=last))
        first = 1 if last == runs else last
        scores = score(answers[answers["repeat"].between(first, last)], poems)
        parts.append(scores.rename(columns={"repeat": "run"}))
        valid = parts[-1][parts[-1]["reason"] == ""].drop_duplicates(["list", "run"])
        for number in valid["list"]:
            missing[number] -= 1
    scores = pd.concat(parts, ignore_index=True)
    ranked = scores.loc[scores["reason"] == "", ["list", "run", "poem", "position", "score"]]
    log = scores.drop_duplicates(["list", "run"])[["list", "run", "status", "reason"]]
    return ranked.astype(int).reset_index(drop=True), log.reset_index(drop=True)


def options(judge, poems, simulators=None, **given):
    """Return `judges.Options` with room for a list of all poems, and a coin among simulators."""
    room = 100 + 40 * len(poems) if judge.startswith("local/") else 2500
    coin = simulate.make_judge(np.zeros(len(poems)), poems["name"].to_dict(), 1.0)
    profiles = {"coin": coin} | (simulators or {})
    return judges.Options(max_output_tokens=room, simulators=profiles, **given)


def ask_own(poems, designs, judge, criteria, how, limit=0):
    """Return answers about a reader's poems, one by one (the first `limit`; 0: all), and of
    `rank_designs`; show first what a live judge costs."""
    show_plan(poems, designs, judge, criteria, how)
    asked_alone = tier_requests(poems, "cat-tier")
    alone = judges.ask(asked_alone, judge, labels.TIER, replace(how, limit=limit))
    return alone, *rank_designs(poems, designs, judge, criteria, how)


def rank_designs(poems, designs, judge, criteria, how=None):
    """Ask for a ranking of every list of `designs`; return, by (criterion, poems in a list), the
    mean position and score of every poem, also in two halves of the lists; `success_rate`; how many
    answers with the poem were valid, incomplete, … JudgeError if not one list is ranked."""
    means = {}
    valid = {}
    counts = {}
    for criterion, size in itertools.product(criteria, designs):
        lists = designs[size]
        ranked, log = rank_lists(poems, lists, criterion, judge, how, criteria=criteria)
        valid[criterion, size] = analysis.success_rate(log)
        counts[criterion, size] = count_reasons(log, lists).reindex(poems.index, fill_value=0)
        if len(ranked):
            means[criterion, size] = average_lists(ranked).reindex(poems.index)
    table = pd.DataFrame(valid).T.infer_objects()
    if not means:
        reasons = "; ".join(table["not valid"].unique())
        fault = f"judge {judge}: not one usable ranking ({reasons})"
        raise judges.JudgeError(f"{fault}; nothing can be said about the poems")
    return means, table.rename_axis(["criterion", "poems in a list"]), counts


def count_reasons(log, lists):
    """Return poems x reasons: how many answers about a list with the poem were valid, incomplete, …

    log: of `rank_lists`; lists: the ids of their poems.
    """
    table = log.assign(poem=[lists[number] for number in log["list"]]).explode("poem")
    return pd.crosstab(table["poem"], table["reason"].replace("", "valid"))


def average_lists(ranked):
    """Return by poem the mean position and score over lists, and the mean position in one half and
    in the other half of the lists; ranked: of `rank_lists`."""
    mean = ranked.groupby("poem")[["position", "score"]].mean()
    half = ranked["list"] % 2
    halves = ranked.pivot_table("position", "poem", half).reindex(columns=[0, 1])
    return mean.join(halves.set_axis(["one half", "other half"], axis=1))


def show_plan(poems, designs, judge, *study):
    """Show what a live judge's answers would cost; study: the rest of what `plan` takes."""
    if judge.split("/")[0] in judges.LIVE:
        results.show_table(plan(poems, designs, judge, *study)[["calls", "usd_live"]])


def plan(poems, designs, judge, criteria, how, repeats=0):
    """Return by part of a study what it costs beyond what is stored: calls, input_tokens,
    output_tokens, usd_live, usd_cached; the last row: in all.

    A reader's study asks about each poem alone, the paper's asks for one short list `repeats`
    times.
    """
    columns = ["calls", "input_tokens", "output_tokens", "usd_live", "usd_cached"]

    def plan_part(table, runs, tokens):
        """tokens: of an answer."""
        planned = judges.plan(table, judge, replace(how, repeats=runs), tokens)
        return planned[columns].iloc[0]

    def plan_lists(lists, runs):
        table = pd.concat([requests(poems, lists, name, criteria) for name in criteria])
        return plan_part(table, runs, round(14.4 * lists.shape[1] + 4))

    parts = {}
    if not repeats:
        parts["single poems"] = plan_part(tier_requests(poems, "cat-tier"), 1, 120)
    for size, lists in designs.items():
        parts[f"lists of {size}"] = plan_lists(lists, 1)
    if repeats:
        short_lists = next(iter(designs.values()))
        parts["one list again"] = plan_lists(short_lists[:1], repeats)
    parts["in all"] = sum(parts.values())
    return pd.DataFrame(parts).T.rename_axis("part")


def read_ratings(poems, judge):
    """Return scores (judge: what was asked, item, score): a recorded judge's mean expected labels
    of every poem, its five ratings and its kind of venue."""

    def average_labels(table, question, reader_of):
        answers = judges.ask(table, f"recorded/{judge}-poem-{question}", reader_of)
        return answers.groupby("item")["score"].mean().dropna()

    scores = {
        "five ratings": average_labels(rating_requests(poems), "ratings", rating_reader),
        "kind of venue": average_labels(tier_requests(poems), "tiers", tier_reader),
    }
    return pd.concat(scores, names=["judge", "item"]).rename("score").reset_index()


def read_pairs(poems, judge):
    """Return how often (estimate, low, high, n) the better tier, and the poem shown first, is
    preferred."""
    answers = judges.ask(pair_requests(poems), judge, pair_reader)
    # the chance that A is better, by pair, where the better tier is A (+) and where it is B (-)
    for_a = answers.pivot(index=["item", "partner"], columns="order", values="score").dropna()
    for_better = (for_a["+"] + 1 - for_a["-"]) / 2
    won = (for_better > 0.5) + 0.5 * (for_better == 0.5)
    won = won.to_numpy()
    better = for_a.index.get_level_values("item")
    answers_for_a = (for_a.to_numpy() > 0.5).sum()  # of two a pair
    rows = {
        "pairs won by the better tier": intervals.over_groups(better, lambda at: won[at].mean()),
        "answers for the poem shown first": intervals.of_share(answers_for_a // 2, len(for_a)),
    }
    return pd.DataFrame(rows).T.rename_axis("share of")
