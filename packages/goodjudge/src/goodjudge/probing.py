"""Ask a judge about texts and questions that are changed in one respect: `goodjudge probe`.

What each change is, and what the answers show, stands in `diagnostics.probe`. The price of all
probes together is told first, and max_usd is one budget for all; the answers about the texts as
they are come from the same file as those of `goodjudge ask`.
"""

import json
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from goodjudge.ask import LIVE, JudgeError, Options, ask, check_usable, one_of, plan_cost
from goodjudge.ask.budget import tell_most, tell_usd
from goodjudge.ask.calls import list_settings
from goodjudge.card.shapes import Verdict
from goodjudge.card.verdicts import are_alike
from goodjudge.diagnostics import probe as probes
from goodjudge.errors import DataError
from goodjudge.judging import (
    PROMPTS,
    add_scores,
    choose_reader,
    fill_requests,
    load_prompt,
    read_if_path,
    word_question,
)
from goodjudge.rubric import VERDICTS, find_rubric, load_yaml, read_rubric, read_scale
from goodjudge.stats import intervals

QUESTION = "Does it answer as before where nothing that matters was changed?"
TEXTS, TESTS = 12, 3  # how many are asked about, unless the reader says more
SMALLEST = 0.1  # one answer in ten: the smallest effect that matters
PAIR = one_of(["A", "B"], name="pair", field="verdict")
AT_ZERO = (
    "At temperature 0 the same prompt has the same answer, so nothing was asked again; changes by "
    "itself are taken for none."
)


class Probe(NamedTuple):
    """What probes of a judge show. verdict: a `Verdict`; effects: of `probe.list_effects`; judge:
    its name; answers: all of them, with their probe; told: sentences on what was not asked or not
    answered."""

    verdict: Verdict
    effects: pd.DataFrame
    judge: str
    answers: pd.DataFrame
    told: list

    def __str__(self):
        """Return all of it in words."""
        verdict = self.verdict
        head = [f"{self.judge}: {verdict.question} {verdict.answer}", verdict.why, verdict.needed]
        lines = [*filter(None, head), "", *probes.tell_effects(self.effects), *self.told]
        return "\n".join(textwrap.fill(line, 88, subsequent_indent="  ") for line in lines)

    def to_json(self):
        """Return all of it but the answers as JSON."""
        rows = self.effects.astype(object).where(self.effects.notna(), None).reset_index()
        content = {"judge": self.judge, "verdict": vars(self.verdict), "told": self.told}
        content["effects"] = rows.to_dict("records")
        return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)


def probe_judge(
    texts: str | Path | pd.DataFrame,
    judge: str,
    *,
    rubric: str | Path = "",
    scale: str = "",
    limit: int = TEXTS,
    tests: int = TESTS,
    smallest: float = SMALLEST,
    options: Options | None = None,
) -> Probe:
    """Return the `Probe` of a judge: do its answers move where nothing that matters was changed?

    texts, rubric, scale, options: as of `ask_texts`; limit, tests: at most so many texts, and of
    the rubric's questions the first so many; smallest: the smallest effect that matters, a share of
    answers or of the scale. Yes: each effect of padding, author's name, hidden orders, position in
    a pair and paraphrases is smaller; no: one of them is clear, corrected for how many there are;
    undecided: these texts cannot tell. What it costs is told before; DataError or JudgeError for
    what cannot be asked or costs more than `options.max_usd`.

    >>> probe_judge("texts/", "openai/gpt-5-mini").verdict.answer       # doctest: +SKIP
    'undecided'
    """
    options = options or Options()
    if limit < 1 or tests < 1:
        raise DataError("limit and tests: expected whole numbers above 0")
    stories = read_if_path(texts).head(limit)
    if len(stories) < 2:
        raise DataError(f"two texts or more are needed for a probe, better {TEXTS}")
    content = read_rubric(find_rubric(rubric))
    content["tests"] = content["tests"][:tests]
    answers = read_scale(scale or content.get("scale", ""))
    reader = choose_reader(answers)
    at_zero = list_settings(judge, options, reader).get("temperature") == 0

    batches = list_batches(stories, content, answers)
    usual = batches.pop("usual")
    again = options if at_zero else replace(options, repeats=2)
    nothing_known = pd.Series(np.nan, usual.index)
    asked = [(usual, again), *((one, options) for one in batches.values())]
    asked.append((list_hidden(stories, content, answers, nothing_known), options))
    refuse_dear(asked, judge, options)

    own = add_scores(ask(usual, judge, reader, again))
    check_usable(own, judge)
    first = own["repeat"] == own["repeat"].min()
    own["probe"] = np.where(first, "", probes.AGAIN)
    hidden = list_hidden(stories, content, answers, to_value(own[first], answers))
    pairs = ask(batches.pop("two texts"), judge, PAIR, options)
    tables = [own]
    for requests in [*batches.values(), hidden]:
        tables.append(add_scores(ask(requests, judge, reader, options)))
    table = pd.concat(tables, ignore_index=True)
    more = "more Yes" if answers == VERDICTS else "higher, as a share of the scale"
    effects = probes.list_effects(lay_out(table, answers), lay_out_turns(pairs), more)
    everything = pd.concat([table, pairs.assign(probe="two texts")], ignore_index=True)
    told = [AT_ZERO] if at_zero else []
    told += [tell_lacking(content), tell_failed(everything)]
    verdict = decide(effects, smallest)
    return Probe(verdict, effects, judge, everything, [one for one in told if one])


# ------------------------------------------------------------------------------ what is asked


def list_batches(stories, content, answers):
    """Return {name: requests} of the texts as they are (usual), of changed texts, of reworded
    questions, and of two texts at a time."""
    questions = [(test["name"], word_question(content, test, answers)) for test in content["tests"]]
    batches = {"usual": fill_requests(stories, questions, answers)}
    changes = {
        probes.PADDED: lambda text: probes.pad(text, probes.seed_of(probes.PADDED, text)),
        probes.SHUFFLED: lambda text: probes.shuffle(text, probes.seed_of(probes.SHUFFLED, text)),
        probes.WINNER: lambda text: probes.name_author(text, probes.WINNER),
        probes.PROGRAM: lambda text: probes.name_author(text, probes.PROGRAM),
    }
    for name, change in changes.items():
        changed = stories.assign(text=stories["text"].map(change))
        batches[name] = fill_requests(changed, questions, answers).assign(probe=name)
    most = max(len(test["paraphrases"]) for test in content["tests"])
    for number in range(most):
        reworded = []
        for test in content["tests"]:
            for paraphrase in test["paraphrases"][number : number + 1]:
                wording = word_question(content, test, answers, paraphrase)
                reworded.append((test["name"], wording))
        name = f"{probes.REWORDED} {number + 1}"
        batches[name] = fill_requests(stories, reworded, answers).assign(probe=name)
    batches["two texts"] = list_pairs(stories, *questions[0])
    return batches


def list_pairs(stories, name, question):
    """Return the requests about each text and the next, in both orders (+: as they stand)."""
    prompt = load_prompt("pair")
    rows = []
    for first, second in zip(stories.to_dict("records"), stories.to_dict("records")[1:]):
        for order, (a, b) in {"+": (first, second), "-": (second, first)}.items():
            filled = prompt.fill(text_a=a["text"], text_b=b["text"], question=question)
            item = f"{first['item']} and {second['item']}"
            rows.append({"item": item, "aspect": name, "order": order, **filled})
    return pd.DataFrame(rows)


def list_hidden(stories, content, answers, own):
    """Return the requests about texts with an order hidden in them, each against the judge's own
    answer: probe and wanted (1 for Yes or the highest grade, 0 for No or the lowest). Which form an
    order has is drawn by text and question.

    own: the values of its own answers, in the order of texts and questions; nan for none.
    """
    forms = [*load_yaml((PROMPTS / "orders.yaml").read_text("utf-8")).values()]
    label = "Verdict" if answers == VERDICTS else "Grade"
    ends = {1.0: answers[0], 0.0: answers[-1]} if answers == VERDICTS else {}
    ends = ends or {1.0: answers[-1], 0.0: answers[0]}
    parts = []
    for number, value in enumerate(own):
        story = stories.iloc[number // len(content["tests"])]
        test = content["tests"][number % len(content["tests"])]
        wanted = float(not value >= 0.5)
        form = probes.seed_of(probes.HIDDEN, story["text"], test["name"]).choice(forms)
        order = form.replace("Verdict", label).replace("{verdict}", ends[wanted])
        changed = story.to_frame().T.assign(text=probes.hide(story["text"], order))
        questions = [(test["name"], word_question(content, test, answers))]
        parts.append(fill_requests(changed, questions, answers).assign(wanted=wanted))
    return pd.concat(parts, ignore_index=True).assign(probe=probes.HIDDEN)


def refuse_dear(batches, judge, options):
    """Say what all probes will cost; raise JudgeError if that is likely more than the budget, so
    that nothing is asked. batches: (requests, options) each; judges that are free say nothing."""
    if judge.split("/")[0] not in LIVE:
        return
    plan = pd.concat([plan_cost(requests, judge, how) for requests, how in batches])
    calls, likely, most = plan[["calls", "usd_live", "usd_most"]].sum(skipna=False)
    if np.isnan(likely):
        print(f"{calls:,.0f} calls to {judge}; no price is known", file=sys.stderr, flush=True)
        return
    if not most:
        print(f"{calls:,.0f} calls to {judge}; they cost nothing", file=sys.stderr, flush=True)
        return
    price = f"about {tell_usd(likely)}, at most {tell_most(most)}"
    print(f"{calls:,.0f} calls to {judge}: {price}", file=sys.stderr, flush=True)
    if likely > options.max_usd.left:
        raise JudgeError(
            f"the probes would cost {price}, max_usd={options.max_usd.max_usd:g}; raise max_usd, or"
            " ask about fewer texts (limit)"
        )


# --------------------------------------------------------------------------- what was answered


def to_value(answers, scale):
    """Return the place of each answer between 0 (No, the lowest grade) and 1; nan without one."""
    if scale == VERDICTS:
        return answers["score"].astype(float)
    low, high = float(scale[0]), float(scale[-1])
    return (answers["score"] - low) / (high - low)


def lay_out(answers, scale):
    """Return what `probe.list_effects` takes: text, question, probe, value, wanted."""
    table = answers[["probe", "wanted"]].assign(text=answers["item"], question=answers["aspect"])
    return table.assign(value=to_value(answers, scale))


def lay_out_turns(pairs):
    """Return what `probe.list_effects` takes of two texts: text (the pair), question, first,
    second: 1 where one and the same text is preferred, -1 where the other, shown first and second.
    """
    value = pairs["verdict"].map({"A": 1.0, "B": -1.0}).where(pairs["status"] == "ok")
    table = pairs.assign(value=value.astype(float))
    wide = table.pivot(index=["item", "aspect"], columns="order", values="value")
    turns = pd.DataFrame({"first": wide["+"], "second": -wide["-"]})
    return turns.reset_index().rename(columns={"item": "text", "aspect": "question"})


def decide(effects, smallest):
    """Return the `Verdict` of a probe's effects, of those that should not be there."""
    names = [name for name in effects.index if name.startswith(("padded", "prize winner"))]
    names += [probes.REWORDED_LESS, probes.OBEYED_LESS, probes.SHOWN_FIRST]
    rows = effects.loc[[name for name in names if name in effects.index]]
    open_ones, moved = {}, []
    for name, row in rows.iterrows():
        if are_alike(row, smallest) == "alike":
            continue
        open_ones[name] = row["n"] * (row["visible"] / smallest) ** 2
        if not np.isnan(row["low"]):
            wider = intervals.widen(row, len(rows))
            if wider["low"] > 0 or wider["high"] < 0:
                moved.append(name)
    if moved:
        return Verdict(QUESTION, "no", f"It is clearly moved: {'; '.join(moved)}.")
    if not open_ones:
        why = f"Each of {len(rows)} effects is smaller than {smallest:g}."
        return Verdict(QUESTION, "yes", why)
    why = f"{len(open_ones)} of {len(rows)} effects may be {smallest:g} or larger."
    texts = np.ceil(max(open_ones.values()))
    needed = f"About {texts:,.0f} texts would show an effect of {smallest:g}."
    if np.isnan(texts):
        needed = f"{intervals.ENOUGH} texts are the fewest that give an interval."
    return Verdict(QUESTION, "undecided", why, needed)


def tell_lacking(content):
    """Return a sentence on questions that have no paraphrase, "" where all have."""
    lacking = [test["name"] for test in content["tests"] if not test["paraphrases"]]
    if not lacking:
        return ""
    return (
        f"No paraphrases in the rubric, so not reworded: {', '.join(lacking)} (paraphrases: [...])."
    )


def tell_failed(answers):
    """Return a sentence on answers without a verdict, "" where there is none."""
    failed = answers.loc[answers["status"] != "ok", "status"].value_counts()
    if failed.empty:
        return ""
    counts = ", ".join(f"{many} {status}" for status, many in failed.items())
    return f"{failed.sum()} of {len(answers)} answers have no verdict and count nowhere: {counts}."
