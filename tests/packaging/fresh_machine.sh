#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the two commands of README.md on a machine that has nothing: makes a bare Debian root with debootstrap, puts a
# clean copy of this repository into it, and runs `./workbench` and `./workbench test` there, without a display, a
# terminal or manual steps. Prints times, tests and the packages that were installed. Needs root, debootstrap and the
# Debian mirror that apt on this machine uses. Removes everything it made at the end, unless told to keep it.
set -eu

usage() {
  cat <<'USAGE'
Usage: tests/packaging/fresh_machine.sh [OPTION...]
  --suite NAME     bookworm (Debian 12, the default) or trixie (Debian 13)
  --worktree       copy the files as they lie here, instead of the last commit
  --engine-only    the same for the engine and attn without Qt; checks that no Qt package came along
  --no-tests       only `./workbench`, not `./workbench test`
  --compiler NAME  build with g++ or clang++, where a warning is an error (clang++: it is installed first)
  --packages DIR   then `./workbench package` with pandoc and weasyprint, which the manual needs; copies the packages to DIR
  --folder DIR     make the root under DIR (default: TMPDIR, else the system's folder for large temporary files)
  --debs DIR       take packages that lie in DIR instead of fetching them, and put the others there; times are then not
                   those of a machine that has nothing
  --keep           leave the root where it is
USAGE
}

script=$(readlink -f -- "$0")
# Use a mount namespace of our own, so that no mount outlives this script.
if [ "${ATTN_FRESH_NAMESPACE:-}" != yes ] && unshare --mount --propagation private true 2>/dev/null; then
  ATTN_FRESH_NAMESPACE=yes exec unshare --mount --propagation private sh "$script" "$@"
fi

suite=bookworm worktree=no keep=no tests=yes
mode='' debs='' made='' compiler=''
parent=${TMPDIR:-/var/tmp}
while [ $# -gt 0 ]; do
  case $1 in
    --suite | --folder | --debs | --packages | --compiler) [ $# -ge 2 ] || { usage >&2; exit 2; } ;;
  esac
  case $1 in
    --suite) suite=$2; shift ;;
    --worktree) worktree=yes ;;
    --engine-only) mode=--engine-only ;;
    --no-tests) tests=no ;;
    --compiler) compiler=$2; shift ;;
    --keep) keep=yes ;;
    --folder) parent=$2; shift ;;
    --debs) debs=$2; shift ;;
    --packages) made=$2; shift ;;
    -h | --help) usage; exit 0 ;;
    *) printf 'fresh_machine: unknown option %s\n' "$1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done
case $suite in
  bookworm | trixie) ;;
  *) printf 'fresh_machine: unknown suite %s; allowed: bookworm, trixie\n' "$suite" >&2; exit 2 ;;
esac

case $compiler in
  '' | g++ | clang++) ;;
  *) printf 'fresh_machine: unknown compiler %s; allowed: g++, clang++\n' "$compiler" >&2; exit 2 ;;
esac

# ctest counts exit code 77 as skipped.
skip() { printf 'fresh_machine: skipped: %s\n' "$*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "making a root needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed (apt-get install debootstrap)"
command -v git >/dev/null || skip "git is not installed"

# shellcheck source=tests/packaging/bare_root.sh
. "${script%/*}/bare_root.sh"
source=$(cd "${script%/*}/../.." && pwd -P)
root=$(mktemp -d "$parent/attention-workbench-fresh.XXXXXX")
chmod 755 "$root"
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

probe_root
fail() { printf 'fresh_machine: FAILED: %s\n' "$*" >&2; exit 1; }
now() { date +%s; }
heading() { printf '\n== %s\n' "$*"; }

heading "debootstrap $suite"
began=$(now)
make_root
debootstrap_s=$(($(now) - began))

# --- a clean copy of the repository, in a folder whose name has a space ---
place="/srv/Attention Workbench"
mkdir -p "$root$place"
repository() { git -c safe.directory="$source" -C "$source" "$@"; }
if [ $worktree = yes ]; then
  repository ls-files -z --cached --others --exclude-standard |
    tar --create --directory="$source" --null --ignore-failed-read --files-from=-
else
  repository archive HEAD
fi | tar --extract --directory="$root$place"

packages() { dpkg-query --admindir="$root/var/lib/dpkg" -W -f='${Package} ${Version}\n' | sort; }
packages >"$root/packages.before"

heading "an ordinary user without sudo is told what to run"
said=$(inside setpriv --reuid 65534 --regid 65534 --clear-groups "$place/workbench" build $mode 2>&1) &&
  fail "workbench went on although packages are missing"
printf '%s\n' "$said"
printf '%s\n' "$said" | grep -q 'apt-get install' || fail "the message does not name the command"

# timed ARGUMENT...: runs the launcher, shows its output, keeps it in $root/said, and sets took [s].
timed() {
  heading "workbench $*"
  began=$(now)
  { inside env ${compiler:+"CXX=$compiler"} "$place/workbench" "$@" ${compiler:+--werror} 2>&1 || : >"$root/failed"; } | tee "$root/said"
  [ ! -e "$root/failed" ] || fail "workbench $*"
  took=$(($(now) - began))
}
# part WORDS: the seconds that the launcher printed after WORDS, or "no time".
part() { sed -n "s/.*$1 \([0-9.]* s\).*/\1/p" "$root/said" | tail -n 1 | grep . || echo "no time"; }

if [ "$compiler" = clang++ ]; then
  { inside apt-get update -q && inside apt-get install -y -q --no-install-recommends clang; } >"$root/said" 2>&1 || { cat "$root/said"; fail "clang"; }
fi

# First the program alone: it must not need packages that only the tests need.
# shellcheck disable=SC2086  # a word or none
timed $mode
start_s="$took s: packages $(part 'Packages installed in'), build $(part 'Built in')"
packages >"$root/packages.start"
if grep -E '^(libgtest|libgmock|libbenchmark)' "$root/packages.start"; then fail "the program alone took packages of the tests"; fi
if [ -z "$mode" ]; then
  for kind in index.html manifest.json '*.png' '*.svg' '*.csv'; do
    # shellcheck disable=SC2086  # a pattern
    [ -n "$(find "$root$place/out/first-look" -name "$kind" -size +0)" ] || fail "no $kind in out/first-look"
  done
else
  if grep -i '^libqt' "$root/packages.start"; then fail "Qt packages came along"; fi
  if inside ldd "$place/build/engine-only/bin/attn" | grep -i qt; then fail "attn links Qt"; fi
fi

test_s="not run" passed="not run"
if [ $tests = yes ]; then
  # shellcheck disable=SC2086
  timed test $mode
  test_s="$took s: packages $(part 'Packages installed in'), build $(part 'Built in'), tests $(part 'Total Test time (real) = *')"
  passed=$(grep -E '[0-9]+ tests failed out of [0-9]+' "$root/said") || fail "workbench test ran no tests"
fi
packages >"$root/packages.after"
package_s="not run"
if [ -n "$made" ]; then
  inside apt-get install -y -q --no-install-recommends pandoc weasyprint >"$root/said" 2>&1 || { cat "$root/said"; fail "pandoc and weasyprint"; }
  timed package
  package_s="$took s"
  mkdir -p "$made"
  cp "$root$place"/out/packages/* "$made"
fi
[ -z "$debs" ] || find "$root/var/cache/apt/archives" -maxdepth 1 -name '*.deb' -exec cp -n -t "$debs" {} +

heading "packages that came with it"
comm -13 "$root/packages.before" "$root/packages.after" | tee "$root/packages.new"
heading "summary"
line() { printf '%-22s%s\n' "$1" "$2"; }
line suite "$suite"
line compiler "${compiler:-the default of CMake}"
line date "$(date -u +%F)"
line cores "$(nproc)"
line processor "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
line debootstrap "$debootstrap_s s"
line "workbench, cold" "$start_s"
line "workbench test" "$test_s"
line tests "$passed"
line "workbench package" "$package_s"
line packages "$(wc -l <"$root/packages.new")"
line "size of the root" "$(du -smx "$root" | cut -f1) MB"
