"""Make the small files that are kept from what a run left in its output folder.

    python -m tools.training.keep data/training/small/cpu.yaml [--to data/recorded/training/…]

Scores, losses, rewards and counts alone: no text, no explanation, no weights. Numbers are rounded
where they are written.
"""

import json
import re
import sys
from pathlib import Path

import pandas as pd

from helpers.sources.files import DataError, replace_file
from tools.training import scoring, stories
from tools.training.settings import make_parser, read_settings, take_up

DIGITS = 4


def list_runs(folder, ending):
    """Return [(split, evaluator, seed, path)] of files such as prompt-pairs-0-test.csv."""
    runs = []
    for path in sorted(folder.glob(f"*-*-*-{ending}")):
        name = path.name.removesuffix(f"-{ending}")
        split, evaluator, seed = re.fullmatch("([a-z]+)-(.+)-([0-9]+)", name).groups()
        runs.append((split, evaluator, int(seed), path))
    return runs


def gather_scores(folder):
    """Return all scores on the prompts or writers kept for testing (`scoring.to_scores`)."""
    tables = []
    runs = list_runs(folder, "test.csv")
    if not runs:
        raise DataError(f"{folder}: no evaluator has read its test yet (make train)")
    for split, evaluator, seed, path in runs:
        table = pd.read_csv(path, dtype={"item": str, "partner": str}, keep_default_na=False)
        tables.append(table.assign(split=split, evaluator=evaluator, seed=seed))
    columns = ["split", "evaluator", "seed", "item", "partner", "place", "expected", "likeliest"]
    return pd.concat(tables)[columns]


def gather_losses(folder):
    """Return the loss of every step: split, evaluator, seed, step, tokens, loss."""
    tables = []
    for split, evaluator, seed, path in list_runs(folder, "sft.json"):
        losses = read_losses(path)
        losses.insert(0, "split", split)
        losses.insert(1, "evaluator", evaluator)
        losses.insert(2, "seed", seed)
        tables.append(losses)
    return pd.concat(tables)


def summarise_runs(folder, settings):
    """Return a row per training run: what it read, how long it took, its first and last losses, and
    r with people on the prompts kept for choosing, where these were read."""
    rows = []
    for split, evaluator, seed, path in list_runs(folder, "sft.json"):
        report = json.loads(path.read_text(encoding="utf8"))
        losses = pd.DataFrame(report["losses"])
        tenth = max(1, len(losses) // 10)
        rows.append(
            {
                "split": split,
                "evaluator": evaluator,
                "seed": seed,
                "steps": len(losses),
                "tokens": losses["tokens"].iloc[-1],
                "examples": report["examples"],
                "learning_rate": settings.rate,
                "seconds": report["seconds"],
                "loss_first": losses["loss"].head(tenth).mean(),
                "loss_last": losses["loss"].tail(tenth).mean(),
                "r_choose": read_choosing(folder, settings, split, evaluator, seed),
            }
        )
    return pd.DataFrame(rows)


def read_choosing(folder, settings, split, evaluator, seed):
    """Return r with people on the stories kept for choosing; nan, where they were not read."""
    path = folder / f"{split}-{evaluator}-{seed}-choose.csv"
    if not path.is_file():
        return float("nan")
    scores = pd.read_csv(path, dtype={"item": str})
    table = stories.split_stories(settings.words, split)
    return scoring.correlate_with_people(scoring.average(scores), table)


def read_losses(path):
    """Return the losses of one training: step, tokens, loss."""
    return pd.DataFrame(json.loads(path.read_text(encoding="utf8"))["losses"])


def gather_steps(folder):
    """Return all steps of the writers' GRPO: writer, and what `writer.train_by_reward` records."""
    tables = []
    for path in sorted(folder.glob("writer-*.json")):
        name = path.stem.removeprefix("writer-")
        if name != "sft":
            steps = pd.DataFrame(json.loads(path.read_text(encoding="utf8")))
            steps.insert(0, "writer", name)
            tables.append(steps)
    return pd.concat(tables, ignore_index=True)


def describe_stories(folder):
    """Return what is kept of the stories that the writers wrote at the test, no text: group,
    number, writer, ended, counts and single (guesses of the mean rating), characters, words."""
    written = pd.read_json(folder / "stories.jsonl", lines=True)
    lengths = {"characters": written["text"].str.len()}
    lengths["words"] = written["text"].str.split().str.len()
    return written.drop(columns="text").assign(**lengths)


def keep_table(path, table):
    """Write a table, rounded."""
    rounded = table.round(DIGITS)
    replace_file(path, rounded.to_csv(index=False, lineterminator="\n"))


def keep(settings, kept):
    """Write all that a run has so far to the folder `kept`; return the names of the files."""
    folder = settings.folder
    tables = {
        "scores": gather_scores(folder),
        "losses": gather_losses(folder),
        "runs": summarise_runs(folder, settings),
    }
    for path in folder.glob("prompt-rewarded-*-grpo.json"):
        report = json.loads(path.read_text(encoding="utf8"))
        tables["rewards"] = pd.DataFrame(report["steps"])
        tables["rewards-choosing"] = pd.DataFrame(report["looks"])
    for name in ("filter", "filter-single", "judged", "tried", "minutes"):
        if (folder / f"{name}.csv").is_file():
            tables[name] = pd.read_csv(folder / f"{name}.csv")
    if (folder / "stories.jsonl").is_file():
        tables["writer-losses"] = read_losses(folder / "writer-sft.json")
        tables["writer-steps"] = gather_steps(folder)
        tables["writer-test"] = describe_stories(folder)
    kept.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        keep_table(kept / f"{name}.csv", table)
    made_with = json.loads((folder / "made-with.json").read_text(encoding="utf8"))
    about = {"settings": settings._asdict(), "made with": made_with}
    replace_file(kept / "settings.json", json.dumps(about, indent=1) + "\n")
    return [*tables, "settings"]


def main(arguments=None):
    """Keep what there is; return 0, or 1 with the reason."""
    parser = make_parser("keep")
    parser.add_argument("--to", type=Path, help="a folder; default: kept/ in the output folder")
    asked = parser.parse_args(arguments)
    try:
        settings = read_settings(asked)
        take_up(settings)
        folder = asked.to or settings.folder / "kept"
        names = keep(settings, folder)
    except (DataError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    print(f"{folder}: {', '.join(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
