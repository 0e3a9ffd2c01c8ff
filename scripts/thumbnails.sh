#!/usr/bin/env bash
# Makes the small pictures of the gallery's scenes that the window shows under *Scenes*, and the list by which they are
# compiled in: examples/scenes/thumbnails/NAME.png, src/viewer/thumbnails/list.in. To be run when scenes or the renderer
# have changed. `scripts/thumbnails.sh NAME ...` makes those of some scenes again.
set -euo pipefail
cd "$(dirname "$0")/.."

# The moment that is shown, in frames, unless it is among these.
frame=75
declare -A moments=([breaking]=110 [tear]=110 [rip]=110 [burst]=110)

cargo build --release
pliant="${CARGO_TARGET_DIR:-target}/release/pliant"
folder="examples/scenes/thumbnails"
list="src/viewer/thumbnails/list.in"
mkdir -p "${folder}"

names="$(basename -s .toml examples/scenes/*.toml)"
for name in ${*:-${names}}; do
    out="$(mktemp -d)"
    last="${moments[${name}]:-${frame}}"
    printf 'thumbnails: %s, frame %s\n' "${name}" "${last}"
    "${pliant}" run "${name}" --frames "${last}" --every "${last}" --render --size 160x90 --device cpu --out "${out}" >/dev/null
    cp "${out}/frame_$(printf '%04d' "${last}").png" "${folder}/${name}.png"
    rm -r "${out}"
done

{
    printf '// Written by scripts/thumbnails.sh.\n&[\n'
    for name in ${names}; do
        if [ -f "${folder}/${name}.png" ]; then
            printf '    ("%s", include_bytes!("../../../%s/%s.png")),\n' "${name}" "${folder}" "${name}"
        fi
    done
    printf ']\n'
} > "${list}"
printf 'thumbnails: %s kB in %s\n' "$(du -sk "${folder}" | cut -f1)" "${folder}"
