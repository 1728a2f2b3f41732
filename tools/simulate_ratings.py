"""Make the sample files of `goodjudge demo`: goodjudge/samples/, SIMULATED with a known truth.

    python -m tools.simulate_ratings

Sixty made-up texts, three on each of twenty prompts, by three writers. Each text has a true
quality, which no file shows; four raters see it with noise, and each is somewhat strict or lenient.
Two judges: *reads well* sees the quality with less noise than a rater; *likes length* knows only
the number of words, which has nothing to do with the quality. So it is known what a card should
say: the first judge leads every control and is as good as one more rater, the second neither.
Its README.md has the columns; a test makes the files anew, to the same bytes.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from helpers.sources.public import ROOT

FOLDER = ROOT / "packages" / "goodjudge" / "src" / "goodjudge" / "samples"
SEED = 2664  # with it, length and quality are hardly related in these few texts too (r = 0.01)
PROMPTS, EACH = 20, 3  # texts on a prompt
WRITERS = {"a person": 0.7, "model A": 0.0, "model B": -0.7}  # how much better than the average
WITHIN = 0.7  # standard deviation of the qualities of one writer's texts
RATERS = {"Ann": 0.5, "Bob": -0.4, "Cem": 0.1, "Dana": -0.2}  # how much lenient, in points
NOISE = 0.7  # of a rater, where qualities have a standard deviation of about 1
NOISE_OF_JUDGE = 0.5
POINTS = 1.2  # of the scale from 1 to 7, for one standard deviation of quality
ORDERING = ("Ann", "Bob", "Cem")  # the raters of pairs and ranks
TIE = 0.2  # a smaller lead is none


def draw_texts(rng):
    """Return the texts: item, group (prompt), writer, words and the true quality."""
    rows = []
    for number in range(PROMPTS * EACH):
        prompt = number // EACH + 1
        writer = list(WRITERS)[rng.integers(len(WRITERS))]
        quality = WITHIN * rng.normal() + WRITERS[writer]
        name = f"text {number + 1:02d}"
        rows.append([name, f"prompt {prompt:02d}", writer, int(rng.integers(150, 450)), quality])
    return pd.DataFrame(rows, columns=["item", "group", "writer", "words", "quality"])


def to_scale(points):
    """Return points on the scale from 1 to 7, rounded to whole numbers."""
    return np.clip(np.round(points), 1, 7).astype(int)


def rate_texts(texts, rng):
    """Return one row per text and rater: item, group, writer, words, rater, score."""
    parts = []
    for rater, lenience in RATERS.items():
        seen = texts["quality"] + NOISE * rng.normal(size=len(texts))
        score = to_scale(4 + lenience + POINTS * seen)
        parts.append(texts.assign(rater=rater, score=score, number=range(len(texts))))
    ratings = pd.concat(parts).sort_values(["number", "rater"], kind="stable")
    return ratings.drop(columns=["quality", "number"])


def score_texts(texts, rng):
    """Return the scores of both judges: item, judge, score."""
    seen = texts["quality"] + NOISE_OF_JUDGE * rng.normal(size=len(texts))
    by_words = (texts["words"] - 150) / 300  # 0 to 1
    scores = {
        "reads well": to_scale(4.5 + POINTS * seen),
        "likes length": to_scale(1 + 6 * by_words),
    }
    parts = [texts[["item"]].assign(judge=judge, score=score) for judge, score in scores.items()]
    return pd.concat(parts)


def prefer_one(texts, rng):
    """Return a pair of texts on each prompt, and which of the two three raters prefer: item_a,
    item_b, rater, preferred (a, b or tie), group, and writer and words of both."""
    rows = []
    for prompt, on_prompt in texts.groupby("group", sort=False):
        first, second = on_prompt.iloc[rng.permutation(EACH)[:2]].to_dict("records")
        facts = {"group": prompt}
        for name in ("writer", "words"):
            facts |= {f"{name}_a": first[name], f"{name}_b": second[name]}
        for rater in ORDERING:
            noise = NOISE * (rng.normal() - rng.normal())  # each of the two is seen with noise
            preferred = choose_side(first["quality"] - second["quality"] + noise)
            row = {"item_a": first["item"], "item_b": second["item"]}
            rows.append(row | {"rater": rater, "preferred": preferred} | facts)
    return pd.DataFrame(rows)


def choose_side(lead):
    """Return "a" for a lead of the first, "b" of the second, "tie" for a small one."""
    if abs(lead) < TIE:
        return "tie"
    return "a" if lead > 0 else "b"


def rank_texts(texts, rng):
    """Return the ranks that three raters gave the texts of each prompt, 1 for the best: item,
    group, writer, words, rater, rank."""
    parts = []
    for _, on_prompt in texts.groupby("group", sort=False):
        quality = on_prompt["quality"]
        for rater in ORDERING:
            seen = quality + NOISE * rng.normal(size=EACH)
            rank = seen.rank(ascending=False, method="first").astype(int)
            parts.append(on_prompt.assign(rater=rater, rank=rank))
    return pd.concat(parts).drop(columns="quality")


def make_tables():
    """Return {name of a file: its table}, the same at every call."""
    rng = np.random.default_rng(SEED)
    texts = draw_texts(rng)
    ratings = rate_texts(texts, rng)
    wide = ratings.pivot(index="item", columns="rater", values="score")
    wide.columns = [f"rater {number}" for number in range(1, len(RATERS) + 1)]
    wide = texts[["item", "writer", "group"]].merge(wide.reset_index(), on="item")
    form = ratings.pivot(index="rater", columns="item", values="score").reset_index()
    return {
        "ratings.csv": ratings,
        "scores.csv": score_texts(texts, rng),
        "pairs.csv": prefer_one(texts, rng),
        "ranks.csv": rank_texts(texts, rng),
        "wide.csv": wide,
        "form.csv": form.rename(columns={"rater": "participant"}),
    }


def write_tables(folder=FOLDER):
    """Write all files into a folder; return their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, table in make_tables().items():
        paths.append(folder / name)
        table.to_csv(paths[-1], index=False, lineterminator="\n")
    return paths


if __name__ == "__main__":
    print("written:", *write_tables(), sep="\n  ")
