# Everyday commands; CMake does the work. PRESET selects a preset of CMakePresets.json: make test PRESET=asan
PRESET ?= release
BUILD := build/$(PRESET)

# One compile job per core, but each needs about 1.5 GB of memory (LibTorch's headers).
ifndef JOBS
JOBS := $(shell awk -v cores="$$(nproc)" '/^MemAvailable:/ { fit = int($$2 / 1500000) } \
  END { jobs = fit < cores ? fit : cores; print (jobs > 1 ? jobs : 1) }' /proc/meminfo)
endif
# Most tests use one thread, some two.
ifndef TEST_JOBS
TEST_JOBS := $(shell cores=$$(nproc); echo $$((cores <= 4 ? (cores < 2 ? cores : 2) : cores / 2)))
endif

.DEFAULT_GOAL := help
.PHONY: help setup setup-python build python test sanitize demo bench fuzz lint clean

help: ## List the targets (default)
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

setup: ## Install what is missing (Debian; root or sudo; LGODE_SKIP_SETUP=1: nothing)
	@scripts/setup.sh

# For everything but the demo: also what the Python package and its tests need.
setup-python:
	@scripts/setup.sh --python

# Ninja reconfigures by itself when a CMakeLists.txt changes, but does not check the presets.
$(BUILD)/build.ninja: CMakePresets.json | setup
	cmake --preset $(PRESET)
	@touch $@

# A build that was configured before Python's headers were there looks for them again.
build: setup-python $(BUILD)/build.ninja ## Build library, command, Python package, tests and benchmarks (PRESET=release|debug|asan, JOBS=n)
	@grep -qs '^LGODE_PYTHON_PACKAGE:INTERNAL=ON' $(BUILD)/CMakeCache.txt || cmake --preset $(PRESET) >/dev/null
	cmake --build --preset $(PRESET) --parallel $(JOBS)

python: setup-python $(BUILD)/build.ninja ## Build the Python package into build/PRESET/python (docs/python.md)
	@grep -qs '^LGODE_PYTHON_PACKAGE:INTERNAL=ON' $(BUILD)/CMakeCache.txt || cmake --preset $(PRESET)
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target lgode_python_package
	@echo "To use it: export PYTHONPATH=$(CURDIR)/$(BUILD)/python, or pip install . --no-build-isolation --no-deps"

test: build ## Build and run all tests (TEST_JOBS=n)
	@scripts/setup.sh --browser
	@rm -f $(BUILD)/kernels/*
	@ctest --preset $(PRESET) --parallel $(TEST_JOBS) --output-on-failure --no-tests=error; code=$$?; \
	BUILD=$(BUILD) scripts/test_summary.sh; exit $$code

sanitize: setup ## Run the operator tests under the address, undefined-behaviour and thread sanitizers
	JOBS=$(JOBS) scripts/sanitize.sh

# Builds only the command: tests and benchmarks would double the time to the first table.
demo: setup $(BUILD)/build.ninja ## Simulate springs, train the default model and LG-ODE at both tasks, compare; resumes where it was interrupted (DEMO_ARGS=--no-report)
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target lgode
	LGODE="$${LGODE:-$(BUILD)/bin/lgode}" scripts/demo.sh $(DEMO_ARGS)

bench: build ## Run the benchmarks, results in build/bench.json (BENCH_ARGS=--benchmark_filter=...)
	$(BUILD)/bin/lgode_bench --out build/bench.json $(BENCH_ARGS)

fuzz: ## Fuzz the readers of foreign files, half a minute each (FUZZ_SECONDS=n, FUZZ_JOBS=n, FUZZ_COVERAGE=0)
	@scripts/setup.sh --fuzz
	@scripts/fuzz.sh

lint: ## Check format and clang-tidy; scripts/lint.sh --fix formats in place
	@scripts/setup.sh --lint
	@scripts/lint.sh

clean: ## Remove build/ and demo/
	rm -rf build demo
