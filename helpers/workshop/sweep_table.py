"""Gather the cells of a sweep into one tidy table and one figure."""

from math import nan
from pathlib import Path

import pandas as pd

from helpers import figures, results
from helpers.measures import intervals
from helpers.sources.files import replace_file
from helpers.workshop.run import read_json


def gather(folder, cells):
    """Return one row a cell: cell, notebook, parameters, status, seconds, source, values, error.

    cells: as from `sweep.list_cells`; one that has not run is `pending`.
    """
    rows = []
    for cell in cells:
        place, name = Path(folder) / cell["cell"], Path(cell["notebook"]).stem
        record, found = read_json(place / "run.run.json"), read_json(place / f"{name}.json")
        parameters = {
            key: " ".join(map(str, value)) if isinstance(value, list) else value
            for key, value in cell["parameters"].items()
        }
        status = record.get("status", "pending")
        rows.append(
            {
                "cell": cell["cell"],
                "notebook": name,
                **parameters,
                "status": status,
                "seconds": record.get("seconds"),
                "source": found.get("source", ""),
                **(found.get("values", {}) if status == "ok" else {}),
                "error": record.get("error", ""),
            }
        )
    table = pd.DataFrame(rows)
    return table[[*table.columns.drop("error"), "error"]]


def choose(table, config):
    """Return (value, parameters): what the sweep file's `figure` says (y, by), else the first ones.

    Raises ValueError naming a column that the table has not, or if the notebooks saved no values.
    """
    known = {
        "cell",
        "notebook",
        "status",
        "seconds",
        "source",
        "error",
        *config["grid"],
        *config["fixed"],
    }
    values = [name for name in table if name not in known]
    varied = ["notebook"] * (len(config["notebooks"]) > 1) + [
        name for name, choices in config["grid"].items() if len(choices) > 1 and name != "seed"
    ]
    if not values:
        raise ValueError("no figure: the notebooks saved no `values` (see results.save_findings)")
    by = config["figure"].get("by", varied or "notebook")
    value, *by = map(
        str, [config["figure"].get("y", values[0]), *(by if isinstance(by, list) else [by])]
    )
    for name in [value, *by]:
        if name not in table:
            raise ValueError(
                f"no figure: the table has no column {name!r}; it has: {', '.join(values + varied)}"
            )
    return value, by


def average(table, value, by):
    """Return estimate (mean), low, high (95 %, over cells) and n of `value`, a row a group `by`.

    Values that are all 0 or 1 count as shares; one cell alone has no interval.
    """

    def summarise(values):
        if len(values) == 1:
            return intervals.row(values.iloc[0], nan, nan, 1)
        return (
            intervals.of_share(values.sum(), len(values)) if shares else intervals.of_mean(values)
        )

    shares = table[value].isin([0, 1]).all()
    return table.groupby(by, sort=False)[value].apply(summarise).unstack(sort=False)


def draw(table, config):
    """Return (figure, text): means and intervals over cells; the text says the same in words."""
    value, by = choose(table, config)
    done = table[table["status"].eq("ok") & table[value].notna()]
    means = average(done, value, by)
    best = means["estimate"].idxmax()
    where = ", ".join(
        f"{name} {key}" for name, key in zip(by, best if isinstance(best, tuple) else [best])
    )
    said, n = results.format_interval(means.loc[best], digits=3), means.loc[best, "n"]
    finding = f"{value} is highest at {where}: " + (
        f"{said}, n = {n:.0f} cells" if n > 1 else f"{said.split()[0]} (one cell, no interval)"
    )
    judges = done["judge"].astype(str) if "judge" in done else pd.Series(dtype=str)
    simulated = set(done["source"]) - {"open"} or judges.str.startswith("simulated/").any()
    fig = figures.dots(
        means,
        ("SIMULATED: " if simulated else "") + finding,
        f"{value}, mean over {len(done)} cells by {' · '.join(by)}",
        better=None,
    )
    return (
        fig,
        (
            f"{finding}. Mean and 95 % interval over {len(done)} finished cells of the sweep "
            f"{config['name']}:\n\n{means.round(4).reset_index().to_string(index=False)}\n"
        ),
    )


def report(config, cells):
    """Write table.csv, figure.png and figure.txt (its words) of a sweep; return
    the lines to print."""
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
