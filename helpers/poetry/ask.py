"""Ask a judge to rank lists of poems, and read its answers strictly: none is repaired.

A list shows some poems by their names, say Ann - Snow, Bo - Ice and Cy - Fog. A valid answer is

    1. Bo - Ice : 5
    2. Cy - Fog : 3
    3. Ann - Snow : 3

Numbered from 1, it holds each poem once, best first, with a whole score from 1 to 5. `score` makes
a row per poem of it: Bo - Ice has position 3, as the first of three, and score 5. Any other answer
is invalid, for a reason that `read_list` names, and `rank_lists` asks again. `rank_designs` asks
for all lists of a study; `plan` says what that will cost. A judge that ranks no list is asked for
less: see `graded`.
"""

import itertools
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from goodjudge.ask import calls
from goodjudge.ask.prompts import defuse

from helpers import judges, prompts, results
from helpers.poetry import analysis, simulate
from helpers.poetry.graded import TIER, tier_requests
from helpers.poetry.lists import draw_subsets
from helpers.poetry.load import CRITERIA, name_poems, normalise
from helpers.poetry.ranked import RANKING, split_score

reader = RANKING
SCALE = 1, 5
TOKENS_OF_A_LINE, TOKENS_AROUND = 14.4, 4  # of a ranked list, as models wrote them
TOKENS_OF_A_TIER = 120  # of an answer about one poem


def requests(poems, lists, criterion, criteria=CRITERIA):
    """Return requests to rank lists of poems, one per list: item ('list 0 of 15'), aspect (the
    criterion), list (its number), shown (ids in order), system, shared, prompt.

    lists: the ids of each list's poems; criteria: {criterion: (what is asked, what the lowest score
    means, what the highest)}.
    """
    asked, low, high = criteria[criterion]
    prompt = prompts.load("cat-rank")
    named = poems["name"] + "\n\n" + poems["text"]
    fenced = "<poem>\n" + named.map(defuse) + "\n</poem>"
    rows = []
    for number, ids in enumerate(np.asarray(lists).tolist()):
        about = {"item": f"list {number} of {len(ids)}", "aspect": criterion, "list": number}
        body = "\n\n".join(fenced[ids])
        filled = prompt.fill(poems=body, asked=asked, low=low, high=high, number=len(ids))
        rows.append(about | filled | {"shown": tuple(ids)})
    return pd.DataFrame(rows)


def sample_lists(poems, lists=20, seed=7):
    """Return requests to rank lists of 15 poems by quality, five of each tier, drawn by `seed`: as
    recorded judges were asked."""
    drawn = draw_subsets(poems["tier"], lists, 5, np.random.default_rng(seed))
    return requests(poems, drawn, "Quality")


class Ranking(NamedTuple):
    """What an answer says of a list of poems."""

    ids: list | None  # of the poems, best first; None for an invalid answer
    scores: list | None  # from 1 to 5, in the same order
    reason: str  # why it is invalid; '' for a valid one


def read_list(entries, shown, names):
    """Return the `Ranking` of an answer about the poems `shown` (ids).

    entries: what `reader` read of it, [(number, line)], None for no list; names: {id: the poem's
    name}, of which case, quotes, dashes and spaces do not count. Reasons: those of `read_entry`, no
    list, duplicate, incomplete, numbering.
    """
    entries = entries or []
    id_of_name = {normalise(names[poem]): poem for poem in shown}
    ids = []
    scores = []
    for _, line in entries:
        name, score, reason = read_entry(line, id_of_name)
        if reason:
            return Ranking(None, None, reason)
        ids.append(id_of_name[name])
        scores.append(score)
    reason = find_gap(ids, [number for number, _ in entries], len(shown))
    if reason:
        return Ranking(None, None, reason)
    return Ranking(ids, scores, "")


def read_entry(line, names):
    """Return (name, score, reason: '' for a valid line of a list, else why not).

    line: without its number, such as "Author - Title : 3"; names: of the poems shown, as
    `normalise` spells them. A name may itself end as a score does: where the line fits two names,
    with and without its end, it is ambiguous.
    """
    written_name, score = split_score(line) or ("", None)
    name = normalise(written_name)
    is_bare_name = normalise(line) in names
    lowest, highest = SCALE
    if is_bare_name and name in names:
        return "", 0, "ambiguous"
    if is_bare_name or score is None:
        return "", 0, "no score"
    if not lowest <= score <= highest:
        return "", 0, "off the scale"
    if name not in names:
        return "", 0, "invented"
    return name, score, ""


def find_gap(ids, numbers, size):
    """Return why poems that were named are no ranking of a list of `size`; '' if they are.

    ids: of the poems, in the order of the answer; numbers: of its lines.
    """
    if not ids:
        return "no list"
    if len(set(ids)) < len(ids):
        return "duplicate"
    if len(ids) < size:
        return "incomplete"
    if numbers != list(range(1, size + 1)):
        return "numbering"
    return ""


def score(answers, poems):
    """Return what answers to `requests` say of each poem of a list, a row per answer and poem.

    Columns: item, judge, aspect, list, repeat, poem (its id), position (n for the first down to 1),
    score (1 to 5), status, reason. An invalid answer has neither position nor score, and its reason
    is its status, or that of `read_list`; a valid one has the reason ''.
    """
    names = poems["name"].to_dict()
    parts = [score_answer(answer, names) for answer in answers.to_dict("records")]
    columns = ["item", "judge", "aspect", "list", "repeat", "poem", "position", "score"]
    columns += ["status", "reason"]
    return pd.concat(parts, ignore_index=True)[columns]


def score_answer(answer, names):
    """Return the rows of `score` for one answer, a dict; names: {id: the poem's name}."""
    ranking = Ranking(None, None, answer["status"])
    if answer["status"] == "ok":
        ranking = read_list(answer["verdict"], answer["shown"], names)
    if ranking.reason:
        ids = answer["shown"]
        said = {"position": np.nan, "score": np.nan}
    else:
        ids = ranking.ids
        said = {"position": range(len(ids), 0, -1), "score": ranking.scores}
    rows = pd.DataFrame({"item": name_poems(ids), "poem": ids})
    rows = rows.assign(**said, reason=ranking.reason)
    for column in ("judge", "aspect", "list", "repeat", "status"):
        rows[column] = answer[column]
    return rows


def rank_lists(
    poems, lists, criterion, judge, settings=None, *, runs=1, attempts=3, criteria=CRITERIA
):
    """Ask for `runs` valid rankings of each list, in up to runs * attempts answers.

    First come `runs` answers about each list, then one more at a time about the lists that still
    lack a valid one. With two runs, a list whose answers are valid, cut off and valid is asked
    three times.

    Returns two tables: of the valid rankings list, run, poem, position (n for the first down to 1)
    and score; of all answers list, run, status and reason ('' if valid). settings:
    `judges.Options`; the other arguments are those of `requests`. Raises JudgeError for several
    runs at temperature 0.
    """
    settings = settings or judges.Options()
    refuse_copies(judge, settings, runs)
    table = requests(poems, lists, criterion, criteria)
    missing = dict.fromkeys(table["list"], runs)  # valid rankings, by list
    parts = []
    for repeats in range(runs, runs * attempts + 1):
        unanswered = table[table["list"].map(missing) > 0]
        if unanswered.empty:
            break
        first_new = 1 if repeats == runs else repeats
        new = ask_anew(unanswered, poems, judge, replace(settings, repeats=repeats), first_new)
        parts.append(new)
        valid = new[new["reason"] == ""].drop_duplicates(["list", "run"])
        for number in valid["list"]:
            missing[number] -= 1
    scores = pd.concat(parts, ignore_index=True)
    ranked = scores.loc[scores["reason"] == "", ["list", "run", "poem", "position", "score"]]
    log = scores.drop_duplicates(["list", "run"])[["list", "run", "status", "reason"]]
    return ranked.astype(int).reset_index(drop=True), log.reset_index(drop=True)


def refuse_copies(judge, settings, runs):
    """Raise JudgeError if a judge is asked the same several times at temperature 0: its answers
    would be one answer, and their reliability 1."""
    temperature = calls.list_settings(judge, settings, reader).get("temperature")
    if runs > 1 and temperature == 0:
        raise judges.JudgeError(
            f"judge {judge}: {runs} answers at temperature 0 are one answer, repeated; the paper"
            " has temperature 1: leave out temperature, or write ?temperature=1 behind the name"
        )


def ask_anew(asked, poems, judge, settings, first_new):
    """Return the scores of new answers, as `score` does, with run for repeat.

    asked: requests; settings: `judges.Options` with as many repeats as answers about a list are
    wanted in all; first_new: the first run that has not been counted yet (the runs before it come
    again, without a new call).
    """
    answers = judges.ask(asked, judge, reader, settings)
    is_new = answers["repeat"] >= first_new
    return score(answers[is_new], poems).rename(columns={"repeat": "run"})


def repeat_list(poems, ids, criteria, judge, settings=None, *, runs=10):
    """Ask for `runs` valid rankings of one list by each criterion, every time in the same words
    (the paper's section 8); return criterion, run, poem, position, score.

    ids: of the list's poems, as they are shown; criteria, settings: as of `rank_designs`.
    """
    lists = np.asarray(ids)[None]
    parts = {}
    for criterion in criteria:
        parts[criterion], _ = rank_lists(
            poems, lists, criterion, judge, settings, runs=runs, criteria=criteria
        )
    again = pd.concat(parts, names=["criterion"]).reset_index("criterion")
    return again.drop(columns="list").reset_index(drop=True)


def options(judge, poems, simulators=None, **given):
    """Return `judges.Options` with room for a list of all poems, the paper's temperature of 1 and a
    coin among simulators.

    A server of one's own is told the temperature (one in the judge's name comes before it); OpenAI
    and Anthropic have 1 where they are told none.
    """
    if judge.startswith("local/"):
        given["params"] = {"temperature": 1} | (given.get("params") or {})
    room = 100 + 40 * len(poems) if judge.startswith("local/") else 2500
    coin = simulate.make_judge(np.zeros(len(poems)), poems["name"].to_dict(), 1.0)
    profiles = {"coin": coin} | (simulators or {})
    return judges.Options(max_output_tokens=room, simulators=profiles, **given)


def sort_alone(poems, judge, settings=None):
    """Return answers about each poem by itself, of the kind of venue it could appear in (the
    paper's section 6): poem and, as verdict, Good, Medium or Bad."""
    return judges.ask(tier_requests(poems, "cat-tier"), judge, TIER, settings)


def rank_designs(poems, designs, judge, criteria, settings=None):
    """Ask for a ranking of every list of a study, by criterion and design.

    designs: {poems in a list: lists, ids}; criteria: as in `requests`; settings: `judges.Options`.
    Returns, by (criterion, poems in a list): {means of every poem, as `average_lists`}; a table of
    `success_rate`; {poems x reasons, as `count_reasons`}. Raises JudgeError if no list is ranked.
    """
    means = {}
    valid = {}
    counts = {}
    for criterion, size in itertools.product(criteria, designs):
        lists = designs[size]
        ranked, log = rank_lists(poems, lists, criterion, judge, settings, criteria=criteria)
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
    ids_of_answer = [lists[number] for number in log["list"]]
    by_poem = log.assign(poem=ids_of_answer).explode("poem")
    return pd.crosstab(by_poem["poem"], by_poem["reason"].replace("", "valid"))


def average_lists(ranked):
    """Return by poem the means over lists: position, score, and the position in one half and in the
    other half of the lists; ranked: of `rank_lists`."""
    mean = ranked.groupby("poem")[["position", "score"]].mean()
    half = ranked["list"] % 2
    halves = ranked.pivot_table("position", "poem", half).reindex(columns=[0, 1])
    return mean.join(halves.set_axis(["one half", "other half"], axis=1))


def show_plan(poems, designs, judge, criteria, settings, repeats=0):
    """Show what a live judge's answers would cost; arguments as in `plan`."""
    is_live = judge.split("/")[0] in judges.LIVE
    if is_live:
        costs = plan(poems, designs, judge, criteria, settings, repeats)
        results.show_table(costs[["calls", "input_tokens", "output_tokens", "usd_live"]])


def plan(poems, designs, judge, criteria, settings, repeats=0):
    """Return by part of a study what it costs beyond what is stored: calls, input_tokens,
    output_tokens, usd_live, usd_cached; the last row: in all.

    Each poem is asked about alone, all lists of `designs` are ranked, and the first of them
    `repeats` times more (0: not at all). A list whose answer is not valid is asked about again, up
    to twice: that comes on top.
    """
    alone = tier_requests(poems, "cat-tier")
    parts = {"single poems": plan_part(alone, judge, settings, 1, TOKENS_OF_A_TIER)}
    for size, lists in designs.items():
        asked, tokens = list_requests(poems, lists, criteria)
        parts[f"lists of {size}"] = plan_part(asked, judge, settings, 1, tokens)
    if repeats:
        short_lists = next(iter(designs.values()))
        asked, tokens = list_requests(poems, short_lists[:1], criteria)
        parts["one list again"] = plan_part(asked, judge, settings, repeats, tokens)
    parts["in all"] = sum(parts.values())
    return pd.DataFrame(parts).T.rename_axis("part")


def list_requests(poems, lists, criteria):
    """Return (requests to rank lists by each criterion, the tokens of an answer)."""
    asked = pd.concat([requests(poems, lists, criterion, criteria) for criterion in criteria])
    tokens = round(TOKENS_OF_A_LINE * lists.shape[1] + TOKENS_AROUND)
    return asked, tokens


def plan_part(asked, judge, settings, repeats, tokens):
    """Return what requests cost, each asked `repeats` times and answered in so many tokens: a
    Series, the columns of `plan`."""
    costs = judges.plan_cost(asked, judge, replace(settings, repeats=repeats), tokens)
    columns = ["calls", "input_tokens", "output_tokens", "usd_live", "usd_cached"]
    return costs[columns].iloc[0]
