# The two commands to know:
#
#   make demo    installs what is missing, builds, and plays examples/01_hello.lua
#   make test    installs what the tests need, and runs every test

.PHONY: demo test check bench test-midi-kernel

export PATH := $(HOME)/.cargo/bin:$(PATH)

demo:
	.ci/setup demo
	cargo run --release --locked -- run examples/01_hello.lua

test:
	.ci/setup test
	.ci/tests

# Format and lints, warnings as errors.
check:
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings

# Figures for this machine; docs/performance.md says how to read them.
bench:
	.ci/setup test
	cargo bench --locked

# MIDI through the kernel's own sequencer, in a small emulated machine (about a minute).
test-midi-kernel:
	tests/devices/midi_kernel.sh
