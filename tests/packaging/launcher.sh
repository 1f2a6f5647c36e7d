#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests the decisions of the launcher. Outside programs are replaced by ones that record how they were called, so
# nothing is installed or built. $1: the launcher.
set -eu
launcher=$1
fail() {
  printf 'launcher: FAILED: %s\n--- said\n%s\n--- called\n%s\n' "$*" "$(cat "$box/said")" "$(cat "$box/calls")" >&2
  exit 1
}

box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
project="$box/a folder/Attention Workbench"
mkdir -p "$project/build/release/bin" "$box/elsewhere"
cp "$launcher" "$project/workbench"

# fake NAME EXIT_CODE [TEXT]: makes a program that records its call, runs the shell code TEXT, and exits with EXIT_CODE.
fake() {
  mkdir -p "$box/bin"
  {
    printf '#!/bin/sh\n'
    # shellcheck disable=SC2016  # for the fake to expand
    printf 'echo "%s $* [$(pwd)]" >>"%s/calls"\n' "$1" "$box"
    printf '%s\nexit %s\n' "${3:-}" "$2"
  } >"$box/bin/$1"
  chmod +x "$box/bin/$1"
}
eval "$(sed -n '/^[a-z]*_packages="/,/"$/p' "$launcher")"  # the lists
# has PACKAGE...: these are installed, as dpkg-query says it
has() { fake dpkg-query 0 "$(printf "echo 'installed %s, '\n" "$@")"; }
machine() {  # everything installed, root, no display, all that is called works
  rm -rf "${box:?}/bin"
  : >"$box/calls"
  # shellcheck disable=SC2086,SC2154  # words, from the launcher
  has $engine_packages $gui_packages $test_packages
  fake apt-get 0
  fake cmake 0
  fake ninja 0
  fake ctest 0
  fake id 0 'echo 0'
  cat >"$project/build/release/bin/attention-workbench" <<END
#!/bin/sh
echo "program \$* [\$(pwd)] \${QT_QPA_PLATFORM:-}" >>"$box/calls"
mkdir -p out/first-look && echo x >out/first-look/index.html
END
  chmod +x "$project/build/release/bin/attention-workbench"
}
run() { (cd "$box/elsewhere" && env -u DISPLAY -u WAYLAND_DISPLAY PATH="$box/bin:$PATH" "$project/workbench" "$@") >"$box/said" 2>&1; }
called() { grep -q -- "$1" "$box/calls"; }
said() { grep -q -- "$1" "$box/said"; }

machine
run test || fail "test does not run"
called '^ctest --preset release --parallel [0-9]* \[.*Attention Workbench\]' || fail "ctest was not called in the project"
if called '^apt-get'; then fail "apt-get was called although nothing is missing"; fi

machine
run || fail "start does not run"
called 'program run first-look --export out/first-look \[.*Attention Workbench\] offscreen' || fail "no offscreen run"
said 'index.html' || fail "the written files are not named"

machine
(cd "$box/elsewhere" && env DISPLAY=:9 QT_QPA_PLATFORM= PATH="$box/bin:$PATH" "$project/workbench") >"$box/said" 2>&1 ||
  fail "start with a display"
called '^program  \[.*elsewhere\] $' || fail "with a display the program itself is started"

machine
run -- run many-users --export here || fail "arguments for the program"
called 'program run many-users --export here \[.*elsewhere\]' || fail "arguments must be seen from the caller's folder"

machine
fake dpkg-query 1
run build || fail "missing packages, as root"
called '^apt-get .*update' || fail "no apt-get update"
called '^apt-get .*install --no-install-recommends .*qt6-base-dev' || fail "Qt is not installed"

machine
# shellcheck disable=SC2086
has $engine_packages $gui_packages
run || fail "start without the packages of the tests"
if called '^apt-get'; then fail "starting needs no packages of the tests"; fi
run test || fail "test without its packages"
# shellcheck disable=SC2086
called "^apt-get .*install --no-install-recommends $test_packages \\[" || fail "test does not install its packages alone"

machine
# shellcheck disable=SC2046,SC2086
has $(printf '%s\n' $engine_packages $gui_packages | grep -vE '^(libqt6opengl6-dev|qt6-base-dev)$') \
  'qt6-base-dev, libqt6opengl6-dev (= 6.8.2+dfsg-9)'
run || fail "what another package provides"
if called '^apt-get'; then fail "what another package provides is installed again"; fi
machine
fake dpkg-query 0 "echo 'config-files g++, '"
run || fail "a package that was removed"
called '^apt-get .*install --no-install-recommends g++ ' || fail "a package that was removed is not installed again"

machine
fake dpkg-query 1
run build --engine-only || fail "engine only"
if called 'qt6'; then fail "--engine-only installs Qt"; fi
called '^cmake --preset engine-only' || fail "another preset"

machine
run build || fail "build"
called '^cmake --build .*--target attn attention-workbench' || fail "build makes more than the program"
called '^cmake --preset release .*-DATTN_WERROR=OFF' || fail "a warning can stop what a user builds"
if called 'ATTN_BUILD_TESTS=ON'; then fail "build makes the tests"; fi
for all in 'build --all' test; do
  machine
  # shellcheck disable=SC2086  # words
  run $all || fail "$all"
  called '^cmake --preset release .*-DATTN_BUILD_TESTS=ON -DATTN_BUILD_BENCH=ON' || fail "$all makes no tests"
  called '^cmake --build .*--target all' || fail "$all does not make everything"
done
machine
run test --werror || fail "test --werror"
called '^cmake --preset release .*-DATTN_WERROR=ON' || fail "--werror is not passed on"

machine
fake dpkg-query 1
fake id 0 'echo 1000'
fake sudo 0
run build || fail "missing packages, with sudo"
called '^sudo env DEBIAN_FRONTEND=noninteractive apt-get' || fail "sudo was not asked"

machine
fake dpkg-query 1
fake apt-get 100
if run build; then fail "goes on although apt failed"; fi
said 'apt-get update && apt-get install' || fail "the command by hand is not named"
if called '^cmake'; then fail "builds although apt failed"; fi

machine
fake cmake 1
if run test; then fail "goes on although the build failed"; fi
if called '^ctest'; then fail "tests although the build failed"; fi

machine
fake ctest 8
if run test; then fail "failed tests are not told"; fi

machine
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$box/another place" >"$project/build/release/CMakeCache.txt"
run build || fail "a moved folder"
called 'cmake --preset release --fresh' || fail "the build of another place is kept"
rm "$project/build/release/CMakeCache.txt"

machine
ln -s "$project/workbench" "$box/elsewhere/link"
(cd "$box/elsewhere" && env PATH="$box/bin:$PATH" ./link build) >"$box/said" 2>&1 || fail "through a link"
called '^cmake --preset release .*\[.*Attention Workbench\]' || fail "through a link it works in another folder"

machine
fake cpack 0 "mkdir -p build/release/packages && echo x >build/release/packages/attention-workbench_0_amd64.deb"
mkdir -p "$project/packaging"
# shellcheck disable=SC2016  # for the script to expand
printf '#!/bin/sh\necho "tar $*" >>"%s/calls"; echo x >"$2/attention-workbench-0-x86_64.tar.xz"\n' "$box" >"$project/packaging/make_tar.sh"
chmod +x "$project/packaging/make_tar.sh"
mkdir -p "$project/docs"
printf '#!/bin/sh\necho "manual $*" >>"%s/calls"\n' "$box" >"$project/docs/make_manual.sh"
chmod +x "$project/docs/make_manual.sh"
fake pandoc 0
fake weasyprint 0
# shellcheck disable=SC2086,SC2154
has $engine_packages $gui_packages $package_packages
run package || fail "package"
called '^cpack --config .*build/release/CPackConfig.cmake' || fail "no Debian package"
called '^manual .*build/release/manual' || fail "no manual"
called '^tar .*build/release .*out/packages' || fail "no tar"
said 'attention-workbench_0_amd64.deb' || fail "the packages are not named"
machine
if run package --engine-only; then fail "a package without the program"; fi

for wrong in tset --fast 'test build' 'test -- x'; do
  machine
  # shellcheck disable=SC2086  # words
  if run $wrong; then fail "accepts '$wrong'"; fi
  [ ! -s "$box/calls" ] || fail "does something before refusing '$wrong'"
done
machine
run help || fail "help"
said 'workbench test' || fail "help says nothing"
printf 'launcher: all cases hold\n'
