"""Run notebooks headlessly (papermill) and refresh the committed ones."""

import argparse
import ast
import difflib
import json
import logging
import os
import shutil
import sys
import time
from pathlib import Path

import nbformat
import papermill
import yaml
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError

from helpers.sources.files import replace_file

# a kernel on loopback need not warn that it is not encrypted, nor say that it was stopped; one that
# `!` started within Jupyter is headless all the same
HEADLESS = "__import__('os').environ.pop('JPY_SESSION_NAME', None)"
QUIET = ["--IPKernelApp.log_level=50", f"--IPKernelApp.exec_lines={HEADLESS}"]
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


class ParameterError(ValueError):
    """A parameter that the notebook does not have."""


def number(name):
    """Return the number of a notebook as text: '04' of '04-cat-poetry', '04b' of '04b-more'."""
    return Path(name).stem.split("-")[0]


def title(notebook):
    """Return a notebook's first heading: '04 · Can a judge rank poems?'."""
    return nbformat.read(notebook, as_version=4).cells[0].source.splitlines()[0].lstrip("# ")


def read_json(path):
    """Return what a JSON file holds; {} if it is not there or damaged by a killed run."""
    try:
        return json.loads(Path(path).read_text(encoding="utf8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}


def read_parameters(notebook):
    """Return {name: default} of the literals in the cell tagged `parameters`, {} without one."""
    cells = nbformat.read(notebook, as_version=4).cells
    source = "\n".join(c.source for c in cells if "parameters" in c.metadata.get("tags", []))
    lines = [line for line in ast.parse(source).body if isinstance(line, ast.Assign)]
    return {line.targets[0].id: ast.literal_eval(line.value) for line in lines}


def check_parameters(notebook, parameters):
    """Raise ParameterError, with the nearest known name, for one that `notebook` has not."""
    known = read_parameters(notebook)
    for name in parameters:
        if name not in known:
            close = difflib.get_close_matches(str(name), known, 1)
            hint = f"; did you mean {close[0]!r}?" if close else "."
            said = f"{Path(notebook).name} has no parameter {name!r}{hint}"
            raise ParameterError(f"{said} It has: {', '.join(sorted(known))}")


def cut(notebook, parameters):
    """Return the notebook to execute; with own texts only what leads to the cell `own-result`."""
    nb = nbformat.read(notebook, as_version=4)
    own = any(parameters.get(f"own_{texts}") for texts in ("stories", "poems", "edits"))
    last = ["own-result" in cell.metadata.get("tags", []) for cell in nb.cells]
    if any(last) and own and not parameters.get("paper_study"):
        nb.cells = nb.cells[: last.index(True) + 1]
    return nb


def execute(notebook, output, parameters=None, kernel=None):
    """Execute `notebook` with `parameters` into `output`; return {notebook, status, error,
    seconds}, also written to <output>.run.json. A failed run leaves the partial notebook as
    failed/<name> beside `output`, and `error` names the cell. kernel: a running KernelManager."""
    notebook, output, parameters = Path(notebook), Path(output), parameters or {}
    check_parameters(notebook, parameters)
    output.parent.mkdir(parents=True, exist_ok=True)
    partial = output.with_suffix(f".{os.getpid()}.partial.ipynb")
    failed = output.parent / "failed" / output.name
    failed.unlink(missing_ok=True)
    start = time.monotonic()
    status, error = "ok", ""
    try:
        nbformat.write(cut(notebook, parameters), partial)
        quiet = {"progress_bar": False, "log_output": False, "extra_arguments": QUIET}
        settings = {"cwd": str(notebook.parent), "kernel_name": "python3", "km": kernel}
        papermill.execute_notebook(str(partial), str(partial), parameters, **settings, **quiet)
        partial.replace(output)
    except DeadKernelError:
        status, error = "failed", "the kernel died (a crash, or killed for want of memory)"
    except papermill.PapermillExecutionError as fault:
        said = (fault.evalue.splitlines() or ["(no message)"])[0]  # a bare assert says nothing
        status, error = "failed", f"cell {fault.cell_index}: {fault.ename}: {said}"
    if error:
        failed.parent.mkdir(exist_ok=True)
        shutil.move(partial, failed)
    record = {"notebook": notebook.stem, "status": status, "error": error}
    record["seconds"] = round(time.monotonic() - start, 1)
    replace_file(output.with_suffix(".run.json"), json.dumps(record))
    return record


def refresh(path):
    """Execute a committed notebook in place, without timings or machine details."""
    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(Path(path).parent)}}
    settings = {"kernel_name": "python3", "record_timing": False, "timeout": 1800}
    NotebookClient(notebook, extra_arguments=QUIET, resources=place, **settings).execute()
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02d}"
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "tags"}
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    nbformat.write(notebook, path)


def read_yaml(text):
    """Return the parameters in a line of YAML ({} for none); ParameterError if it is no mapping."""
    try:
        found = yaml.safe_load(text) or {}
    except yaml.YAMLError:
        found = None
    if not isinstance(found, dict):
        raise ParameterError(f"-y: expected '{{name: value, name: value}}', got {text!r}")
    return found


def main(arguments=None):
    """Command line: `run NOTEBOOK OUTPUT [-y YAML]`, `refresh NOTEBOOK…`."""
    logging.getLogger("papermill").setLevel(logging.ERROR)
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.run", description=__doc__)
    parser.add_argument("command", choices=["run", "refresh"])
    parser.add_argument("paths", nargs="+", type=Path)
    wanted = "parameters, e.g. '{judge: recorded/gpt4, limit: 2}'"
    parser.add_argument("-y", "--yaml", default="", help=wanted)
    given = parser.parse_args(arguments)
    if given.command == "refresh":
        for path in given.paths:
            refresh(path)
        return 0
    if len(given.paths) != 2:
        parser.error("run takes two paths: the notebook and where its executed copy goes")
    notebook, output = given.paths
    print(f"{notebook.stem} begins", flush=True)
    try:
        record = execute(notebook, output, read_yaml(given.yaml))
    except (ParameterError, FileNotFoundError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2
    if record["status"] != "ok":
        said = f"error: {record['notebook']}, {record['error']}\n       the run so far is in"
        print(f"{said} {output.parent / 'failed' / output.name}", file=sys.stderr)
        return 1
    print(f"{notebook.stem} ok after {record['seconds']:.0f} s; written: {output}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
