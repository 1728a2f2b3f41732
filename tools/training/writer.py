"""EvolvR's third stage, small: a writer that is trained with an evaluator as its reward.

`sft` trains the untrained model on the stories of HANNA that people rated above `better`. The
rewards train the same untrained model by GRPO, each from the beginning (evolvr, Appendix C):

- `length`: the length part alone;
- `pointwise`: what the evaluator `single` gives the story alone, and the length part;
- `static`: EvolvR's, with the evaluator `pairs`, beside HANNA's best-rated story on the prompt;
- `dynamic`: the same beside a story that the untrained model wrote to the prompt beforehand.

The evaluators score one thing, overall quality. In a pair the writer's story stands first, as in
the authors' code. Weights and length are of `helpers.evolvr.reward`.
"""

import copy
import json
import time

import numpy as np
import pandas as pd
import torch
from tqdm import tqdm

from helpers.evolvr.load import load_texts
from helpers.evolvr.reward import WEIGHTS, pay_length, reward
from helpers.evolvr.train import PENALTIES, choose_penalty, fit_and_predict
from helpers.sources.files import replace_file
from helpers.sources.words import lexical_statistics
from tools.training import evaluator, grpo, stories
from tools.training.minutes import noting_minutes
from tools.training.reward import advantages

ASK = "Write a very short story in three sentences. {task}"
REWARDS = ("length", "pointwise", "static", "dynamic")
READERS = {"pointwise": "single", "static": "pairs", "dynamic": "pairs"}  # who scores
BASE, SFT = "untrained", "sft"
ASPECT = {stories.ASPECT: 1}


def ask_writer(tokenizer, task):
    """Return what the writer is asked, as its chat format has it."""
    message = [{"role": "user", "content": ASK.format(task=task.strip())}]
    return tokenizer.apply_chat_template(message, add_generation_prompt=True, tokenize=False)


def list_better(table, settings):
    """Return [(task, story)] of the stories to learn from that people rated above `better` (the
    mean of three raters on six aspects), cut to whole sentences; table: of `split_stories`."""
    learnt_from = table[table["part"] == "train"]
    chosen = learnt_from[learnt_from["score"] > settings.better]
    whole = load_texts().set_index("item")
    return [
        (whole.at[item, "task"], stories.cut_sentences(whole.at[item, "text"], settings.words))
        for item in chosen["item"]
    ]


def train_on_better(settings, table, model, tokenizer, note):
    """Train a writer on people's favourites; return the number of examples."""
    examples = [
        evaluator.to_example(tokenizer, ask_writer(tokenizer, task), [text])
        for task, text in list_better(table, settings)
    ]
    evaluator.train_top(model, settings.layers)
    how = (settings.writer_tokens, settings.batch, settings.rate, np.random.default_rng(0), note)
    evaluator.train(model, tokenizer, examples, *how)
    return len(examples)


# ── The reward ────────────────────────────────────────────────────────────────────────────────────


def score_beside(model, tokenizer, written, other):
    """Return expected scores, stories x 2: of stories that stand first, and of the others."""
    return evaluator.read_pairs(model, tokenizer, written, other)[0]


def pay(kind, settings, scores, characters):
    """Return what stories earn, a row each (`reward.reward`).

    scores: stories x 2, the story's and its reference's; one column for `pointwise`, None for
    `length`. Without a reference the score weighs as much as both parts do together that have it.
    """
    lengths = {"shortest": settings.shortest, "longest": settings.longest}
    if kind == "length":
        of_length = pay_length(characters, **lengths)
        return pd.DataFrame({"relative": 0.0, "absolute": 0.0, "length": of_length}).assign(
            reward=of_length
        )
    weights, reference = WEIGHTS, scores[:, -1:]
    if kind == "pointwise":
        both = WEIGHTS["relative"] + WEIGHTS["absolute"]
        weights = {"relative": 0.0, "absolute": both, "length": WEIGHTS["length"]}
    about = {"aspects": ASPECT, "weights": weights} | lengths
    return reward(scores[:, :1], reference, characters, settings.form, **about)


def choose_references(kind, settings, table, groups, base, tokenizer, asked):
    """Return {group: the story that the writer's are held against}."""
    if kind == "static":
        learnt_from = table[table["group"].isin(groups)]
        best = learnt_from.sort_values(["score", "item"], kind="stable").groupby("group").last()
        return best["text"].to_dict()
    if kind == "dynamic":
        generator = torch.Generator(device=base.device).manual_seed(1)
        prompts = [asked[group] for group in groups]
        rows = evaluator.write_stories(
            base, tokenizer, prompts, 1, settings.story_tokens, generator
        )
        return dict(zip(groups, [evaluator.decode(tokenizer, row) for row in rows]))
    return dict.fromkeys(groups)


# ── GRPO of the writer ────────────────────────────────────────────────────────────────────────────


def objective(logs, old, reference, mask, advantage, epsilon, beta):
    """Return (Equation 12 of one group, KL, share of tokens whose ratio was clipped away).

    logs, old, reference: rows x tokens, log-probabilities of the written tokens by the writer, by
    the writer that wrote them, and by the untrained model; mask: 1 for a token; advantage: per row
    (Equation 11). KL is estimated per token as r - log r - 1 with r = reference / writer (Schulman,
    as in DeepSeekMath; the paper names no estimator).
    """
    ratio = (logs - old).exp()
    clipped = ratio.clamp(1 - epsilon, 1 + epsilon)
    gain = torch.minimum(ratio * advantage[:, None], clipped * advantage[:, None])
    away = (reference - logs).exp() - (reference - logs) - 1
    total = grpo.mean_over_tokens(gain - beta * away, mask).mean()
    is_clipped = (gain < ratio * advantage[:, None]) * mask
    kl = grpo.mean_over_tokens(away, mask).mean()
    return total, kl.item(), (is_clipped.sum() / mask.sum()).item()


def update(model, base, tokenizer, optimiser, asked, rows, rewards, settings):
    """Update the writer by one group of its stories; return (KL, clipped share) at the end."""
    advantage = torch.tensor(advantages(rewards), dtype=torch.float32, device=model.device)
    with torch.no_grad():
        old, mask = grpo.token_logs(model, tokenizer, [asked], rows)
        reference, _ = grpo.token_logs(base, tokenizer, [asked], rows)
    learning = optimiser.param_groups[0]["params"]
    for _ in range(settings.writer_updates):
        logs, _ = grpo.token_logs(model, tokenizer, [asked], rows)
        how = (mask, advantage, settings.epsilon, settings.beta)
        total, kl, clipped = objective(logs, old, reference, *how)
        optimiser.zero_grad()
        (-total).backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimiser.step()
    return kl, clipped


def train_by_reward(kind, settings, table, base, tokenizer, reader, save, seed=0):
    """Train a writer by one reward; return what is recorded of each step.

    base: the untrained model; reader: the evaluator (None for `length`); save: called with the
    trained writer.
    """
    tasks = stories.load_tasks()
    groups = table.loc[table["part"] == "train", "group"].unique()
    drawn = np.random.default_rng(seed).permutation(np.sort(groups))
    groups = list(np.resize(drawn, settings.writer_steps))
    asked = {group: ask_writer(tokenizer, tasks[group]) for group in groups}
    beside = choose_references(kind, settings, table, sorted(set(groups)), base, tokenizer, asked)
    model = copy.deepcopy(base)
    learning = evaluator.train_top(model, settings.layers).values()
    rate = settings.writer_rate
    optimiser = torch.optim.AdamW(learning, lr=rate, weight_decay=0.0, fused=True)
    generator = torch.Generator(device=model.device).manual_seed(seed)
    steps = []
    for step, group in enumerate(tqdm(groups, desc=f"writer, {kind}"), 1):
        size, longest = settings.writer_group, settings.story_tokens
        rows = evaluator.write_stories(model, tokenizer, [asked[group]], size, longest, generator)
        written = [evaluator.decode(tokenizer, row) for row in rows]
        scores = read_rewarded(kind, reader, tokenizer, written, beside[group])
        earned = pay(kind, settings, scores, [len(text) for text in written])
        kl, clipped = update(
            model, base, tokenizer, optimiser, asked[group], rows, earned["reward"], settings
        )
        described = describe_step(earned, written, rows, tokenizer, scores)
        steps.append({"step": step, "group": int(group)} | described | {"kl": kl})
        steps[-1] |= {"clipped": clipped}
        print(json.dumps(steps[-1]), flush=True)
    save(model)
    return steps


def read_rewarded(kind, reader, tokenizer, written, other):
    """Return the scores that `pay` takes."""
    if kind == "length":
        return None
    if kind == "pointwise":
        return evaluator.read_single(reader, tokenizer, written)[0]
    return score_beside(reader, tokenizer, written, [other] * len(written))


def describe_step(earned, written, rows, tokenizer, scores):
    """Return what is recorded of a group: reward and its SD; the length part and how far the reward
    goes with it (r, nan without spread); score (of the stories); characters; ended (the share that
    came to an end)."""
    goes_with = np.nan
    if earned["reward"].std() > 0 and earned["length"].std() > 0:
        goes_with = earned["reward"].corr(earned["length"])
    return {
        "reward": earned["reward"].mean(),
        "reward_sd": earned["reward"].std(),
        "length": earned["length"].mean(),
        "r_length": goes_with,
        "score": np.nan if scores is None else float(scores[:, 0].mean()),
        "characters": float(np.mean([len(text) for text in written])),
        "ended": float(np.mean([row[-1] == tokenizer.eos_token_id for row in rows])),
    }


# ── The test ──────────────────────────────────────────────────────────────────────────────────────


def write_test(writer, settings, table, model, tokenizer):
    """Return a writer's stories to prompts kept for testing: group, number, writer, text, ended."""
    tasks = stories.load_tasks()
    groups = stories.list_test_prompts(table, settings)
    prompts = [ask_writer(tokenizer, tasks[group]) for group in groups]
    generator = torch.Generator(device=model.device).manual_seed(2)
    rows = evaluator.write_stories(
        model, tokenizer, prompts, settings.stories, settings.story_tokens, generator
    )
    return pd.DataFrame(
        {
            "group": np.repeat(groups, settings.stories),
            "number": np.tile(np.arange(settings.stories), len(groups)),
            "writer": writer,
            "text": [evaluator.decode(tokenizer, row) for row in rows],
            "ended": [row[-1] == tokenizer.eos_token_id for row in rows],
        }
    )


def guess_by_counts(table, texts, words):
    """Return what a regression on ten counts (all but the number of words) guesses of texts, cut to
    their first words; it learns from people's ratings of the stories on other prompts."""
    learnt_from = table[table["part"] == "train"]
    known = count_all(learnt_from["text"])
    new = count_all([stories.cut_text(text, words) for text in texts])
    spread = known.std(axis=0)
    spread[spread == 0] = 1
    known, new = known / spread, new / spread
    target = learnt_from[["score"]].to_numpy()
    penalty = choose_penalty(known, target, learnt_from["group"].to_numpy())
    return fit_and_predict(known, target, new, PENALTIES[[penalty]])[0, :, 0]


def count_all(texts):
    """Return texts x counts."""
    return pd.DataFrame(map(lexical_statistics, texts)).drop(columns="words").to_numpy(float)


def do_writers(settings, load_base, load_trained, save_trained):
    """Train and test all writers, as far as that has not been done; keep their stories."""
    folder = settings.folder
    table = stories.split_stories(settings.words, "prompt")
    base, tokenizer = load_base()

    def save_as(name):
        return lambda model: save_trained(settings, model, name)

    if not (folder / "writer-sft.json").is_file():
        losses, begun = [], time.monotonic()

        def note(tokens, loss):
            losses.append({"step": len(losses) + 1, "tokens": tokens, "loss": round(loss, 4)})

        model = copy.deepcopy(base)
        with noting_minutes(folder, "writer", SFT):
            count = train_on_better(settings, table, model, tokenizer, note)
            save_as(f"writer-{SFT}")(model)
        seconds = round(time.monotonic() - begun)
        save_json(folder / "writer-sft.json", dict(examples=count, seconds=seconds, losses=losses))
    for kind in REWARDS:
        path = folder / f"writer-{kind}.json"
        if path.is_file():
            continue
        reader = None
        if kind in READERS:
            reader, _ = load_trained(settings, f"prompt-{READERS[kind]}-0")
        with noting_minutes(folder, "writer", kind):
            save = save_as(f"writer-{kind}")
            save_json(path, train_by_reward(kind, settings, table, base, tokenizer, reader, save))
    if not (folder / "stories.jsonl").is_file():
        with noting_minutes(folder, "writer", "test"):
            test_writers(settings, table, load_trained)


def save_json(path, content):
    """Write a small file whole or not at all."""
    replace_file(path, json.dumps(content, indent=1) + "\n")


def test_writers(settings, table, load_trained):
    """Let all writers write to the prompts kept for testing, and let counts and the two evaluators
    read; keep it in stories.jsonl."""
    tables = []
    for writer in (BASE, SFT, *REWARDS):
        run = None if writer == BASE else f"writer-{writer}"
        model, tokenizer = load_trained(settings, run)
        tables.append(write_test(writer, settings, table, model, tokenizer))
    written = pd.concat(tables, ignore_index=True)
    written["counts"] = guess_by_counts(table, written["text"], settings.words)
    reader, tokenizer = load_trained(settings, "prompt-single-0")
    written["single"] = evaluator.read_single(reader, tokenizer, written["text"])[0][:, 0]
    replace_file(settings.folder / "stories.jsonl", written.to_json(orient="records", lines=True))
