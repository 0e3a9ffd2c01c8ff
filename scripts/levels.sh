#!/usr/bin/env bash
# Measures what levels bring and cost, and writes it down: scripts/levels.sh MACHINE [SIZE...]
# writes docs/levels.md and docs/work_precision.svg. A few minutes on a quiet machine; 1,024 needs 3 GB.
set -euo pipefail
cd "$(dirname "$0")/.."

machine="${1:?give the name of the machine, such as 'lavapipe, 2 cores'}"
shift
if [[ $# -eq 0 ]]; then
    set -- 64 256 512 1024
fi
commit="$(git rev-parse --short HEAD)"
cargo build --release --example levels
example=target/release/examples/levels
# It fails where a sheet sags by more than 0.1 %: the table shows which.
by_size="$("${example}" sizes "$@")" || echo "a sheet sags by more than 0.1 %" >&2
by_method="$("${example}" methods 64 docs/work_precision.svg)"

cat >docs/levels.md <<EOF
# What levels bring and what they cost

Written by \`scripts/levels.sh\` on ${machine}, commit ${commit}; times there are of a machine that may have had other work.

A sheet of n × n particles, 1 m × 1 m and 1 kg, stretch 1e-8 m/N, shear 1e-6 m/N, bend 1e-4 m/N, hangs by its two upper corners from the
beginning. Sag and stretch are the largest in the second of two seconds, at 60 frames a second. It would stretch by 2e-4 % if it were solved
exactly: what is shown is error.

## By resolution

Five substeps a frame, with levels. Triangles are of all shapes: vertices are moved by up to 0.3 of a cell. Bytes are those of the levels on the
device; planning is all of it, with levels and without.

${by_size}

## By method

The sheet of 64 × 64. Newton's method solves implicit Euler with one step a frame to 1e-12 of the forces, in double precision on one core of
the CPU; all others are the device. A frame's time is that of the fastest. Plain, BDF2 and Jacobi are without levels; an iteration of BDF2 is two
sweeps.

![Error against time](work_precision.svg)

${by_method}
EOF
