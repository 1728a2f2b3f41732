"""GRPO of the evaluator, the ablation that EvolvR's authors dropped for reward hacking.

Answers that earn more than their group become likelier. Each step takes one pair of stories and
samples a group of answers. They begin with `[[A: `, so they hold scores alone: most sampled
sentences would not come to an end. An answer's advantage is its reward less the group's mean; the
loss is minus the mean over answers of advantage x mean log-probability of the answer's tokens. Each
group is used for one update, so no ratio of old and new probabilities has to be clipped, and there
is no KL term. (The writer's GRPO has all three: `tools.training.writer`.)
"""

import numpy as np
import torch

from tools.training import texts
from tools.training.evaluator import Reading, encode, pad
from tools.training.reward import advantages, reward

START = texts.BEFORE[2][0]  # what each answer begins with


def sample_group(model, tokenizer, prompt, size, longest, generator):
    """Return what follows START in `size` sampled answers to one prompt, rows of tokens; each ends
    with "]]" or is cut off after `longest` tokens."""

    def draw(logits):
        chances = logits.softmax(dim=-1)
        return torch.multinomial(chances, 1, generator=generator)[:, 0]

    ends = [*encode(tokenizer, [texts.END]), tokenizer.eos_token_id]
    with torch.no_grad():
        reading, hidden = read_before(model, tokenizer, [prompt, START], size)
        return reading.write(hidden, longest, ends, draw)


def read_before(model, tokenizer, pieces, size):
    """Return (a `Reading` that stands `size` times after pieces of text, its last hidden
    states)."""
    reading = Reading(model)
    tokens, mask = pad([encode(tokenizer, pieces)], tokenizer.pad_token_id, model.device)
    last = reading.read(tokens, mask)[:, -1]
    reading.repeat(size)
    return reading, last.repeat(size, 1)


def token_logs(model, tokenizer, pieces, rows):
    """Return (log-probabilities, mask), rows x tokens: of each row's tokens after pieces of text,
    with their gradients; both are 0 where a row has ended."""
    reading, last = read_before(model, tokenizer, pieces, len(rows))
    tokens, mask = pad(rows, tokenizer.pad_token_id, model.device)
    hidden = reading.read(tokens, mask)
    before = torch.cat([last[:, None], hidden[:, :-1]], dim=1)
    logs = model.lm_head(before).log_softmax(dim=-1)
    return logs.gather(2, tokens[..., None])[..., 0] * mask, mask


def mean_over_tokens(values, mask):
    """Return the mean of each row over its tokens (mask 1)."""
    return (values * mask).sum(dim=1) / mask.sum(dim=1)


def take_step(model, tokenizer, optimiser, prompt, truth, settings, generator):
    """Sample a group, reward it, update the model; return what is recorded of it: reward (mean),
    form (share of answers with two scores), score_mean and score_sd (of these), tokens (mean)."""
    rows = sample_group(model, tokenizer, prompt, settings["group"], settings["longest"], generator)
    written = [START + tokenizer.decode(row, skip_special_tokens=True) for row in rows]
    answers = [reward(text, truth) for text in written]
    totals = [total for total, _, _ in answers]
    advantage = torch.tensor(advantages(totals), dtype=torch.float32, device=model.device)
    if advantage.any():
        logs = mean_over_tokens(*token_logs(model, tokenizer, [prompt, START], rows))
        loss = -(advantage * logs).mean()
        optimiser.zero_grad()
        loss.backward()
        learning = optimiser.param_groups[0]["params"]
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimiser.step()
    scores = [score for _, _, pair in answers if pair for score in pair]
    return {
        "reward": float(np.mean(totals)),
        "form": float(np.mean([form for _, form, _ in answers])),
        "score_mean": float(np.mean(scores)) if scores else np.nan,
        "score_sd": float(np.std(scores)) if scores else np.nan,
        "tokens": float(np.mean([len(row) for row in rows])),
    }
