"""Compared evaluators of HANNA's stories out of fold, block by block: data/recorded/evaluators.csv,
which notebook 05 reads.

Made from HANNA's open files on 2026-11-22, in about an hour of one core; it needs the extras
`embed` and `local`. `python -m tools.evaluators` writes the table; `python -m tools.evaluators
text` makes only the rows of the text's own features (a minute) and says how far they lie from the
recorded ones. No notebook and no helper imports it.
"""

import hashlib
import sys
from functools import partial

import numpy as np
import pandas as pd
from scipy.stats import rankdata
from threadpoolctl import threadpool_limits

from helpers.evolvr import agreement, compare, load, pairwise, raters, train
from helpers.sources.public import ROOT, cache_folder, registry
from tools import embeddings, likelihood, texts

TABLE = ROOT / "data" / "recorded" / "evaluators.csv"
FOLDS = {"prompt": 8, "system": 11, "both": 3}
KEY = ["study", "folds", "target", "measure", "features"]
WIDTHS = (0.0, 0.1, 0.25)  # of the kernel: 0 is a straight line, the others bell curves
PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
LARGEST = 64  # a block with more features than this counts as this many


def kernel(a, b, width):
    """Return how like each row of a is to each row of b: 1 for the same story of usual features."""
    product = a @ b.T
    if width == 0:
        return product
    distance = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * product
    return np.exp(-width * np.maximum(distance, 0))


class KernelRidge:
    """Kernel ridge regression on normal scores of weighted features.

    Width of the kernel and penalty are those of the least squared error when each group of training
    stories in turn is left out (18 choices; the error has an exact short form, so that nothing is
    fitted again).
    """

    def __init__(self, blocks):
        sizes = np.array([(blocks == block).sum() for block in blocks])
        self.weights = np.minimum(1, np.sqrt(LARGEST / sizes))

    def fit(self, features, target, groups):
        """Fit on stories x features and stories x aspects; groups: one per story."""
        self.scale = train.NormalScores(features)
        self.stories, self.level = self.view(features), target.mean(axis=0)
        rest, best = target - self.level, np.inf
        members = [np.flatnonzero(groups == name) for name in np.unique(groups)]
        for width in WIDTHS:
            values, vectors = np.linalg.eigh(kernel(self.stories, self.stories, width))
            values, right = np.maximum(values, 0), vectors.T @ rest
            for penalty in PENALTIES:
                shrunk = vectors * (values / (values + penalty))
                missed, error = rest - shrunk @ right, 0
                for rows in members:
                    left = np.eye(len(rows)) - shrunk[rows] @ vectors[rows].T
                    error += (np.linalg.solve(left, missed[rows]) ** 2).sum()
                if error < best:
                    best, self.width = error, width
                    self.dual = vectors @ (right / (values + penalty)[:, None])
        return self

    def view(self, features):
        """Return weighted normal scores, scaled so that a usual story has length one."""
        return self.scale(features) * (self.weights / np.sqrt((self.weights**2).sum()))

    def predict(self, features):
        """Return stories x aspects."""
        return self.level + kernel(self.view(features), self.stories, self.width) @ self.dual


def predict_out_of_fold(features, arrays, who, splits, groups):
    """Return predictions (aspects x stories), each made by a model that saw no test story.

    The target is freed of the raters' severity, estimated on the training stories alone.
    """
    x, predicted = features.to_numpy(float), np.full(arrays.shape[:2], np.nan)
    with threadpool_limits(1):
        for known, test in splits:
            target = raters.without_severity(arrays[:, known], who[known]).mean(axis=2).T
            model = KernelRidge(features.columns.get_level_values(0))
            fitted = model.fit(x[known], target, groups[known])
            predicted[:, test] = fitted.predict(x[test]).T
    return predicted


def kept(name, table, make):
    """Return make(), stories x features, kept in the user's cache folder under the checksum of the
    table's texts."""
    text = "\n".join([*table["text"], *table["prompt_text"]])
    path = cache_folder() / f"hanna-{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.npy"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, make())
    return np.load(path)


def embed(table):
    """Return stories x 385: sentence embeddings, and last the cosine of story and prompt."""
    asked = table["prompt_text"].drop_duplicates()
    prompt, story = dict(zip(asked, embeddings.embed(asked))), embeddings.embed(table["text"])
    prompts = np.array([prompt[text] for text in table["prompt_text"]])
    return np.column_stack([story, (story * prompts).sum(axis=1)])


def read_along(prompt, text, tokens=320):
    """Return 11 statistics of SmolLM2's log-likelihoods of a story's first tokens after its prompt,
    and its mean state there."""
    head = [1, *likelihood.tokenize(prompt.strip() + "\n\n")]  # 1: the model's first token
    logs, states = likelihood.forward(head + likelihood.tokenize(text.strip())[:tokens])
    logs = logs[len(head) - 1 :]
    third = max(len(logs) // 3, 1)
    first, last = logs[:third].mean(), logs[-third:].mean()
    whole = [logs.mean(), logs.std(), np.median(logs), first, last, last - first]
    ends = [(logs < -8).mean(), (logs > -0.1).mean(), np.percentile(logs, 10)]
    steps = [np.abs(np.diff(logs)).mean(), logs[:40].mean()]
    return np.r_[whole, ends, steps, states[len(head) :].mean(axis=0)]


def feature_sets(table):
    """Return {name: features}, columns (block, feature): of the text, the open numbers, and two
    small models (MiniLM's embeddings, SmolLM2's reading)."""
    cells = load.read_cells()
    groups, words = load.feature_groups(cells), texts.describe(table["text"], table["prompt_text"])

    def blocks(**arrays):
        found = {name: pd.DataFrame(x).rename(columns=str) for name, x in arrays.items()}
        return pd.concat(found, axis=1)

    metrics = load.features(cells, groups["18 reference-free"])
    rated = {"LLM ratings": load.features(cells, groups["LLM ratings"])}
    numbers = blocks(metrics=metrics, **rated)
    found = kept("embeddings", table, partial(embed, table))
    pairs = list(zip(table["prompt_text"], table["text"]))
    read = kept("smollm2", table, lambda: np.array([read_along(*pair) for pair in pairs]))
    near = blocks(embeddings=found[:, :-1], cosine=found[:, -1:])
    small = near.join(blocks(likelihood=read[:, :11], states=read[:, 11:]))
    return {
        "text": words,
        "open numbers": numbers,
        "text and numbers": words.join(numbers),
        "text and small models": words.join(small),
        "all": words.join(numbers).join(small),
    }


def measure(predictions, targets, prompts, systems=None, against=None):
    """Return one row per prediction, target and measure (r; rho: r of ranks)."""
    rows = {}
    for target, truth in targets.items():
        for name, view in (("r", np.asarray), ("rho", lambda x: rankdata(x).reshape(np.shape(x)))):
            seen = {key: view(value) for key, value in predictions.items()}
            rows[target, name] = compare.compare(seen, view(truth), prompts, systems, against)
    return pd.concat(rows, names=["target", "measure", "features"]).reset_index()


def compare_pairs(features, targets, prompts, splits):
    """Return r over pairs of a ridge that sees each story alone and of one that sees both, and the
    gain of the second."""
    x, (a, b), parts = features.to_numpy(float), agreement.pair_up(prompts), []
    models = {"one story": train.RankRidge, "both stories": pairwise.PairRidge}
    for target, truth in targets.items():
        said = {
            name: pairwise.predict_differences(x, truth, prompts, splits, model)
            for name, model in models.items()
        }
        for name, against in (("r", None), ("r, gain", "one story")):
            rows = compare.compare(said, truth[:, a] - truth[:, b], prompts[a], against=against)
            parts.append(rows.assign(target=target, measure=name))
    return pd.concat(parts).rename_axis("features").reset_index()


def study(light=False):
    """Return the table: KEY, estimate, low, high, n, data (checksum); light: the text's features on
    new prompts alone.

    Intervals speak of other prompts, for folds 'system' and 'both' of other writers too.
    """
    sheets, table = load.load_annotations(), load.load_texts()
    arrays, who, stories = load.rating_array(sheets)
    prompts, systems = stories["prompt"].to_numpy(), stories["system"].to_numpy()
    free = raters.without_severity(arrays, who).mean(axis=2)
    targets = {"mean ratings": arrays.mean(axis=2), "without severity": free}
    text = texts.describe(table["text"], table["prompt_text"])
    sets = {"text": text} if light else feature_sets(table)
    ten, parts = np.isin(prompts, train.generator_split()[1]), []
    for fold in ["prompt"] if light else FOLDS:
        splits = train.folds(prompts, systems, fold, FOLDS[fold])
        groups, writers = (prompts, None) if fold == "prompt" else (systems, systems)
        sight = {"arrays": arrays, "who": who, "splits": splits, "groups": groups}
        guess = partial(predict_out_of_fold, **sight)
        found = {name: guess(features) for name, features in sets.items()}
        made = {}
        if fold == "prompt" and not light:
            features = sets["all"]
            less = {
                f"without {block}": guess(features.drop(columns=block, level=0))
                for block in features.columns.unique(0)
            }
            less["without all of text"] = guess(features.drop(columns=text.columns))
            less["all"] = found["all"]
            made["blocks"] = measure(less, targets, prompts, against="all")
            made["pairs"] = compare_pairs(sets["text and numbers"], targets, prompts, splits)
        made["evaluators"] = measure(found, targets, prompts, writers)
        if fold == "prompt":
            ours, truth = (
                {name: values[:, ten] for name, values in of.items()} for of in (found, targets)
            )
            made["ten prompts"] = measure(ours, truth, prompts[ten])
        parts += [part.assign(study=name, folds=fold) for name, part in made.items()]
    columns = [*KEY, "estimate", "low", "high", "n"]
    sheets = registry()["hanna"]["files"][load.SHEETS]
    return pd.concat(parts, ignore_index=True)[columns].assign(data=sheets["sha256"][:12])


if __name__ == "__main__":
    if sys.argv[1:] == ["text"]:
        both = study(light=True).merge(pd.read_csv(TABLE), on=KEY, suffixes=("", " recorded"))
        print((both["estimate"] - both["estimate recorded"]).abs().describe())
    else:
        study().to_csv(TABLE, index=False, float_format="%.4f", lineterminator="\n")
