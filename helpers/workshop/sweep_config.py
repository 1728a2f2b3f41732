"""Read a sweep file and check it; list its cells."""
import difflib
import itertools
import json
from pathlib import Path

import yaml

from helpers.judges.store import digest
from helpers.sources.public import ROOT
from helpers.workshop import run as runs

KEYS = {"notebook": None, "grid": {}, "fixed": {}, "batch": 20, "kernel": "fresh", "max_usd": 0.0, "figure": {}}


class SweepError(ValueError):
    """A sweep file is not what it must be, or the sweep runs already; the message says what to do."""


def read_config(path):
    """Return a sweep as a dict (name, folder, notebooks, grid {name: [values]}, fixed, batch, kernel, max_usd, figure).

    The YAML file has `notebook` (one or a list) and `grid`; the rest has defaults (KEYS). A grid value is a list, or
    {from: 1, to: 10} for whole numbers. Raises SweepError for anything unknown, empty, repeated or of another kind than
    the notebook's own default, ParameterError for a parameter that a notebook does not declare.
    """
    path = Path(path)
    if not path.is_file():
        raise SweepError(f"{path}: there is no such file; say make sweep CONFIG=sweeps/example.yaml")
    try:
        given = yaml.safe_load(path.read_text(encoding="utf8"))
    except yaml.YAMLError as fault:
        raise SweepError(f"{path.name} is not YAML: {' '.join(str(fault).split())}") from None
    if not isinstance(given, dict) or not given.get("notebook"):
        raise SweepError(f"{path.name}: expected `notebook: <name>` and `grid:` with one list a parameter")
    for key in given:
        if key not in KEYS:
            raise SweepError(f"{path.name}: {key!r} is not a key of a sweep{_near(key, KEYS)} It has: {', '.join(KEYS)}")
        if type(given[key]) is int and key == "max_usd":
            given[key] = float(given[key])
        if KEYS[key] is not None and (type(given[key]) is not type(KEYS[key]) or given[key] != given[key]):
            raise SweepError(f"{path.name}: `{key}` has {given[key]!r}, expected one like {KEYS[key]!r}; see sweeps/example.yaml")
    config = KEYS | given | {"name": path.stem, "folder": ROOT / "outputs" / "sweeps" / path.stem}
    config["grid"] = {name: _list_values(path.name, name, values) for name, values in config["grid"].items()}
    if config["batch"] < 1 or config["kernel"] not in ("fresh", "shared"):
        raise SweepError(f"{path.name}: expected a whole number above 0 as `batch` and fresh or shared as `kernel`")
    names = config["notebook"] if isinstance(config["notebook"], list) else [config["notebook"]]
    config["notebooks"] = [_find_notebook(path, name) for name in names]
    for notebook in config["notebooks"]:
        runs.check_parameters(notebook, {**config["fixed"], **config["grid"]})
        _check_kinds(path.name, runs.read_parameters(notebook), config)
    _check_price(path.name, config)
    return config


def _near(word, known):
    near = difflib.get_close_matches(str(word), list(known), 1, 0.5)
    return f"; did you mean {near[0]!r}?" if near else "."


def _list_values(file, name, values):
    """Return the values of one grid parameter as a list without repeats."""
    if isinstance(values, dict) and set(values) == {"from", "to"} and all(type(v) is int for v in values.values()):
        values = list(range(values["from"], values["to"] + 1))
    if not isinstance(values, list) or not values:
        raise SweepError(f"{file}: {name} has {values!r}, expected a list of values or {{from: 1, to: 10}}; a single value "
                         "belongs under `fixed`")
    keys = [digest(value) for value in values]
    if len(set(keys)) < len(keys):
        raise SweepError(f"{file}: {name} lists {values[[keys.count(k) > 1 for k in keys].index(True)]!r} twice; each once")
    return values


def _find_notebook(config, name):
    """Return the path of a study's notebook by name, or of an .ipynb beside the sweep file."""
    name = str(name)
    found = config.parent / name if name.endswith(".ipynb") else ROOT / "notebooks" / f"{name}.ipynb"
    if not found.is_file():
        known = [path.stem for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
        raise SweepError(f"{config.name}: there is no notebook {name!r}{_near(name, known)} There are: {', '.join(known)}")
    return found.resolve()


def _check_kinds(file, defaults, config):
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list"}
    for name, values in {**config["grid"], **{name: [value] for name, value in config["fixed"].items()}}.items():
        if name == "outputs":
            raise SweepError(f"{file}: `outputs` is chosen by the sweep (a folder a cell); leave it out")
        wanted = kinds.get(type(defaults[name]))
        for value in values:
            if wanted and kinds.get(type(value)) != wanted:
                raise SweepError(f"{file}: {name} has {value!r}, expected {wanted} like the default {defaults[name]!r}")


def _check_price(file, config):
    """Refuse a sweep whose cells together may spend more than its own `max_usd`."""
    most = sum(cell["parameters"].get("max_usd", 0.0) for cell in list_cells(config))
    if most > config["max_usd"]:
        raise SweepError(f"{file}: all cells together may spend {most:.2f} USD (their max_usd, added up), but the sweep's own "
                         f"max_usd is {config['max_usd']:.2f}; write `max_usd: {most:.2f}` beside `notebook` to allow it")


def list_cells(config):
    """Return one dict a cell, in grid order: cell (folder name: number of the notebook and a hash), notebook, parameters."""
    cells = []
    for notebook in config["notebooks"]:
        for values in itertools.product(*config["grid"].values()):
            parameters = {**config["fixed"], **dict(zip(config["grid"], values))}
            name = f"{notebook.stem[:2]}-{digest([notebook.stem, parameters])[:12]}"
            cells.append({"cell": name, "notebook": str(notebook), "parameters": parameters})
    return cells


def read_cell(folder):
    """Return the record of one cell (`cell.json`) as a dict; {} if it has none or the file is damaged."""
    try:
        return json.loads((Path(folder) / "cell.json").read_text(encoding="utf8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
