"""Gather the cells of a sweep into one tidy table and one figure."""
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from scipy.stats import t
from statsmodels.stats.proportion import proportion_confint

from helpers import figures
from helpers.sources.files import replace_file
from helpers.workshop.sweep_config import read_cell


def gather(folder, cells):
    """Return one row a cell in grid order: cell, notebook, parameters, status, seconds, source, values, error.

    cells: as from `sweep_config.list_cells`; a cell that has not run is `pending`, one that ran before the code changed is
    `outdated` (only known where the cell carries a fingerprint).
    """
    rows = []
    for cell in cells:
        record = read_cell(Path(folder) / cell["cell"])
        status = record.get("status", "pending")
        if record and record["fingerprint"] != cell.get("fingerprint", record["fingerprint"]):
            status = "outdated"
        flat = {name: " ".join(map(str, v)) if isinstance(v, list) else v for name, v in cell["parameters"].items()}
        rows.append({"cell": cell["cell"], "notebook": Path(cell["notebook"]).stem, **flat, "status": status,
                     "seconds": record.get("seconds"), "source": record.get("source", ""), **record.get("values", {}),
                     "error": record.get("error", "")})
    table = pd.DataFrame(rows)
    return table[[*(name for name in table if name != "error"), "error"]]


def list_values(table, parameters):
    """Return the names of the columns that notebooks computed, in their order."""
    return [name for name in table if name not in {"cell", "notebook", "status", "seconds", "source", "error", *parameters}]


def choose_axes(table, config):
    """Return (value, x, colour or None): what `figure` in the sweep file says, else the first value and first two parameters.

    Raises ValueError naming a column that the table does not have, or if the notebooks saved no values.
    """
    values = list_values(table, {**config["grid"], **config["fixed"]})
    varied = [*(["notebook"] if len(config["notebooks"]) > 1 else []),
              *(name for name, choices in config["grid"].items() if len(choices) > 1 and name != "seed")]
    if not values:
        raise ValueError("no figure: the notebooks saved no `values` (see results.save_findings)")
    free = [name for name in varied if name not in config["figure"].values()] or ["notebook"]
    x = config["figure"].get("x") or free.pop(0)
    chosen = (config["figure"].get("y", values[0]), x, config["figure"].get("colour", (free or [None])[0]))
    for name in chosen:
        if name is not None and name not in table:
            raise ValueError(f"no figure: the table has no column {name!r}; it has: {', '.join(values + varied)}")
    return (*chosen[:2], None if chosen[2] == x else chosen[2])


def average(table, value, by):
    """Return mean, 95 % interval over cells (low, high) and n of `value` for each combination of the columns `by`.

    Values that are all 0 or 1 get Wilson's interval for a share, others Student's t; one cell alone has none (nan).
    """
    found = table.groupby(by)[value].agg(["mean", "sem", "count", "sum"]).reset_index().rename(columns={"count": "n"})
    if table[value].isin([0, 1]).all():
        low, high = proportion_confint(found["sum"], found["n"], method="wilson")
        low, high = low.where(found["n"] > 1), high.where(found["n"] > 1)
    else:
        half = t.ppf(0.975, found["n"].sub(1).clip(lower=1)) * found["sem"]
        low, high = found["mean"] - half, found["mean"] + half
    return found.assign(low=low, high=high)[[*by, "mean", "low", "high", "n"]]


def draw(table, config):
    """Return (figure, text): means and intervals over cells, one colour a second parameter; the text says the same in words."""
    value, x, colour = choose_axes(table, config)
    done = table[table["status"].eq("ok") & table[value].notna()]
    means = average(done, value, [name for name in (x, colour) if name])
    places = {key: place for place, key in enumerate(means[x].unique())}
    parts = [("all", means)] if colour is None else list(means.groupby(colour))
    palette = sns.color_palette("colorblind", len(parts))
    fig, ax = plt.subplots(figsize=(8, 4))
    for k, (label, part) in enumerate(parts):
        at = part[x].map(places) + 0.5 * ((k + 0.5) / len(parts) - 0.5)
        bars = [part["mean"] - part["low"], part["high"] - part["mean"]]
        ax.errorbar(at, part["mean"], bars, fmt="oDs^vP"[k % 6], ms=6, capsize=3, color=palette[k], label=f"{colour} {label}")
    ax.set(xticks=list(places.values()), xlabel=x, ylabel=value)
    ax.set_xticklabels(list(places), rotation=30 if max(len(str(key)) for key in places) > 10 else 0, ha="center")
    if colour:
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    top = means.to_dict("records")[means["mean"].idxmax()]
    where = ", ".join(f"{name} {top[name]}" for name in (x, colour) if name)
    interval = f" [{top['low']:.3f}, {top['high']:.3f}], n = {top['n']} cells" if top["n"] > 1 else " (one cell, no interval)"
    finding = f"{value} is highest at {where}: {top['mean']:.3f}{interval}"
    judges = set(done["judge"]) if "judge" in done else set()
    simulated = set(done["source"]) - {"open"} or any(str(judge).startswith("simulated/") for judge in judges)
    fig.suptitle(("SIMULATED: " if simulated else "") + finding, x=0.01, ha="left", fontsize=11, fontweight="bold")
    return fig, (f"{finding}. Mean and 95 % interval over {len(done)} finished cells of the sweep {config['name']}:\n\n"
                 f"{means.round(4).to_string(index=False)}\n")


def report(config, cells):
    """Write table.csv, figure.png and figure.txt (the figure in words) of a sweep; return the lines to print."""
    folder, table = config["folder"], gather(config["folder"], cells)
    replace_file(folder / "table.csv", table.to_csv(index=False, lineterminator="\n"))
    counts = ", ".join(f"{n} {status}" for status, n in table["status"].value_counts().items())
    lines = [f"{counts}; table: {folder / 'table.csv'}"]
    if table["status"].eq("ok").any():
        try:
            figures.style()
            fig, text = draw(table, config)
        except ValueError as fault:
            return [*lines, str(fault)]
        (folder / "figure.png").write_bytes(figures.png(fig))
        replace_file(folder / "figure.txt", text)
        lines.append(f"figure: {folder / 'figure.png'}\n{text.splitlines()[0]}")
    return lines
