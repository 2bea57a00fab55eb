# Everything installs into .venv from PyPI; Python >= 3.11, git, make and a C++ compiler are all a machine needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The folder of the project is on the path, not only dbhw: so python bench/sim.py finds the other benches.
EDITABLE := --quiet --disable-pip-version-check --no-build-isolation --config-settings editable_mode=compat

.PHONY: setup demo test lint reference docs dist fuzz boards lock clean

setup: $(VENV)/.installed

$(VENV)/.installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "dbhw: Python must be 3.11 or newer, not " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install $(EDITABLE) --no-deps --editable .
	sim/install_icarus.sh $(VENV)
	sim/install_icebox.sh $(VENV)
	@touch $@

demo: setup
	$(BIN)/dbhw demo

test: setup lint
	$(BIN)/python -m pytest -n 2 --dist worksteal  # what the tests of a file share is then mostly made once

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The tables of docs/reference.md, from the code; a test checks that they are up to date.
reference: setup
	$(BIN)/python -m bench.reference

# The documentation as a site in build/site; a warning is an error.
docs: setup
	$(BIN)/python -m bench.site

# The wheel, tried in an empty environment outside the repository. It is not a part of `make test`: it installs everything.
dist: setup
	$(BIN)/python bench/dist.py

# Random nets through every check and damaged files through every reader; what fails is written to tests/found/. Damage
# is guided by coverage where atheris has a wheel, and random elsewhere.
MINUTES ?= 10
fuzz: $(VENV)/.fuzz-installed
	$(BIN)/python -m bench.fuzz --minutes $(MINUTES)

$(VENV)/.fuzz-installed: $(VENV)/.installed
	$(BIN)/python -m pip install $(EDITABLE) --editable '.[fuzz]' \
		|| echo "no wheel of atheris: files are damaged at random" >&2
	@touch $@

# Bitstreams for all boards with open tools. It is not a part of `make test`: it fetches half a gigabyte of place and
# route, and builds sixteen bitstreams.
boards: $(VENV)/.boards-installed
	$(BIN)/python bench/boards.py

$(VENV)/.boards-installed: $(VENV)/.installed requirements-boards.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-boards.lock
	@touch $@

# Pins every package with its digests; run after changing the dependencies in pyproject.toml.
lock: setup
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --extra dev --extra build --extra paper -o requirements.lock pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --extra dev --extra build --extra paper --extra boards -c requirements.lock -o requirements-boards.lock pyproject.toml

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
