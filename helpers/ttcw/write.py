"""Have stories written as *Art or Artifice?* did (section 5.1, Table 10, Figure 2; section 3.1 of
both reference-based papers): from a story to its plot in one sentence, from a plot to a story,
which is lengthened until it has the wanted number of words, give or take 200, in at most 20 rounds.

    python -m helpers.ttcw.write --writer openai/gpt-5-mini --max-usd 2            # the 12 plots
    python -m helpers.ttcw.write my-story.txt --writer openai/gpt-5-mini --max-usd 1

The first takes the twelve public plots, and the lengths of the *New Yorker*'s stories as they are
printed; the second a reader's own stories, each of which stands in its group as the reference. A
group has three stories, by three writers or by one. The price is told first, the worst that all
rounds can cost too. All answers are kept: the same command goes on where a run ended, and nothing
is paid twice. `stories.csv` is taken by notebook 02 as own texts, and by 03 where it holds
references; `rounds.csv` has a row per round. Ends with 0 where every story has its length, 1 where
not, 3 for a fault, 130 and 143 when it was stopped.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from goodjudge.ask.budget import tell_most, tell_usd
from goodjudge.ask.reader import Reader
from goodjudge.cli import endings
from goodjudge.cli.ask import serving
from goodjudge.data.names import count_words
from goodjudge.data.texts import read_texts
from goodjudge.diagnostics.probe import split_sentences

from helpers import judges, prompts
from helpers.sources.files import DataError, replace_file
from helpers.sources.public import ROOT, read_json
from helpers.ttcw import load as ttcw

NEAR, ROUNDS = 200, 20  # words; of section 5.1
STORIES = 3  # of a group
LEAST = 60  # words of an answer that is a story
LONGEST = 6000  # tokens of an answer: the longest story printed has 2,400 words
TOKENS = 1.4  # of a word of a story, likely
OUT = ROOT / "outputs" / "local" / "written"
COMMON = set("the and of to a in is was that it he she his her with as for on at had".split())
STORY = ["title", "group", "writer", "text", "words", "wanted", "within"]
# a story is known by its words, and an answer's label is not read
reader = Reader(lambda text: None)


class Draft(NamedTuple):
    """A story on its way. text: what the writer sent last; best: of all texts the one whose length
    is nearest; ended: why it is not asked for another, "" while it is."""

    group: str
    writer: str
    number: int
    plot: str
    wanted: int
    text: str = ""
    best: str = ""
    rounds: int = 0
    ended: str = ""

    @property
    def is_within(self):
        """Whether its best text has the wanted number of words, give or take."""
        return is_near(self.best, self.wanted)


def load_plots(groups=()):
    """Return the twelve public plots, or those of some groups (0-11): group (the title of the *New
    Yorker*'s story), plot, words (of that story, as printed), a row each. FileNotFoundError where
    the texts cannot be had."""
    stories = ttcw.load_stories().assign(
        words=lambda table: table["story"].map(ttcw.read_lengths())
    )
    plots = pd.DataFrame(read_json("ttcw/ttcw_short_stories.json")).set_index("story_id")["plot"]
    table = stories[stories["writer"] == "NewYorker"].sort_values("group", kind="stable")
    if groups:
        unknown = sorted(set(groups) - set(table["group"]))
        if unknown:
            raise DataError(f"group {unknown[0]}: expected numbers from 0 to 11")
        table = table[table["group"].isin(groups)]
    table = table.assign(plot=table["story"].map(plots), group=table["title"])
    return table[["group", "plot", "words"]].reset_index(drop=True)


def extract_plots(stories, writer, options):
    """Return (what `load_plots` does of a reader's stories, a sentence on each whose plot is not
    one sentence); stories: item, text, words. Raises JudgeError where a writer gives no plot."""
    prompt = prompts.load("ttcw-plot")
    requests = pd.DataFrame([prompt.fill(story=text) for text in stories["text"]])
    requests.insert(0, "item", stories["item"].to_list())
    answers = judges.ask(requests, writer, Reader(lambda text: text.strip() or None), options)
    judges.check_usable(answers, writer)
    lacking = answers.loc[answers["status"] != "ok", "item"]
    if len(lacking):
        raise judges.JudgeError(f"{writer}: gives no plot of {lacking.iloc[0]!r:.60}")
    plots = answers["verdict"].str.split().str.join(" ")
    table = pd.DataFrame({"group": stories["item"].to_list(), "plot": plots})
    told = []
    for group, plot in zip(table["group"], plots):
        many = len(split_sentences(plot))
        if many != 1:
            told.append(f"{group}: its plot has {many} sentences, not one; it is used as it is.")
    return table.assign(words=stories["words"].to_numpy()), told


def write_stories(plots, writers, options, stories=1):
    """Return (the `Draft`s of each plot by each writer, a table of rounds: group, writer, number,
    round, words, ended).

    plots: of `load_plots`; stories: how many by each writer. A run that stops for lack of money
    ends every open draft with its sentence, and keeps what there is.
    """
    done, log = [], []
    for writer in writers:
        drafts = []
        for row in plots.itertuples():
            for number in range(1, stories + 1):
                drafts.append(Draft(row.group, writer, number, row.plot, row.words))
        for number in range(ROUNDS + 1):
            under_way = [draft for draft in drafts if not draft.ended]
            if not under_way:
                break
            try:
                answers = ask_round(under_way, writer, options, stories, number)
            except judges.Incomplete as stop:
                answers = lay_out(stop.answers, len(under_way))
                stopped = str(stop)
            else:
                stopped = ""
            drafts = [draft for draft in drafts if draft.ended]
            for draft, answer in zip(under_way, answers):
                new = take(draft, answer, number, stopped)
                drafts.append(new)
                row = [new.group, writer, new.number, number, count_words(new.text), new.ended]
                log.append(row)
        done += [draft._replace(ended=draft.ended or tell_far(draft)) for draft in drafts]
    columns = ["group", "writer", "number", "round", "words", "ended"]
    return done, pd.DataFrame(log, columns=columns)


def ask_round(drafts, writer, options, stories, number):
    """Return the writer's answers in the order of the drafts: first stories, or longer ones."""
    if number == 0:  # several stories on one plot are answers to one request
        firsts = [draft for draft in drafts if draft.number == 1]
        answers = judges.ask(
            first_requests(firsts), writer, reader, replace(options, repeats=stories)
        )
    else:
        answers = judges.ask(longer_requests(drafts), writer, reader, options)
    return lay_out(answers, len(drafts))


def lay_out(answers, many):
    """Return the answers of a round in the order of its drafts; they are as many."""
    rows = answers.sort_values(["request", "repeat"], kind="stable").to_dict("records")
    assert len(rows) == many
    return rows


def first_requests(drafts):
    """Return a request for a story on each draft's plot."""
    prompt = prompts.load("ttcw-story")
    filled = [prompt.fill(plot=draft.plot, words=draft.wanted) for draft in drafts]
    return pd.DataFrame(filled).assign(item=[draft.group for draft in drafts])


def longer_requests(drafts):
    """Return a request for a longer version of each draft's text."""
    prompt = prompts.load("ttcw-lengthen")
    filled = []
    for draft in drafts:
        words = count_words(draft.text)
        filled.append(prompt.fill(story=draft.text, words=draft.wanted, current=words))
    return pd.DataFrame(filled).assign(item=[draft.group for draft in drafts])


def take(draft, answer, number, stopped=""):
    """Return a draft after an answer of the round of this number; stopped: why the run ended."""
    text = answer["text"].strip() if isinstance(answer["text"], str) else ""
    words = count_words(text)
    if not text:
        why = stopped or answer["note"] or "no answer"
        return draft._replace(ended=f"round {number}: {why}")
    if "cut off" in answer["note"]:
        advice = f"name more, as in {draft.writer.partition('?')[0]}?max_tokens={2 * LONGEST}"
        return draft._replace(ended=f"round {number}: no end within its tokens; {advice}")
    if words < LEAST:
        why = "refused" if answer["status"] == "refused" else f"an answer of {words} words"
        return draft._replace(ended=f"round {number}: {why}, which is no story")
    if is_another_language(draft.plot, text):
        return draft._replace(ended=f"round {number}: written in another language than the plot")
    nearer = abs(words - draft.wanted) < abs(count_words(draft.best) - draft.wanted)
    new = draft._replace(text=text, best=text if nearer else draft.best, rounds=number)
    if is_near(text, draft.wanted):
        return new._replace(ended=f"round {number}: {words} words of {draft.wanted}")
    if words > draft.wanted:
        return new._replace(
            ended=f"round {number}: {words} words of {draft.wanted}, too long, and only longer "
            "ones are asked for"
        )
    if text == draft.text:
        return new._replace(ended=f"round {number}: came back unchanged, with {words} words")
    return new._replace(ended=stopped and f"round {number}: {stopped}")


def is_near(text, wanted):
    """Return whether a text has the wanted number of words, give or take 200."""
    return bool(text) and abs(count_words(text) - wanted) < NEAR


def tell_far(draft):
    """Return why a draft ends that all rounds did not bring near."""
    words = count_words(draft.best)
    return f"{ROUNDS} rounds brought it to {words} words of {draft.wanted}"


def is_another_language(plot, text):
    """Return whether a text is in another script than its plot, or lacks the commonest English
    words where the plot has them."""
    if share_of_latin(plot) > 0.5 and share_of_latin(text) < 0.5:
        return True
    return share_of_common(plot) >= 0.15 and share_of_common(text) < 0.1


def share_of_latin(text):
    """Return the share of a text's letters that are Latin ones; 1 of a text without letters."""
    letters = [sign for sign in text if sign.isalpha()]
    return np.mean([sign < "\u0250" for sign in letters]) if letters else 1.0


def share_of_common(text):
    """Return the share of a text's words that are among the commonest in English."""
    words = [word.strip(".,;:!?\"'()").lower() for word in text.split()]
    return np.mean([word in COMMON for word in words]) if words else 0.0


def plan(plots, writers, options, stories=1):
    """Return what `write_stories` will cost, a row per writer: of the first round calls, about_usd,
    most_usd; and most_usd_of_all, if each of the 20 further rounds gets a text of the wanted length
    and answers at full length. USD are missing where no price is known."""
    rows = []
    drafts = [Draft("", "", 1, row.plot, row.words) for row in plots.itertuples()]
    for writer in writers:
        likely = round(TOKENS * plots["words"].mean())
        again = replace(options, repeats=stories)
        first = judges.plan_cost(first_requests(drafts), writer, again, likely)
        longest = []
        for round_ in range(ROUNDS):
            for number in range(stories):
                begin = f"{round_} {number} "  # no two requests are the same
                full = [draft._replace(text=begin + "words " * draft.wanted) for draft in drafts]
                longest.append(longer_requests(full))
        rest = judges.plan_cost(pd.concat(longest, ignore_index=True), writer, options).iloc[0]
        row = first.iloc[0]
        rows.append(
            {
                "writer": writer,
                "calls": row["calls"],
                "about_usd": row["usd_live"],
                "most_usd": row["usd_most"],
                "most_usd_of_all": row["usd_most"] + rest["usd_most"],
            }
        )
    return pd.DataFrame(rows)


def tell_plan(table):
    """Return a sentence per writer on what its stories cost."""
    sentences = []
    for row in table.itertuples():
        if np.isnan(row.most_usd_of_all):
            sentences.append(f"{row.writer}: {row.calls} first stories; no price is known")
            continue
        if not row.most_usd_of_all:
            sentences.append(f"{row.writer}: {row.calls} first stories; it costs nothing")
            continue
        sentences.append(
            f"{row.writer}: {row.calls} first stories for about {tell_usd(row.about_usd)}; with "
            f"all {ROUNDS} rounds, each at full length, at most {tell_most(row.most_usd_of_all)}"
        )
    return sentences


def to_table(drafts, references=None):
    """Return the stories as notebooks 02 and 03 read them: STORY, a row each; a draft without any
    text is left out. references: group, text, words of a reader's own stories, if there are any."""
    rows = []
    if references is not None:
        for row in references.itertuples():
            title = f"{row.group}, reference"
            rows.append([title, row.group, "reference", row.text, row.words, row.words, True])
    for draft in drafts:
        if draft.best:
            writer = f"{draft.writer} {draft.number}"
            title, words = f"{draft.group}, {writer}", count_words(draft.best)
            row = [title, draft.group, writer, draft.best, words, draft.wanted, draft.is_within]
            rows.append(row)
    table = pd.DataFrame(rows, columns=STORY)
    return table.drop_duplicates(["group", "text"]).reset_index(drop=True)


def build_parser():
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers.ttcw.write",
        description="Have stories written as Art or Artifice? did.",
    )
    add = parser.add_argument
    add("texts", nargs="?", default="", help="own stories: a folder or a CSV (id, text); none: the "
        "twelve public plots")  # fmt: skip
    add("--writer", action="append", required=True, help="openai/…, local/…, smollm2; up to three")
    add("--group", action="append", type=int, default=[], help="of the public plots: 0 to 11")
    add("--max-usd", type=float, default=0.0, help="the most that all of it may cost")
    add("--plan", action="store_true", help="tell the price, and ask nothing")
    add("--out", type=Path, default=OUT, help="a folder; usual: outputs/local/written")
    return parser


def write(given):
    """Write the stories that a command line asks for; return the exit code."""
    own = read_texts(given.texts) if given.texts else None
    with serving(given.writer) as (writers, here):
        options = judges.Options(
            max_usd=given.max_usd,
            transcripts=given.out.resolve() / "answers.sqlite",
            max_output_tokens=LONGEST,
            concurrency=1 if here else 8,
        )
        stories = STORIES if len(writers) == 1 else 1
        told, references = [], None
        if own is None:
            plots = load_plots(given.group)
        elif given.plan:  # a plot costs little beside its stories
            plots = pd.DataFrame({"group": own["item"], "plot": "x" * 300, "words": own["words"]})
        else:
            given.out.mkdir(parents=True, exist_ok=True)
            plots, told = extract_plots(own, writers[0], options)
            references = own.assign(group=own["item"])
        print(*tell_plan(plan(plots, writers, options, stories)), *told, sep="\n", flush=True)
        if given.plan:
            return 0
        given.out.mkdir(parents=True, exist_ok=True)
        drafts, log = write_stories(plots, writers, options, stories)
    for draft in drafts:
        print(f"{draft.group}, {draft.writer} {draft.number}: {draft.ended}")
    table = to_table(drafts, references)
    for name, content in (("stories.csv", table), ("rounds.csv", log)):
        replace_file(given.out / name, content.to_csv(index=False))
    print(f"written: {given.out / 'stories.csv'}; all answers are kept in {options.transcripts}")
    return 0 if all(draft.is_within for draft in drafts) else 1


def main(arguments=None):
    """Command line; returns 0, 1 where a story has not its length, 3 for a fault; ends with 130 or
    143 when it was stopped."""
    given = build_parser().parse_args(arguments)
    with endings.stopping("what was written is kept: run the same command to go on"):
        try:
            return write(given)
        except (DataError, ValueError, FileNotFoundError) as fault:
            print(f"error: {fault}", file=sys.stderr)
            return endings.BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
