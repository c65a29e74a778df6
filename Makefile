# Coplay's commands. `make up` is all that a newcomer needs.
PYTHON ?= python3
PY := .venv/bin/python

# Where the environment forbids it, as images of containers do, each process would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help up setup test lint lint-python lint-js lock resolve doctor clean

help:
	@echo "make up      install what is missing, start everything, print the sign-in links"
	@echo "make setup   install only (then: $(PY) manage.py evaluate|bench|read|prior ...)"
	@echo "make test    every test; what needs something that is not installed is skipped by name"
	@echo "make lint    style, types, and the documents as a site (in site/); of JavaScript, too, where Node and npm are"
	@echo "make doctor  what is installed, reachable, compiled; what to do about what is not"
	@echo "make lock    renew the lock files from pyproject.toml"
	@echo "make resolve whether what is locked can be installed wherever Coplay is served"

up: setup
	@exec $(PY) manage.py up --die-with-parent

setup: .venv/run.stamp

# On three workers, as tests often wait for a clock, a browser or another process; how tests share them is said in
# tests/conftest.py.
test: .venv/test.stamp
	OMP_NUM_THREADS=1 $(PY) -m pytest -n 3 --dist loadfile --no-loadscope-reorder $(ARGS)

lint: lint-python
	@if command -v node >/dev/null && command -v npm >/dev/null; then $(MAKE) --no-print-directory lint-js; \
	elif [ "$$COPLAY_FORBID_SKIPS" = 1 ]; then echo "ESLint and TypeScript need Node and npm, and COPLAY_FORBID_SKIPS=1 forbids to skip them." >&2; exit 1; \
	else echo "Skipped: ESLint and TypeScript, which need Node and npm"; fi

lint-python: .venv/test.stamp
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) -m mkdocs build --quiet

lint-js: node_modules/.stamp
	node_modules/.bin/eslint --max-warnings 0 .
	node tools/types.mjs

doctor: setup
	@$(PY) manage.py doctor

lock:
	$(PYTHON) deploy/lock.py

resolve: .venv/run.stamp
	@$(PY) deploy/resolve.py

clean:
	rm -rf .venv node_modules .pytest_cache .ruff_cache .mypy_cache site

$(PY):
	@$(PYTHON) deploy/check_python.py
	@$(PYTHON) -m venv .venv || { echo "Making .venv failed. On Debian or Ubuntu: apt install python3-venv" >&2; exit 1; }

# Python compiles a package when it is first imported, and most of what is installed never is: what is, here.
.venv/run.stamp: requirements.lock | $(PY)
	@echo "Installing what Coplay needs into .venv (a few minutes the first time) ..."
	@$(PY) -m pip install --quiet --no-compile --disable-pip-version-check -r requirements.lock
	@$(PY) -c "import torch._dynamo"
	@$(PY) manage.py check >/dev/null 2>&1 || true
	@touch $@

# What checks the browser's code. The lock file names no registry: npm asks the one that it is set up with.
node_modules/.stamp: package.json package-lock.json
	@npm ci --silent --no-audit --no-fund
	@touch $@

.venv/test.stamp: requirements-test.lock .venv/run.stamp
	@$(PY) -m pip install --quiet --no-compile --disable-pip-version-check -r requirements-test.lock
	@touch $@
