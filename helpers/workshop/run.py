"""Run notebooks headlessly (papermill) and refresh the committed ones.

`execute` runs a notebook with other parameters into a copy, and leaves a record beside it:

    out/02.ipynb          the executed copy; of a failed run the begin, as out/failed/02.ipynb
    out/02.run.json       {"notebook": "02-…", "status": "ok", "error": "", "seconds": 41.3}

It refuses, before anything runs, a parameter that the notebook has not and a place where something
else lies. `refresh` executes a committed notebook in place, without timings, and folds its
bookkeeping. Everything that runs a notebook goes through here: `make`, sweeps, cards, tests.
"""

import argparse
import ast
import builtins
import difflib
import glob
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import nbformat
import papermill
import yaml
from goodjudge.ask.addresses import is_key
from jupyter_client import KernelManager
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from papermill.engines import NBClientEngine, papermill_engines

from helpers.sources.files import replace_file
from helpers.sources.public import ROOT

# a kernel on loopback need not warn that it is not encrypted, nor say that it was stopped; one that
# `!` started within Jupyter is headless all the same
HEADLESS = "__import__('os').environ.pop('JPY_SESSION_NAME', None)"
QUIET = ["--IPKernelApp.log_level=50", f"--IPKernelApp.exec_lines={HEADLESS}"]
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
FOLDED = ("in-short", "bookkeeping")  # tags of cells whose code is folded in JupyterLab
QUIET_STOP = "JUDGING_CREATIVITY_QUIET_STOP"  # a variable: who began the runs says that they stop
PATIENCE = 30  # seconds that a cell has to end after Ctrl-C
STARTS = 3  # how often a kernel is started before it counts as one that cannot
START_PATIENCE = 60  # seconds that it has each time
BETWEEN_SAVES = 5  # seconds, at least, between two saves of the copy of a run under way


class RunError(ValueError):
    """A notebook cannot be run as asked: what is wrong with it, or with where its copy goes."""


class KernelStartError(RuntimeError):
    """A kernel did not start, however often it was tried; no cell has run."""


class ParameterError(RunError):
    """A parameter that the notebook does not have."""


def number(name):
    """Return the number of a notebook as text: '04' of '04-cat-poetry', '04b' of '04b-more'."""
    return Path(name).stem.split("-")[0]


def read_notebook(path):
    """Return a notebook; RunError if there is none."""
    try:
        return nbformat.read(path, as_version=4)
    except FileNotFoundError:
        raise RunError(f"{path}: no such notebook") from None
    except (OSError, ValueError, nbformat.ValidationError):
        raise RunError(f"{path}: cannot be read as a notebook; expected an .ipynb file") from None


def title(notebook):
    """Return a notebook's first heading: '04 · Can a judge rank poems?'."""
    return read_notebook(notebook).cells[0].source.splitlines()[0].lstrip("# ")


def read_json(path):
    """Return what a JSON file holds; {} if it is not there or damaged by a killed run."""
    try:
        return json.loads(Path(path).read_text(encoding="utf8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}


def read_parameters(notebook):
    """Return {name: default} of the literals in the cell tagged `parameters`, {} without one."""
    cells = [cell for cell in read_notebook(notebook).cells if has_tag(cell, "parameters")]
    source = "\n".join(cell.source for cell in cells)
    lines = [line for line in ast.parse(source).body if isinstance(line, ast.Assign)]
    return {line.targets[0].id: ast.literal_eval(line.value) for line in lines}


def has_tag(cell, tag):
    """Return whether a notebook's cell has a tag."""
    return tag in cell.metadata.get("tags", [])


def check_parameters(notebook, parameters):
    """Raise ParameterError, with the nearest known name, for one that `notebook` has not, and
    for a value that looks like a key."""
    for name, value in parameters.items():
        if is_key(value):  # before any copy of the notebook holds it
            what = f"{name} holds what looks like a key (not repeated here)"
            advice = "put it into an environment variable; a judge is called provider/model"
            raise ParameterError(f"{what}; {advice}")
    known = read_parameters(notebook)
    for name in parameters:
        if name in known:
            continue
        nearest = difflib.get_close_matches(str(name), known, 1)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else "."
        what = f"{Path(notebook).name} has no parameter {name!r}{hint}"
        raise ParameterError(f"{what} It has: {', '.join(sorted(known))}")


def check_output(notebook, output):
    """Raise RunError unless the executed copy of `notebook` may be written to `output`: a run
    writes over nothing but what an earlier run has written."""
    if output.suffix != ".ipynb":
        raise RunError(f"{output}: expected a name that ends in .ipynb for the executed copy")
    if output.resolve() == notebook.resolve():
        advice = "name another file for its executed copy"
        raise RunError(f"{output}: is the notebook that is to be run; {advice}")
    check_folder(output.parent)
    for path in (output, failed_copy(output)):
        if path.exists() and not is_executed(path):
            what = "is there already, and no run of a notebook has written it"
            raise RunError(f"{path}: {what}; name another file, or move this one away")


def check_folder(path):
    """Raise RunError if a path that is to be a folder is, or lies in, something else."""
    for place in (path, *path.parents):
        if place.exists() and not place.is_dir():
            raise RunError(f"{place}: is a file; expected a folder")


def is_executed(path):
    """Return whether a file is a notebook's executed copy: papermill leaves its mark in it."""
    if not path.is_file():
        return False
    try:
        content = json.loads(path.read_text(encoding="utf8"))
        return "papermill" in content["metadata"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def failed_copy(output):
    """Return where the partial notebook of a failed or stopped run is left."""
    return output.parent / "failed" / output.name


def execute(notebook, output, parameters=None):
    """Execute `notebook` with `parameters` into `output`; return {notebook, status, error,
    seconds}, also written to <output>.run.json.

    A failed run leaves the partial notebook as failed/<name> beside `output`, and `error` names the
    cell; so does one that is stopped, with KeyboardInterrupt and no record. Raises RunError
    for what cannot be run as asked.
    """
    notebook = Path(notebook)
    output = Path(output)
    parameters = parameters or {}
    check_parameters(notebook, parameters)
    check_output(notebook, output)
    if isinstance(parameters.get("outputs"), (str, Path)):
        check_folder(ROOT / parameters["outputs"])
    output.parent.mkdir(parents=True, exist_ok=True)
    remove_orphans(output)
    output.with_suffix(".run.json").unlink(missing_ok=True)
    failed_copy(output).unlink(missing_ok=True)
    partial = output.with_suffix(f".{os.getpid()}.partial.ipynb")
    failed = failed_copy(output)
    start = time.monotonic()
    error = ""
    try:
        nbformat.write(read_notebook(notebook), partial)
        run_cells(partial, parameters, notebook.parent)
        partial.replace(output)
    except KernelStartError as fault:
        error = str(fault)
    except DeadKernelError:
        error = "the kernel died (a crash, or killed for want of memory)"
    except papermill.PapermillExecutionError as fault:
        message = next(
            iter(fault.evalue.splitlines()), "(no message)"
        )  # a bare assert says nothing
        error = f"cell {fault.cell_index}: {tell_fault(fault.ename, message)}"
    finally:
        if partial.exists():
            failed.parent.mkdir(exist_ok=True)
            shutil.move(partial, failed)
    record = {
        "notebook": notebook.stem,
        "status": "failed" if error else "ok",
        "error": error,
        "seconds": round(time.monotonic() - start, 1),
    }
    replace_file(output.with_suffix(".run.json"), json.dumps(record))
    return record


def tell_fault(kind, message):
    """Return the fault of a cell as a sentence: without its kind (DataError, Incomplete …) where
    the project wrote the message."""
    ours = kind == "ValueError" or not hasattr(builtins, kind)
    return message if ours and message else f"{kind}: {message}"


def remove_orphans(output):
    """Remove the unfinished copies of an output that killed runs, no longer alive, have left."""
    for left in output.parent.glob(f"{glob.escape(output.stem)}.*.partial.ipynb"):
        process = left.name.removesuffix(".partial.ipynb").rpartition(".")[2]
        if process.isdigit() and not is_alive(int(process)):
            left.unlink(missing_ok=True)


def is_alive(number):
    """Return whether a process of this number runs; on Windows, where asking would end it, True."""
    if os.name == "nt":
        return True
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return True
    return True


def start_kernel(folder):
    """Return a KernelManager whose kernel is ready, at work in `folder`.

    A kernel's ports are chosen before it takes them. Where another program takes one in between,
    the kernel dies at once; it is started again, with other ports. Raises KernelStartError after
    `STARTS` tries.
    """
    for _ in range(STARTS):
        manager = KernelManager(kernel_name="python3")
        manager.start_kernel(cwd=str(folder), extra_arguments=QUIET)
        client = manager.blocking_client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=START_PATIENCE)
            return manager
        except RuntimeError as fault:  # it died, or did not answer in time
            manager.shutdown_kernel(now=True)
            reason = str(fault)
        except KeyboardInterrupt:
            manager.shutdown_kernel(now=True)
            raise
        finally:
            client.stop_channels()
    raise KernelStartError(f"the kernel did not start in {STARTS} tries ({reason})")


class SparingEngine(NBClientEngine):
    """papermill's own engine, which saves the executed copy from time to time.

    papermill writes the whole copy before and after each cell. For a hundred cells with figures
    that takes ten seconds, most of them while no cell is at work.
    """

    @classmethod
    def execute_managed_notebook(cls, nb_man, kernel_name, **settings):
        """Execute the cells of papermill's manager of a run; save every few seconds, and when the
        run has ended, well or not."""
        save = nb_man.save

        def save_from_time_to_time():
            since_last = nb_man.now() - nb_man.last_save_time
            if since_last.total_seconds() >= BETWEEN_SAVES:
                save()

        nb_man.save = save_from_time_to_time
        try:
            return super().execute_managed_notebook(nb_man, kernel_name, **settings)
        finally:
            nb_man.save = save


papermill_engines.register("sparing", SparingEngine)


def run_cells(path, parameters, folder):
    """Execute a notebook in place, its cells at work in `folder`.

    Ctrl-C interrupts the cell under way and gives it some time to end (a judge takes in the
    answers that are paid for), then KeyboardInterrupt; Ctrl-C again ends it at once.
    """
    manager = start_kernel(folder)
    quiet = {"progress_bar": False, "log_output": False}
    settings = {"engine_name": "sparing", "cwd": str(folder), "kernel_name": "python3"}
    # not in the main thread, where nbclient would end the kernel at Ctrl-C
    with ThreadPoolExecutor(1) as pool:
        run = papermill.execute_notebook
        done = pool.submit(run, str(path), str(path), parameters, km=manager, **settings, **quiet)
        try:
            done.result()
        except KeyboardInterrupt:
            stop(manager, done)
            raise
        finally:
            manager.shutdown_kernel(now=True)


def stop(manager, done):
    """Interrupt a kernel's cell and wait until its run is done, or the patience is over."""
    at_once = f"at most {PATIENCE} s; Ctrl-C again ends it at once"
    say_stop(f"stopping, when the cell under way has ended ({at_once})")
    with suppress(RuntimeError):  # no kernel any more
        manager.interrupt_kernel()
    with suppress(Exception, KeyboardInterrupt):
        done.exception(timeout=PATIENCE)


def say_stop(sentence):
    """Tell the terminal that a run stops, unless whoever began it does."""
    if QUIET_STOP not in os.environ:
        print(sentence, file=sys.stderr, flush=True)


def fold_code(notebook):
    """Fold in JupyterLab, where a click on the dots opens it again, the code that nobody reads a
    notebook for: imports, what puts findings into words, and cells with a tag of FOLDED."""
    heading = ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heading = ([heading] + re.findall("^## (.+)", cell.source, re.MULTILINE))[-1]
        elif cell.cell_type == "code":
            says_findings = heading.startswith("Findings")
            if says_findings or has_only_imports(cell) or any(has_tag(cell, tag) for tag in FOLDED):
                cell.metadata["jupyter"] = {"source_hidden": True}


def has_only_imports(cell):
    """Return whether a cell does nothing but import."""
    lines = ast.parse(cell.source).body
    return all(isinstance(line, ast.Import | ast.ImportFrom) for line in lines)


def refresh(path):
    """Execute a committed notebook in place, without timings or machine details."""
    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(Path(path).parent)}}
    settings = {"kernel_name": "python3", "record_timing": False, "timeout": 1800}
    NotebookClient(notebook, extra_arguments=QUIET, resources=place, **settings).execute()
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02d}"
        tags = {key: value for key, value in cell.metadata.items() if key == "tags"}
        cell.metadata = nbformat.from_dict(tags)
    fold_code(notebook)
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    nbformat.write(notebook, path)


def stop_when_killed():
    """Let a run that is killed, or whose terminal is closed, stop as by Ctrl-C."""
    for killed in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(killed, signal.default_int_handler)


def call_group(command, **settings):
    """Run a command with all that it starts as a group of its own; return its exit status. Ctrl-C,
    and what `stop_when_killed` takes for it, goes to the whole group, which ends before this does;
    then KeyboardInterrupt. Settings: of `subprocess.Popen`."""
    process = subprocess.Popen(command, start_new_session=True, **settings)
    stopped = False
    while True:
        try:
            status = process.wait()
            break
        except KeyboardInterrupt:
            stopped = True
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
    if stopped:
        raise KeyboardInterrupt
    return status


def main(arguments=None):
    """Command line: `run NOTEBOOK OUTPUT [-y YAML]`, `refresh NOTEBOOK…`.

    Returns 0, or 1 for a failed run, 2 for one that was refused, 130 after Ctrl-C.
    """
    logging.getLogger("papermill").setLevel(logging.ERROR)
    about = __doc__.splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.run", description=about)
    parser.add_argument("command", choices=["run", "refresh"])
    parser.add_argument("paths", nargs="+", type=Path)
    wanted = "parameters, e.g. '{judge: recorded/gpt4, limit: 2}'"
    parser.add_argument("-y", "--yaml", default="", help=wanted)
    given = parser.parse_args(arguments)
    if given.command == "refresh":
        for path in given.paths:
            started = time.monotonic()
            refresh(path)
            took = time.monotonic() - started
            print(f"{path} executed in place, {took:.0f} s", flush=True)
        return 0
    if len(given.paths) != 2:
        parser.error("run takes two paths: the notebook and where its executed copy goes")
    return run_one(*given.paths, given.yaml)


def run_one(notebook, output, parameters):
    """Run a notebook into its executed copy, print how it went, return the exit status; parameters:
    a line of YAML."""
    print(f"{notebook.stem} begins", flush=True)
    stop_when_killed()
    try:
        with suppress(yaml.YAMLError):
            parameters = yaml.safe_load(parameters) or {}
        if not isinstance(parameters, dict):
            what = "-y: expected '{name: value, name: value}', got"
            raise ParameterError(f"{what} {parameters!r}")
        record = execute(notebook, output, parameters)
    except RunError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        failed = failed_copy(output)
        place = f"; the run so far is in {failed}" if failed.exists() else ""
        kept = "a judge's answers that had arrived are kept"
        say_stop(f"stopped{place}; {kept}: the same command goes on from there")
        return 130
    if record["status"] != "ok":
        where = f"the run so far is in {failed_copy(output)}"
        print(f"error: {record['notebook']}, {record['error']}\n       {where}", file=sys.stderr)
        return 1
    print(f"{notebook.stem} ok after {record['seconds']:.0f} s; written: {output}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
