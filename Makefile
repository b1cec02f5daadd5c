SHELL := /bin/bash
PYTHON ?= python3
PY := .venv/bin/python
PEERS := .venv-bench/bin/python

.DEFAULT_GOAL := help
.PHONY: help run manage demo install test check fmt messages compile bench clean

help: ## What there is to make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

run: .venv/.installed ## Serve on 127.0.0.1:8000 (PORT=… changes it); Ctrl-C ends it
	@exec $(PY) -m remi_site.local run

manage: .venv/.installed ## A Django command on the same database: make manage DO="createsuperuser"
	@exec $(PY) -m remi_site.local manage $(DO)

demo: .venv/.installed ## A league to look at, on the same database (ARGS="--language ro")
	@$(PY) -m remi_site.local manage migrate --verbosity 0
	@exec $(PY) -m remi_site.local manage demo $(ARGS)

install: .venv/.installed-dev ## Everything that working on it needs, in .venv

test: .venv/.installed-dev ## All tests (ARGS="-k row" and the like narrow them)
	$(PY) -m pytest $(ARGS)

check: .venv/.installed-dev ## Format, lint, types, imports, migrations, settings, translations
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) .venv/bin/lint-imports
	$(PY) -m tests.site.sanity

fmt: .venv/.installed-dev ## Put the code in order
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .

messages: .venv/.installed-dev ## Bring the catalogues to what the sources say, then tell what is not translated
	$(PY) -m remi_site.catalogues update
	-$(PY) -m remi_site.catalogues check

compile: .venv/.installed-dev ## Compile the catalogues
	$(PY) -m remi_site.catalogues compile

bench: .venv/.installed-dev $(PEERS) ## Measure speed, beside other engines where they install
	BENCH_PEERS=$(PEERS) $(PY) -m tests.bench $(ARGS)

# The peers are no part of the project (one is GPL): they live apart, and those that do not install are left out.
$(PEERS):
	$(PYTHON) -m venv .venv-bench
	@for peer in chess==1.11.2 open-spiel==2.0.2 rlcard==1.2.0 ortools==9.15.6755; do \
	  $(PEERS) -m pip install --quiet --disable-pip-version-check $$peer || echo "$$peer does not install here"; done

clean: ## Remove what was made, but not the data in var
	rm -rf .venv .venv-bench .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} + -o -name '*.mo' -exec rm {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Remi needs Python 3.11 or newer: PYTHON=/path/to/python3.11 make …"; exit 1; }
	@$(PYTHON) -m venv .venv \
	  || { rm -rf .venv; echo "Python cannot make virtual environments here; on Debian and Ubuntu: apt install python3-venv"; exit 1; }

.venv/.installed: requirements.txt | .venv/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/.installed-dev: requirements-dev.txt requirements.txt | .venv/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ .venv/.installed
