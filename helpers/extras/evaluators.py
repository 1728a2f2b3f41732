"""Compare evaluators of HANNA's stories out of fold, block by block: `python -m
helpers.extras.evaluators` writes the table.

About an hour of one core: notebook 05 reads the table `data/recorded/evaluators.csv`. It needs the
extras `embed` and `local`.
"""

import hashlib
from functools import partial

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from helpers.evolvr import compare, evaluator, hanna, pairwise, raters, texts, train
from helpers.extras import embeddings, likelihood
from helpers.sources.public import ROOT, cache_folder, checksum

TABLE = ROOT / "data" / "recorded" / "evaluators.csv"
FOLDS = {"prompt": 8, "system": 11, "both": 3}


def kept(name, table, make):
    """Return make(), stories x features, kept in the user's cache folder under the checksum of the
    table's texts."""
    key = hashlib.sha256("\n".join([*table["text"], *table["prompt_text"]]).encode()).hexdigest()[
        :12
    ]
    path = cache_folder() / f"hanna-{name}-{key}.npy"
    if not path.exists():
        found = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, found)
    return np.load(path)


def embed(table):
    """Return stories x 385: sentence embeddings, and last the cosine of story and prompt."""
    asked = table["prompt_text"].drop_duplicates()
    prompt, story = dict(zip(asked, embeddings.embed(asked))), embeddings.embed(table["text"])
    return np.column_stack(
        [story, (story * np.array([prompt[text] for text in table["prompt_text"]])).sum(axis=1)]
    )


def read_along(prompt, text, tokens=320):
    """Return 11 statistics of SmolLM2's log-likelihoods of a story's first tokens after its prompt,
    and its mean state there."""
    head = [1, *likelihood.tokenize(prompt.strip() + "\n\n")]  # 1: the model's first token
    logs, states = likelihood.forward(head + likelihood.tokenize(text.strip())[:tokens])
    logs, third = logs[len(head) - 1 :], max((len(logs) - len(head) + 1) // 3, 1)
    first, last = logs[:third].mean(), logs[-third:].mean()
    return np.r_[
        logs.mean(),
        logs.std(),
        np.median(logs),
        first,
        last,
        last - first,
        (logs < -8).mean(),
        (logs > -0.1).mean(),
        np.percentile(logs, 10),
        np.abs(np.diff(logs)).mean(),
        logs[:40].mean(),
        states[len(head) :].mean(axis=0),
    ]


def as_blocks(**arrays):
    """Return a table with columns (block, number) from arrays stories x features."""
    return pd.concat(
        {name: pd.DataFrame(values).rename(columns=str) for name, values in arrays.items()}, axis=1
    )


def feature_sets(cells, table):
    """Return {name: features}: of the text, the open numbers, and two small models (MiniLM's
    embeddings, SmolLM2's reading)."""
    groups, words = hanna.feature_groups(cells), texts.describe(table["text"], table["prompt_text"])
    numbers = as_blocks(
        metrics=hanna.features(cells, groups["18 reference-free"]),
        **{"LLM ratings": hanna.features(cells, groups["LLM ratings"])},
    )
    found = kept("embeddings", table, partial(embed, table))
    read = kept(
        "smollm2",
        table,
        lambda: np.array(list(map(read_along, table["prompt_text"], table["text"]))),
    )
    small = as_blocks(
        embeddings=found[:, :-1], cosine=found[:, -1:], likelihood=read[:, :11], states=read[:, 11:]
    )
    return {
        "text": words,
        "open numbers": numbers,
        "text and numbers": words.join(numbers),
        "text and small models": words.join(small),
        "all": words.join(numbers).join(small),
    }


def measure(predictions, targets, prompts, systems, against=None):
    """Return one row a prediction, target and measure (r; rho: r of ranks):
    estimate, low, high, n."""
    rows = {}
    for target, truth in targets.items():
        for name, view in (("r", np.asarray), ("rho", lambda x: rankdata(x).reshape(np.shape(x)))):
            seen = {key: view(value) for key, value in predictions.items()}
            rows[target, name] = compare.compare(seen, view(truth), prompts, systems, against)
    return pd.concat(rows, names=["target", "measure", "features"]).reset_index()


def study(by=tuple(FOLDS), light=False):
    """Return the table: study, folds, target, measure, features, estimate, low, high, n, data
    (checksum).

    by: which folds; light: the text's features alone. Otherwise also, on new prompts, by how much
    each block's absence changes r, and what seeing both stories of a pair adds. Intervals speak of
    other prompts, for folds 'system' and 'both' of other writers too. ImportError or LocalError
    says what to install for the models' features.
    """
    sheets, _ = hanna.load_annotations()
    arrays, who, stories = hanna.rating_array(sheets)
    prompts, systems = stories["prompt"].to_numpy(), stories["system"].to_numpy()
    targets = {
        "mean ratings": arrays.mean(axis=2),
        "without severity": raters.without_severity(arrays, who).mean(axis=2),
    }
    table = hanna.load_texts()
    sets = (
        {"text": texts.describe(table["text"], table["prompt_text"])}
        if light
        else feature_sets(hanna.read_cells(), table)
    )
    largest, parts, ten = list(sets)[-1], [], np.isin(prompts, train.generator_split()[1])
    for fold in by:
        guess = partial(
            evaluator.predict_out_of_fold,
            arrays=arrays,
            who=who,
            splits=train.folds(prompts, systems, fold, FOLDS[fold]),
            groups=prompts if fold == "prompt" else systems,
        )
        writers = None if fold == "prompt" else systems
        found = {name: guess(features) for name, features in sets.items()}
        if fold == "prompt" and not light:
            features = sets[largest]
            less = {
                f"without {block}": guess(features.drop(columns=block, level=0))
                for block in features.columns.unique(0)
            }
            less["without all of text"] = guess(features.drop(columns=sets["text"].columns))
            parts.append(
                measure(less | {largest: found[largest]}, targets, prompts, None, largest).assign(
                    study="blocks"
                )
            )
            parts.append(
                compare_pairs(sets["text and numbers"], targets, prompts, systems).assign(
                    study="pairs"
                )
            )
        parts.append(measure(found, targets, prompts, writers).assign(study="evaluators"))
        if fold == "prompt":
            ours, truth = (
                {name: values[:, ten] for name, values in table.items()}
                for table in (found, targets)
            )
            parts.append(measure(ours, truth, prompts[ten], None).assign(study="ten prompts"))
        parts = [part.assign(folds=part.get("folds", fold)) for part in parts]
    columns = ["study", "folds", "target", "measure", "features", "estimate", "low", "high", "n"]
    return pd.concat(parts, ignore_index=True)[columns].assign(data=checksum(hanna.SHEETS)[:12])


def compare_pairs(features, targets, prompts, systems):
    """Return r over pairs of a ridge that sees each story alone and of one that sees both, and the
    gain of the second.

    Both learn the target that they are tested on; severity, where it is away, was estimated from
    all stories.
    """
    x, splits = features.to_numpy(float), train.folds(prompts, systems, "prompt")
    first, second = pairwise.pair_up(prompts)
    rows = []
    for target, truth in targets.items():
        said = {
            name: pairwise.predict_differences(x, truth, prompts, splits, model)
            for name, model in (
                ("one story", train.RankRidge),
                ("both stories", pairwise.PairRidge),
            )
        }
        better, at = truth[:, first] - truth[:, second], prompts[first]
        rows += [
            compare.compare(said, better, at).assign(target=target, measure="r"),
            compare.compare(said, better, at, against="one story").assign(
                target=target, measure="r, gain"
            ),
        ]
    return pd.concat(rows).rename_axis("features").reset_index()


if __name__ == "__main__":
    study().to_csv(TABLE, index=False, float_format="%.4f", lineterminator="\n")
