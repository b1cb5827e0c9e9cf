# Short words for the common things; CMake does the work. `make demo` and `make check` need a Debian system with gcc, make
# and cmake: scripts/setup installs what else is missing.
BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)

# Configuring is quiet; a failure shows all of it.
configure = mkdir -p $(BUILD) && cmake -S . -B $(BUILD) $(1) $(CMAKE_FLAGS) > $(BUILD)/configure.log 2>&1 || \
            { cat $(BUILD)/configure.log; exit 1; }
build = cmake --build $(BUILD) --parallel $(JOBS) --target

.PHONY: all demo check check-numpy kernels-ptx rng-battery bench bench-gpu install fuzz clean format

all:
	@scripts/setup demo
	@$(call configure,)
	@$(build) ashlar ashlar_cdef ashlar-program

demo:
	@scripts/setup demo
	@$(call configure,)
	@test -x $(BUILD)/example-kmeans || echo "building (about a minute, the first time; the details go to $(BUILD)/build.log)"
	@$(build) example-kmeans > $(BUILD)/build.log 2>&1 || { cat $(BUILD)/build.log; exit 1; }
	@$(BUILD)/example-kmeans examples/data/iris.csv iris.svg

check:
	@scripts/setup check
	@$(call configure,-DASHLAR_TESTS=ON)
	@$(build) all
	@scripts/suite asan --build
	@scripts/suite tsan --build
	@ctest --test-dir $(BUILD) --parallel $(JOBS) --output-on-failure --no-tests=error

# More random arrays through NumPy than `make check` has time for.
check-numpy: all
	@tests/property_numpy.sh $(BUILD)/libashlar.so $(BUILD)/ashlar.cdef 50000 $(SEED)

# What NVIDIA's compilers make of the kernels: docs/kernels-ptx.md.
kernels-ptx:
	@$(call configure,-DASHLAR_TESTS=ON)
	@$(build) kernel-texts
	@folder=$$(mktemp -d); $(BUILD)/kernel-texts $$folder && python3 tests/check_kernels/ptx.py $$folder docs/kernels-ptx.md; \
		status=$$?; rm -r $$folder; exit $$status

# Tests of randomness over the streams of both generators; docs/random.md has results.
rng-battery:
	@scripts/setup battery
	@$(call configure,)
	@$(build) ashlar
	@BUILD=$(BUILD) scripts/rng-battery

bench:
	@scripts/setup bench
	@$(call configure,)
	@$(build) ashlar-bench
	@$(BUILD)/ashlar-bench $(BENCH_FLAGS)
	@for p in python3 /usr/bin/python3; do \
		if $$p -c 'import numpy' 2> /dev/null; then \
			$$p bench/expression_peer.py $(BUILD)/libashlar.so; exec $$p bench/numpy_peer.py $(BUILD)/libashlar.so; fi; done

# On the machine's GPU; writes docs/bench-gpu.md.
GPU_ELEMENTS ?= 67108864
bench-gpu:
	@scripts/setup bench
	@$(call configure,)
	@$(build) ashlar-bench-gpu
	@python3 bench/gpu/cupy_peer.py $(GPU_ELEMENTS) > $(BUILD)/cupy.txt || true
	@$(BUILD)/ashlar-bench-gpu --elements $(GPU_ELEMENTS) --peer $(BUILD)/cupy.txt --output $(BUILD)/bench-gpu.md $(GPU_FLAGS)
	@cp $(BUILD)/bench-gpu.md docs/bench-gpu.md && cat docs/bench-gpu.md

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

fuzz:
	@scripts/setup check
	@scripts/fuzz $(FUZZ_SECONDS)

clean:
	rm -rf build build-asan build-tsan build-fuzz iris.svg

format:
	clang-format -i $$(git ls-files '*.c' '*.h')
