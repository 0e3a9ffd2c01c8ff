# The two commands: `make demo` and `make test`, and `make proofs`. All set up what is missing first.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

SCENE ?= draped_cloth
FRAMES ?= 180
OUT ?= out/$(SCENE)

# Software Vulkan drivers want a place for their files, and say so when there is none.
ifndef XDG_RUNTIME_DIR
export XDG_RUNTIME_DIR := $(shell mktemp -d)
endif

# Something to open a window on: on Linux an X or Wayland display, elsewhere always.
SCREEN := $(if $(filter Linux,$(shell uname -s)),$(DISPLAY)$(WAYLAND_DISPLAY),yes)

.PHONY: demo test proofs setup

demo: setup
ifneq ($(SCREEN),)
	cargo run --release -- view $(SCENE) --frames $(FRAMES)
else
	cargo run --release -- run $(SCENE) --frames $(FRAMES) --render --out $(OUT)
	@echo
	@echo "There is no display. The pictures are in $(OUT): animation.png opens in any browser."
endif

test:
	@scripts/setup.sh test
	cargo test

# The table of what tests have proved.
proofs: setup
	scripts/proofs.sh docs/validation.md

setup:
	@scripts/setup.sh
