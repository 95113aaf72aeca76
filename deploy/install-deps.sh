#!/usr/bin/env bash
# The one place that lists packages: what crawld needs to be built and tried out (build), and to be tested (test).
# Debian 12 and 13, Ubuntu 24.04. Run as root, or as somebody who may use sudo. Quick when all is there.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: deploy/install-deps.sh [build|test|list-build|list-test]

  build       what building and the quickstart need (the default)
  test        that, and what the tests need
  list-build  print the packages of `build` and install nothing
  list-test   print the packages of `test` and install nothing
TEXT
}

die() {
  printf 'install-deps.sh: %s\n' "$*" >&2
  exit 1
}

what=${1:-build}
case $what in
  build | test | list-build | list-test) ;;
  -h | --help)
    usage
    exit 0
    ;;
  *)
    usage >&2
    exit 64
    ;;
esac

system=unknown
if [ -r /etc/os-release ]; then
  # shellcheck source=/dev/null
  system=$(. /etc/os-release && printf '%s-%s' "${ID:-unknown}" "${VERSION_ID:-}")
fi
case $system in
  # The default Boost of Debian 12 is 1.74, whose Beast lets a body past its limit.
  debian-12) boost=libboost1.81-dev clang=14 ;;
  debian-13) boost=libboost-dev clang=19 ;;
  ubuntu-24.04) boost=libboost-dev clang=18 ;;
  *)
    cat >&2 <<TEXT
install-deps.sh: this system ($system) is not one of Debian 12, Debian 13 and Ubuntu 24.04.
Install by hand: a C++20 compiler (g++ >= 12 or clang >= 14), CMake >= 3.25, Ninja, pkg-config, Boost >= 1.81 (headers), OpenSSL 3,
spdlog, fmt, yaml-cpp, CLI11, nlohmann-json, c-ares, libidn2, libpsl and the public suffix list, libdeflate, zlib, brotli, zstd, xxHash, RocksDB >= 7.8;
for the quickstart nginx, dnsmasq and python3; for the tests GoogleTest, gumbo, clang with libFuzzer, openssl.
TEXT
    exit 1
    ;;
esac

packages=(
  g++ cmake ninja-build ccache pkg-config ca-certificates
  "$boost" libssl-dev libspdlog-dev libfmt-dev libyaml-cpp-dev libcli11-dev nlohmann-json3-dev libc-ares-dev
  libidn2-dev libpsl-dev publicsuffix libdeflate-dev zlib1g-dev libbrotli-dev libzstd-dev libxxhash-dev
  librocksdb-dev
  # The quickstart's little web.
  nginx dnsmasq-base python3 curl
)
if [[ $what == *test ]]; then
  packages+=(
    libgtest-dev libgmock-dev libgumbo-dev libbenchmark-dev openssl iproute2 shellcheck
    "clang-$clang" "libclang-rt-$clang-dev" "clang-tidy-$clang" "clang-format-$clang"
  )
fi
if [[ $what == list-* ]]; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

mapfile -t missing < <(
  # One call for all of them; a package that dpkg never heard of is only named on standard error.
  dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null |
    awk -v wanted="${packages[*]}" '$2 == "installed" { have[$1] = 1 }
      END { n = split(wanted, all, " "); for (i = 1; i <= n; ++i) if (!(all[i] in have)) print all[i] }'
)
[ "${#missing[@]}" -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || die "needs root or sudo to install: ${missing[*]}"
  as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
apt_get() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null
}

# nginx is wanted as a program, not as a service: where this script is what installs it, it neither starts now nor at the next
# boot. An nginx that was there before is left exactly as it is.
fresh_nginx=0
installed nginx || fresh_nginx=1
policy=/usr/sbin/policy-rc.d
own_policy=0
forget_policy() {
  [ "$own_policy" -eq 0 ] || "${as_root[@]}" rm -f "$policy"
  own_policy=0
}
trap forget_policy EXIT
if [ "$fresh_nginx" -eq 1 ] && [ ! -e "$policy" ]; then
  own_policy=1
  printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
  "${as_root[@]}" chmod 0755 "$policy"
fi

echo "Installing ${#missing[@]} packages: ${missing[*]}"
apt_get update || die "apt-get update failed; is the network there?"
# --no-remove: nothing of somebody else's makes room for us without being asked (libboost1.74-dev on Debian 12 would).
if ! apt_get install -y --no-install-recommends --no-remove "${missing[@]}"; then
  if [ "$boost" = libboost1.81-dev ] && installed libboost1.74-dev; then
    die "libboost1.74-dev stands in the way of $boost; if nothing else needs it: apt-get remove libboost1.74-dev"
  fi
  die "apt-get could not install: ${missing[*]}"
fi
forget_policy
if [ "$fresh_nginx" -eq 1 ]; then
  # Both are parts of init-system-helpers, which is always there; where the package had no such service, there is nothing to undo.
  "${as_root[@]}" deb-systemd-helper disable nginx.service >/dev/null 2>&1 || true
  "${as_root[@]}" update-rc.d nginx disable >/dev/null 2>&1 || true
fi
