#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the manual as HTML and as PDF, each one file with its pictures in it: the tasks of manual.md first, then the
# documents to which they lead. Needs pandoc and weasyprint (packages of Debian); no network.
# Usage: docs/make_manual.sh [FOLDER]   (default: out/manual)
set -eu
docs=$(cd "$(dirname "$0")" && pwd)
folder=${1:-"$docs/../out/manual"}
for tool in pandoc weasyprint; do
  command -v $tool >/dev/null || { echo "make_manual: '$tool' is not installed (apt-get install $tool)" >&2; exit 1; }
done
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One text: each document is a chapter, and links between documents lead to headings.
chapters='manual window lessons heatmap heads block-table metrics timeline events step backends explore formats'
for chapter in $chapters; do
  [ -f "$docs/$chapter.md" ] || { echo "make_manual: $chapter.md is missing" >&2; exit 1; }
  # A heading gets an identifier that begins with its document: several documents may have the same heading.
  awk -v chapter="$chapter" '
    /^```/ { code = !code }
    !code && /^# / { print $0 " {#" chapter "}"; next }
    !code && /^##+ / {
      id = tolower($0); sub(/^#+ /, "", id); gsub(/[^a-z0-9 _-]/, "", id); gsub(/ /, "-", id)
      print $0 " {#" chapter "-" id "}"; next
    }
    { print }' "$docs/$chapter.md" |
    # Links to other files become plain words.
    sed -E 's/\[([^]]+)\]\((\.\.\/[^)]*|[^)]*\.sh|(architecture|contributing|gallery|measurements|SECURITY)\.md[^)]*)\)/\1/g' |
    sed -E "s/\]\(([a-z-]+)\.md\)/](#\1)/g; s/\]\(([a-z-]+)\.md#([a-z0-9_-]+)\)/](#\1-\2)/g; s/\]\(#([a-z0-9_-]+)\)/](#$chapter-\1)/g" |
    sed -E "s/#$chapter-($(echo "$chapters" | tr ' ' '|'))([-)])/#\1\2/g"
  printf '\n\n'
done >"$work/manual.md"

cat >"$work/style.css" <<'CSS'
@page { size: A4; margin: 18mm; @bottom-center { content: counter(page); } }
body { max-width: 46rem; margin: 0 auto; padding: 1rem; color: #111; background: #fff; font: 11pt/1.45 "Inter", "Noto Sans", sans-serif; }
h1 { font-size: 1.7rem; break-before: page; } h2 { font-size: 1.25rem; margin-top: 1.6rem; } h2, h3 { break-after: avoid; }
header h1 { break-before: auto; } img { max-width: 100%; border: 1px solid #ccc; } figure { margin: 1rem 0; } figcaption { font-size: .85rem; color: #444; }
table { border-collapse: collapse; font-size: .85rem; width: 100%; } td, th { border: 1px solid #bbb; padding: .2rem .4rem; vertical-align: top; text-align: left; }
code { font: .85em "JetBrains Mono", monospace; overflow-wrap: anywhere; } pre { background: #f4f5f6; padding: .6rem; white-space: pre-wrap; break-inside: avoid; }
a { color: #0b5cad; } nav ul { list-style: none; padding-left: 1rem; }
CSS
pandoc --from=gfm+attributes --to=html5 --standalone --self-contained --toc --toc-depth=2 --resource-path="$docs" \
  --metadata title="Attention Workbench" --metadata lang=en --css="$work/style.css" "$work/manual.md" -o "$work/manual.html"
weasyprint -q "$work/manual.html" "$work/manual.pdf"
mv "$work/manual.html" "$work/manual.pdf" "$folder/"
echo "$folder/manual.html"
echo "$folder/manual.pdf"
