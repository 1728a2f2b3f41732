# One rule per notebook: papermill into outputs/executed/, parallel on the cores there are, unchanged
# notebooks skipped, the longest first. The last (06) joins what the others left. Logs and partial
# notebooks stay on failure.
import json
from pathlib import Path

OUT = "outputs/executed"
NAMES = sorted(p.stem for p in Path("notebooks").glob("[0-9S]*.ipynb"))
LAST = [name for name in NAMES if name.startswith("06")]
STUDIES = [name for name in NAMES if name not in LAST]
INPUTS = [str(p) for pattern in ("helpers/**/*.py", "packages/goodjudge/src/**/*.py", "data/**/*.*") for p in sorted(Path(".").glob(pattern))]
RUN = "python -m helpers.workshop.run run"
# of one run on two cores, November 2026; the last run on this machine counts where there was one
SECONDS = {"S1": 31, "S2": 26, "S3": 30, "05": 33, "07": 28, "02": 26, "01": 15, "03": 14, "08": 14, "04": 13, "00": 2}

def seconds(wildcards):
    record = Path(OUT, f"{wildcards.name}.run.json")
    return json.loads(record.read_text())["seconds"] if record.is_file() else SECONDS.get(wildcards.name.split("-")[0], 0)

rule all:
    input: f"{OUT}/ledger.csv" if LAST else expand(f"{OUT}/{{name}}.ipynb", name=STUDIES)

rule notebook:
    input: "notebooks/{name}.ipynb", "requirements.lock", INPUTS
    output: f"{OUT}/{{name}}.ipynb"
    wildcard_constraints: name=r"(?!06)(\d\db?|S\d)-.*"
    priority: seconds
    log: f"{OUT}/{{name}}.log"
    shell: "{RUN} {input[0]} {output} 2> {log} || (cat {log} >&2; exit 1)"

rule audit:
    input: expand("notebooks/{name}.ipynb", name=LAST), expand(f"{OUT}/{{name}}.ipynb", name=STUDIES), "outputs/strength.csv"
    output: f"{OUT}/ledger.csv", expand(f"{OUT}/{{name}}.ipynb", name=LAST)
    log: f"{OUT}/06.log"
    shell: "{RUN} {input[0]} {output[1]} 2> {log} || (cat {log} >&2; exit 1)"
