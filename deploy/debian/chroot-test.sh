#!/usr/bin/env bash
# The package from a bare system to a bare system: builds it in a clean chroot of this distribution, installs it in another one, crawls,
# upgrades, purges. As root; needs debootstrap. Takes the packages from where this machine does.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: deploy/debian/chroot-test.sh [--keep] [FOLDER]

  FOLDER  where to, with room for 3 GB (default: a new one in /var/tmp, which is removed)
  --keep  leave the chroots and the package

With CCACHE_DIR in the environment the build uses that cache.
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
keep=0
folder=
while [ $# -gt 0 ]; do
  case $1 in
    --keep) keep=1 ;;
    -h | --help)
      usage
      exit 0
      ;;
    -*)
      usage >&2
      exit 64
      ;;
    *) folder=$1 ;;
  esac
  shift
done
[ "$(id -u)" -eq 0 ] || { echo "chroot-test.sh: needs root" >&2; exit 77; }
[ -n "$folder" ] || folder=$(mktemp -d /var/tmp/crawld-chroot.XXXXXX)
build=$folder/build
clean=$folder/clean
mkdir -p "$folder"

# Mounts live in a namespace of this script and die with it.
if [ "${CRAWLD_CHROOT_TEST_INSIDE:-}" != 1 ]; then
  status=0
  CRAWLD_CHROOT_TEST_INSIDE=1 unshare --mount --propagation private \
    "$0" "$folder" || status=$?
  [ "$keep" -eq 1 ] || rm -rf --one-file-system "$folder"
  exit "$status"
fi

begun=$SECONDS
step() {
  echo "== $((SECONDS - begun)) s: $*"
}
fail() {
  echo "chroot-test.sh: $*" >&2
  exit 1
}
inside() {  # inside CHROOT COMMAND...
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
    ${CCACHE_DIR:+CCACHE_DIR=/ccache} chroot "$@" </dev/null
}
expect() {  # expect STATUS COMMAND...
  local wanted=$1 status=0
  shift
  "$@" || status=$?
  [ "$status" -eq "$wanted" ] || fail "ended with $status, not $wanted: $*"
}
mount_all() {
  mkdir -p "$1/proc" "$1/dev/shm"
  mount -t proc proc "$1/proc"
  mount -t tmpfs tmpfs "$1/dev/shm"
}

step "a bare system"
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(SITE)' "Codename: $suite" 'Created-By: Packages' | head -n 1)
[ -n "$mirror" ] || fail "this machine has no source of packages for $suite"
debootstrap --variant=minbase "$suite" "$clean" "$mirror" >"$folder/debootstrap.log" 2>&1 ||
  fail "debootstrap: $(tail -n 3 "$folder/debootstrap.log")"
for sources in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
  if [ -s "$sources" ]; then cp "$sources" "$clean$sources"; fi
done
for options in /etc/apt/apt.conf.d/*; do
  if grep -qs '^Acquire' "$options"; then cp "$options" "$clean/etc/apt/apt.conf.d/"; fi
done
cp /etc/resolv.conf "$clean/etc/resolv.conf"
printf '#!/bin/sh\nexit 101\n' >"$clean/usr/sbin/policy-rc.d"
chmod 0755 "$clean/usr/sbin/policy-rc.d"
inside "$clean" apt-get -q update >"$folder/apt.log" 2>&1
cp -a "$clean" "$build"

step "the package is built"
mount_all "$build"
mkdir -p "$build$root"
tar -C "$root" -c --exclude=./build --exclude=./.git . | tar -x -C "$build$root"
if [ -n "${CCACHE_DIR:-}" ]; then
  mkdir "$build/ccache"
  mount --bind "$CCACHE_DIR" "$build/ccache"
fi
inside "$build" "$root/deploy/install-deps.sh" package >>"$folder/apt.log" 2>&1 || fail "packages: $(tail -n 3 "$folder/apt.log")"
step "its packages are there"
inside "$build" "$root/deploy/package.sh" --no-install >"$folder/build.log" 2>&1 || fail "build: $(tail -n 5 "$folder/build.log")"
cp "$build$root"/build/package/crawld_*.deb "$folder/"
package=$(cd "$folder" && echo crawld_*.deb)

step "installed, with what it depends on and nothing else"
mount_all "$clean"
cp "$folder/$package" "$clean/"
inside "$clean" apt-get -q -y install --no-install-recommends systemd-standalone-sysusers "/$package" >>"$folder/apt.log" 2>&1 ||
  fail "install: $(tail -n 5 "$folder/apt.log")"
grep -qs '^ExecStart=.*/usr/bin/crawld ' "$clean"/{usr/,}lib/systemd/system/crawld.service || fail "the unit does not name the program"
[ ! -e "$clean/etc/systemd/system/multi-user.target.wants/crawld.service" ] || fail "the unit is enabled without a contact"

step "its own test: refuses to run without a contact, crawls the little web"
inside "$clean" apt-get -q -y install --no-install-recommends nginx dnsmasq-base python3 >>"$folder/apt.log" 2>&1
mkdir -p "$clean/source/deploy"
cp -r "$root/deploy/littleweb" "$clean/source/deploy/"
cp "$root/deploy/debian/tests/smoke" "$clean/source/"
expect 0 inside "$clean" sh -c 'cd /source && ./smoke'

step "any user may run it, as in a container, and nothing but its own folder is written"
printf 'agent:\n  contact: chroot@crawld.test\nseeds:\n  - http://crawld.test/\n' >"$clean/etc/crawld/crawld.yaml"
mkdir -p "$clean/var/lib/crawld"
chown 65532:65532 "$clean/var/lib/crawld"
mount --rbind "$clean" "$clean"
mount --bind "$clean/var/lib/crawld" "$clean/var/lib/crawld"
mount -o remount,bind,ro "$clean"
expect 0 inside "$clean" setpriv --reuid 65532 --regid 65532 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all \
  timeout 60 crawld run --config /etc/crawld/crawld.yaml --for 3s
[ -d "$clean/var/lib/crawld/frontier" ] || fail "it has kept nothing"
umount -R "$clean"

step "upgraded over itself: the configuration stays as it was written"
before=$(cd "$clean" && sha256sum etc/crawld/crawld.yaml)
inside "$clean" apt-get -q -y install --reinstall "/$package" >>"$folder/apt.log" 2>&1 || fail "upgrade: $(tail -n 5 "$folder/apt.log")"
[ "$before" = "$(cd "$clean" && sha256sum etc/crawld/crawld.yaml)" ] || fail "the upgrade has changed the configuration"
expect 0 inside "$clean" crawld frontier verify --config /etc/crawld/crawld.yaml

step "purged: what was crawled stays, all else is gone"
inside "$clean" apt-get -q -y purge crawld >>"$folder/apt.log" 2>&1 || fail "purge: $(tail -n 5 "$folder/apt.log")"
left=$(cd "$clean" && find . -xdev -path ./proc -prune -o -name '*crawld*' ! -path './crawld_*' ! -path './var/lib/crawld*' \
  ! -path './var/cache/apt/*' -print)
[ -z "$left" ] || fail "left behind: $left"
[ -d "$clean/var/lib/crawld/frontier" ] || fail "purging has deleted what was crawled"
step "done: $package"
