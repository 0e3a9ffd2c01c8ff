#!/usr/bin/env bash
# Sets up what Pliant needs beyond Rust. On Linux that is a Vulkan driver: where there is none, a software one is
# installed (Mesa's lavapipe), so that everything runs without a GPU. Where there is a display, it is the libraries of a
# window too; with the argument `test`, a display and a mouse for the tests (Xvfb, xdotool). macOS and Windows bring theirs.
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

has_library() {
    local ldconfig
    ldconfig="$(command -v ldconfig || echo /sbin/ldconfig)"
    if [ -x "${ldconfig}" ] && "${ldconfig}" -p 2>/dev/null | grep -qF "$1 "; then
        return 0
    fi
    compgen -G "/usr/lib*/$1" >/dev/null || compgen -G "/usr/lib/*/$1" >/dev/null
}

has_loader() { has_library libvulkan.so.1; }

# What winit loads when it opens a window on X or Wayland.
has_window_libraries() {
    local library
    if [ -n "${WAYLAND_DISPLAY:-}" ]; then
        set -- libwayland-client.so.0 libxkbcommon.so.0
    else
        set -- libX11.so.6 libX11-xcb.so.1 libXcursor.so.1 libXi.so.6 libxkbcommon.so.0 libxkbcommon-x11.so.0
    fi
    for library in "$@"; do
        has_library "${library}" || return 1
    done
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

# Without them there is no window and the scene is rendered to files: a pity, and no failure.
install_window_libraries() {
    say "there is a display; installing the libraries of a window"
    if command -v apt-get >/dev/null; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
            libwayland-client0 libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0 libxkbcommon0
    elif command -v dnf >/dev/null; then
        as_root dnf install -y libwayland-client libX11 libX11-xcb libXcursor libXi libxkbcommon libxkbcommon-x11
    elif command -v pacman >/dev/null; then
        as_root pacman -S --needed --noconfirm wayland libx11 libxcursor libxi libxkbcommon libxkbcommon-x11
    fi
    has_window_libraries || say "no window will open: some of them are still missing"
}

# The test of the window brings a display of its own.
install_display() {
    say "installing a display for the tests: Xvfb, xdotool and the libraries of a window"
    if command -v apt-get >/dev/null; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends xvfb xdotool \
            libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0 libxkbcommon0
    elif command -v dnf >/dev/null; then
        as_root dnf install -y xorg-x11-server-Xvfb xdotool libX11 libX11-xcb libXcursor libXi libxkbcommon-x11
    elif command -v pacman >/dev/null; then
        as_root pacman -S --needed --noconfirm xorg-server-xvfb xdotool libx11 libxcursor libxi libxkbcommon-x11
    else
        fail "Xvfb and xdotool are missing, and none of apt-get, dnf and pacman is there to install them with"
    fi
}

has_test_display() {
    command -v Xvfb >/dev/null && command -v xdotool >/dev/null && WAYLAND_DISPLAY='' has_window_libraries
}

has_rust
if [ "$(uname -s)" = Linux ]; then
    if has_driver && has_loader; then
        say "a Vulkan driver is there"
    else
        install_driver
    fi
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && ! has_window_libraries; then
        # In a shell of its own, so that what fails there does not end this one.
        (install_window_libraries) || say "no window will open: its libraries could not be installed"
    fi
    if [ "${1:-}" = test ] && ! has_test_display; then
        install_display
    fi
fi
