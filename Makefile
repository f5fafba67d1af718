# Two commands: `make demo` solves a puzzle, `make test` runs every check.
PYTHON ?= python3
BIN = .venv/bin

.PHONY: demo test test-slow mutations bench clean

demo: .venv/installed
	$(BIN)/puzzlekit solve waffle specs/waffle/first.yaml

test: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy puzzles
	$(BIN)/lint-imports
	$(BIN)/pytest

test-slow: .venv/tested
	$(BIN)/pytest -m slow

mutations: .venv/tested
	$(BIN)/python tests/mutations.py

bench: .venv/installed
	$(BIN)/python benchmarks/run.py

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/tested: .venv/installed
	$(BIN)/python -m pip install --quiet 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group test
	touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
