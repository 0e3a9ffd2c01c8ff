#!/usr/bin/env bash
# Runs the tests that hold the simulation against theory and writes what they proved as a table: scripts/proofs.sh FILE
# A row is printed by `proof::row` in tests/common/proof.rs, which asserts it, too.
set -euo pipefail
cd "$(dirname "$0")/.."

output="$(mktemp)"
table="$(mktemp)"
trap 'rm -f "${output}" "${table}"' EXIT
if ! cargo test --test=gpu --test=cpu --test=oracle -- --nocapture >"${output}"; then
    cat "${output}"
    exit 1
fi
device="$(sed -n 's/^DEVICE | //p' "${output}" | head -n 1)"

cat >"${table}" <<EOF
# What is proved

Each row is an assertion of a test, in whose file the setting and the reason of the bound are: how far a simulation is from
theory, and how far it may be. \`make proofs\` runs the tests and writes this page. Rows of a device and of \`tests/gpu\` are single precision on
${device}, those of the CPU engine and of \`tests/cpu\` single precision on the CPU; all others are double precision on the CPU.

| test | what | held against | error | at most |
|---|---|---|---|---|
EOF
sed -n 's/^PROOF //p' "${output}" | LC_ALL=C sort -u >>"${table}"
cp "${table}" "$1"
echo "$(grep -c '^| `tests/' "$1") rows in $1"
