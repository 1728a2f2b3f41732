"""Figures of the two studies on ttcw that `figures.dots` does not draw."""

import matplotlib.pyplot as plt
import numpy as np

from helpers import figures
from helpers.ttcw.data import DIMENSIONS, TEST_NAMES, WRITERS
from helpers.ttcw.experts import average_reliability

MARKS = dict(zip(WRITERS, "oDs^"))
PLACES = {test: -place for place, test in enumerate(sum(DIMENSIONS.values(), []))}


def by_writer(table, label, places=PLACES):
    """Return a figure with one row a test (or a judge), one mark a writer.

    table: rows x writers, percentages; or a table with rows (writer, row) and estimate, low, high.
    """
    fig, ax = plt.subplots(figsize=(8, 0.33 * len(places) + 1.4), layout="constrained")
    for k, writer in enumerate(WRITERS):
        colour, shift = figures.COLOURS[writer], 0.17 * (1.5 - k)
        if "low" in table:
            rows = table.loc[writer]
            y = np.array([places[name] for name in rows.index]) + shift
            ax.hlines(y, rows["low"], rows["high"], color=colour, alpha=0.45, lw=2.5)
            values = rows["estimate"]
        else:
            values = table[writer]
            y = np.array([places[name] for name in values.index], float)
        ax.plot(values, y, MARKS[writer], ms=6, color=colour, label=writer)
    names = [TEST_NAMES.get(row, row) for row in places]
    ax.set(yticks=list(places.values()), yticklabels=names, xlim=(-3, 103), xlabel=label)
    fig.legend(*ax.get_legend_handles_labels(), ncols=4, loc="outside lower center")
    return fig


def two_kappas(first, second, labels, colours):
    """Return a figure with two marks a test: two Series by test; `labels` and `colours` name the two."""
    fig, ax = plt.subplots(figsize=(8, 5.4), layout="constrained")
    y = [PLACES[test] for test in first.index]
    ax.hlines(y, first, second.loc[first.index], color="#BBBBBB", lw=1.5, zorder=0)
    for values, label, colour, mark in zip((first, second.loc[first.index]), labels, colours, "os"):
        look = {"ms": 11, "mfc": "none"} if mark == "o" else {"ms": 6}
        ax.plot(values, y, mark, color=figures.COLOURS[colour], label=label, **look)
    ax.axvline(0, color="#555555", lw=0.8)
    ax.set(yticks=list(PLACES.values()), yticklabels=[TEST_NAMES[test] for test in PLACES])
    ax.set_xlabel("Fleiss' kappa of three experts; right is better")
    fig.legend(*ax.get_legend_handles_labels(), ncols=2, loc="outside lower center")
    return fig


def panel_sizes(rows, colours, most=30, target=0.8):
    """Return a figure of the reliability of a mean of 1, 2, … experts. rows: {label: estimate, low, high of r}."""
    fig, ax = plt.subplots(figsize=(7.2, 4), layout="constrained")
    experts = np.arange(1, most + 1)
    for (label, r), colour in zip(rows.items(), (figures.COLOURS[name] for name in colours)):
        low, middle, high = (average_reliability(max(r[end], 0), experts) for end in ("low", "estimate", "high"))
        ax.fill_between(experts, low, high, color=colour, alpha=0.15, lw=0)
        ax.plot(experts, middle, color=colour, lw=2, label=label)
    ax.axhline(target, color="#555555", lw=1, ls="--")
    ax.set(xlabel="experts a story", ylabel="reliability of their mean", xlim=(1, most), ylim=(0, 1))
    fig.legend(*ax.get_legend_handles_labels(), ncols=2, loc="outside lower center")
    return fig


def two_panels(tables, colours, reference, label, measure):
    """Return a figure of two dot plots side by side: {title: rows estimate, low, high}, a dashed line at `reference`."""
    size = len(next(iter(tables.values())))
    fig, axes = plt.subplots(1, 2, figsize=(9, 0.36 * size + 1.6), sharex=True, sharey=True, layout="constrained")
    for ax, (title, table) in zip(axes, tables.items()):
        for place, (name, one) in enumerate(table.iterrows()):
            colour = figures.COLOURS[colours.get(name, "judge")]
            ax.hlines(-place, one["low"], one["high"], lw=2.5, color=colour)
            ax.plot(one["estimate"], -place, "o", ms=6, color=colour)
        ax.axvline(reference, color="#555555", lw=1, ls="--", zorder=0)
        ax.text(reference, 0.75, f" {label}", fontsize=8, color="#333333")
        ax.set(title=title, yticks=-np.arange(size), yticklabels=table.index, ylim=(0.4 - size, 1.2))
        ax.grid(axis="y", visible=False)
    fig.supxlabel(f"{measure}; lines: 95 % interval, 12 groups; right is better", fontsize=9)
    return fig
