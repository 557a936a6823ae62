# Short names for what people run often. `make job` and `make test` set up everything they need.
.PHONY: job test bench look samples backtest soak lint

job:
	bash .ci/job

test:
	bash .ci/test

bench:     # speed against hand-written code, as ratios
	.venv/bin/python -m tests.bench

look:      # a contact sheet of every page and sheet in look/
	.venv/bin/python -m tests.look

samples:   # the committed sample memos and workbooks, built anew
	.venv/bin/python -m tests.samples

backtest:  # the measured profile against published measurements
	.venv/bin/python -m sheetcalc.backtest

soak:      # minutes of random kills, full disks and poisoned rows
	.venv/bin/python -m tests.soak

lint:
	.venv/bin/python -m ruff check .
