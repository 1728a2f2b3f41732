"""Answers that need no call: recorded with a data set or in `data/recorded/` (written here too),
and simulated by a rule."""

import json
from pathlib import Path

import numpy as np

from helpers.judges.store import COLUMNS, Answer, StoreError, answer_to
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT

PROFILES = {
    "always-yes": lambda row, rng: "Verdict: Yes",
    "always-no": lambda row, rng: "Verdict: No",
    "first": lambda row, rng: "[[A>B]]",
    "coin": lambda row, rng: SIDES.get(row["form"], ("[[B>A]]", "[[A>B]]"))[int(rng.integers(2))],
}
# of the coin, by the form of the answer
SIDES = {"yes_no": ("Verdict: No", "Verdict: Yes"), "grade": ("[[2]]", "[[4]]")}
LATER = "logprobs"  # a field that only recorded lines with probabilities have


class Row(dict):
    """One request for a simulator: row["item"] or row.item, and any other column
    of the requests."""

    __getattr__ = dict.__getitem__


def simulate(table, requests, profile, options, form=None):
    """Return {key: Answer} by a profile, f(row, rng) -> text: rng depends on seed, prompt, repeat;
    row has the parser's form."""
    known = PROFILES | (options.simulators or {})
    if profile not in known:
        raise KeyError(
            f"no simulated judge {profile!r}: there are {', '.join(sorted(known))}; others come by"
            " `simulators`"
        )
    rows = {record["item"]: Row(record, form=form) for record in requests.to_dict("records")}
    found = {}
    for call in table:
        rng = np.random.default_rng(
            [options.seed, int(call["prompt_key"][:15], 16), call["repeat"]]
        )
        found[call["key"]] = answer_to(call, str(known[profile](rows[call["item"]], rng)))
    return found


def from_table(table, recorded, name):
    """Return {key: Answer} for answers that came with a data set (columns item, text, perhaps
    finish; text may be missing)."""
    if not {"item", "text"} <= set(recorded.columns):
        raise ValueError(
            f"recorded/{name}: expected the columns item and text, found"
            f" {', '.join(recorded.columns)}"
        )
    if (twice := recorded["item"].duplicated()).any():
        raise ValueError(
            f"recorded/{name}: item {recorded.loc[twice, 'item'].iloc[0]!r} stands twice"
        )
    lines = {line["item"]: line for line in recorded.to_dict("records")}
    texts, found = {}, {}
    for call in table:
        line = lines.get(call["item"], {})
        text = line["text"] if isinstance(line.get("text"), str) and call["repeat"] == 1 else None
        if texts.setdefault(call["key"], text) != text:
            raise ValueError(
                f"recorded/{name}: item {call['item']!r} has the same prompt as an item with"
                " another recorded answer; give every item a prompt of its own (a missing text"
                " needs a stand-in that names it)"
            )
        if text is not None:
            found[call["key"]] = answer_to(
                call, text, model=name, finish=line.get("finish", "stop")
            )
    if table and not found:
        raise ValueError(
            f"recorded/{name}: none of the {len(table)} items asked for is among the {len(lines)}"
            f" recorded (asked for {table[0]['item']!r}, recorded {next(iter(lines), None)!r})"
        )
    return found


def from_file(table, name):
    """Return {key: Answer} from `data/recorded/<name>.jsonl`, found by prompt key and repeat."""
    folder = ROOT / "data" / "recorded"
    path = folder / f"{name}.jsonl"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in folder.glob("*.jsonl"))) or "none"
        raise FileNotFoundError(
            f"no recorded judge {name!r}: data/recorded/ has {known}; or give `recorded` a table"
        )
    lines = {(answer.prompt_key, answer.repeat): answer for answer in read_export(path)}
    found = {call["key"]: lines.get((call["prompt_key"], call["repeat"])) for call in table}
    if table and not any(found.values()):
        raise ValueError(
            f"recorded/{name}: no line of {path.name} belongs to the {len(table)} prompts asked"
            " for; the prompts or the texts have changed since they were recorded: record again,"
            " or restore them"
        )
    return {key: answer for key, answer in found.items() if answer}


def export_answers(store, path):
    """Write the answers of a store as JSONL, sorted by item and repeat, without prompts; return
    their number."""
    rows = store.rows(f"SELECT {','.join(COLUMNS)} FROM answers ORDER BY item, repeat, key")
    named = [
        {name: value for name, value in zip(COLUMNS, row) if name != LATER or value is not None}
        for row in rows
    ]
    lines = [json.dumps(line, ensure_ascii=False, sort_keys=True) for line in named]
    replace_file(path, "".join(line + "\n" for line in lines))
    return len(lines)


def read_export(path):
    """Return the lines of a JSONL export as Answers; raise StoreError naming file and line for
    anything else."""
    found = []
    for number, text in enumerate(
        Path(path).read_text(encoding="utf8").rstrip("\n").split("\n"), 1
    ):
        where = f"{Path(path).name}, line {number}"
        try:
            line = json.loads(text)
            missing = [column for column in COLUMNS if column not in line and column != LATER]
        except (json.JSONDecodeError, TypeError) as fault:
            raise StoreError(f"{where}: not a JSON object ({fault})") from None
        if missing:
            raise StoreError(
                f"{where}: field {missing[0]!r} is missing; expected a line written by"
                " export_answers"
            )
        found.append(Answer(**{column: line.get(column) for column in COLUMNS}))
    return found
