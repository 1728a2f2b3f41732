"""Probe a judge of one's own: does its answer hang on what should not matter?

    python -m helpers.workshop.probe my-folder --judge openai/gpt-4o-mini --max-usd 1

It asks the judge tests about a few texts, as `make judge` does, and again about the same texts
changed in one respect (`goodjudge.diagnostics.probe`), and two texts at a time in both orders. The
price of all probes together is told first, and max_usd is one budget for all. What was answered
is kept in the store of `make judge`, so that a run that was stopped goes on where it ended.

A table (judge-probe-….csv) has a row per probe with its interval, the effect that 80 of 100 such
runs would see, and how many texts a small one would take. Texts go to the judge that is named, and
nowhere else. Ends with 0, with 1 for a fault, 2 if asked wrongly, 130 after Ctrl-C.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from goodjudge.ask import labels, local
from goodjudge.ask.addresses import refuse_key
from goodjudge.ask.budget import tell_most, tell_usd
from goodjudge.diagnostics import probe as probes

from helpers import judges, prompts, results
from helpers.refbased import ask as comparing
from helpers.sources import readers
from helpers.sources.files import DataError
from helpers.sources.names import display_name
from helpers.sources.public import ROOT
from helpers.ttcw import ask
from helpers.workshop import run
from helpers.workshop import texts as own_texts

TEXTS, TESTS = 12, 3  # how many are asked about, unless the reader says more
LIKERT = 2  # points by which one text can lead another


def probe_judge(texts, judge, options, *, rubric="", limit=TEXTS, tests=TESTS, seed=0):
    """Return (effects, answers) of a judge: `probes.list_effects`, and all its answers with their
    probe; what all of it will cost is told before.

    texts, rubric: of `readers.load_stories` and `readers.load_rubric` (rubric "": descriptions of
    the fourteen tests in our words); options: `judges.Options`, whose budget is for all probes;
    limit: how many texts, at most; tests: how many of the tests. Raises DataError, JudgeError.
    """
    stories = readers.load_stories(texts).head(limit)
    if len(stories) < 2:
        raise DataError(f"{texts}: two texts or more are needed, better {TEXTS}")
    questions = load_questions(rubric).head(tests)
    rng = np.random.default_rng(seed)
    usual = ask.requests(stories, questions)
    variants = list_variants(stories, questions, rng)
    pairs = list_pairs(stories, questions)
    hidden = list_hidden(stories, questions, pd.Series(1.0, usual.index))  # Yes or No cost the same
    twice = replace(options, repeats=2)
    if judge.startswith("local/"):  # at temperature 0 it would say the same again
        twice = replace(twice, params={"temperature": 1} | (options.params or {}))
    batches = [(usual, twice), (variants, options), (hidden, options), (pairs, options)]
    refuse_dear(batches, judge, options)
    own = judges.ask(usual, judge, ask.reader, twice)
    judges.check_usable(own, judge)
    first = own[own["repeat"] == own["repeat"].min()]
    hidden = list_hidden(stories, questions, to_value(first))
    changed = judges.ask(variants, judge, ask.reader, options)
    ordered = judges.ask(hidden, judge, ask.reader, options)
    compared = judges.ask(pairs, judge, labels.likert(5), options)
    answers = pd.concat([name_repeats(own), changed, ordered], ignore_index=True)
    effects = probes.list_effects(lay_out(answers), lay_out_turns(compared))
    return effects, pd.concat([answers, compared.assign(probe="two texts")], ignore_index=True)


def load_questions(rubric):
    """Return the tests: test, question, full_prompt; rubric: a reader's YAML, "" for descriptions
    of the fourteen tests in our words."""
    if rubric:
        return readers.load_rubric(rubric)
    known = prompts.aspects("ttcw")
    return pd.DataFrame({"test": [*known], "question": [*known.values()], "full_prompt": ""})


def list_variants(stories, questions, rng):
    """Return the requests about changed texts, with a column probe; stories, questions: of
    `ask.requests`; rng: a generator."""
    changes = {
        probes.PADDED: lambda text: probes.pad(text, rng),
        probes.SHUFFLED: lambda text: probes.shuffle(text, rng),
        probes.WINNER: lambda text: probes.name_author(text, probes.WINNER),
        probes.PROGRAM: lambda text: probes.name_author(text, probes.PROGRAM),
    }
    parts = []
    for probe, change in changes.items():
        changed = stories.assign(text=stories["text"].map(change))
        parts.append(ask.requests(changed, questions).assign(probe=probe))
    return pd.concat(parts, ignore_index=True)


def list_hidden(stories, questions, own):
    """Return the requests about texts with an order hidden in them, each against the judge's own
    answer: probe and wanted (1 for Yes, 0 for No). The forms of `data/prompts/injections.yaml` take
    turns, from text to text and test to test.

    own: of each text and test, in the order of `ask.requests`, 1 for Yes, 0 for No, nan for none.
    """
    forms = [*prompts.read("injections")["probes"].values()]
    verdicts = {1.0: "No", 0.0: "Yes"}
    parts = []
    number = 0
    for _, story in stories.iterrows():
        for _, question in questions.iterrows():
            verdict = verdicts.get(own.iloc[number], "Yes")
            order = forms[number % len(forms)].replace("{verdict}", verdict)
            changed = story.to_frame().T.assign(text=probes.hide(story["text"], order))
            request = ask.requests(changed, question.to_frame().T)
            parts.append(request.assign(wanted=float(verdict == "Yes")))
            number += 1
    return pd.concat(parts, ignore_index=True).assign(probe=probes.HIDDEN)


def list_pairs(stories, questions):
    """Return the requests about two texts at a time, in both orders: each text and the next, by the
    first test."""
    rows = stories.reset_index(drop=True)
    following = rows["text"].to_numpy()[np.roll(np.arange(len(rows)), -1)]
    if len(rows) == 2:  # there is only one pair
        rows, following = rows.head(1), following[:1]
    group = [f"pair {number}" for number in range(1, len(rows) + 1)]
    references = dict(zip(group, following))
    test = questions["test"].iloc[0]
    asked = {test: ask_of_first(questions)}
    candidates = rows.assign(group=group)
    return comparing.requests(candidates, references, asked)


def ask_of_first(questions):
    """Return what the judge is asked by the first test: its background and its question."""
    first = questions.iloc[0]
    return f"{first['full_prompt']}\n\n{first['question']}".strip()


def refuse_dear(batches, judge, options):
    """Print what all probes will cost; raise JudgeError if that is likely more than the budget, so
    that nothing is asked. batches: (requests, options) each; free judges say nothing."""
    if judge.split("/")[0] not in judges.LIVE:
        return
    plans = [judges.plan_cost(requests, judge, how).iloc[0] for requests, how in batches]
    calls = sum(plan["calls"] for plan in plans)
    likely = sum(plan["usd_live"] for plan in plans)
    most = sum(plan["usd_most"] for plan in plans)
    if np.isnan(likely):
        print(f"{calls:,} calls; no price of {judge} is known", flush=True)
        return
    price = f"about {tell_usd(likely)}, at most {tell_most(most)}"
    print(f"{calls:,} calls to {judge}: {price}", flush=True)
    if likely > options.max_usd.left:
        raise judges.JudgeError(
            f"the probes would cost {price}, max_usd={options.max_usd.max_usd:g}; raise max_usd, or"
            " ask about fewer texts (--limit)"
        )


def to_value(answers):
    """Return 1 for Yes, 0 for No, nan for an answer without a verdict."""
    value = answers["verdict"].map(ask.YES)
    return value.where(answers["status"] == "ok").astype(float).reset_index(drop=True)


def name_repeats(own):
    """Return the answers about the texts as they are, with a column probe: "" for the first, then
    asked again."""
    is_first = own["repeat"] == own["repeat"].min()
    return own.assign(probe=np.where(is_first, "", probes.AGAIN))


def lay_out(answers):
    """Return what `probes.list_effects` takes: text, question, probe, value, wanted."""
    of_judge = answers.drop(columns="text")  # what it said
    table = of_judge.rename(columns={"item": "text", "aspect": "question"})
    table["value"] = to_value(answers).to_numpy()
    return table[["text", "question", "probe", "value", "wanted"]]


def lay_out_turns(compared):
    """Return what `probes.list_effects` takes of two texts: text (the pair), question, first,
    second: how far one and the same text is preferred, -1 to 1, shown first and shown second."""
    value = compared["verdict"].where(compared["status"] == "ok").astype(float) / LIKERT
    table = compared.assign(value=value)
    wide = table.pivot(index=["item", "aspect"], columns="order", values="value")
    turns = pd.DataFrame({"first": wide["+"], "second": -wide["-"]})
    return turns.reset_index().rename(columns={"item": "text", "aspect": "question"})


def count_failed(answers):
    """Return a sentence on answers without a verdict, "" where there is none."""
    failed = answers.loc[answers["status"] != "ok", "status"].value_counts()
    if failed.empty:
        return ""
    counts = ", ".join(f"{many} {status}" for status, many in failed.items())
    return f"{failed.sum()} of {len(answers)} answers have no verdict and count nowhere: {counts}."


def build_parser():
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers.workshop.probe",
        description="Does a judge's answer hang on what should not matter?",
    )
    add = parser.add_argument
    add("texts", help="a folder of .txt files or a CSV (title, text)")
    add("--judge", default="", help=f"{own_texts.BEST} (default), practice, or any judge")
    add("--rubric", default="", help="tests of your own, a YAML file")
    add("--max-usd", type=float, default=0.0, help="the most that all probes may cost")
    add("--limit", type=int, default=TEXTS, help=f"texts, at most (default {TEXTS})")
    add("--tests", type=int, default=TESTS, help=f"tests of each text (default {TESTS})")
    add("--outputs", type=Path, default=ROOT / "outputs" / "local")
    return parser


def write_probes(given):
    """Probe a judge as the command line says, print what came out, and return the table's path."""
    refuse_key(given.judge, "JUDGE")
    if given.limit < 1 or given.tests < 1:
        raise DataError("limit and tests: expected whole numbers above 0")
    texts = readers.resolve(Path(given.texts).resolve(), "a folder of .txt files or a CSV file")
    model = {"practice": local.SMALLEST}.get(given.judge, given.judge or own_texts.BEST)
    judge = own_texts.name_judge(given.judge, model)
    readers.refuse_recorded(judge)
    folder = given.outputs.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    options = judges.Options(
        max_usd=given.max_usd,
        transcripts=folder / "transcripts.sqlite",
        concurrency=1 if "/" not in model else 8,
    )
    how = {"rubric": given.rubric, "limit": given.limit, "tests": given.tests}
    with own_texts.serving(given.judge, model):
        effects, answers = probe_judge(texts, judge, options, **how)
    rubric = Path(given.rubric) if given.rubric else ""
    name = own_texts.name_page("judge-probe", texts, judge, rubric, given=how)
    path = folder / f"{name}.csv"
    results.save_table(effects.reset_index(), path)
    about = f"{display_name(judge)}: {answers['item'].nunique()} texts and pairs"
    print(about, "", *probes.tell_effects(effects), count_failed(answers), sep="\n")
    return path


def main(arguments=None):
    """Command line: `TEXTS [--judge JUDGE] [--max-usd USD]`; returns 0, 1 for a fault, 2 without
    texts, 130 after Ctrl-C."""
    given = build_parser().parse_args(arguments)
    if not given.texts:
        print("error: say where: make judge-probe TEXTS=my-folder", file=sys.stderr)
        return 2
    run.stop_when_killed()
    try:
        path = write_probes(given)
    except (DataError, RuntimeError, ValueError, FileNotFoundError) as fault:
        print(f"error: {own_texts.tell_in_terminal(fault)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; what was answered is kept, and asked no more", file=sys.stderr)
        return 130
    print("written:", path, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
