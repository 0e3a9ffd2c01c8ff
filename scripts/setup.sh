#!/usr/bin/env bash
# Sets up what Pliant needs beyond Rust. On Linux that is a Vulkan driver: where there is none, a software one is
# installed (Mesa's lavapipe), so that everything runs without a GPU. macOS and Windows bring theirs.
set -euo pipefail

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

has_rust() {
    command -v cargo >/dev/null || fail "cargo was not found. Install Rust 1.95 or later: https://rustup.rs"
}

# A driver announces itself by a JSON file in one of the loader's folders, or in a variable.
has_driver() {
    [ -n "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}${VK_ADD_DRIVER_FILES:-}" ] && return 0
    local data folders folder
    data="${XDG_DATA_HOME:-${HOME:-/root}/.local/share}:${XDG_DATA_DIRS:-/usr/local/share:/usr/share}"
    folders="${data}:${XDG_CONFIG_HOME:-${HOME:-/root}/.config}:${XDG_CONFIG_DIRS:-/etc/xdg}:/etc:/usr/local/etc"
    while IFS= read -r -d ':' folder; do
        compgen -G "${folder}/vulkan/icd.d/*.json" >/dev/null && return 0
    done <<<"${folders}:"
    return 1
}

has_loader() {
    local ldconfig
    ldconfig="$(command -v ldconfig || echo /sbin/ldconfig)"
    if [ -x "${ldconfig}" ] && "${ldconfig}" -p 2>/dev/null | grep -q 'libvulkan\.so\.1'; then
        return 0
    fi
    compgen -G '/usr/lib*/libvulkan.so.1' >/dev/null || compgen -G '/usr/lib/*/libvulkan.so.1' >/dev/null
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "this needs root, and there is no sudo. Run as root: $*"
    fi
}

install_driver() {
    if command -v apt-get >/dev/null; then
        say "no Vulkan driver found; installing libvulkan1 and mesa-vulkan-drivers (software Vulkan) with apt-get"
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
            libvulkan1 mesa-vulkan-drivers
    elif command -v dnf >/dev/null; then
        say "no Vulkan driver found; installing vulkan-loader and mesa-vulkan-drivers (software Vulkan) with dnf"
        as_root dnf install -y vulkan-loader mesa-vulkan-drivers
    elif command -v pacman >/dev/null; then
        say "no Vulkan driver found; installing vulkan-icd-loader and vulkan-swrast (software Vulkan) with pacman"
        as_root pacman -S --needed --noconfirm vulkan-icd-loader vulkan-swrast
    else
        fail "no Vulkan driver found, and none of apt-get, dnf and pacman to install one with. Install a Vulkan loader" \
            "(libvulkan.so.1) and a driver, such as Mesa's lavapipe, by your system's means"
    fi
    has_driver && has_loader || fail "the driver was installed, but the Vulkan loader does not see it"
}

has_rust
if [ "$(uname -s)" = Linux ]; then
    if has_driver && has_loader; then
        say "a Vulkan driver is there"
    else
        install_driver
    fi
fi
