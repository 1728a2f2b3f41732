"""Run notebooks headlessly (papermill), refresh the committed ones, and report what ran."""

import argparse
import ast
import difflib
import hashlib
import json
import logging
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
from helpers.sources.public import ROOT

QUIET = ["--IPKernelApp.log_level=40"]  # a kernel on loopback need not warn that it is not encrypted


class ParameterError(ValueError):
    """A parameter that the notebook does not have."""


def read_parameters(notebook):
    """Return {name: default} of the literals in the cell tagged `parameters` ({} if there is none)."""
    cells = nbformat.read(notebook, as_version=4).cells
    source = "\n".join(cell.source for cell in cells if "parameters" in cell.metadata.get("tags", []))
    return {node.targets[0].id: ast.literal_eval(node.value) for node in ast.parse(source).body if isinstance(node, ast.Assign)}


def check_parameters(notebook, parameters):
    """Raise ParameterError, with the nearest known name, for a parameter that `notebook` does not declare."""
    known = read_parameters(notebook)
    for name in parameters:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ";"
            raise ParameterError(f"{Path(notebook).name} has no parameter {name!r}{hint} It has: {', '.join(sorted(known))}")


def execute(notebook, output, parameters=None, kernel=None):
    """Execute `notebook` with `parameters` into `output`; return its record {notebook, seconds, status, error}.

    kernel: a running jupyter_client KernelManager, used and left running (default: a new kernel for this run alone).
    A failed run leaves the partial notebook beside `output`, as failed/<name>, and names cell and error.
    """
    notebook, output = Path(notebook), Path(output)
    check_parameters(notebook, parameters or {})
    output.parent.mkdir(parents=True, exist_ok=True)
    partial, failed = output.with_suffix(".partial.ipynb"), output.parent / "failed" / output.name
    failed.unlink(missing_ok=True)
    start, record = time.monotonic(), {"notebook": notebook.stem, "status": "ok", "error": ""}
    try:
        papermill.execute_notebook(
            str(notebook),
            str(partial),
            parameters or {},
            cwd=str(notebook.parent),
            kernel_name="python3",
            progress_bar=False,
            log_output=False,
            extra_arguments=QUIET,
            km=kernel,
        )
        partial.replace(output)
        record["made"] = made(notebook.stem, output.parent)
    except (papermill.PapermillExecutionError, DeadKernelError) as fault:
        failed.parent.mkdir(exist_ok=True)
        shutil.move(partial, failed)
        if isinstance(fault, DeadKernelError):
            record |= {"status": "failed", "error": "the kernel died (a crash, or killed for want of memory)"}
        else:
            said = (fault.evalue.splitlines() or ["(no message)"])[0]  # a bare assert says nothing
            record |= {"status": "failed", "error": f"cell {fault.cell_index}: {fault.ename}: {said}"}
    record["seconds"] = round(time.monotonic() - start, 1)
    replace_file(output.with_suffix(".run.json"), json.dumps(record))
    return record


def made(name, folder):
    """Return {file: SHA-256} of the findings and the part of the ledger that notebook `name` has left in `folder`."""
    paths = [Path(folder) / f"{name}.json", Path(folder) / f"ledger-{name.partition('-')[0]}.csv"]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths if path.is_file()}


def refresh(notebook):
    """Execute a committed notebook in place with its default parameters, without timings or machine details."""
    nb = nbformat.read(notebook, as_version=4)
    NotebookClient(
        nb,
        kernel_name="python3",
        record_timing=False,
        timeout=1800,
        extra_arguments=QUIET,
        resources={"metadata": {"path": str(Path(notebook).parent)}},
    ).execute()
    for number, cell in enumerate(nb.cells):
        cell.id = f"cell-{number:02d}"
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "tags"}
    nb.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    nbformat.write(nb, notebook)


def summary(folder=ROOT / "outputs" / "executed", since=0.0):
    """Return (lines, failures): notebook | source | seconds | findings | status; older than `since` counts as unchanged."""
    rows, failures = [("notebook", "source", "seconds", "findings", "status")], 0
    for path in sorted(Path(folder).glob("*.run.json")):
        record = json.loads(path.read_text())
        found = Path(folder) / f"{record['notebook']}.json"
        result = json.loads(found.read_text(encoding="utf8")) if found.is_file() else {"source": "", "findings": []}
        failures += record["status"] != "ok"
        status = record["status"] + (f": {record['error']}" if record["error"] else "")
        status += ", unchanged" if path.stat().st_mtime < since else ""
        rows.append((record["notebook"], result["source"], f"{record['seconds']:.1f}", str(len(result["findings"])), status))
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[4]]) for row in rows], failures


def read_yaml(text):
    """Return the parameters in a line of YAML ({} for none); raise ParameterError if it is not '{name: value, …}'."""
    try:
        found = yaml.safe_load(text) or {}
    except yaml.YAMLError as fault:
        raise ParameterError(f"-y: not YAML ({fault.problem}); expected -y '{{name: value, name: value}}'") from None
    if not isinstance(found, dict):
        raise ParameterError(f"-y: expected '{{name: value, name: value}}', got {text!r}")
    return found


def main(arguments=None):
    """Command line: `run NOTEBOOK OUTPUT [-y YAML]`, `refresh NOTEBOOK…`, `summary`."""
    logging.getLogger("papermill").setLevel(logging.ERROR)
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.run", description=__doc__)
    parser.add_argument("command", choices=["run", "refresh", "summary"])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("-y", "--yaml", default="", help="parameters, e.g. '{judge: recorded/gpt4, limit: 2}'")
    given = parser.parse_args(arguments)
    if given.command == "summary":
        lines, failures = summary()
        print("\n".join(lines))
        return int(failures > 0)
    if given.command == "refresh":
        for path in given.paths:
            refresh(path)
        return 0
    notebook, output = given.paths
    try:
        record = execute(notebook, output, read_yaml(given.yaml))
    except (ParameterError, FileNotFoundError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2
    if record["status"] != "ok":
        print(
            f"error: {record['notebook']}, {record['error']}\n"
            f"       the run so far is in {Path(output).parent / 'failed' / Path(output).name}",
            file=sys.stderr,
        )
    else:
        print(f"written: {output}; open it in JupyterLab, or: jupyter nbconvert --to html {output}")
    return int(record["status"] != "ok")


if __name__ == "__main__":
    sys.exit(main())
