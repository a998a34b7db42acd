# Everything happens in .venv; the first call of a target sets up what it needs, later calls start at once.
PYTHON ?= python3
BIN := .venv/bin
unexport PYTHONDONTWRITEBYTECODE
export JUPYTER_PREFER_ENV_PATH := 1
ROOT_FLAG := $(shell [ "$$(id -u)" = 0 ] && echo --allow-root)

.PHONY: help lab test compat notebooks bench handout site lite-check clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

lab: .venv/.lab ## open the course in JupyterLab
	$(BIN)/jupyter lab $(ROOT_FLAG) --notebook-dir=notebooks --LabApp.default_url=/lab/tree/00_start_here.ipynb --ServerApp.use_redirect_file=False

test: .venv/.test ## run all tests: package, notebooks, browser
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

compat: .venv/.test ## try Colab's packages, the oldest ones, and Binder's, and the website (QUICK=1: fewer tests)
	$(BIN)/python tools/compat.py $(if $(QUICK),--quick)

notebooks: .venv/.test ## run all notebooks again and store them in normal form
	$(BIN)/python tools/run_notebooks.py

bench: .venv/.test ## measure speed beside other libraries, and write benchmarks/RESULTS.md
	$(BIN)/python benchmarks/bench.py

handout: .venv/.lab ## copy the notebooks without their solutions to build/handout
	$(BIN)/python tools/handout.py

site: .venv/.site build/lite/venv/.done ## build the website, with JupyterLite beside it, in build/site
	$(BIN)/python tools/site.py --lite build/site
	build/lite/venv/bin/python tools/lite.py build/site/lite

lite-check: .venv/.test ## run lessons 1 and 2 in the website's JupyterLite, without a network
	$(BIN)/python tools/check_lite.py build/site

clean: ## remove .venv and what tests leave
	rm -rf .venv .pytest_cache .hypothesis tests/shots build *.egg-info

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 lab"; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "Python's venv module is missing; on Debian and Ubuntu: apt install python3-venv"; exit 1; }

.venv/.lab: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up JupyterLab and the course's package in .venv: two or three minutes and 500 MB, once; nothing is printed meanwhile"
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -e ".[lab,compare]" -c constraints.txt
	@touch $@

.venv/.test: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up the test tools and the libraries to compare with in .venv: two or three minutes, once; nothing is printed meanwhile"
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -e ".[lab,test]" -c constraints.txt
	@touch $@ .venv/.lab .venv/.site

.venv/.site: pyproject.toml constraints.txt | .venv/bin/python
	@echo "Setting up what builds the website in .venv: one or two minutes, once; nothing is printed meanwhile"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[site]" -c constraints.txt
	@touch $@

build/lite/venv/.done: tools/site/lite-build.txt constraints.txt    # apart: what it brings would show up in JupyterLab
	@$(PYTHON) -m venv build/lite/venv
	@build/lite/venv/bin/python -m pip install --quiet --disable-pip-version-check -r tools/site/lite-build.txt -c constraints.txt
	@touch $@
