#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens pages of a run and of a lesson in a real browser without a display, presses keys there and reads what the page
# says and draws; then opens one in a window of a display of its own (Xvfb). Run by hand: it needs chromium, and for the
# window Xvfb, ImageMagick and xdotool. Usage: tests/packaging/page_in_browser.sh ATTN [FOLDER FOR PICTURES]
set -eu
[ $# -ge 1 ] || { echo "Usage: tests/packaging/page_in_browser.sh ATTN [FOLDER]" >&2; exit 2; }
attn=$(readlink -f -- "$1")
pictures=${2:-}
fail() { printf 'page_in_browser: FAILED: %s\n' "$*" >&2; exit 1; }
command -v chromium >/dev/null || { echo "page_in_browser: skipped: chromium is not installed"; exit 77; }
work=$(mktemp -d)
started=
# shellcheck disable=SC2086  # a list of processes
trap '[ -z "$started" ] || kill $started 2>/dev/null || true; rm -rf "$work"' EXIT

browser() {
  timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --window-size=1100,1200 \
    --enable-logging=stderr "$@" </dev/null 2>"$work/browser.log"
  if grep -E 'CONSOLE.*(Error|Refused)' "$work/browser.log"; then fail "the script of the page failed"; fi
}
# after_keys PAGE SCRIPT [OPTION OF THE BROWSER...]: what the page holds after the script; press('ArrowLeft') presses a key
# on the canvas.
after_keys() {
  sed '$d' "$1" | sed '$d' >"$work/tried.html"
  cat >>"$work/tried.html" <<HTML
<script>
const press = (key, more) => document.querySelector('section:not([hidden]) canvas, body > #run canvas').dispatchEvent(
  new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true, ...more}));
const said = () => document.querySelector('section:not([hidden]) .values, body > #run .values').textContent;
const heard = [];
const drawing = () => document.querySelector('section:not([hidden]) canvas, body > #run canvas');
const inked = () => { const c = drawing(); if (!c.width || !c.height) return 0;  // pixels that are not clear
  return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.filter((v, i) => i % 4 === 3 && v > 0).length; };
$2
document.body.append(Object.assign(document.createElement('pre'), {id: 'heard', textContent: heard.join('\n')}));
</script></body></html>
HTML
  shift 2
  browser "$@" --dump-dom "file://$work/tried.html" | sed -n '/<pre id="heard">/,/<\/pre>/p' | sed 's/<[^>]*>//g'
}
holds() { grep -qF -- "$1" "$work/heard" || { cat "$work/heard" >&2; fail "the page does not say '$1'"; }; }

"$attn" run first-look --clock virtual --page "$work/run.html" >/dev/null
after_keys "$work/run.html" "
heard.push(said());
press('ArrowUp'); press('ArrowRight'); heard.push(said());
press('Home'); heard.push(said());
press('2'); heard.push(document.querySelector('[aria-selected=true]').textContent + ': ' + said());
press('3'); heard.push(document.querySelector('[aria-selected=true]').textContent + ': ' + said());
press('4'); press('ArrowRight'); heard.push(document.querySelector('[aria-selected=true]').textContent + ': ' + said());
" >"$work/heard"
holds 'Query 45'
holds 'Query 44 “ and” reads key 1 “ Once”: weight 0.'
holds 'Query 14'
holds 'Lines: Query 14'
holds 'Blocks: Block 0: 4 of 4 slots are filled, by Lily'
holds 'Timeline: '

"$attn" run first-look --clock virtual --export "$work/report" >/dev/null
table=$(find "$work/report" -name 'heatmap*.csv' | head -n 1)
cell=$(awk -F, 'NR == 46 { print $5 }' "$table")
shown=$(sed -n 's/.*Query 44 .* weight \([0-9.e-]*\) = .*/\1/p' "$work/heard" | head -n 1)
awk -v a="$cell" -v b="$shown" 'BEGIN { exit !(a > 0 && (a - b) / a < 1e-4 && (b - a) / a < 1e-4) }' ||
  fail "the page says $shown, the table $cell"

# A view must be drawn at once: in a window that keeps its size nothing calls for a second drawing.
while read -r view scale; do
  sed "s/\"shown\":{\"view\":\"heatmap\"/\"shown\":{\"view\":\"$view\"/" "$work/run.html" >"$work/begins.html"
  after_keys "$work/begins.html" "
heard.push('begins with ' + document.querySelector('[aria-selected=true]').dataset.view + ', drawn: ' + (inked() > 1000));
const c = drawing();
heard.push('pixels: ' + (Math.abs(c.width - c.clientWidth * $scale) <= 1 && Math.abs(c.height - c.clientHeight * $scale) <= 1));
" --force-device-scale-factor="$scale" >"$work/heard"
  holds "begins with $view, drawn: true"
  holds 'pixels: true'
done <<'CASES'
heatmap 1
heatmap 1.5
heatmap 2
lines 1
blocks 1
timeline 1
CASES

after_keys "$work/run.html" "
const c = drawing(), box = c.getBoundingClientRect(), pixels = (x, y) => [...c.getContext('2d').getImageData(x - 3, y - 3, 7, 7).data].map(v => v.toString(16).padStart(2, '0')).join('').match(/.{8}/g);
for (let y = 100; y < c.height; y += 23) for (let x = 60; x < c.width - 170; x += 9) {
  const before = said(); c.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + x, clientY: box.top + y}));
  const weight = said().match(/weight (0\.[0-9.e-]+)/), found = new Set(pixels(x, y));
  if (said() !== before && weight && found.size === 1) heard.push('cell ' + weight[1] + ' ' + [...found][0].slice(0, 6));
}
" >"$work/heard"
awk 'FNR == NR { if (/kCividisTable/) inside = 1; while (inside && match($0, /0x[0-9a-f]+/)) { color[count++] = substr($0, RSTART + 2, 6); $0 = substr($0, RSTART + 8) }
       if (/};/) inside = 0; next }
     /^cell/ { ++cells; kinds[$3] = 1; if (color[int($2 * 255 + .5)] != $3) { print "weight " $2 " has the colour " $3; wrong = 1 } }
     END { different = 0; for (kind in kinds) ++different; print cells + 0 " cells, " different " colours"; exit wrong || count != 256 || different < 5 }' \
  "$(dirname -- "$0")/../../engine/session/page/color_map_tables.h" "$work/heard" >"$work/colors" || { cat "$work/colors" >&2; fail "colours of cells"; }

"$attn" lesson html 1 --out "$work/lesson.html" 2>/dev/null
after_keys "$work/lesson.html" "
const field = document.querySelector('input[type=number]');
heard.push('before: ' + document.querySelectorAll('section:not([hidden]) canvas').length);
field.value = 30; field.form.requestSubmit();
heard.push(document.querySelector('.verdict').textContent);
heard.push('after: ' + document.querySelectorAll('section:not([hidden]) canvas').length + ' ' + said());
" >"$work/heard"
holds 'before: 0'
holds 'It is more: 100 %'
holds 'after: 1 Row of query 10 '

cat >"$work/two.md" <<'LESSON'
---
id: two-questions
title: Two questions
language: en
needs: nothing
version: 1
---

## Blocks of a prompt

:::scenario view=blocks
{
  "source": { "synthetic": { "kind": "random" } },
  "requests": [ { "prompt_tokens": 33, "max_tokens": 2 } ],
  "engine": { "block_size": 16, "num_blocks": 8 }
}
:::

:::predict kind=number quantity="blocks_used(step=1)" tolerance=0 min=0 max=8
How many blocks does the prompt take?
:::

:::explain
{{blocks_used(step=1)}}.
:::

:::predict kind=number quantity="wasted_slots(step=1)" tolerance=0 min=0 max=48
And how many of their slots stay empty?
:::

:::explain
{{wasted_slots(step=1)}}: the last token needs a block for itself.
:::

:::change controls="block_size" goal="waste < 0.1" solution="block_size=3"
Choose a block size with which less than 10 % of the slots stay empty.
:::

:::explain
Small blocks leave fewer slots empty.
:::
LESSON
"$attn" lesson html "$work/two.md" --out "$work/two.html" 2>/dev/null
after_keys "$work/two.html" "
const asked = () => [...document.querySelectorAll('section:not([hidden]) .task:not([hidden])')];
const told = () => [...document.querySelectorAll('.verdict')].map(e => e.textContent).join('; ');
const answer = (task, number) => { const field = task.querySelector('input[type=number]');
  field.value = number; field.form.requestSubmit(); };
heard.push('asked ' + asked().length);
answer(asked()[0], 3);
heard.push('asked ' + asked().length + ', told: ' + told() + '; pictures: ' + document.querySelectorAll('section:not([hidden]) canvas').length);
heard.push(asked()[0].querySelector('.note').textContent);
answer(asked()[1], 16);
heard.push('then told: ' + told() + '; pictures: ' + document.querySelectorAll('section:not([hidden]) canvas').length);
" >"$work/heard"
holds 'asked 1'
holds 'asked 2, told: ; pictures: 0'
holds 'Your answer stands.'
holds 'then told: Right: 3 blocks; It is less: 15 slots; pictures: 1'

if [ -n "$pictures" ]; then
  mkdir -p "$pictures"
  for page in run lesson two; do browser --screenshot="$pictures/$page.png" "file://$work/$page.html"; done
fi

# In a window. --test-type: without it a message of the browser slides in and changes the size of the page.
for needed in Xvfb xdotool import convert; do
  command -v $needed >/dev/null || { echo "page_in_browser: all other cases hold; no window: $needed is not installed"; exit 0; }
done
dark_pixels() {  # those of the colour of the weight 0
  import -display "$display" -window root png:- | convert - -fill white +opaque '#00224D' -format '%[fx:int((1-mean.r)*w*h+.5)]' info:
}
seen() {  # seen WHEN: a heatmap is in the window within half a minute
  for _ in $(seq 30); do
    [ "$(dark_pixels)" -gt 3000 ] && return
    sleep 1
  done
  fail "the window shows no heatmap $1"
}
Xvfb -displayfd 3 -screen 0 1280x720x24 3>"$work/display" 2>/dev/null &
started=$!
for _ in $(seq 50); do [ -s "$work/display" ] && break; sleep 0.2; done
display=:$(cat "$work/display")
window() {
  DISPLAY=$display chromium --no-sandbox --test-type --no-first-run --disable-gpu --user-data-dir="$work/window" \
    --window-size=1280,720 --window-position=0,0 "file://$1" 2>/dev/null &
}
window "$work/run.html"
started="$started $!"
seen 'at first'
for key in F5 ctrl+t ctrl+shift+Tab ctrl+plus; do  # loaded again, hidden, shown again, larger
  DISPLAY=$display xdotool key $key
  sleep 2
  [ $key = ctrl+t ] || seen "after $key"
done
cat "$work/run.html" - >"$work/narrow.html" <<'HTML'
<script>
const canvas = document.querySelector('canvas'), before = canvas.clientWidth;
setTimeout(() => { document.body.style.maxWidth = '500px'; }, 1000);
setInterval(() => { document.title = 'canvas ' + before + ' then ' + canvas.clientWidth + ' of ' + canvas.parentNode.clientWidth; }, 100);
</script>
HTML
window "$work/narrow.html"
for _ in $(seq 30); do
  title=$(DISPLAY=$display xdotool search --name '^canvas ' getwindowname 2>/dev/null || true)
  case $title in 'canvas 958 then 466 of 466 '*) break ;; esac
  sleep 1
done
case $title in 'canvas 958 then 466 of 466 '*) ;; *) fail "the drawing does not follow the width of the page: '$title'" ;; esac
printf 'page_in_browser: all cases hold\n'
