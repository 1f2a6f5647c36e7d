#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes every picture of this folder from real runs of the program. Usage: docs/images/make_images.sh [PROGRAM]
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
program=${1:-"$root/build/release/bin/attention-workbench"}
export QT_QPA_PLATFORM=offscreen

for theme in dark light; do
  for size in 1280x720 1920x1080; do
    "$program" --screenshot "$root/docs/images/first-look-$theme-$size.png" first-look \
      --size "$size" --theme "$theme" --tokens 20 --select 24,23 --scale 1
  done
done
for quantity in weight output; do
  case $quantity in weight) word=weight ;; *) word=written_output ;; esac
  "$program" --screenshot "$root/docs/images/written-$quantity-light-1280x720.png" repeated-words --show heatmap \
    --quantity "$word" --size 1280x720 --theme light --tokens 8 --scale 1
done
"$program" --screenshot "$root/docs/images/points-dark-1280x720.png" first-look --show points \
  --size 1280x720 --theme dark --tokens 20 --select 24,23 --scale 1
"$program" --screenshot "$root/docs/images/rotary-light-1280x720.png" first-look --show rotary \
  --size 1280x720 --theme light --tokens 20 --select 24,23 --scale 1
"$program" --screenshot "$root/docs/images/circuits-light-1280x720.png" repeated-words --show circuits \
  --size 1280x720 --theme light --tokens 4 --scale 1
"$program" --screenshot "$root/docs/images/patching-light-1280x720.png" first-look --show patching \
  --size 1280x720 --theme light --tokens 4 --scale 1
for layout in teach systems; do
  for theme in dark light; do
    "$program" --screenshot "$root/docs/images/layout-$layout-$theme-1280x720.png" first-look \
      --layout "$layout" --size 1280x720 --theme "$theme" --tokens 20 --select 24,23 --scale 1
  done
done
"$program" --screenshot "$root/docs/images/many-users-dark-1920x1080.png" many-users \
  --size 1920x1080 --theme dark --tokens 120 --scale 1
"$program" --screenshot "$root/docs/images/long-prompt-light-1920x1080.png" long-prompt \
  --size 1920x1080 --theme light --tokens 12 --scale 1
for picture in dark-1280x720 light-1920x1080; do
  "$program" --screenshot "$root/docs/images/compare-$picture.png" first-look --show compare \
    --size "${picture#*-}" --theme "${picture%%-*}" --tokens 20 --scale 1
done
for picture in light-1280x720 dark-1920x1080; do
  "$program" --screenshot "$root/docs/images/metrics-$picture.png" full-house-swap --show metrics \
    --size "${picture#*-}" --theme "${picture%%-*}" --tokens 300 --scale 1
done
# This picture shows measured limits of the machine: nothing else should run.
"$program" --screenshot "$root/docs/images/machine-light-1280x720.png" long-prompt --show metrics --metrics machine \
  --size 1280x720 --theme light --tokens 24 --scale 1
"$program" --screenshot "$root/docs/images/events-light-1280x720.png" full-house-swap --show events \
  --filter kind:request,block_swapped,token --size 1280x720 --theme light --tokens 99 --scale 1
"$program" --screenshot "$root/docs/images/events-dark-1920x1080.png" many-users --show events \
  --filter "kind:tile duration:>20us" --size 1920x1080 --theme dark --tokens 120 --scale 1
for picture in light-1280x720 dark-1920x1080; do
  "$program" --screenshot "$root/docs/images/tiles-$picture.png" long-prompt --show tiles \
    --size "${picture#*-}" --theme "${picture%%-*}" --tokens 4 --select 330,40 --scale 1
done
"$program" --screenshot "$root/docs/images/pallas-padded-light-1280x720.png" pallas-padded \
  --size 1280x720 --theme light --tokens 30 --select 20,17 --scale 1
"$program" --screenshot "$root/docs/images/tiles-pallas-light-1280x720.png" pallas-pages --show tiles \
  --size 1280x720 --theme light --tokens 6 --scale 1
"$program" --screenshot "$root/docs/images/tiles-xformers-light-1280x720.png" xformers-packed --show tiles \
  --size 1280x720 --theme light --tokens 4 --scale 1
"$program" --screenshot "$root/docs/images/sliding-window-light-1280x720.png" sliding-window \
  --size 1280x720 --theme light --tokens 12 --select 30,12 --scale 1
"$program" --screenshot "$root/docs/images/alibi-dark-1280x720.png" alibi \
  --size 1280x720 --theme dark --tokens 12 --select 30,12 --scale 1
"$program" --screenshot "$root/docs/images/encoder-light-1280x720.png" encoder \
  --size 1280x720 --theme light --tokens 1 --select 12,25 --scale 1
"$program" --screenshot "$root/docs/images/cross-attention-light-1280x720.png" cross-attention \
  --size 1280x720 --theme light --tokens 16 --select 9,10 --scale 1
"$program" --screenshot "$root/docs/images/cross-attention-lines-dark-1280x720.png" cross-attention --show lines \
  --heads 0,1,2 --size 1280x720 --theme dark --tokens 16 --scale 1
"$program" --screenshot "$root/docs/images/dates-light-1280x720.png" dates \
  --size 1280x720 --theme light --tokens 40 --select 5,3 --scale 1
"$program" --screenshot "$root/docs/images/dates-lines-dark-1280x720.png" dates --show lines \
  --size 1280x720 --theme dark --tokens 40 --scale 1
"$program" --screenshot "$root/docs/images/masked-word-light-1280x720.png" masked-word \
  --size 1280x720 --theme light --tokens 3 --select 1,24 --scale 1
"$program" --screenshot "$root/docs/images/masked-word-next-token-dark-1280x720.png" masked-word --show next_token \
  --size 1280x720 --theme dark --tokens 3 --scale 1
"$program" --screenshot "$root/docs/images/grouped-query-dark-1280x720.png" grouped-query \
  --size 1280x720 --theme dark --tokens 4 --select 30,12 --scale 1
"$program" --screenshot "$root/docs/images/shared-prompt-dark-1280x720.png" shared-prompt \
  --size 1280x720 --theme dark --tokens 60 --scale 1
"$program" --screenshot "$root/docs/images/full-house-swap-light-1920x1080.png" full-house-swap \
  --size 1920x1080 --theme light --tokens 99 --scale 1
"$program" --screenshot "$root/docs/images/samples-copies-light-1280x720.png" samples \
  --size 1280x720 --theme light --tokens 5 --scale 1
"$program" --screenshot "$root/docs/images/heads-dark-1280x720.png" first-look --show heads \
  --size 1280x720 --theme dark --tokens 24 --scale 1
"$program" --screenshot "$root/docs/images/heads-induction-light-1280x720.png" repeated-words --show heads \
  --rank induction --size 1280x720 --theme light --tokens 8 --scale 1
"$program" --screenshot "$root/docs/images/heads-points-light-1280x720.png" repeated-words --show heads \
  --rank points --size 1280x720 --theme light --tokens 8 --scale 1
"$program" --screenshot "$root/docs/images/heads-texts-light-1280x720.png" first-look --show heads \
  --texts stories --rank induction --size 1280x720 --theme light --tokens 8 --scale 1
"$program" --screenshot "$root/docs/images/heads-written-light-1280x720.png" repeated-words --show heads \
  --quantity written_output --size 1280x720 --theme light --tokens 8 --scale 1
"$program" --screenshot "$root/docs/images/lines-dark-1280x720.png" first-look --show lines \
  --size 1280x720 --theme dark --tokens 12 --scale 1
"$program" --screenshot "$root/docs/images/lines-locked-light-1280x720.png" repeated-words --show lines \
  --heads 2,3 --select 24,15 --size 1280x720 --theme light --tokens 8 --scale 1
"$program" --screenshot "$root/docs/images/step-light-1280x720.png" chunked-prefill --show step --step 8 \
  --size 1280x720 --theme light --tokens 60 --scale 1
"$program" --screenshot "$root/docs/images/next-token.png" samples --show next_token \
  --size 1280x720 --theme light --tokens 40 --scale 1
"$program" --screenshot "$root/docs/images/logit-lens.png" repeated-words --show lens \
  --size 1280x720 --theme dark --tokens 3 --scale 1
"$program" --screenshot "$root/docs/images/who-said-it.png" repeated-words --show attribution \
  --size 1280x720 --theme light --tokens 3 --scale 1
"$program" --screenshot "$root/docs/images/rollout-light-1280x720.png" repeated-words --show rollout \
  --size 1280x720 --theme light --tokens 4 --scale 1
"$program" --screenshot "$root/docs/images/knock-out.png" repeated-words --show knock_out --knock-out 4.2,4.3 \
  --size 1280x720 --theme light --tokens 8 --scale 1
for theme in dark light; do
  "$program" --screenshot "$root/docs/images/heatmap-mean-$theme-1280x720.png" first-look --show heatmap \
    --combine mean --size 1280x720 --theme "$theme" --tokens 24 --scale 1
  "$program" --screenshot "$root/docs/images/heatmap-difference-$theme-1280x720.png" first-look --show heatmap \
    --combine minus:4,1 --size 1280x720 --theme "$theme" --tokens 24 --scale 1
done
folder=$(mktemp -d)
"$program" run samples --export "$folder" --views blocks --clock virtual --size 1280x500 --scale 1
cp "$folder/blocks.png" "$root/docs/images/samples-blocks-light.png"
"$program" run shared-prompt --export "$folder" --force --views blocks --clock virtual --scale 1
cp "$folder/blocks.png" "$root/docs/images/shared-prompt-blocks-light.png"
rm -r "$folder"
# Pictures of models in files that do not come with the program.
models=$(mktemp -d)
trap 'rm -rf "$models"' EXIT
python3 "$root/docs/images/random_models.py" "$models"
for model in gpt2 bert; do
  "$program" --screenshot "$root/docs/images/own-$model-light-1280x720.png" "$models/$model" \
    --size 1280x720 --theme light --tokens 12 --scale 1
done
"$(dirname "$program")/attn" convert tinystories-gqa "$models/stories.gguf" --type q8_0
"$program" --screenshot "$root/docs/images/own-gguf-dark-1280x720.png" "$models/stories.gguf" \
  --size 1280x720 --theme dark --tokens 12 --scale 1
