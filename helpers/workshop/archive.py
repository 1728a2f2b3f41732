"""Pack the release archive: code, pins, data cards, licences, ledger, executed notebooks; the same bytes each time."""
import argparse
import hashlib
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import nbformat

from helpers.sources import public as data
from helpers.sources.public import ROOT
from helpers.workshop.report import ReportError, executed_notebooks, find_output

PATTERNS = ["*.md", "LICENSE", "CITATION.cff", "Makefile", "Snakefile", "pyproject.toml", "*.lock", "environment.yml",
            ".devcontainer/devcontainer.json", "helpers/**/*.py", "tests/*.py", "tests/*.json", "data/**/*.*",
            "report/**/*.*", "teaching/**/*.*", "profiles/**/*.*", "benchmarks/**/*.*", "sweeps/*",
            "tests/*.cfg"]
OUTPUTS = ["ledger.csv", "figure-judges.png"]
TYPES = {".py", ".md", ".csv", ".json", ".jsonl", ".yaml", ".yml", ".toml", ".lock", ".cff", ".css", ".js", ".svg",
         ".txt", ".png", ".cfg", ".ipynb", ""}  # nothing else: no databases, no caches, no local settings
NOTE = """Data sets are not part of this archive. The notebooks fetch them at these commits; each keeps its own licence.
Everything else here is under the licence in LICENSE (see data/README.md for what comes from where).
"""


def licences():
    """Return the text of DATA-LICENCES.txt: each public data set, its upstream, commit, licence and citation."""
    lines = [f"\n{name}\n  upstream  {entry['repository']}, commit {entry['commit']}\n  licence   {entry['licence']}\n"
             f"  cite      {entry['citation']}\n" for name, entry in data.registry().items()]
    return NOTE + "".join(lines)


def plain_notebook(path):
    """Return a notebook as text without what differs from run to run: timings, machine, kernel, random cell names."""
    notebook = nbformat.read(path, as_version=4)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02d}"
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "tags"}
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                         "language_info": {"name": "python"}}
    return nbformat.writes(notebook) + "\n"


def is_tracked(root):
    """Return a function (path below `root`) -> whether git tracks it; always True outside a git checkout."""
    done = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, text=True, check=False)
    names = set(done.stdout.split("\0")) if (Path(root) / ".git").exists() and not done.returncode else None
    return lambda path: names is None or path.relative_to(root).as_posix() in names


def plain_files(root=ROOT):
    """Return {name: bytes} of the files that are packed as they are: of a listed place, a known type, and tracked by git."""
    tracked, files = is_tracked(root), {path for pattern in PATTERNS for path in Path(root).glob(pattern)}
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files
            if path.is_file() and path.suffix in TYPES and tracked(path)}


def contents(root=ROOT):
    """Return {name in the archive: bytes}, the notebooks with their outputs.

    Raises ReportError if a notebook was not executed or there is no ledger.
    """
    root = Path(root)
    notebooks, bare = executed_notebooks(root)
    if bare:
        raise ReportError(f"not executed: {', '.join(f'notebooks/{name}' for name in bare)}: say make reproduce first")
    packed = plain_files(root)
    packed |= {f"notebooks/{path.name}": plain_notebook(path).encode() for path in notebooks.values()}
    for name in [*OUTPUTS, *(f"{stem}.json" for stem in notebooks)]:
        path = find_output(name, root / "outputs", root)
        if path:
            packed[f"outputs/{name}"] = path.read_bytes()
    if "outputs/ledger.csv" not in packed:
        raise ReportError("there is no ledger.csv in outputs/ or outputs/executed/: say make reproduce first")
    packed["DATA-LICENCES.txt"] = licences().encode()
    sums = "".join(f"{hashlib.sha256(packed[name]).hexdigest()}  {name}\n" for name in sorted(packed))
    return packed | {"SHA256SUMS": sums.encode()}


def pack(packed, path, folder):
    """Write {name: bytes} as a zip file with one folder: sorted, one date, one mode, no user; return its SHA-256."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w") as archive:
        for name in sorted(packed):
            entry = zipfile.ZipInfo(f"{folder}/{name}", date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr, entry.compress_type = 3, 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, packed[name], compresslevel=9)
    partial.replace(path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main(arguments=None):
    """Command line: `[--into FOLDER]`."""
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.archive", description=__doc__)
    parser.add_argument("--into", type=Path, default=ROOT / "dist", help="default: dist")
    into = parser.parse_args(arguments).into
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]["version"]
    folder = f"judging-creativity-{version}"
    try:
        packed = contents()
    except ReportError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    path = into / f"{folder}.zip"
    digest = pack(packed, path, folder)
    print(f"archive: {path}  {len(packed)} files, {path.stat().st_size / 1e6:.1f} MB, SHA-256 {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
