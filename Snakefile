# One rule a notebook: papermill into outputs/executed/, parallel on the cores there are, unchanged notebooks skipped.
# Runs on one machine by `make reproduce`, on a cluster with a Snakemake profile. Logs and partial notebooks stay on failure.
from pathlib import Path

OUT = "outputs/executed"
STUDIES = sorted(p.stem for p in Path("notebooks").glob("*.ipynb") if not p.stem.startswith("06"))
LAST = sorted(p.stem for p in Path("notebooks").glob("06*.ipynb"))
PARAMETERS = config.get("parameters", "{}")
INPUTS = [str(p) for pattern in ("helpers/**/*.py", "data/**/*.*") for p in sorted(Path(".").glob(pattern))]

rule all:
    input: f"{OUT}/ledger.csv" if LAST else expand(f"{OUT}/{{name}}.ipynb", name=STUDIES)

rule notebook:
    input: "notebooks/{name}.ipynb", f"{OUT}/sources.json", "requirements.lock", INPUTS
    output: f"{OUT}/{{name}}.ipynb"
    wildcard_constraints: name=r"(?!06)\d\db?-.*"
    log: f"{OUT}/{{name}}.log"
    params: yaml=PARAMETERS
    shell: "python -m helpers.workshop.run run {input[0]} {output} -y '{params.yaml}' > /dev/null 2> {log} || (cat {log} >&2; exit 1)"

rule audit:
    input: expand("notebooks/{name}.ipynb", name=LAST), expand(f"{OUT}/{{name}}.ipynb", name=STUDIES)
    output: f"{OUT}/ledger.csv", expand(f"{OUT}/{{name}}.ipynb", name=LAST)
    log: f"{OUT}/06.log"
    shell: "python -m helpers.workshop.run run {input[0]} {output[1]} > /dev/null 2> {log} || (cat {log} >&2; exit 1)"
