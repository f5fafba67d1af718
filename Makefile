# `make demo` solves a puzzle, `make test` runs every check, `make docs` builds the documentation site,
# `make gallery` draws the pictures of the README and the pages in examples/ anew.
PYTHON ?= python3
BIN = .venv/bin
WORKERS = --numprocesses auto --maxprocesses 4 --dist worksteal

# Keep compiled modules whatever the shell says, or each command that a test starts compiles the package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test scripts test-slow coverage interpreters mutations bench gallery sheets serve-picture docs editor clean

demo: .venv/installed
	$(BIN)/puzzlekit solve waffle specs/waffle/first.yaml

test: .venv/tested scripts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest $(WORKERS)

# The scripts of pages; without node they are left out, but where PUZZLEKIT_NODE=required.
scripts:
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory node_modules/installed && npm run --silent check; \
	elif [ "$$PUZZLEKIT_NODE" = required ]; then echo "PUZZLEKIT_NODE=required, and there is no npm"; exit 1; \
	else echo "no npm here: the scripts of pages were not checked"; fi

node_modules/installed: package.json package-lock.json
	npm ci --no-audit --no-fund --silent
	touch $@

test-slow: .venv/tested
	$(BIN)/pytest $(WORKERS) -m slow

coverage: .venv/tested
	$(BIN)/python -m tests.coverage

interpreters: .venv/installed
	$(BIN)/python -m tests.interpreters

mutations: .venv/tested
	$(BIN)/python -m tests.mutation

bench: .venv/installed
	$(BIN)/python benchmarks/run.py

gallery: .venv/installed
	$(BIN)/python docs/gallery.py

sheets: .venv/installed  # requires a browser
	$(BIN)/python docs/sheets.py

serve-picture: .venv/tested  # requires a browser
	$(BIN)/python docs/serve_picture.py

# NUMPY=FILE, or a folder or an address, is Pyodide's own wheel of numpy: the site then serves it itself.
docs: .venv/documented
	PUZZLEKIT_NUMPY="$(NUMPY)" NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

editor:  # the file that serve loads; requires node
	cd editor && npm ci --no-audit --no-fund && npm run build

.venv/installed: pyproject.toml
	@echo "installing into .venv; this may take a minute"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

.venv/tested: .venv/installed
	$(BIN)/python -m pip install --quiet 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group test
	$(BIN)/puzzlekit solve queens specs/queens/n4.yaml --backend xcover > /dev/null  # compiles it
	touch $@

.venv/documented: .venv/installed
	$(BIN)/python -m pip install --quiet 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group docs
	touch $@

clean:
	rm -rf site node_modules playground/node_modules playground/built .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage-data
