#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs a build into an empty prefix and checks what a desktop and a user find there: the same id everywhere, valid
# desktop files, the program's data, and programs that contain no path of the source tree.
set -eu
build=$1
fail() { printf 'installed: FAILED: %s\n' "$*" >&2; exit 1; }

prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix/usr" >"$prefix/log" || { cat "$prefix/log"; fail "cmake --install"; }

# Shipped programs contain no folder of the build machine and do not link the benchmark library.
source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
[ -n "$source" ] || fail "CMakeCache.txt names no source folder"
for program in "$prefix"/usr/bin/*; do
  if grep -aqF "$source" "$program"; then fail "$program names the folder of the sources"; fi
  if ldd "$program" | grep -q libbenchmark; then fail "$program links the benchmarks"; fi
done

share=$prefix/usr/share
attn=$prefix/usr/bin/attn
[ -x "$attn" ] || fail "no bin/attn"
cd /
"$attn" backends >"$prefix/backends" || fail "attn backends"
grep -qi torch_sdpa "$prefix/backends" || fail "attn backends does not list torch_sdpa"
[ -s "$share/attention-workbench/models/tinystories-gqa/model.safetensors" ] || fail "the bundled model is missing"
for scenario in first-look long-prompt many-users; do
  [ -s "$share/attention-workbench/scenarios/$scenario.json" ] || fail "the scenario $scenario is missing"
done

[ -s "$share/attention-workbench/lessons/01-attention-by-hand.md" ] || fail "the lessons are missing"

if [ -x "$prefix/usr/bin/attention-workbench" ]; then
  for document in README.md LICENSE window.md lessons.md heatmap.md heads.md block-table.md metrics.md timeline.md events.md step.md backends.md formats.md; do
    [ -s "$share/attention-workbench/docs/$document" ] || fail "the document $document is missing"
  done
  if "$prefix/usr/bin/attention-workbench" --help >/dev/full 2>/dev/null; then fail "--help says nothing of a full disk"; fi
  id=org.attention_workbench.AttentionWorkbench
  desktop=$share/applications/$id.desktop
  metainfo=$share/metainfo/$id.metainfo.xml
  for file in "$desktop" "$metainfo" "$share/mime/packages/$id.xml" "$share/icons/hicolor/scalable/apps/$id.svg"; do
    [ -s "$file" ] || fail "$file is missing"
  done
  grep -qx "Icon=$id" "$desktop" || fail "another icon in the desktop file"
  grep -q "<launchable type=\"desktop-id\">$id.desktop</launchable>" "$metainfo" || fail "another launchable in the metainfo"
  type=$(sed -n 's/.*<mime-type type="\([^"]*\)".*/\1/p' "$share/mime/packages/$id.xml")
  grep -q "^MimeType=$type;" "$desktop" || fail "the desktop file does not open $type"
  started=$(sed -n 's/^Exec=\([^ ]*\).*/\1/p' "$desktop")
  [ -x "$prefix/usr/bin/$started" ] || fail "the desktop file starts $started, which is not installed"
  version=$("$attn" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
  grep -q "<release version=\"$version\"" "$metainfo" || fail "the metainfo knows no release $version"
  if command -v desktop-file-validate >/dev/null; then desktop-file-validate "$desktop" || fail "desktop-file-validate"; fi
  if command -v appstreamcli >/dev/null; then appstreamcli validate --no-net "$metainfo" || fail "appstreamcli"; fi
fi
printf 'installed: %s files, all found\n' "$(find "$prefix/usr" -type f | wc -l)"
