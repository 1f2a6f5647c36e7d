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

# The programs must not contain the path of the sources nor link the benchmark library.
source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
[ -n "$source" ] || fail "CMakeCache.txt names no source folder"
for program in "$prefix"/usr/bin/*; do
  if grep -aqF "$source" "$program"; then fail "$program names the folder of the sources"; fi
  if ldd "$program" | grep -q libbenchmark; then fail "$program links the benchmarks"; fi
done

for program in "$build"/bin/attn-bench "$build"/bin/attention-workbench-bench; do
  [ -e "$program" ] || continue
  if grep -aqF "$source" "$program"; then fail "$program names the folder of the sources"; fi
done

share=$prefix/usr/share
attn=$prefix/usr/bin/attn
[ -x "$attn" ] || fail "no bin/attn"
cd /
"$attn" backends >"$prefix/backends" || fail "attn backends"
grep -qi torch_sdpa "$prefix/backends" || fail "attn backends does not list torch_sdpa"
for model in tinystories-gqa dates-encdec cloze-encoder; do
  [ -s "$share/attention-workbench/models/$model/model.safetensors" ] || fail "the bundled model $model is missing"
done
[ ! -e "$share/attention-workbench/models/train" ] || fail "the scripts that trained the models are installed"
for scenario in first-look long-prompt many-users dates masked-word; do
  [ -s "$share/attention-workbench/scenarios/$scenario.json" ] || fail "the scenario $scenario is missing"
done

[ -s "$share/attention-workbench/lessons/01-attention-by-hand.md" ] || fail "the lessons are missing"

if [ -x "$prefix/usr/bin/attention-workbench" ]; then
  # All that the menu Help lists.
  # shellcheck disable=SC2013  # names without spaces
  for document in $(sed -n 's/^ *{"\([A-Za-z.-]*\)", QT_TRANSLATE_NOOP("Help".*/\1/p' "$source/gui/app/help/help_texts.cpp"); do
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
# man_agrees PROGRAM COMMAND...: a man page is there, and names the options that --help names, no others.
man_agrees() {
  page=$share/man/man1/$1.1.gz
  [ -s "$page" ] || fail "the man page of $1 is missing"
  gzip -dc "$page" | sed 's/\\-/-/g; s/\\f.//g' >"$prefix/page"
  grep -oE -- '(^|[ ",`])--[a-z][a-z-]*' "$prefix/page" | sed 's/^[^-]*//' | sort -u >"$prefix/in_page"
  sort -u "$prefix/in_help" >"$prefix/in_help.sorted"
  diff "$prefix/in_help.sorted" "$prefix/in_page" >"$prefix/differences" || {
    cat "$prefix/differences" >&2
    fail "the man page of $1 (>) and its --help (<) name different options"
  }
}
options_of() { sed -n 's/^  \(-h,\)\{0,1\}\(--[a-z-]*\).*/\2/p'; }
printf '%s\n' --version --help >"$prefix/in_help"
for command in op generate run compare explore backends inspect convert 'lesson check' 'lesson new' 'lesson collect' \
  'lesson gift' 'lesson handout' 'lesson html'; do
  # shellcheck disable=SC2086  # words
  "$attn" $command --help | options_of >>"$prefix/in_help"
done
echo --all >>"$prefix/in_help"  # of ./workbench, under `attn bench`
man_agrees attn
"$attn" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | while read -r command; do
  grep -q "attn $command" "$prefix/page" || fail "the man page of attn does not describe the command $command"
done
if [ -x "$prefix/usr/bin/attention-workbench" ]; then
  "$prefix/usr/bin/attention-workbench" --help | options_of >"$prefix/in_help"
  man_agrees attention-workbench
fi

printf 'installed: %s files, all found\n' "$(find "$prefix/usr" -type f | wc -l)"
