# One rule a notebook: papermill into outputs/executed/, parallel on the cores there are, unchanged
# notebooks skipped. The last (06) joins what the others left. Logs and partial notebooks stay on failure.
from pathlib import Path

OUT = "outputs/executed"
NAMES = sorted(p.stem for p in Path("notebooks").glob("[0-9]*.ipynb"))
LAST = [name for name in NAMES if name.startswith("06")]
STUDIES = [name for name in NAMES if name not in LAST]
INPUTS = [str(p) for pattern in ("helpers/**/*.py", "data/**/*.*") for p in sorted(Path(".").glob(pattern))]
RUN = "python -m helpers.workshop.run run"

rule all:
    input: f"{OUT}/ledger.csv" if LAST else expand(f"{OUT}/{{name}}.ipynb", name=STUDIES)

rule notebook:
    input: "notebooks/{name}.ipynb", f"{OUT}/sources.json", "requirements.lock", INPUTS
    output: f"{OUT}/{{name}}.ipynb"
    wildcard_constraints: name=r"(?!06)\d\db?-.*"
    log: f"{OUT}/{{name}}.log"
    shell: "{RUN} {input[0]} {output} > /dev/null 2> {log} || (cat {log} >&2; exit 1)"

rule audit:
    input: expand("notebooks/{name}.ipynb", name=LAST), expand(f"{OUT}/{{name}}.ipynb", name=STUDIES), "outputs/strength.csv"
    output: f"{OUT}/ledger.csv", expand(f"{OUT}/{{name}}.ipynb", name=LAST)
    log: f"{OUT}/06.log"
    shell: "{RUN} {input[0]} {output[1]} > /dev/null 2> {log} || (cat {log} >&2; exit 1)"
