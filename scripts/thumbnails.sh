#!/usr/bin/env bash
# Makes the small pictures of the gallery's scenes, examples/scenes/thumbnails/NAME.png, which examples/scenes/gallery.md
# and the window under *Scenes* show, and the list by which they are compiled in, src/viewer/thumbnails/list.in. To be run
# when scenes or the renderer have changed; takes a few minutes. `scripts/thumbnails.sh NAME ...` makes those of some scenes
# again. Builds the command first, unless PLIANT names one. With Python's Pillow the pictures get palettes and some
# 12 kB each; without it they stay as they are, twice as large.
set -euo pipefail
cd "$(dirname "$0")/.."

# The frame that is shown of a scene: the one that tells best what it is about.
moment() {
    case "$1" in
        volley) echo 10 ;;
        ring) echo 170 ;;
        towel) echo 270 ;;
        twist) echo 165 ;;
        cards) echo 50 ;;
        flags) echo 122 ;;
        knots) echo 165 ;;
        coils) echo 60 ;;
        plectoneme) echo 300 ;;
        canes) echo 80 ;;
        pistons) echo 45 ;;
        gyroscopes) echo 40 ;;
        top) echo 40 ;;
        heavy_chain) echo 90 ;;
        bridge) echo 60 ;;
        door) echo 70 ;;
        dominoes) echo 120 ;;
        claw) echo 170 ;;
        robot) echo 250 ;;
        dam_break) echo 22 ;;
        raft) echo 26 ;;
        modes) echo 27 ;;
        fountain) echo 150 ;;
        mill_wheel) echo 150 ;;
        bath) echo 70 ;;
        oil_and_water) echo 60 ;;
        shirt) echo 14 ;;
        sack) echo 75 ;;
        napkins) echo 70 ;;
        cells | doughnut) echo 20 ;;
        curls) echo 160 ;;
        anemones) echo 40 ;;
        slinky) echo 132 ;;
        boat) echo 140 ;;
        starfish) echo 330 ;;
        vice) echo 205 ;;
        keeping_apart) echo 25 ;;
        trampoline) echo 30 ;;
        bends | bowl | bouncing_balls | burst | compare_levels | funnel | grass | hair | soft) echo 40 ;;
        banner) echo 44 ;;
        tablecloth | tear) echo 50 ;;
        balls | landscape | outlines | rip | shapes | tent | tower) echo 60 ;;
        draped_cloth) echo 75 ;;
        chain | flag | strip) echo 80 ;;
        incline) echo 90 ;;
        balloon | swing) echo 110 ;;
        fold) echo 120 ;;
        breaking) echo 130 ;;
        curtain) echo 140 ;;
        conveyor | walker) echo 180 ;;
        clay) echo 200 ;;
        hanging_cloth | meadow) echo 210 ;;
        dancer) echo 255 ;;
        plastic) echo 330 ;;
        *) echo 100 ;;
    esac
}

# Makes a PNG file smaller, where the means are there.
shrink() {
    python3 - "$1" 2>/dev/null <<'PYTHON' || true
import os
import sys
from PIL import Image
picture = Image.open(sys.argv[1]).convert("RGB")
for colours in 256, 192, 128:
    picture.quantize(colours, kmeans=1).save(sys.argv[1], optimize=True)
    if os.path.getsize(sys.argv[1]) <= 12288:
        break
PYTHON
}

# Software Vulkan drivers want a place for their files, and say so when there is none.
work="$(mktemp -d)"
trap 'rm -rf "${work}"' EXIT
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-${work}}"

if [ -z "${PLIANT:-}" ]; then
    cargo build --release
    PLIANT="${CARGO_TARGET_DIR:-target}/release/pliant"
fi
folder="examples/scenes/thumbnails"
list="src/viewer/thumbnails/list.in"
mkdir -p "${folder}"

names="$(basename -s .toml examples/scenes/*.toml)"
for name in ${*:-${names}}; do
    last="$(moment "${name}")"
    printf 'thumbnails: %s, frame %s\n' "${name}" "${last}"
    "${PLIANT}" run "${name}" --frames "${last}" --every "${last}" --render --size 320x180 \
        --device cpu --out "${work}/${name}" >"${work}/log" 2>&1 || { cat "${work}/log" >&2; exit 1; }
    picture="${work}/${name}/frame_$(printf '%04d' "${last}").png"
    shrink "${picture}"
    mv "${picture}" "${folder}/${name}.png"
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
