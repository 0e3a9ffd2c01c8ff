# The two commands: `make demo` and `make test`. Both set up what is missing first.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

SCENE ?= draped_cloth
FRAMES ?= 180
OUT ?= out/$(SCENE)

# Software Vulkan drivers want a place for their files, and say so when there is none.
ifndef XDG_RUNTIME_DIR
export XDG_RUNTIME_DIR := $(shell mktemp -d)
endif

.PHONY: demo test setup

demo: setup
	cargo run --release -- run $(SCENE) --frames $(FRAMES) --render --out $(OUT)
	@echo
	@echo "The pictures are in $(OUT): animation.png opens in any browser."

test: setup
	cargo test

setup:
	@scripts/setup.sh
