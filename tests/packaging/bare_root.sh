# SPDX-License-Identifier: GPL-3.0-or-later
# A bare root of Debian, for the scripts beside this file, which read it with `.`. They set: suite (bookworm or trixie), root (an
# empty folder for the root), parent (the folder that holds it), debs (a folder of packages that saves fetching them, or
# empty) and keep (yes: the root is left), and define skip and fail.
# shellcheck shell=sh disable=SC2154

# Removes the root, and what is mounted in it.
cleanup() {
  for mounted in dev/shm dev/pts proc; do
    if mountpoint -q "$root/$mounted"; then umount "$root/$mounted" || umount -l "$root/$mounted"; fi
  done
  if [ "$keep" = yes ]; then
    printf 'The root is left in %s\n' "$root"
  else
    rm -rf --one-file-system "$root"
  fi
}

# Skips the test if device files or mounts are not allowed under the folder of the root.
probe_root() {
  mkdir -p "$root/dev" "$root/proc"
  { mknod "$root/dev/null" c 1 3 && true >"$root/dev/null" && mount -t proc proc "$root/proc"; } 2>/dev/null ||
    skip "root may not make device files or mount under $parent; choose another folder with --folder, or another machine"
  umount "$root/proc"
  rm -rf "${root:?}/dev" "${root:?}/proc"
}

# Makes the root. Mirror, proxy and clock checks are those of apt on this machine, for the chosen suite.
make_root() {
  # shellcheck disable=SC2016  # apt's own placeholders
  targets=$(apt-get indextargets --format '$(SITE) $(RELEASE)' "Created-By: Packages" | sort -u)
  # shellcheck source=/dev/null
  here=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  sources=$(printf '%s\n' "$targets" |
    awk -v here="$here" -v suite="$suite" '$2 ~ "^" here "(-updates|-security)?$" { sub(here, suite, $2); print "deb", $1, $2, "main" }')
  mirror=$(printf '%s\n' "$sources" | awk -v suite="$suite" '$3 == suite { print $2; exit }')
  [ -n "$mirror" ] || fail "apt on this machine knows no mirror for '$here'; run apt-get update first"
  if [ -n "$debs" ]; then
    mkdir -p "$debs"
    debs=$(cd "$debs" && pwd -P)
  fi
  debootstrap ${debs:+"--cache-dir=$debs"} --variant=minbase "$suite" "$root" "$mirror" >"$parent/fresh-debootstrap.log" 2>&1 || {
    tail -n 20 "$parent/fresh-debootstrap.log"
    fail "debootstrap"
  }
  rm -f "$parent/fresh-debootstrap.log"
  printf '%s\n' "$sources" >"$root/etc/apt/sources.list"
  [ -z "$debs" ] || find "$debs" -name '*.deb' -exec cp -t "$root/var/cache/apt/archives" {} +
  apt-config dump Acquire | grep -E '::(Proxy|Check-(Valid-Until|Date))' >"$root/etc/apt/apt.conf.d/90network" || true
  mount -t proc proc "$root/proc"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" 2>/dev/null || true
  mkdir -p "$root/dev/shm" && mount -t tmpfs tmpfs "$root/dev/shm"
}

# Runs a command in the root: no environment variable of this machine, empty input, and a current folder other than the
# project's.
inside() {
  chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    "$@" </dev/null
}
