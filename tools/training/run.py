"""EvolvR's training, stage by stage; what is finished is not done again.

    python -m tools.training.run data/training/small/cpu.yaml [--stages sft test …]

Stages, in this order: `sft` trains the evaluators; `writer` trains writers, with the evaluators
`single` and `pairs` as their reward (`tools.training.writer`); `grpo` rewards the evaluator with
explanations, an ablation; `test` lets the evaluators read the prompts kept for that, and `choose`,
which is done only where it is asked for, those kept for choosing. The explanations must have been
written (`tools.training.explain`). Everything stays in a folder whose name has the settings'
digest; `tools.training.keep` makes small files for data/recorded/training/.
"""

import copy
import functools
import json
import platform
import sys
import time
from importlib import metadata

import numpy as np
import pandas as pd
import torch
from goodjudge.ask.local import find_model
from tqdm import tqdm

from helpers.sources.files import DataError, replace_file
from helpers.sources.public import ROOT
from tools.training import evaluator, grpo, scoring, stories, texts, writer
from tools.training.examples import list_examples
from tools.training.minutes import noting_minutes
from tools.training.reward import constant_reward
from tools.training.settings import (
    ALL_KINDS,
    KINDS,
    REWARDED,
    UNTRAINED,
    make_parser,
    read_settings,
    take_up,
)
from tools.training.writer import save_json

STAGES = ("sft", "writer", "grpo", "choose", "test")
USUAL = ("sft", "writer", "grpo", "test")
REWARDERS = {"single", "pairs"}  # evaluators without which there is no writer
CHOOSING = 48  # stories kept for choosing that are read again and again in GRPO
# who write a sentence before they score
EXPLAINING = ("explained-single", "explained", "unfiltered")


def find_weights(name):
    """Return the path of the model to train: a name of `local.find_model`, a file or a folder."""
    folder = ROOT / name
    return folder if folder.is_dir() else find_model(name)


def name_run(split, kind, seed):
    """Return the name of a run's files."""
    return f"{split}-{kind}-{seed}"


def name_versions():
    """Return what a run is made with: {name: version}."""
    packages = {name: metadata.version(name) for name in ("torch", "transformers", "gguf")}
    device = "graphics card" if torch.cuda.is_available() else "processor"
    return packages | {"python": platform.python_version(), "device": device}


@functools.cache
def load_base(name):
    """Return (model, tokenizer) as they were; never to be trained, but in a copy."""
    model, tokenizer = evaluator.load_model(find_weights(name))
    return model.eval(), tokenizer


def load_trained(settings, run):
    """Return (model, tokenizer) with the weights of a run (None: as the model was), a copy;
    DataError where there are none."""
    base, tokenizer = load_base(settings.model)
    model = copy.deepcopy(base)
    if run is not None:
        path = settings.folder / f"{run}.pt"
        if not path.is_file():
            raise DataError(f"{path}: is missing; this evaluator has to be trained first")
        weights = torch.load(path, map_location=model.device)
        model.load_state_dict(weights, strict=False)
    return model.eval(), tokenizer


def save_trained(settings, model, run):
    """Keep the weights that learnt."""
    learnt = {name: value for name, value in model.named_parameters() if value.requires_grad}
    path = settings.folder / f"{run}.pt"
    torch.save(learnt, path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)


def train_evaluator(settings, split, kind, seed):
    """Train one evaluator; keep its weights, its losses and what it took."""
    run = name_run(split, kind, seed)
    table = stories.split_stories(settings.words, split)
    learnt_from = table[table["part"] == "train"]
    pairs = stories.draw_pairs(learnt_from, settings.per_stratum, np.random.default_rng(0))
    text_of = dict(zip(table["item"], table["text"]))
    model, tokenizer = load_trained(settings, None)
    listed = list_examples(kind, pairs, text_of, settings.folder)
    examples = [evaluator.to_example(tokenizer, *example) for example in listed]
    evaluator.train_top(model, settings.layers)
    losses, begun = [], time.monotonic()
    with tqdm(total=settings.tokens, desc=run, unit="token") as bar:

        def note(tokens, loss):
            losses.append({"step": len(losses) + 1, "tokens": tokens, "loss": round(loss, 4)})
            bar.update(tokens - bar.n)
            bar.set_postfix(loss=f"{loss:.2f}")

        rng = np.random.default_rng(seed)
        how = (settings.tokens, settings.batch, settings.rate, rng, note)
        evaluator.train(model, tokenizer, examples, *how)
    save_trained(settings, model, run)
    seconds = round(time.monotonic() - begun)
    report = settings.folder / f"{run}-sft.json"
    save_json(report, {"examples": len(examples), "seconds": seconds, "losses": losses})


def read_with(settings, model, tokenizer, kind, table, readings):
    """Return what an evaluator gives the stories of a table, a row per reading and story: item,
    partner, place, expected, likeliest (`scoring.to_scores`); alone: without partner and place."""
    text_of = dict(zip(table["item"], table["text"]))
    explain = settings.sentence if kind in EXPLAINING else 0
    if kind.endswith("single"):
        expected, whole = evaluator.read_single(model, tokenizer, table["text"], explain)
        scores = {"expected": expected[:, 0], "likeliest": whole[:, 0]}
        return pd.DataFrame({"item": table["item"].to_numpy(), "partner": "", "place": 0} | scores)
    first, second = readings["first"].map(text_of), readings["second"].map(text_of)
    expected, whole = evaluator.read_pairs(model, tokenizer, first, second, explain)
    return scoring.to_scores(readings, expected, whole)


def read_part(settings, split, kind, seed, part):
    """Let one evaluator read the stories of a part, "choose" or "test"; keep its scores."""
    run = name_run(split, kind, seed)
    table = stories.split_stories(settings.words, split)
    tested = table[table["part"] == part]
    if part == "test":
        tested = tested[tested["group"].isin(stories.list_test_prompts(table, settings))]
    readings = scoring.list_readings(tested, settings.partners, np.random.default_rng(0))
    trained = None if kind.startswith("untrained") else run
    model, tokenizer = load_trained(settings, trained)
    begun = time.monotonic()
    scores = read_with(settings, model, tokenizer, kind, tested, readings)
    r = scoring.correlate_with_people(scoring.average(scores), tested)
    print(f"{run}, {part}: read in {time.monotonic() - begun:.0f} s, r = {r:.3f}", flush=True)
    path = settings.folder / f"{run}-{part}.csv"
    replace_file(path, scores.to_csv(index=False, float_format="%.4f"))


def draw_as_they_come(table, count, rng):
    """Return pairs of stories at random, not balanced over scores: a, b (texts), score_a, score_b
    (whole)."""
    rows = []
    for _ in range(count):
        a, b = rng.choice(len(table), 2, replace=False)
        first, second = table.iloc[a], table.iloc[b]
        row = {"a": first["text"], "b": second["text"]}
        rows.append(row | {"score_a": first["whole"], "score_b": second["whole"]})
    return pd.DataFrame(rows)


def describe_scores(scores, table):
    """Return r with people, the SD of the expected scores, and the share of the commonest likeliest
    score; scores: of `read_with`, about the stories of `table`."""
    r = scoring.correlate_with_people(scoring.average(scores), table)
    shares = scores["likeliest"].value_counts(normalize=True)
    spread = scores["expected"].std()
    return {"r": float(r), "score_sd": float(spread), "share_usual": float(shares.max())}


def reward_evaluator(settings, seed=0):
    """Go on with the evaluator with explanations by GRPO; keep its weights and its curves."""
    run = name_run("prompt", REWARDED, seed)
    table = stories.split_stories(settings.words, "prompt")
    learnt_from = table[table["part"] == "train"]
    pairs = draw_as_they_come(learnt_from, settings.reward_steps, np.random.default_rng(seed))
    looked_at = table[table["part"] == "choose"].sample(CHOOSING, random_state=0)
    looked_at = looked_at.sort_values("item", kind="stable")
    readings = scoring.list_readings(looked_at, 1, np.random.default_rng(0))

    model, tokenizer = load_trained(settings, name_run("prompt", "explained", seed))
    learning = evaluator.train_top(model, settings.layers).values()
    rate = settings.reward_rate
    optimiser = torch.optim.AdamW(learning, lr=rate, weight_decay=0.0, fused=True)
    generator = torch.Generator(device=model.device).manual_seed(seed)
    how = {"group": settings.reward_group, "longest": settings.reward_longest}
    begun = time.monotonic()

    def look():
        scores = read_with(settings, model, tokenizer, REWARDED, looked_at, readings)
        return describe_scores(scores, looked_at)

    steps, looks = [], [{"step": 0} | look()]
    for step, pair in enumerate(tqdm(pairs.itertuples(), desc=run, total=len(pairs)), 1):
        truth = (pair.score_a, pair.score_b)
        prompt = texts.ask((pair.a, pair.b))
        taken = grpo.take_step(model, tokenizer, optimiser, prompt, truth, how, generator)
        constants = {f"always_{score}": constant_reward(score, [truth]) for score in (2, 3)}
        steps.append({"step": step} | taken | constants)
        if step % settings.reward_every == 0:
            looks.append({"step": step} | look())
            print(json.dumps(looks[-1]), flush=True)
    save_trained(settings, model, run)
    seconds = round(time.monotonic() - begun)
    save_json(
        settings.folder / f"{run}-grpo.json", {"seconds": seconds, "steps": steps, "looks": looks}
    )


def read_arguments(arguments):
    """Return what the command line asks for."""
    parser = make_parser("run")
    add = parser.add_argument
    add("--stages", nargs="+", choices=STAGES, default=[*USUAL])
    add("--kinds", nargs="+", choices=ALL_KINDS, help="of evaluators; default: the settings'")
    add("--seeds", nargs="+", type=int, help="numbers of the runs of each")
    add("--split", choices=stories.SPLITS, default="prompt")
    return parser.parse_args(arguments)


def do_stage(stage, settings, asked, kind, seed):
    """Do one stage of one evaluator, where it has not been done. Only the first run of the
    untrained and of the rewarded evaluator is made."""
    if kind in (*UNTRAINED, REWARDED) and seed:
        return
    folder, run = settings.folder, name_run(asked.split, kind, seed)
    if stage == "sft" and kind in KINDS and not (folder / f"{run}-sft.json").is_file():
        with noting_minutes(folder, "sft", run):
            train_evaluator(settings, asked.split, kind, seed)
    if stage == "grpo" and kind == REWARDED and not (folder / f"{run}-grpo.json").is_file():
        with noting_minutes(folder, "grpo", run):
            reward_evaluator(settings)
    if stage in ("choose", "test") and not (folder / f"{run}-{stage}.csv").is_file():
        with noting_minutes(folder, stage, run):
            read_part(settings, asked.split, kind, seed, stage)


def main(arguments=None):
    """Do the stages in order; return 0, or 1 with the reason."""
    asked = read_arguments(arguments)
    try:
        settings = read_settings(asked)
        take_up(settings)
        save_json(settings.folder / "made-with.json", name_versions())
        torch.manual_seed(0)
        kinds = asked.kinds or settings.kinds
        for stage in filter(asked.stages.__contains__, STAGES):
            if stage == "writer":
                if REWARDERS <= set(kinds):
                    load = functools.partial(load_base, settings.model)
                    writer.do_writers(settings, load, load_trained, save_trained)
                continue
            for seed in asked.seeds or range(settings.seeds):
                for kind in kinds:
                    do_stage(stage, settings, asked, kind, seed)
    except (DataError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
