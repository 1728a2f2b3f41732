"""Gather the cells of a sweep into one tidy table and one figure."""

import json
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from scipy.stats import t
from statsmodels.stats.proportion import proportion_confint

from helpers import figures
from helpers.sources.files import replace_file


def read_json(path):
    """Return what a JSON file holds; {} if it is not there or damaged by a killed run."""
    try:
        return json.loads(Path(path).read_text(encoding="utf8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}


def gather(folder, cells):
    """Return one row a cell: cell, notebook, parameters, status, seconds, source, values, error.

    cells: as from `sweep.list_cells`; one that has not run is `pending`.
    """
    rows = []
    for cell in cells:
        place, name = Path(folder) / cell["cell"], Path(cell["notebook"]).stem
        record, found = read_json(place / "run.run.json"), read_json(place / f"{name}.json")
        status = record.get("status", "pending")
        flat = {key: " ".join(map(str, value)) if isinstance(value, list) else value
                for key, value in cell["parameters"].items() if key != "outputs"}
        values = found.get("values", {}) if status == "ok" else {}
        rows.append({"cell": cell["cell"], "notebook": name, **flat, "status": status,
                     "seconds": record.get("seconds"), "source": found.get("source", ""), **values,
                     "error": record.get("error", "")})
    table = pd.DataFrame(rows)
    return table[[*table.columns.drop("error"), "error"]]


def choose_axes(table, config):
    """Return (value, x, colour or None): what the sweep file's `figure` says, else the first ones.

    Raises ValueError naming a column that the table has not, or if the notebooks saved no values.
    """
    known = {"cell", "notebook", "status", "seconds", "source", "error"}
    values = [name for name in table if name not in known | {*config["grid"], *config["fixed"]}]
    varied = ["notebook"] * (len(config["notebooks"]) > 1) + [
        name for name, choices in config["grid"].items() if len(choices) > 1 and name != "seed"]
    if not values:
        raise ValueError("no figure: the notebooks saved no `values` (see results.save_findings)")
    asked = config["figure"]
    free = [name for name in varied if name not in asked.values()] or ["notebook"]
    x = asked.get("x") or free.pop(0)
    chosen = [asked.get("y", values[0]), x, asked.get("colour", (free or [None])[0])]
    for name in chosen:
        if name is not None and name not in table:
            raise ValueError(f"no figure: the table has no column {name!r}; "
                             f"it has: {', '.join(values + varied)}")
    return chosen[0], x, None if chosen[2] == x else chosen[2]


def average(table, value, by):
    """Return estimate (mean), low, high (95 %, over cells) and n of `value` for each group `by`.

    Values that are all 0 or 1 get Wilson's interval, others Student's t; one cell alone has none.
    """
    found = table.groupby(by)[value].agg(["mean", "sem", "sum", "count"]).reset_index()
    if table[value].isin([0, 1]).all():
        low, high = proportion_confint(found["sum"], found["count"], method="wilson")
    else:
        half = t.ppf(0.975, found["count"].sub(1).clip(lower=1)) * found["sem"]
        low, high = found["mean"] - half, found["mean"] + half
    several = found["count"] > 1
    found = found.rename(columns={"mean": "estimate", "count": "n"})
    return found.assign(low=low.where(several), high=high.where(several))[
        [*by, "estimate", "low", "high", "n"]]


def draw(table, config):
    """Return (figure, text): means and intervals over cells; the text says the same in words."""
    value, x, colour = choose_axes(table, config)
    done = table[table["status"].eq("ok") & table[value].notna()]
    means = average(done, value, [name for name in (x, colour) if name])
    places = {key: place for place, key in enumerate(means[x].unique())}
    parts = [("all", means)] if colour is None else list(means.groupby(colour))
    fig, ax = plt.subplots(figsize=(8, 4))
    for k, (label, part) in enumerate(parts):
        at = part[x].map(places) + 0.5 * ((k + 0.5) / len(parts) - 0.5)
        bars = [part["estimate"] - part["low"], part["high"] - part["estimate"]]
        ax.errorbar(at, part["estimate"], bars, fmt="oDs^vP"[k % 6], ms=6, capsize=3,
                    color=sns.color_palette("colorblind", len(parts))[k], label=f"{colour} {label}")
    ax.set(xticks=list(places.values()), xlabel=x, ylabel=value)
    long = max(len(str(key)) for key in places) > 10
    ax.set_xticklabels(list(places), rotation=30 if long else 0)
    if colour:
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    top = means.loc[means["estimate"].idxmax()]
    where = ", ".join(f"{name} {top[name]}" for name in (x, colour) if name)
    interval = f" [{top['low']:.3f}, {top['high']:.3f}], n = {top['n']} cells"
    finding = (f"{value} is highest at {where}: {top['estimate']:.3f}"
               + (interval if top["n"] > 1 else " (one cell, no interval)"))
    judges = done["judge"].astype(str) if "judge" in done else pd.Series(dtype=str)
    simulated = set(done["source"]) - {"open"} or judges.str.startswith("simulated/").any()
    fig.suptitle(("SIMULATED: " if simulated else "") + finding, x=0.01, ha="left", fontsize=11,
                 fontweight="bold")
    return fig, (f"{finding}. Mean and 95 % interval over {len(done)} finished cells of the sweep "
                 f"{config['name']}:\n\n{means.round(4).to_string(index=False)}\n")


def report(config, cells):
    """Write table.csv, figure.png and figure.txt (its words) of a sweep; return the lines to print."""
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
