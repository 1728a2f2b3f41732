"""Answers that need no call: recorded with a data set or in `data/recorded/`, and simulated by a rule."""

from functools import cache

import numpy as np

from helpers.judges.recordings import read_export
from helpers.judges.store import answer_to
from helpers.sources.public import ROOT

PROFILES = {
    "always-yes": lambda row, rng: "Verdict: Yes",
    "always-no": lambda row, rng: "Verdict: No",
    "first": lambda row, rng: "[[A>B]]",
    "coin": lambda row, rng: SIDES.get(row["form"], ("[[B>A]]", "[[A>B]]"))[int(rng.integers(2))],
}
SIDES = {"yes_no": ("Verdict: No", "Verdict: Yes"), "grade": ("[[2]]", "[[4]]")}  # of the coin, by the form of the answer


class Row(dict):
    """One request for a simulator: row["item"] or row.item, and any other column of the requests."""

    __getattr__ = dict.__getitem__


def simulate(table, requests, profile, seed, simulators=None, form=None):
    """Return {key: Answer} from the function of a profile, f(row, rng) -> text; rng depends on seed, prompt and repeat.

    row: the request, and `form`, the name of the form that the parser reads (None if it names none).
    Raises KeyError naming the profiles that exist.
    """
    known = PROFILES | (simulators or {})
    if profile not in known:
        raise KeyError(f"no simulated judge {profile!r}: there are {', '.join(sorted(known))}; others come by `simulators`")
    rows = {record["item"]: Row(record, form=form) for record in requests.to_dict("records")}
    found = {}
    for call in table:
        rng = np.random.default_rng([seed, int(call["prompt_key"][:15], 16), call["repeat"]])
        found[call["key"]] = answer_to(call, str(known[profile](rows[call["item"]], rng)))
    return found


def from_table(table, recorded, name):
    """Return {key: Answer} for answers that came with a data set (columns item, text, perhaps finish; text may be missing).

    Raises ValueError for missing columns, an item twice, or if none of the items asked for is there.
    """
    if not {"item", "text"} <= set(recorded.columns):
        raise ValueError(f"recorded/{name}: expected the columns item and text, found {', '.join(recorded.columns)}")
    if (twice := recorded["item"].duplicated()).any():
        raise ValueError(f"recorded/{name}: item {recorded.loc[twice, 'item'].iloc[0]!r} stands twice")
    lines = {line["item"]: line for line in recorded.to_dict("records")}
    texts, found = {}, {}
    for call in table:
        line = lines.get(call["item"], {})
        text = line["text"] if isinstance(line.get("text"), str) and call["repeat"] == 1 else None
        if texts.setdefault(call["key"], text) != text:
            raise ValueError(f"recorded/{name}: item {call['item']!r} has the same prompt as an item with another recorded "
                             "answer; give every item a prompt of its own (a missing text needs a stand-in that names it)")
        if text is not None:
            found[call["key"]] = answer_to(call, text, model=name, finish=line.get("finish", "stop"))
    if table and not found:
        raise ValueError(f"recorded/{name}: none of the {len(table)} items asked for is among the {len(lines)} recorded "
                         f"(asked for {table[0]['item']!r}, recorded {next(iter(lines), None)!r})")
    return found


@cache
def _load(path, changed):
    return {(answer.prompt_key, answer.repeat): answer for answer in read_export(path)}


def from_file(table, name):
    """Return {key: Answer} from `data/recorded/<name>.jsonl`, found by prompt key and repeat.

    Raises FileNotFoundError naming the files that exist, ValueError if no prompt is the one that was recorded.
    """
    folder = ROOT / "data" / "recorded"
    path = folder / f"{name}.jsonl"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in folder.glob("*.jsonl"))) or "none"
        raise FileNotFoundError(f"no recorded judge {name!r}: data/recorded/ has {known}; or give `recorded` a table")
    lines = _load(path, path.stat().st_mtime_ns)
    found = {call["key"]: lines.get((call["prompt_key"], call["repeat"])) for call in table}
    if table and not any(found.values()):
        raise ValueError(f"recorded/{name}: no line of {path.name} belongs to the {len(table)} prompts asked for; the prompts "
                         "or the texts have changed since they were recorded: record again, or restore them")
    return {key: answer for key, answer in found.items() if answer}
