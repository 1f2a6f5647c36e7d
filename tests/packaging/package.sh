#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the packages that `./workbench package` makes, on a bare Debian root: the tar runs from a folder that nobody can
# write, beside a foreign Qt; the Debian package is installed, starts, shows a lesson, exports, and leaves nothing behind
# when it is purged. Run by hand: it takes minutes. Needs root, debootstrap and the Debian mirror that apt on this machine
# uses.
set -eu

usage() {
  cat <<'USAGE'
Usage: tests/packaging/package.sh [OPTION...] FILE...
  FILE             what is checked: a .deb made on the same release of Debian, a .tar.xz made on the same or an older one
  --suite NAME     bookworm (Debian 12, the default) or trixie (Debian 13)
  --folder DIR     make the root under DIR (default: TMPDIR, else the system's folder for large temporary files)
  --debs DIR       take packages that lie in DIR instead of fetching them, and put the others there
  --pictures DIR   copy the pictures of the window into this folder, to be looked at
  --keep           leave the root where it is
USAGE
}

script=$(readlink -f -- "$0")
# Use a mount namespace of our own, so that no mount outlives this script.
if [ "${ATTN_FRESH_NAMESPACE:-}" != yes ] && unshare --mount --propagation private true 2>/dev/null; then
  ATTN_FRESH_NAMESPACE=yes exec unshare --mount --propagation private sh "$script" "$@"
fi

suite=bookworm keep=no debs='' pictures='' deb='' tar=''
parent=${TMPDIR:-/var/tmp}
while [ $# -gt 0 ]; do
  case $1 in
    --suite | --folder | --debs | --pictures) [ $# -ge 2 ] || { usage >&2; exit 2; } ;;
  esac
  case $1 in
    --suite) suite=$2; shift ;;
    --folder) parent=$2; shift ;;
    --debs) debs=$2; shift ;;
    --pictures) pictures=$2; shift ;;
    --keep) keep=yes ;;
    -h | --help) usage; exit 0 ;;
    *.deb) deb=$(readlink -f -- "$1") ;;
    *.tar.xz) tar=$(readlink -f -- "$1") ;;
    *) printf 'package: unknown argument %s\n' "$1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
[ -n "$deb$tar" ] || { usage >&2; exit 2; }
[ -z "$deb" ] || [ -f "$deb" ] || { printf 'package: there is no file %s\n' "$deb" >&2; exit 2; }
[ -z "$tar" ] || [ -f "$tar" ] || { printf 'package: there is no file %s\n' "$tar" >&2; exit 2; }

skip() { printf 'package: skipped: %s\n' "$*"; exit 77; }
fail() { printf 'package: FAILED: %s\n' "$*" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || skip "making a root needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed (apt-get install debootstrap)"

root=$(mktemp -d "$parent/attention-workbench-package.XXXXXX")
chmod 755 "$root"
# shellcheck source=tests/packaging/bare_root.sh
. "${script%/*}/bare_root.sh"
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
probe_root
make_root

apt() { inside env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" >"$root/said" 2>&1 || { cat "$root/said"; fail "apt-get $*"; }; }
# A program as an ordinary user starts it, in a folder of its own.
mkdir -p "$root/opt/learner"
chown 65534:65534 "$root/opt/learner"
learner() {
  inside setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/opt/learner XDG_RUNTIME_DIR=/opt/learner \
    LANG=C.UTF-8 "$@" >"$root/said" 2>&1 || { cat "$root/said"; fail "$*"; }
}

# try NAME WINDOW ATTN: checks a form of the program that the commands WINDOW and ATTN start. Pictures get the name NAME.
try() {
  out=/opt/learner/$1
  inside install -d -o 65534 -g 65534 "$out"
  learner "$2" --no-settings --screenshot "$out/window.png" first-look --size 1280x720
  learner "$2" --no-settings --screenshot "$out/lesson.png" --lesson 1 --size 1280x720
  learner "$2" run first-look --export "$out/report"
  for kind in index.html manifest.json '*.png' '*.svg' '*.pdf' '*.csv'; do
    [ -n "$(find "$root$out/report" -name "$kind" -size +0)" ] || fail "$1: no $kind in the report"
  done
  learner "$3" lesson check 1 --quiet
  learner "$3" generate --model tinystories-gqa --prompt 'Once upon a time' --max-tokens 4
  for picture in window lesson; do
    [ "$(stat -c %s "$root$out/$picture.png")" -gt 20000 ] || fail "$1: $picture.png shows nothing"
    [ -z "$pictures" ] || { mkdir -p "$pictures" && cp "$root$out/$picture.png" "$pictures/$suite-$1-$picture.png"; }
  done
  printf '%s: window, lesson, report and attn: fine\n' "$1"
}

apt update
if [ -n "$tar" ]; then
  # What every desktop has (packaging/make_tar.sh leaves it to the machine).
  apt install --no-install-recommends libgl1 libegl1 libx11-xcb1 libxcb1 libfontconfig1 libfreetype6 libdbus-1-3
  place="/srv/class room"
  mkdir -p "$root$place" "$root/srv/foreign"
  tar -xJf "$tar" -C "$root$place"
  folder=$place/$(basename "$(find "$root$place" -mindepth 1 -maxdepth 1)")
  chmod -R a-w "$root$folder"
  # A foreign Qt, which is broken: whoever loads it fails.
  for library in libQt6Core.so.6 libQt6Gui.so.6 libQt6Widgets.so.6; do printf 'no library' >"$root/srv/foreign/$library"; done
  foreign() { printf '%s' "LD_LIBRARY_PATH=/srv/foreign"; }
  outside=$(inside env LD_LIBRARY_PATH= ldd "$folder/bin/attention-workbench" | grep -v "$folder" |
    sed -n 's/^\t\([^ ]*\) => .*/\1/p' | grep -E '^lib(Qt|icu|dnnl|fmt|hwy|md4c|xxhash)' || true)
  [ -z "$outside" ] || fail "the tar takes libraries of the machine: $outside"
  learner env "$(foreign)" QT_PLUGIN_PATH=/srv/foreign "$folder/attention-workbench" --version
  try tar "$folder/attention-workbench" "$folder/attn"
  rm -rf "${root:?}/srv"
fi

# Paths, and sizes of files, without what apt itself changes with each call.
listing() {
  find "$root" -xdev \( -path "$root/proc" -o -path "$root/dev" -o -path "$root/opt" -o -path "$root/var/lib/dpkg" \
    -o -path "$root/var/lib/apt" -o -path "$root/var/cache" -o -path "$root/var/log" -o -path "$root/run" \) -prune \
    -o -type f -printf '%P %s\n' -o -printf '%P\n' | grep -vE '^(said|listing\.)' | sort
}
if [ -n "$deb" ]; then
  cp "$deb" "$root/opt/package.deb"
  # A purge leaves what the package needs, so the second time only the package itself comes and goes.
  apt install --no-install-recommends /opt/package.deb
  apt purge attention-workbench
  listing >"$root/listing.without"
  apt install --no-install-recommends /opt/package.deb
  try deb attention-workbench attn
  inside test -s /usr/share/attention-workbench/docs/lessons.md || fail "the documents are missing"
  apt purge attention-workbench
  listing >"$root/listing.after"
  diff "$root/listing.without" "$root/listing.after" || fail "the package left or took something"
  left=$(find "$root/etc" "$root/usr" "$root/var/lib" "$root/var/cache" "$root/root" -iname '*attention*workbench*' \
    -not -path '*/apt/*' || true)
  [ -z "$left" ] || fail "the package left: $left"
  if inside dpkg-query -W attention-workbench >/dev/null 2>&1; then fail "dpkg still knows the package"; fi
  printf 'deb: purged, nothing is left\n'
fi
[ -z "$debs" ] || find "$root/var/cache/apt/archives" -maxdepth 1 -name '*.deb' -exec cp -n -t "$debs" {} +
printf 'package: %s, all cases hold\n' "$suite"
