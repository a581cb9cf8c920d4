# make play: play in the browser.  make test: the test suite.  Each sets itself up in .venv first.
# Needs git, make and Python 3.11 or newer (with venv). ARGS are passed on: make play ARGS="--players 3 --bots random"

PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3 python; do \
	$$p -c 'import sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=

.PHONY: help play serve site test slow deep lint types docs release bench attack lock words clean

help:
	@echo "make play   play in the browser against bots"
	@echo "make serve  the table server, for guests"
	@echo "make site   the games as static files for any web space, in site/ (needs Node.js with npm)"
	@echo "make test   the test suite, some minutes"
	@echo "make slow   the tests that take some seconds each, as long again"
	@echo "make deep   what takes longer: every game, more examples, bounds checks"
	@echo "make lint   ruff and mypy"
	@echo "make docs   the documents as a site, with an API reference; dead links are errors"
	@echo "make release  wheel, sdist and documents, each tried from nothing on the Pythons that are here"
	@echo "make bench  measure; the results are printed"
	@echo "make attack what one hostile address can do to a server"
	@echo "make words  bring the German catalogs (locale/de.po) up to date with what is said"
	@echo "make lock   write the lock files (needs uv); ARGS=--upgrade takes the newest"

$(VENV)/play.ok: requirements/play.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Outbid needs Python 3.11, 3.12, 3.13 or 3.14 with venv; none was found."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/play.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/test.ok: $(VENV)/play.ok requirements/test.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/test.txt
	@touch $@

$(VENV)/docs.ok: $(VENV)/play.ok requirements/docs.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/docs.txt
	@touch $@

play: $(VENV)/play.ok
	@$(BIN)/outbid play $(ARGS)

serve: $(VENV)/play.ok
	@$(BIN)/outbid serve $(ARGS)

site: $(VENV)/play.ok
	@$(BIN)/outbid site site $(ARGS)

# the processes of the tests start sooner where what was read in once is kept
unexport PYTHONDONTWRITEBYTECODE

PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal

test: $(VENV)/test.ok
	$(PYTEST) $(ARGS)

slow: $(VENV)/test.ok
	OUTBID_PROFILE=slow $(PYTEST) $(ARGS)

deep: $(VENV)/test.ok
	OUTBID_PROFILE=deep $(PYTEST) $(ARGS)

lint: $(VENV)/test.ok
	$(BIN)/ruff check .
	@$(MAKE) --no-print-directory types

types: $(VENV)/test.ok
	$(BIN)/mypy

docs: $(VENV)/docs.ok
	@$(BIN)/python docs/site/build.py

release: $(VENV)/docs.ok
	@BIN=$(BIN) deploy/release.sh

bench: $(VENV)/play.ok
	@$(BIN)/outbid bench $(ARGS)

attack: $(VENV)/test.ok
	@$(BIN)/python benchmarks/server/attack.py $(ARGS)

lock:
	uv pip compile pyproject.toml --extra build --extra server --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --no-emit-index-url --quiet $(ARGS) -o requirements/play.txt
	uv pip compile pyproject.toml --extra build --extra server --extra test --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --no-emit-index-url --quiet $(ARGS) -c requirements/play.txt -o requirements/test.txt
	uv pip compile pyproject.toml --extra build --extra server --extra docs --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --no-emit-index-url --quiet -c requirements/play.txt -c requirements/test.txt -o requirements/docs.txt
	printf 'psycopg[binary]\npsycopg-binary; implementation_name != "pypy"\n' | uv pip compile - --no-deps --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --no-emit-index-url --quiet -c requirements/test.txt -o requirements/postgres.txt
	uv pip compile src/outbid/site/wheels.in --no-deps --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate --no-emit-index-url --quiet -c requirements/play.txt -o src/outbid/site/wheels.txt

clean:
	rm -rf $(VENV)

words: $(VENV)/test.ok
	$(BIN)/python -m tests.support.translations
