#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Proves the two commands of README.md on a machine that has nothing: makes a bare Debian 12 root with debootstrap, puts
# a clean copy of this repository into it, and runs `./workbench test` and `./workbench` there, with no display, no
# terminal and no step by hand. Prints times and the packages that came with it. Needs root, debootstrap and the Debian
# mirror that apt on this machine uses. Everything it made is gone when it ends.
set -eu

usage() {
  cat <<'USAGE'
Usage: tests/packaging/fresh_machine.sh [OPTION...]
  --worktree       copy the files as they lie here, instead of the last commit
  --engine-only    the same for the engine and attn without Qt; checks that no Qt package came along
  --no-tests       only `./workbench`, not `./workbench test`
  --folder DIR     make the root under DIR (default: TMPDIR, else the system's folder for large temporary files)
  --keep           leave the root where it is
USAGE
}

worktree=no keep=no tests=yes
mode=
parent=${TMPDIR:-/var/tmp}
while [ $# -gt 0 ]; do
  case $1 in
    --worktree) worktree=yes ;;
    --engine-only) mode=--engine-only ;;
    --no-tests) tests=no ;;
    --keep) keep=yes ;;
    --folder)
      [ $# -ge 2 ] || { usage >&2; exit 2; }
      parent=$2
      shift
      ;;
    -h | --help) usage; exit 0 ;;
    *) printf 'fresh_machine: unknown option %s\n' "$1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

# 77 is what ctest counts as skipped.
skip() { printf 'fresh_machine: skipped: %s\n' "$*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "making a root needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed (apt-get install debootstrap)"
command -v git >/dev/null || skip "git is not installed"

# A mount namespace of our own: whatever happens, no mount outlives this script.
if [ "${ATTN_FRESH_NAMESPACE:-}" != yes ] && unshare --mount true 2>/dev/null; then
  set -- --folder "$parent"
  [ $worktree = no ] || set -- "$@" --worktree
  [ $keep = no ] || set -- "$@" --keep
  [ $tests = yes ] || set -- "$@" --no-tests
  [ -z "$mode" ] || set -- "$@" "$mode"
  ATTN_FRESH_NAMESPACE=yes exec unshare --mount --propagation private "$0" "$@"
fi

source=$(cd "$(dirname "$0")/../.." && pwd -P)
root=$(mktemp -d "$parent/attention-workbench-fresh.XXXXXX")
chmod 755 "$root"
cleanup() {
  for mounted in dev/shm dev/pts proc; do
    if mountpoint -q "$root/$mounted"; then umount "$root/$mounted" || umount -l "$root/$mounted"; fi
  done
  if [ $keep = yes ]; then
    printf 'The root is left in %s\n' "$root"
  else
    rm -rf --one-file-system "$root"
  fi
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

fail() { printf 'fresh_machine: FAILED: %s\n' "$*" >&2; exit 1; }
now() { date +%s; }
heading() { printf '\n== %s\n' "$*"; }

# --- the bare root: the mirror, proxy and clock checks are those of apt on this machine ---
heading "debootstrap"
began=$(now)
# shellcheck disable=SC2016  # apt's own placeholders
targets=$(apt-get indextargets --format '$(SITE) $(RELEASE)' "Created-By: Packages" | sort -u)
mirror=$(printf '%s\n' "$targets" | awk '$2 == "bookworm" { print $1; exit }')
[ -n "$mirror" ] || fail "apt on this machine knows no mirror for bookworm; run apt-get update first"
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$parent/fresh-debootstrap.log" 2>&1 || {
  tail -n 20 "$parent/fresh-debootstrap.log"
  fail "debootstrap"
}
rm -f "$parent/fresh-debootstrap.log"
printf '%s\n' "$targets" |
  awk '$2 ~ /^bookworm(-updates|-security)?$/ { print "deb", $1, $2, "main" }' >"$root/etc/apt/sources.list"
apt-config dump Acquire | grep -E '::(Proxy|Check-(Valid-Until|Date))' >"$root/etc/apt/apt.conf.d/90network" || true
mount -t proc proc "$root/proc"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" 2>/dev/null || true
mkdir -p "$root/dev/shm" && mount -t tmpfs tmpfs "$root/dev/shm"
debootstrap_s=$(($(now) - began))

# --- a clean copy of the repository, in a folder whose name has a space ---
place="/srv/Attention Workbench"
mkdir -p "$root$place"
repository() { git -c safe.directory="$source" -C "$source" "$@"; }
if [ $worktree = yes ]; then
  repository ls-files -z --cached --others --exclude-standard |
    tar --create --null --files-from=- --ignore-failed-read --directory="$source"
else
  repository archive HEAD
fi | tar --extract --directory="$root$place"

packages() { dpkg-query --admindir="$root/var/lib/dpkg" -W -f='${Package} ${Version}\n' | sort; }
packages >"$root/packages.before"

# No variable of this machine goes in, the input is empty, and the caller stands in another folder.
inside() {
  chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    "$@" </dev/null
}

heading "an ordinary user without sudo is told what to run"
said=$(inside setpriv --reuid 65534 --regid 65534 --clear-groups "$place/workbench" build $mode 2>&1) &&
  fail "workbench went on although packages are missing"
printf '%s\n' "$said"
printf '%s\n' "$said" | grep -q 'apt-get install' || fail "the message does not name the command"

test_s="not run"
if [ $tests = yes ]; then
  heading "workbench test $mode"
  began=$(now)
  inside "$place/workbench" test $mode || fail "workbench test"
  test_s="$(($(now) - began)) s: packages, build, tests"
fi

heading "workbench $mode"
began=$(now)
inside "$place/workbench" $mode || fail "workbench"
start_s=$(($(now) - began))
packages >"$root/packages.after"
if [ -z "$mode" ]; then
  for kind in index.html manifest.json '*.png' '*.svg' '*.csv'; do
    # shellcheck disable=SC2086  # a pattern
    [ -n "$(find "$root$place/out/first-look" -name "$kind" -size +0)" ] || fail "no $kind in out/first-look"
  done
else
  if grep -i '^libqt' "$root/packages.after"; then fail "Qt packages came along"; fi
  if inside ldd "$place/build/engine-only/bin/attn" | grep -i qt; then fail "attn links Qt"; fi
fi

heading "packages that came with it"
comm -13 "$root/packages.before" "$root/packages.after" | tee "$root/packages.new"
heading "summary"
printf 'date                  %s\n' "$(date -u +%F)"
printf 'cores                 %s\n' "$(nproc)"
printf 'processor             %s\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
printf 'debootstrap           %s s\n' "$debootstrap_s"
printf 'workbench test        %s\n' "$test_s"
printf 'workbench, no display %s s\n' "$start_s"
printf 'packages              %s\n' "$(wc -l <"$root/packages.new")"
printf 'size of the root      %s MB\n' "$(du -smx "$root" | cut -f1)"
