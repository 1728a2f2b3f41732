"""The command line: what may be said. An option that is not known is an error."""

import argparse
import textwrap

from goodjudge import __version__
from goodjudge.cli import endings

CODES = "how it ends (exit codes):\n" + "\n".join(
    textwrap.fill(
        meaning,
        78,
        initial_indent=f"  {code:<5}",
        subsequent_indent=" " * 7,
        break_long_words=False,
    )
    for code, meaning in endings.CODES.items()
)


class Parser(argparse.ArgumentParser):
    """A parser whose faults end with 3, and which takes no short form of an option's name."""

    def __init__(self, **settings):
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings
        )

    def error(self, message):
        """Say what is wrong and where help is; end with 3."""
        self.exit(endings.BAD_INPUT, f"error: {message}; see {self.prog} --help\n")


def build_parser():
    """Return the parser of the whole command."""
    parser = Parser(
        prog="goodjudge",
        description="Is my judge good enough? A language model's scores beside people's ratings.",
        epilog=f"example:\n  goodjudge demo\n\n{CODES}",
    )
    parser.add_argument("--version", action="version", version=f"goodjudge {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    for add in (add_demo, add_card, add_plan, add_form, add_drift, add_ask, add_probe):
        add(commands)
    return parser


def add_command(commands, name, run, what, example, more=""):
    """Add a command; return its parser. run: the function of `commands` that it calls."""
    shown = "\n".join(f"  {line}" for line in example.splitlines())
    command = commands.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}{'' if what.endswith('?') else '.'}{more}",
        epilog=f"example:\n{shown}\n\n{CODES}",
    )
    command.set_defaults(run=run)
    return command


def add_demo(commands):
    """Add `demo`."""
    demo = add_command(
        commands,
        "demo",
        "make_demo",
        "show a card of simulated data; needs no file and no key",
        "goodjudge demo",
    )
    demo.add_argument("--out", metavar="FOLDER", default="goodjudge-demo", help="for the page")
    add_json(demo)


def add_card(commands):
    """Add `card`."""
    card = add_command(
        commands,
        "card",
        "make_card",
        "is my judge good enough? People's ratings and a judge's scores, on one page",
        'goodjudge card ratings.csv --scores judge.csv --column "Which story?=item" --out card',
    )
    card.add_argument("ratings", help="people's ratings: CSV, JSON, or an export of a form or tool")
    card.add_argument("--scores", metavar="FILE", help="a judge's scores; none: people alone")
    card.add_argument("--out", metavar="FOLDER", help="for page, JSON, table and picture")
    card.add_argument("--judge", metavar="NAME", help="of several judges; usual: the best")
    add_number(card, "--smallest", "the smallest difference that counts, such as 0.1")
    add_number(card, "--level", "of the intervals; usual: 0.95")
    add_json(card)
    add_reading(card)
    add_judge_reading(card)


def add_plan(commands):
    """Add `plan`."""
    plan = add_command(
        commands,
        "plan",
        "plan_study",
        "how large must a study be, before anybody rates?",
        "goodjudge plan --items 60 --raters 3 --like hanna",
        " In how many of 100 such studies would a judge's lead over the best control be clear? "
        "(0: in 80 or more.)",
    )
    plan.add_argument("--items", type=int, required=True, help="texts, stories, poems")
    plan.add_argument("--raters", type=int, required=True, help="how many rate each of them")
    plan.add_argument("--groups", type=int, help="prompts, plots: texts of one are not independent")
    plan.add_argument("--aspects", type=int, help="questions about each text; usual: as in --like")
    add_number(plan, "--lead", "of the judge over the best control; usual: what counts")
    plan.add_argument(
        "--like",
        metavar="STUDY",
        default="",
        help="whose raters and texts: hanna, ttcw, lamp, or a file of ratings; none: assumed",
    )
    plan.add_argument("--out", metavar="FOLDER", help="for the table and its picture")
    add_json(plan)
    add_reading(plan, aspects=False)


def add_form(commands):
    """Add `form write` and `form join`."""
    form = commands.add_parser(
        "form",
        help="a page on which people rate texts, and what they saved as one file",
        description="A page on which people rate texts, and what they saved as one file.",
        epilog="example:\n  goodjudge form write texts/ --scale 1-7 --out form\n"
        "  goodjudge form join saved/ --texts texts/ --out ratings.csv",
    )
    doing = form.add_subparsers(metavar="write|join", required=True, parser_class=Parser)
    write = add_command(
        doing,
        "write",
        "write_form",
        "make the page, one file that needs no network and sends nothing",
        "goodjudge form write texts/ --rubric rubric.yaml --scale 1-7 --out form",
    )
    write.add_argument("texts", help="a folder of .txt files, or a CSV with id and text")
    write.add_argument(
        "--rubric", metavar="FILE", help="questions, ends of the scale, how a panel is asked"
    )
    write.add_argument("--scale", metavar="1-7", help="usual: as the rubric says, else Yes and No")
    write.add_argument("--out", metavar="FOLDER", default="form", help="usual: form")
    join = add_command(
        doing,
        "join",
        "join_forms",
        "put together what several raters saved, with what they were not told",
        "goodjudge form join saved/ --texts texts/ --out ratings.csv",
    )
    join.add_argument("saved", help="a folder of the files that raters saved")
    join.add_argument("--texts", metavar="PATH", required=True, help="those of the page, unchanged")
    join.add_argument("--out", metavar="FILE", default="ratings.csv", help="usual: ratings.csv")
    join.add_argument(
        "--names-differ",
        action="store_true",
        help="raters whose codes differ in capitals alone are two people",
    )


def add_drift(commands):
    """Add `drift`."""
    drift = add_command(
        commands,
        "drift",
        "find_drift",
        "does a judge still answer as it did? Two runs on the same texts",
        "goodjudge drift ratings.csv --before may.jsonl --now june.jsonl --json",
    )
    drift.add_argument("ratings", help="people's ratings")
    drift.add_argument("--before", metavar="FILE", required=True, help="the first run: item, score")
    drift.add_argument("--now", metavar="FILE", required=True, help="the second run")
    drift.add_argument("--judge", metavar="NAME", help="which, where a file has several")
    add_number(drift, "--smallest", "smallest change of the agreement that matters")
    add_number(drift, "--points", "smallest change of the mean score that matters")
    add_number(drift, "--answers", "smallest share of changed answers that matters")
    add_json(drift)
    add_reading(drift)
    add_judge_reading(drift)


def add_ask(commands):
    """Add `ask`."""
    ask = add_command(
        commands,
        "ask",
        "ask_judges",
        "let a judge answer questions about texts: scores, as goodjudge card takes them",
        "goodjudge ask texts/ --judge openai/gpt-5-mini --plan\n"
        "goodjudge ask texts/ --judge openai/gpt-5-mini --max-usd 1 --out scores.csv",
        " What came is kept: run it again to go on, and nothing is paid twice. Texts go to the "
        "judge that is named, and nowhere else. Keys are read from the environment "
        "(OPENAI_API_KEY, ANTHROPIC_API_KEY; LOCAL_BASE_URL for a server of yours).",
    )
    add_asking(ask, "scores.csv")
    ask.add_argument("--repeats", type=int, default=1, metavar="N", help="answers to each question")
    ask.add_argument("--plan", action="store_true", help="tell the price, and ask nothing")
    add_json(ask)


def add_probe(commands):
    """Add `probe`."""
    probe = add_command(
        commands,
        "probe",
        "probe_judge",
        "do answers move where nothing that matters was changed?",
        "goodjudge probe texts/ --judge openai/gpt-5-mini --max-usd 1",
        " Padding, the author's name, orders hidden in a text, the position in a pair, sentences "
        "in another order, and questions in other words (paraphrases in the rubric). (0: none of "
        "the effects that should not be there is 0.1 or larger; 1: one is clear; 2: undecided.)",
    )
    add_asking(probe, "probe.csv")
    probe.add_argument(
        "--limit", type=int, default=12, metavar="N", help="texts, at most; usual: 12"
    )
    probe.add_argument("--tests", type=int, default=3, metavar="N", help="questions; usual: 3")
    add_number(probe, "--smallest", "smallest effect that matters; usual: 0.1, one answer in ten")
    add_json(probe)


def add_asking(parser, out):
    """Add what `ask` and `probe` share; out: the usual name of what is written."""
    add = parser.add_argument
    add("texts", help="a folder of .txt files, or a CSV with id and text")
    add(
        "--judge",
        action="append",
        required=True,
        metavar="NAME",
        help="openai/…, anthropic/…, local/… (any server of OpenAI's form), or a model on "
        "this machine: smollm2, qwen2.5-coder-1.5b, a GGUF file; perhaps with settings: "
        "openai/x?temperature=1",
    )
    add("--max-usd", type=float, default=0.0, metavar="X", help="the most that all of it may cost")
    add("--rubric", metavar="FILE", default="", help="questions: YAML, JSON, or ttcw (fourteen)")
    add("--scale", metavar="1-7", default="", help="usual: as the rubric says, else Yes and No")
    add("--column", action="append", metavar="THEIRS=OURS", help='of a CSV: "Story=text"')
    add("--out", metavar="FILE", default=out, help=f"usual: {out}; answers are kept beside it")


def add_number(parser, name, what):
    """Add an option that is a number."""
    parser.add_argument(name, type=float, metavar="X", help=what)


def add_json(parser):
    """Add --json."""
    parser.add_argument("--json", action="store_true", help="print JSON, and nothing else")


def add_reading(parser, aspects=True):
    """Add how people's file is to be read."""
    group = parser.add_argument_group("how people's file is to be read")
    add = group.add_argument
    more = {"action": "append", "metavar": "THEIRS=OURS"}
    add("--column", **more, help='what a column is: "Which story?=item"; "Age=" leaves it out')
    add("--form", default="auto", help="rows, wide, form, pairs, ranks, or a tool: qualtrics …")
    if aspects:
        add("--aspects", action="append", metavar="NAME", help='criteria to read; "theirs=ours"')
        add("--texts", metavar="PATH", help="known of each text: item, writer, group, words")
        add("--texts-column", **more, help='what a column of --texts is: "prompt_no=group"')
    add_answers(add, "")
    add("--leave-out", action="append", metavar="NAME", help="an item or a rater")


def add_judge_reading(parser):
    """Add how a judge's file is to be read."""
    group = parser.add_argument_group("how the judge's file is to be read")
    add = group.add_argument
    add("--judge-column", action="append", metavar="THEIRS=OURS", help="--column holds for both")
    add("--judge-form", default="auto", metavar="FORM", help="rows, wide, pairs, ranks, or a tool")
    add_answers(add, "judge-")
    add("--judge-leave-out", action="append", metavar="NAME", help="an item")
    add("--rescale", action="store_true", help="put its scores on people's scale")
    add("--unmatched", type=float, metavar="X", help="share of texts that may lack a score")


def add_answers(add, prefix):
    """Add the options that both files have; prefix: before their names."""
    more = {"action": "append"}
    add(f"--{prefix}scale", metavar="1,7", help="lowest and highest score: all between are scores")
    add(f"--{prefix}missing", **more, metavar="-99", help="a number that is no answer")
    add(f"--{prefix}label", **more, metavar="WORD=3", help="what a word stands for")
    add(f"--{prefix}only", **more, metavar="COLUMN=VALUE", help="read these rows alone")
    add(f"--{prefix}doubles", default="ask", metavar="WHICH", help="of two answers: first or last")
    add(f"--{prefix}encoding", metavar="NAME", help="where the file is not UTF-8: cp1252 …")
