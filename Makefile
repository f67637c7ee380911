# make demo: a simulated Bong party with its page.  make test: the tests.  Both set up everything they need.

.PHONY: demo test setup check bench clean

demo: setup
	.venv/bin/cardtable demo bong

test:
	tools/setup test
	.venv/bin/python -m pytest -q

setup:
	tools/setup

# What guards main beside the tests.
check:
	tools/setup dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy

bench: setup
	.venv/bin/cardtable bench engine
	.venv/bin/cardtable bench vision

clean:
	rm -rf .venv
