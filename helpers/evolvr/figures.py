"""Pictures of notebook 05b: attrition as funnels, a story pair with its rationales, scores beside N partners."""
import matplotlib.pyplot as plt
import numpy as np

from helpers.figures import COLOURS
from helpers.judges.labels import parse_scores


def draw_funnels(counts, stages):
    """Return funnels side by side, one a pipeline: centred bars as wide as the share of the pool that is left, with counts.

    counts: {title: (colour or key of COLOURS, number left after each stage)}, the first being the whole pool.
    """
    fig, axes = plt.subplots(1, len(counts), figsize=(9, 0.42 * len(stages) + 1), sharey=True, squeeze=False)
    rows = np.arange(len(stages))
    for ax, (title, (colour, left)) in zip(axes[0], counts.items()):
        left = np.asarray(left, float)
        share = left / max(left[0], 1)
        ax.barh(rows, np.maximum(share, 0.004), left=0.5 - share / 2, height=0.8,
                color=COLOURS.get(colour, colour), alpha=0.35)
        for row, number, part in zip(rows, left, share):
            ax.text(0.5, row, f"{number:,.0f} ({part:.0%})", ha="center", va="center", fontsize=8)
        ax.set_title(title, fontsize=9)
        ax.set(xlim=(-0.02, 1.02), ylim=(len(stages) - 0.4, -0.6), yticks=rows, yticklabels=stages, xticks=[])
        ax.grid(False)
        ax.spines[["left", "bottom"]].set_visible(False)
    fig.tight_layout(rect=(0, 0, 1, 0.93))
    return fig


def side_by_side(texts, rationales):
    """Return Markdown: the two stories of one pair beside each other, below them two rationales and what the rule check reads.

    texts: {story: text shown to the judge}; rationales: two rows of a pool (story_a, story_b, aspect, scores, persona,
    rationale) about the same pair in the same order. ValueError if they are not.
    """
    first, second = rationales.to_dict("records")
    if any(first[key] != second[key] for key in ("story_a", "story_b", "aspect")):
        raise ValueError("the two rationales are about different pairs; expected one pair in one order")
    columns = []
    for side, row in zip("ab", (first, second)):
        found = parse_scores(row["rationale"] or "")
        story, score = row[f"story_{side}"], row[f"score_{side}"]
        columns.append([f"Story {side.upper()}, `{story}`: {score} of 5 on {row['aspect']}", cell(texts[story]) + " …",
                        f"**Rationale, {row['persona']}**", cell(row["rationale"] or "(none)"),
                        f"Rule check reads: {f'A {found[0]}, B {found[1]}' if found else 'no scores'}, so "
                        + ("it stays" if found == (row["score_a"], row["score_b"]) else "it goes")])
    lines = [f"| {left} | {right} |" for left, right in zip(*columns)]
    return "\n".join([lines[0], "|:---|:---|", *lines[1:]])


def cell(text):
    """Return a text as the content of a Markdown table's cell: one line, nothing in it read as markup."""
    text = " ".join(text.split())
    for mark in "\\|*_`[]#":
        text = text.replace(mark, "\\" + mark)
    return text.replace("<", "&lt;").replace(">", "&gt;").replace("$", "\\$")


def draw_partners(panels):
    """Return small multiples, one a number of partners: mean rating against the averaged score of each story and aspect.

    panels: {N: (averaged scores, truth)}, arrays of one shape.
    """
    fig, axes = plt.subplots(1, len(panels), figsize=(2.2 * len(panels) + 0.6, 2.7), sharex=True, sharey=True, squeeze=False)
    for ax, (partners, (scores, truth)) in zip(axes[0], panels.items()):
        x, y = np.ravel(scores), np.ravel(truth)
        ax.plot(x, y, ".", ms=3, alpha=0.4, color=COLOURS["simulated"])
        ax.set_title(f"N = {partners}: r = {np.corrcoef(x, y)[0, 1]:.3f}", fontsize=9)
        ax.set(xlabel="score, averaged", xlim=(0.9, 5.1), ylim=(0.9, 5.1), xticks=range(1, 6), yticks=range(1, 6))
    axes[0, 0].set_ylabel("mean rating")
    fig.tight_layout(rect=(0, 0, 1, 0.94))
    return fig


def draw_curves(curves, title):
    """Return r over the number of partners N (index): one line a column (way, noise); ways: averaged, one list, printed."""
    fig, ax = plt.subplots(figsize=(7, 5), layout="constrained")
    colours = {"averaged": "simulated", "one list": "baseline", "printed": "published"}
    places = np.arange(len(curves))
    for (way, noise), column in curves.items():
        ax.plot(places, column, "o-", color=COLOURS[colours[way]], ms=4)
        what = f"{way}, {noise}" if way == "printed" else f"{way}, whims {noise}"
        ax.text(places[-1] + 0.1, column.iloc[-1], what, fontsize=7, va="center")
    ax.set(xticks=places, xticklabels=curves.index, xlim=(-0.2, len(curves) + 0.1))
    ax.set_xlabel("N partners, each in both orders", fontsize=9)
    ax.set_ylabel("Pearson's r with mean ratings", fontsize=9)
    fig.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    return fig
