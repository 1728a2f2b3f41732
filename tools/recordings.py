"""Compare whatever recordings of judges lie in `data/recorded/`, check one that somebody gives, and
say what recording another judge would take.

    python -m tools.recordings                       a table of all recordings
    python -m tools.recordings check my-model-ttcw.jsonl
    python -m tools.recordings plan --reads 2000 --writes 30     tokens a second of your server

`make report` shows the table as a page. What was computed is kept in outputs/recorded-answers.csv
with the checksum of each recording, so that only new ones are computed.
"""

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pooch
from goodjudge.ask.calls import name_requests
from goodjudge.ask.errors import JudgeError
from goodjudge.ask.reader import Reader
from goodjudge.ask.recorded import read_tokens
from goodjudge.ask.replay import read_export
from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.stats import metrics as statistics

from helpers import judges
from helpers.edits import ask as edits
from helpers.edits import load as edits_load
from helpers.edits.pairs import compare_kinds
from helpers.evolvr import ask as hanna
from helpers.evolvr import load as hanna_load
from helpers.poetry import titles, votes
from helpers.results import format_interval
from helpers.sources.files import DataError, replace_file
from helpers.sources.public import ROOT
from helpers.ttcw import ask as ttcw
from helpers.ttcw import load as ttcw_load

FOLDER = ROOT / "data" / "recorded"
KEPT = ROOT / "outputs" / "recorded-answers.csv"
LONGEST = 60  # characters of an answer that is a label; a sentence of a text is longer
KEY = re.compile("[0-9a-f]{64}")
WHO = {"judge": "the judge", "person": compare.PERSON, "control": "the best control"}


class Study(NamedTuple):
    """How recorded answers of a study are read and compared. requests: without texts; reader: of
    the answers; compare: answers -> rows of `compare.compare`; measure: its name for readers."""

    requests: Callable
    reader: Reader
    compare: Callable
    measure: str


def compare_ttcw(answers):
    """Return the rows of `compare` of yes-or-no answers on the fourteen tests."""
    machines = ttcw_load.split(ttcw_load.load())["36 machine stories"]
    scores = ttcw.score(answers.assign(yes=answers["verdict"].map(ttcw.YES)))
    measure = statistics.balanced_accuracy
    return compare.compare(machines, scores, measure, within=("aspect",), simulate=False)


def compare_edits(answers):
    """Return the rows of `compare` of preferences in LAMP's triples."""
    kinds = list(edits_load.KINDS["LAMP"])
    by_editor = edits_load.credit_editors(edits_load.load("LAMP"))
    return compare_kinds(by_editor, kinds, edits.score(answers))


def compare_votes(answers):
    """Return the rows of `compare` of preferences between CoPoet's poems."""
    measure, within = statistics.pairwise_accuracy, ("group", "rater")
    scores = votes.score(answers)
    return compare.compare(votes.load(), scores, measure, within=within, simulate=False)


def compare_hanna(answers):
    """Return the rows of `compare` of ratings of HANNA's stories, those that were asked about."""
    return correlate(hanna_load.load(), hanna.score(answers))


def compare_titles(answers):
    """Return the rows of `compare` of ratings of film titles."""
    return correlate(titles.load_titles(), answers)


def compare_synopses(answers):
    """Return the rows of `compare` of ratings of synopses, those that were asked about."""
    return correlate(titles.load_synopses(), answers)


def correlate(data, answers):
    """Return the rows of `compare` of scores (item, judge, aspect, score) by Spearman's rho, within
    the aspects that were asked for, on the items that were scored."""
    scores = answers.dropna(subset="score")[["item", "judge", "aspect", "score"]]
    asked = data.ratings["aspect"].isin(scores["aspect"])
    data = data._replace(ratings=data.ratings[asked].reset_index(drop=True))
    known = ratings.keep(data, data.items["item"].isin(scores["item"]))
    measure = statistics.spearman
    return compare.compare(known, scores, measure, within=("aspect",), simulate=False)


RHO = "rank correlation"
STUDIES = {
    "ttcw": Study(ttcw.graded_requests, ttcw.graded_reader, compare_ttcw, "balanced accuracy"),
    "hanna": Study(hanna.hanna_requests, hanna.reader, compare_hanna, RHO),
    "edits": Study(edits.lamp_requests, edits.reader, compare_edits, "pairwise accuracy"),
    "poem-votes": Study(votes.vote_requests, votes.reader, compare_votes, "pairwise accuracy"),
    "titles": Study(titles.title_requests, titles.reader, compare_titles, RHO),
    "synopses": Study(titles.synopsis_requests, titles.reader, compare_synopses, RHO),
}


def split_name(stem):
    """Return (judge, study) of a recording's name, such as ("my-model", "poem-votes") of
    "my-model-poem-votes"; study is '' where it is none of STUDIES."""
    for study in sorted(STUDIES, key=len, reverse=True):
        if stem.endswith(f"-{study}"):
            return stem.removesuffix(f"-{study}"), study
    return stem, ""


def check_recording(path):
    """Return the study of a recording that somebody gives: <model>-<study>.jsonl, an export of
    `tools.record_judge`. It holds keys and labels, and no text.

    DataError names the line and what to do: another study; an item that the study does not ask
    about; a key that is none; an answer too long for a label; the address of a server; an item
    answered twice.
    """
    path = Path(path)
    judge, study = split_name(path.stem)
    if not study or not judge:
        known = ", ".join(STUDIES)
        raise DataError(f"{path.name}: expected a name <model>-<study>.jsonl; studies: {known}")
    asked = set(name_requests(STUDIES[study].requests()))
    seen = set()
    for number, answer in enumerate(read_export(path), 1):
        where = f"{path.name}, line {number}"
        keys = [answer.key, answer.prompt_key]
        if not all(KEY.fullmatch(key) for key in keys):
            raise DataError(f"{where}: a key is no SHA-256; export it with tools.record_judge")
        if answer.item not in asked:
            advice = f"record it with STUDY={study} of this version"
            raise DataError(f"{where}: {answer.item!r:.60} is not asked about; {advice}")
        if len(answer.text or "") > LONGEST:
            advice = "a recording holds labels and no text: ask for one label"
            raise DataError(f"{where}: an answer of {len(answer.text)} characters; {advice}")
        if "server" in (answer.versions or "") or "//" in (answer.served_model or ""):
            raise DataError(f"{where}: holds the address of a server; take it out")
        if (answer.item, answer.repeat) in seen:
            raise DataError(f"{where}: {answer.item!r:.60} is answered twice; leave one out")
        seen.add((answer.item, answer.repeat))
    return study


def find_recordings():
    """Return the paths in `data/recorded/` that `check_recording` takes, by name; not the runs that
    were made otherwise (a model that wrote at length, a likelihood)."""
    paths = []
    for path in sorted(FOLDER.glob("*.jsonl")):
        try:
            check_recording(path)
        except DataError:
            continue
        if read_tokens(path)["read"].gt(0).any():
            paths.append(path)
    return paths


def describe(path):
    """Return what is known of a recording (a dict): file, sha256, judge, study, asked, answers,
    read (labels that could be read), commonest, its share, tokens, hours, measure and, of judge,
    person and best control, estimate, low, high, n."""
    judge, study = split_name(path.stem)
    kind = STUDIES[study]
    answers = judges.ask(kind.requests(), f"recorded/{path.stem}", kind.reader)
    tokens = read_tokens(path)
    verdicts = answers["verdict"].dropna().astype(str)
    often = verdicts.value_counts()
    row = {"file": path.name, "sha256": pooch.file_hash(path), "judge": judge, "study": study}
    row |= {"asked": len(answers), "answers": int(answers["text"].notna().sum())}
    row |= {
        "read": len(verdicts),
        "commonest": often.index[0],
        "share": often.iloc[0] / often.sum(),
    }
    for column in ("read", "cached", "written"):
        row[f"tokens {column}"] = tokens[column].fillna(0).sum()
    row["hours"] = tokens["seconds"].fillna(0).sum() / 3600
    found = kind.compare(answers[answers["status"] == "ok"])
    names = {"judge": found.index[0], "person": compare.PERSON, "control": found.attrs["control"]}
    for who, name in names.items():
        for end in compare.ENDS:
            row[f"{who} {end}"] = found.at[name, end]
    return row | {"control": found.attrs["control"], "measure": kind.measure}


def list_recordings(kept=KEPT):
    """Return a row per recording of a study with people, as `describe` has it; what `kept` has of
    the same checksum is taken from there."""
    known = pd.read_csv(kept).to_dict("records") if Path(kept).is_file() else []
    by_checksum = {row["sha256"]: row for row in known}
    rows = []
    for path in find_recordings():
        checksum = pooch.file_hash(path)
        rows.append(by_checksum.get(checksum) or describe(path))
    table = pd.DataFrame(rows)
    return table.sort_values(["study", "judge"], kind="stable", ignore_index=True)


def plan(reads, writes):
    """Return a row per study: calls, tokens that are read (of these, repeated: the begin of the
    question before) and written, as counted in the recorded runs, and the hours that they take.

    reads, writes: tokens a second of the server to be asked, one request at a time. likely:
    what was repeated here is repeated there; most: nothing is taken from a cache.
    """
    rows = {}
    for path in find_recordings():
        _, study = split_name(path.stem)
        tokens = read_tokens(path)[["read", "cached", "written"]].fillna(0)
        asked = len(STUDIES[study].requests())
        read, cached, written = tokens.sum() * asked / len(tokens)
        likely = ((read - cached) / reads + written / writes) / 3600
        most = (read / reads + written / writes) / 3600
        rows[study] = [asked, read, cached, written, likely, most]
    columns = ["calls", "tokens read", "of these repeated", "tokens written"]
    table = pd.DataFrame.from_dict(
        rows, "index", columns=[*columns, "hours, likely", "hours, most"]
    )
    table.loc["all"] = table.sum()
    return table.rename_axis("study")


def to_markdown(table):
    """Return the table of `list_recordings` in Markdown, for readers."""
    head = ["study", "judge", "answers", "its commonest", "measure", *WHO.values(), "hours"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for row in table.to_dict("records"):
        cells = [row["study"], row["judge"], f"{row['read']} of {row['asked']}"]
        cells += [f"{row['commonest']}, {100 * row['share']:.0f} %", row["measure"]]
        for who in WHO:
            numbers = [row[f"{who} {end}"] for end in ("estimate", "low", "high")]
            shown = format_interval(*numbers)
            cells.append(f"{shown} ({row['control']})" if who == "control" else shown)
        cells.append(f"{row['hours']:.1f}")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def keep(table, path=KEPT):
    """Write the table of `list_recordings`, numbers with ten significant digits."""
    replace_file(path, table.to_csv(index=False, float_format="%.10g", lineterminator="\n"))


def main(arguments=None):
    """Command line; return 0, or 1 with the reason."""
    parser = argparse.ArgumentParser(prog="python -m tools.recordings")
    commands = parser.add_subparsers(dest="command")
    checked = commands.add_parser("check", help="a recording that somebody gives")
    checked.add_argument("file", type=Path, nargs="+")
    planned = commands.add_parser("plan", help="how long another judge would take")
    planned.add_argument("--reads", type=float, default=1000, help="tokens a second that it reads")
    planned.add_argument("--writes", type=float, default=30, help="tokens a second that it writes")
    given = parser.parse_args(arguments)
    try:
        if given.command == "check":
            for path in given.file:
                print(f"{path.name}: a recording of {check_recording(path)}, and no text in it")
        elif given.command == "plan":
            table = plan(given.reads, given.writes)
            print(
                table.round({"hours, likely": 2, "hours, most": 2}).to_string(float_format="%.10g")
            )
        else:
            table = list_recordings()
            keep(table)
            print(to_markdown(table))
    except (DataError, JudgeError, FileNotFoundError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
