#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a tar of a build that runs from any folder, without root and without Qt on the machine: for school computers that
# are locked. Usage: packaging/make_tar.sh BUILD FOLDER
#
#   attention-workbench-0.1.0/
#     attention-workbench, attn   start these
#     bin, lib, plugins           the programs, the libraries they need, the plugins of Qt
#     share                       models, lessons, documents, fonts
#
# What every desktop has, and what must fit the desktop's own drivers, is not taken along (`host` below). The C library of
# the machine must be at least as new as that of the machine that builds.
set -eu
fail() { printf 'make_tar: %s\n' "$*" >&2; exit 1; }
[ $# -eq 2 ] || fail "usage: packaging/make_tar.sh BUILD FOLDER"
build=$1 folder=$2
for tool in patchelf ldd strip tar xz; do command -v $tool >/dev/null || fail "'$tool' is not installed"; done

# Libraries that are taken from the machine, such as those for C and C++, the display, drivers and fonts. libOpenGL is not
# among them, because not every desktop has it.
host='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|stdc\+\+|gcc_s|GL|EGL|GLX|GLdispatch|GLESv2|drm|gbm|vulkan|X11|X11-xcb|xcb|Xau|Xdmcp|wayland-client|wayland-egl|wayland-cursor|wayland-server|fontconfig|freetype|expat|z|dbus-1|systemd|udev|selinux|cap|gcrypt|gpg-error|com_err))\.so'

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
[ -n "$version" ] || fail "$build is no build folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=attention-workbench-$version
root=$work/$name
cmake --install "$build" --prefix "$root" --strip >/dev/null || fail "installing the build failed"
rm -rf "$root/share/lintian"
mkdir -p "$root/lib" "$root/plugins"

# The plugins of Qt that the program may load.
core=$(ldd "$root/bin/attention-workbench" | sed -n 's/.*=> \(.*\)\/libQt6Core\.so[^ ]* .*/\1/p')
[ -n "$core" ] || fail "the program does not link Qt"
plugins=$core/qt6/plugins
[ -d "$plugins/platforms" ] || fail "no plugins of Qt in $plugins"
for part in platforms/libqxcb platforms/libqoffscreen platforms/libqwayland-generic platforms/libqwayland-egl \
  imageformats/libqsvg iconengines/libqsvgicon xcbglintegrations/libqxcb-glx-integration \
  xcbglintegrations/libqxcb-egl-integration wayland-shell-integration/libxdg-shell \
  wayland-decoration-client/libbradient wayland-graphics-integration-client/libqt-plugin-wayland-egl \
  platformthemes/libqxdgdesktopportal; do
  [ -e "$plugins/$part.so" ] || continue
  mkdir -p "$root/plugins/${part%/*}"
  cp "$plugins/$part.so" "$root/plugins/$part.so"
done
for part in platforms/libqxcb platforms/libqoffscreen; do
  [ -e "$root/plugins/$part.so" ] || fail "the plugin $part.so is missing in $plugins"
done

# The libraries that the programs and plugins need, directly or through others.
find "$root/bin" "$root/plugins" -type f -exec ldd {} + |
  sed -n 's/^\t\([^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | sort -u >"$work/needed"
while read -r library place; do
  if printf '%s\n' "$library" | grep -qE "$host"; then continue; fi
  cp -L "$place" "$root/lib/$library"
done <"$work/needed"

# A RPATH (not a RUNPATH) is searched before LD_LIBRARY_PATH, which may name another Qt.
strip --strip-unneeded "$root"/lib/*.so*
patchelf --force-rpath --set-rpath "\$ORIGIN/../lib" "$root"/bin/*
for library in "$root"/lib/*; do patchelf --force-rpath --set-rpath "\$ORIGIN" "$library"; done
find "$root/plugins" -name '*.so' -exec patchelf --force-rpath --set-rpath "\$ORIGIN/../../lib" {} +
printf '[Paths]\nPrefix = ..\nPlugins = plugins\nLibraries = lib\n' >"$root/bin/qt.conf"

for font in Inter-Regular.otf Inter-Medium.otf Inter-SemiBold.otf Inter-Bold.otf JetBrainsMono-Regular.ttf JetBrainsMono-Bold.ttf; do
  file=$(find /usr/share/fonts -name "$font" | head -n 1)
  [ -n "$file" ] || fail "the font $font is missing (packages fonts-inter and fonts-jetbrains-mono)"
  mkdir -p "$root/share/attention-workbench/fonts"
  cp "$file" "$root/share/attention-workbench/fonts/"
done

# The scripts that start a program: they unset variables of the environment that could bring in a foreign Qt.
for program in attention-workbench attn; do
  cat >"$root/$program" <<'START'
#!/bin/sh
# Starts the program of this name from the folder bin beside this script.
unset QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH QT_QPA_PLATFORMTHEME QT_STYLE_OVERRIDE LD_LIBRARY_PATH
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/bin/${0##*/}" "$@"
START
  chmod 755 "$root/$program"
done

mkdir -p "$root/share/doc/attention-workbench/libraries"
awk '{ print $2 }' "$work/needed" | while read -r place; do
  [ -e "$root/lib/${place##*/}" ] || continue
  package=$(dpkg -S "$(readlink -f "$place")" 2>/dev/null | head -n 1 | cut -d: -f1)
  [ -z "$package" ] || cp "/usr/share/doc/$package/copyright" "$root/share/doc/attention-workbench/libraries/$package"
done
for package in fonts-inter fonts-jetbrains-mono; do
  cp "/usr/share/doc/$package/copyright" "$root/share/doc/attention-workbench/libraries/$package"
done

missing=$(find "$root/bin" "$root/plugins" -type f -name '*[!f]' -exec ldd {} + | grep 'not found' || true)
[ -z "$missing" ] || fail "libraries are missing: $missing"
mkdir -p "$folder"
out=$folder/$name-$(uname -m).tar.xz
find "$work/$name" -newermt '@0' -exec touch -hd '@1' {} +
(cd "$work" && tar --sort=name --owner=0 --group=0 --numeric-owner -c "$name") | xz -T0 -6 >"$out.part"
mv "$out.part" "$out"
printf '%s\n' "$out"
