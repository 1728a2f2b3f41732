"""A small language model that is trained to rate stories, and read by the scores' probabilities."""

from pathlib import Path

import numpy as np
import torch
from torch.nn.functional import cross_entropy
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache

from helpers.evolvr.pairs import SCORES
from tools.training import texts

IGNORED = -100  # of cross_entropy: a token that is read, not learnt


def load_model(path):
    """Return (model, tokenizer) of a GGUF file or of a folder on this machine; nothing is fetched.

    A GGUF file's weights are quantised; they are turned into 32-bit numbers.
    """
    path = Path(path)
    where = {"pretrained_model_name_or_path": str(path), "local_files_only": True}
    if path.is_file():
        where = {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name}
    tokenizer = AutoTokenizer.from_pretrained(**where)
    model = AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return model.to(device), tokenizer


def train_top(model, layers):
    """Let the last `layers` layers and the last norm learn, and nothing else; return their
    parameters, {name: parameter}."""
    first = len(model.model.layers) - layers
    learning = {}
    for name, parameter in model.named_parameters():
        number = name.removeprefix("model.layers.").split(".")[0]
        is_top = number.isdigit() and int(number) >= first
        parameter.requires_grad_(is_top or name == "model.norm.weight")
        if parameter.requires_grad:
            learning[name] = parameter
    return learning


def encode(tokenizer, pieces):
    """Return the tokens of pieces of text, each taken by itself."""
    tokens = []
    for piece in pieces:
        tokens += tokenizer(piece, add_special_tokens=False)["input_ids"]
    return tokens


def to_example(tokenizer, prompt, pieces):
    """Return (tokens, number of them that are the prompt's)."""
    asked = encode(tokenizer, [prompt])
    return asked + encode(tokenizer, pieces) + [tokenizer.eos_token_id], len(asked)


def pad(rows, value, device, left=False):
    """Return (tokens, mask) as tensors rows x longest; mask is 0 where `value` fills a row up."""
    longest = max(map(len, rows))
    filled, masks = [], []
    for row in rows:
        fill = [value] * (longest - len(row))
        empty = [0] * len(fill)
        shown = [1] * len(row)
        filled.append(fill + list(row) if left else list(row) + fill)
        masks.append(empty + shown if left else shown + empty)
    return torch.tensor(filled, device=device), torch.tensor(masks, device=device)


def loss_of(model, tokenizer, examples):
    """Return the mean cross-entropy of the answers' tokens; examples: of `to_example`."""
    rows = [tokens for tokens, _ in examples]
    tokens, mask = pad(rows, tokenizer.pad_token_id, model.device)
    targets = tokens.masked_fill(mask == 0, IGNORED)
    for target, (_, asked) in zip(targets, examples):
        target[:asked] = IGNORED
    hidden = model.model(input_ids=tokens, attention_mask=mask, use_cache=False).last_hidden_state
    targets = targets[:, 1:]
    is_answer = targets != IGNORED
    logits = model.lm_head(hidden[:, :-1][is_answer])
    return cross_entropy(logits, targets[is_answer])


def train(model, tokenizer, examples, tokens, batch, rate, rng, note):
    """Train on examples in random order, again and again, until so many tokens have been read.

    The learning rate rises over a tenth of the tokens and then falls to 0. note: called after each
    step with (tokens so far, loss). Returns the number of steps.
    """
    learning = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(learning, lr=rate, weight_decay=0.0, fused=True)
    model.train()
    waiting, seen, steps = [], 0, 0
    while seen < tokens:
        while len(waiting) < batch:
            waiting += list(rng.permutation(len(examples)))
        chosen = [examples[number] for number in waiting[:batch]]
        waiting = waiting[batch:]
        done = seen / tokens
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, 10 * done + 0.1, (1 - done) / 0.9)
        loss = loss_of(model, tokenizer, chosen)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimiser.step()
        seen += sum(len(row) for row, _ in chosen)
        steps += 1
        note(seen, loss.item())
    model.eval()
    return steps


class Reading:
    """Texts that a model is reading side by side, one per row; it can go on with each."""

    def __init__(self, model):
        self.model = model
        self.cache = DynamicCache()
        self.mask = None

    def read(self, tokens, mask):
        """Read more tokens (rows x tokens; mask 0: none); return the hidden states of these."""
        self.mask = mask if self.mask is None else torch.cat([self.mask, mask], dim=1)
        places = (self.mask.cumsum(dim=1) - 1).clamp(min=0)
        return self.model.model(
            input_ids=tokens,
            attention_mask=self.mask,
            position_ids=places[:, -tokens.shape[1] :],
            past_key_values=self.cache,
            use_cache=True,
        ).last_hidden_state

    def repeat(self, times):
        """Go on with each row so many times."""
        self.cache.batch_repeat_interleave(times)
        self.mask = self.mask.repeat_interleave(times, dim=0)

    def write(self, hidden, longest, ends, choose):
        """Write up to `longest` tokens per row, until one of `ends`; return the rows of tokens.

        hidden: rows x size, after which is written; choose: function logits -> tokens. The token
        that ended a row is returned with it, but not read.
        """
        rows = [[] for _ in range(len(hidden))]
        open_rows = torch.ones(len(hidden), dtype=torch.bool, device=hidden.device)
        for place in range(longest):
            tokens = choose(self.model.lm_head(hidden))
            for row, token, is_open in zip(rows, tokens.tolist(), open_rows.tolist()):
                if is_open:
                    row.append(token)
            ended = torch.isin(tokens, torch.tensor(ends, device=tokens.device))
            open_rows = open_rows & ~ended
            if not open_rows.any() or place == longest - 1:
                return rows
            hidden = self.read(tokens[:, None], open_rows[:, None].long())[:, -1]
        return rows


def likeliest(logits):
    """Return the likeliest token of each row."""
    return logits.argmax(dim=-1)


@torch.no_grad()
def read_scores(model, tokenizer, prompts, before, explain=0, batch=16):
    """Return (expected, likeliest) scores, prompts x scores asked for.

    before: the pieces before the scores (`texts`); explain: tokens, at most, of an explanation that
    the model writes first (0: none). Expected: the mean of the scores 1 to 5, weighted by the
    probabilities of their five tokens. A second score is read after the likeliest first.
    """
    expected, whole = [], []
    for start in range(0, len(prompts), batch):
        some = prompts[start : start + batch]
        reading, hidden = read_prompts(model, tokenizer, some)
        lead = []  # what is read before the first piece
        if explain:
            lead = encode(tokenizer, ["\n"])
            ends = [*lead, tokenizer.eos_token_id]
            reading.write(hidden, explain, ends, likeliest)
        means, picks = go_on_to_scores(reading, tokenizer, before, lead, len(some))
        expected.append(means)
        whole.append(picks)
    return np.concatenate(expected), np.concatenate(whole)


def read_prompts(model, tokenizer, prompts):
    """Return (a `Reading` of prompts side by side, the last hidden state of each)."""
    reading = Reading(model)
    rows = [encode(tokenizer, [prompt]) for prompt in prompts]
    tokens, mask = pad(rows, tokenizer.pad_token_id, model.device, left=True)
    return reading, reading.read(tokens, mask)[:, -1]


def go_on_to_scores(reading, tokenizer, before, lead, rows):
    """Read each piece before a score, and the score that is likeliest after it; return (expected,
    likeliest), rows x scores. lead: tokens read before the first piece."""
    model = reading.model
    digits = torch.tensor(encode(tokenizer, map(str, SCORES)), device=model.device)
    values = torch.tensor(SCORES, dtype=torch.float32, device=model.device)
    means, picks = [], []
    for piece in before:
        piece_tokens = lead + encode(tokenizer, [piece])
        tokens = torch.tensor(piece_tokens, device=model.device).repeat(rows, 1)
        if picks:
            score_before = digits[picks[-1] - 1]
            tokens = torch.cat([score_before[:, None], tokens], dim=1)
        hidden = reading.read(tokens, torch.ones_like(tokens))[:, -1]
        chances = model.lm_head(hidden)[:, digits].softmax(dim=-1)  # rows x 5
        means.append(chances @ values)
        picks.append(chances.argmax(dim=-1) + 1)
        lead = []
    return torch.stack(means, dim=1).cpu().numpy(), torch.stack(picks, dim=1).cpu().numpy()


def read_single(model, tokenizer, stories, explain=0):
    """Return a row per story, rated alone: expected score, likeliest score."""
    prompts = [texts.ask([text], explain > 0) for text in stories]
    return read_scores(model, tokenizer, prompts, texts.BEFORE[1], explain)


def read_pairs(model, tokenizer, first, second, explain=0):
    """Return a row per pair of texts, (expected, likeliest): the scores of the story shown first
    and of the other."""
    prompts = [texts.ask(pair, explain > 0) for pair in zip(first, second)]
    return read_scores(model, tokenizer, prompts, texts.BEFORE[2], explain)


def write_stories(model, tokenizer, prompts, count, longest, generator):
    """Return the tokens of `count` sampled stories to each prompt, prompt by prompt, as rows; a row
    ends with the model's last token, or is cut off after `longest`."""

    def draw(logits):
        return torch.multinomial(logits.softmax(dim=-1), 1, generator=generator)[:, 0]

    with torch.no_grad():
        reading, hidden = read_prompts(model, tokenizer, prompts)
        reading.repeat(count)
        hidden = hidden.repeat_interleave(count, dim=0)
        return reading.write(hidden, longest, [tokenizer.eos_token_id], draw)


def decode(tokenizer, row):
    """Return a row of tokens as a text in one line."""
    return " ".join(tokenizer.decode(row, skip_special_tokens=True).split())
