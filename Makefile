# make build   the play aids of the bundled systems, into build/
# make test    everything CI runs
# make check   the fast part of it
# make bench   the benchmarks      make lock   new pinned versions      make clean
# make licenses   licenses.md, after make lock      make sbom   dist/refgen.cdx.json: all that a user of the wheel installs
# make release-check   wheel and source package, built twice and compared, and the README's commands with each
# make soak    every number of every document changed in turn (figures into docs/checks.md and docs/security.md), builds
#              killed at any moment, caches damaged, PDFs judged by veraPDF, what the tests try of one or two games or papers
#              tried of all, and properties with 500 new examples each: over an hour
# make fuzz    damaged files of every kind, 100,000 each and 10,000 more that coverage guides (figures into docs/security.md);
#              make fuzz FUZZ=1000 takes fewer. What breaks refgen lies in FINDS

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DISTRIBUTED := -n auto --dist loadfile --no-loadscope-reorder

# Bytecode is kept even where the environment says otherwise: dozens of tests start processes that load refgen.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: build test check bench soak fuzz release-check lock licenses sbom clean
.DEFAULT_GOAL := build

build: .setup-build
	@$(BIN)/refgen build

check: .setup-build
	@./.ci/lint-and-test $(BIN) -q $(DISTRIBUTED) -m "not slow and not originals"

test: .setup-test
	@./.ci/lint-and-test $(BIN) $(DISTRIBUTED)

bench: .setup-test
	@$(BIN)/python -m benchmarks

soak: .setup-test
	@./.ci/system-packages soak
	@$(BIN)/pytest -m soak
	@HYPOTHESIS_PROFILE=explore $(BIN)/pytest -m "hypothesis and not soak"

# Atheris (Apache-2.0) is for this alone. Where it has no wheel, coverage guides nothing.
FUZZ ?= 100000
FINDS ?= $(or $(TMPDIR),/tmp)/refgen-fuzz
fuzz: .setup-test
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
		{ $(BIN)/uv pip install --quiet --python $(BIN)/python --target "$$folder" --no-deps atheris==3.0.0 || true; } && \
		PYTHONPATH="$$folder" $(BIN)/python -m tests.fuzz --count $(FUZZ) --finds $(FINDS) --write

# One environment for both; only the Debian packages differ.
.setup-build: $(VENV)/installed
	@./.ci/system-packages build
	@touch $@

.setup-test: $(VENV)/installed
	@./.ci/system-packages test
	@touch $@ .setup-build

$(VENV)/installed: requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes --compile-bytecode requirements.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q refgen # else each process of a first run does it
	@touch $@

# The libraries come from the registry, as a user gets them.
release-check: .setup-test
	@$(BIN)/pytest -m "slow or soak" -k "packages or registry" tests/pipeline/test_wheel.py

# The lock names versions and hashes, never a registry.
lock: pyproject.toml
	@test -x $(BIN)/uv || { $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet uv; }
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--group dev --upgrade --custom-compile-command "make lock" --output-file requirements.lock pyproject.toml

licenses: .setup-test
	@$(BIN)/python .ci/licenses.py > licenses.new && mv licenses.new licenses.md

# CycloneDX, of an environment that has refgen and what it needs, at the versions of the lock; the same bytes each time.
SBOM ?= dist/refgen.cdx.json
sbom: .setup-build
	@mkdir -p $(dir $(SBOM))
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && $(BIN)/uv venv --quiet --python $(BIN)/python "$$folder/v" && \
		$(BIN)/uv pip install --quiet --python "$$folder/v/bin/python" --constraint requirements.lock . && \
		$(BIN)/uvx --quiet --from cyclonedx-bom==7.5.0 cyclonedx-py environment "$$folder/v" \
			--pyproject pyproject.toml --output-reproducible --output-file $(SBOM)

clean:
	@rm -rf $(VENV) build dist .setup-build .setup-test
