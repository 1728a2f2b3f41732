"""Pictures of notebooks 05 and 05b: lines, funnels, scores, a pair with its rationales."""

import matplotlib.pyplot as plt
import numpy as np

from helpers.figures import COLOURS, SMALL, WIDTH, label_lines, panels
from helpers.judges.labels import parse_scores


def draw_funnels(counts, stages):
    """Return funnels side by side, one per pipeline: centred bars as wide as the share of the pool
    that is left, with counts.

    counts: {title: (colour or key of COLOURS, number left after each stage)}, the first being the
    whole pool.
    """
    fig, axes = panels(len(counts), 0.48 * len(stages) + 0.6, across=True, sharey=True)
    rows = np.arange(len(stages))
    for ax, (title, (colour, left)) in zip(axes, counts.items()):
        left = np.asarray(left, float)
        share, edge = left / max(left[0], 1), COLOURS.get(colour, colour)
        face = "white" if colour == "published" else (edge, 0.2)
        wide = share[left > 0]
        ax.barh(rows[left > 0], wide, left=0.5 - wide / 2, height=0.84, ec=edge, lw=1, fc=face)
        for row, number, part in zip(rows, left, share):
            beside = 0 < part < 0.4  # the numbers do not fit into a narrow bar
            place, side = (0.55 + part / 2, "left") if beside else (0.5, "center")
            text = f"{number:,.0f}\n{100 * part:.0f} %"
            ax.text(place, row, text, va="center", size=SMALL, ha=side)
        ax.set_title(title, loc="center", color=edge)
        ax.set(xlim=(-0.02, 1.02), ylim=(len(stages) - 0.5, -0.5), xticks=[])
        ax.set(yticks=rows, yticklabels=stages)
        ax.grid(False)
        ax.spines[["left", "bottom"]].set_visible(False)
    return fig


def side_by_side(texts, rationales):
    """Return Markdown: the two stories of one pair beside each other, below them two rationales and
    what the rule check reads.

    texts: {story: text shown to the judge}; rationales: two rows of a pool (story_a, story_b,
    aspect, scores, persona, rationale) about the same pair in the same order.
    """
    columns = []
    for side, row in zip("ab", rationales.to_dict("records")):
        found = parse_scores(row["rationale"])
        story, score = row[f"story_{side}"], row[f"score_{side}"]
        read = f"A {found[0]}, B {found[1]}" if found else "no scores"
        stays = "stays" if found == (row["score_a"], row["score_b"]) else "goes"
        columns.append(
            [
                f"Story {side.upper()}, `{story}`: {score} of 5 on {row['aspect']}",
                _cell(texts[story]) + " …",
                f"**Rationale, {row['persona']}**",
                _cell(row["rationale"]),
                f"Rule check reads: {read}, so it {stays}",
            ]
        )
    lines = [f"| {left} | {right} |" for left, right in zip(*columns)]
    return "\n".join([lines[0], "|:---|:---|", *lines[1:]])


def _cell(text):
    """Return a text as the content of a Markdown table's cell: one line, nothing in it read as
    markup."""
    text = " ".join(text.split())
    for mark in "\\|*_`[]#":
        text = text.replace(mark, "\\" + mark)
    return text.replace("<", "&lt;").replace(">", "&gt;").replace("$", "\\$")


def draw_partners(counts):
    """Return small multiples, one per number of partners: mean rating against the averaged score of
    each story and aspect.

    counts: {N: (averaged scores, truth)}, arrays of one shape.
    """
    fig, axes = panels(len(counts), 2.2, across=True, sharex=True, sharey=True)
    for ax, (partners, (scores, truth)) in zip(axes, counts.items()):
        x, y = np.ravel(scores), np.ravel(truth)
        ax.plot(x, y, ".", ms=2, color=COLOURS["simulated"])
        ax.set_title(f"N = {partners}: r = {np.corrcoef(x, y)[0, 1]:.2f}")
        ax.set(xlim=(0.8, 5.2), ylim=(0.8, 5.2), xticks=range(1, 6), yticks=range(1, 6))
    fig.supxlabel("score, averaged over 2N evaluations")
    axes[0].set_ylabel("mean rating")
    return fig


def draw_lines(lines, colours, intervals=()):
    """Return one line per column over the rows of a table (the index's name below them), each named
    at its right end.

    colours: {column: colour or a key of COLOURS}, of which published has hollow dots; intervals:
    {column: (low, high)}, one of each per row, for lines that are drawn bold with their intervals.
    """
    fig, ax = plt.subplots(figsize=(WIDTH, 3.6), layout="constrained")
    places = np.arange(len(lines))
    for name, column in lines.items():
        colour = COLOURS.get(colours[name], colours[name])
        face = "white" if colours[name] == "published" else colour
        size = {"lw": 3, "ms": 7} if name in intervals else {"lw": 1.2, "ms": 4}
        ax.plot(places, column, "o-", color=colour, mfc=face, **size)
        if name in intervals:
            ax.vlines(places, *intervals[name], color=colour, lw=2)
    ax.set(xticks=places, xticklabels=lines.index, xlabel=lines.index.name or "")
    ax.set(xlim=(-0.2, len(lines) - 0.8))
    label_lines(ax, lines.iloc[-1].to_dict(), colours)
    return fig
