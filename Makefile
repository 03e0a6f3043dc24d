# Everything a newcomer needs; see README.md.
PYTHON ?= python3.11
GAME ?= gangsters
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Tests start hundreds of processes: each would translate every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help train test test-all bench lint docs compile release try-release clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	@echo "installing the packages (a few minutes the first time) ..."
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@

compile: $(READY) ## compile the rules (once; later uses load them)
	@$(BIN)/gangland compile

train: $(READY) ## train bots on GAME, rate them, say how to play them
	@$(BIN)/gangland compile $(GAME)
	$(BIN)/gangland train $(GAME)

test: compile ## the fast tests
	$(BIN)/python -m pytest -n 4 --dist worksteal

test-all: compile ## every test, the long ones too
	$(BIN)/python -m pytest -n 4 --dist worksteal -m ''

bench: compile ## speed and memory, one table; size and speed of the page
	$(BIN)/gangland bench
	$(BIN)/python -m benchmarks.serving.page

lint: $(READY) ## format, lint and type checks
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m pytest -q tests/test_types.py

docs: $(READY) ## the documentation site, into build/site
	@$(BIN)/python -m docs.site.build

release: $(READY) ## build sdist, wheels and the JavaScript package into dist/; KEY=FILE signs
	$(BIN)/python release/build.py
	$(BIN)/python release/machine_code.py dist/*-none-any.whl
	$(BIN)/python release/describe.py dist $(if $(KEY),--key $(KEY))

try-release: release ## install the wheel in empty environments, lowest and newest dependencies
	$(BIN)/python release/try_wheel.py dist/*-none-any.whl

clean: ## remove what was built
	rm -rf $(VENV) .cache build dist runs *.egg-info
