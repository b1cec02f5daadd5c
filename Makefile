SHELL := /bin/bash
PYTHON ?= python3
PY := .venv/bin/python

.PHONY: install
install: .venv/.installed-dev ## Everything that working on it needs, in .venv

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Remi needs Python 3.11 or newer (PYTHON=/path/to/python make …)."; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.installed: requirements.txt | .venv/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/.installed-dev: requirements-dev.txt requirements.txt | .venv/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ .venv/.installed
