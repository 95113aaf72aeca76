#!/usr/bin/env bash
# The one place that lists packages: what crawld needs to be built and tried out (build), packaged (package) and tested (test).
# Debian 12 and 13, Ubuntu 24.04. Run as root, or as somebody who may use sudo. Quick when all is there.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: deploy/install-deps.sh [build|package|test|list-build|list-package|list-test]

  build    what building and the quickstart need (the default)
  package  that, and what deploy/package.sh needs
  test     that, and what the tests need
  list-*   print the packages of `build`, `package` or `test`, and install nothing
TEXT
}

die() {
  printf 'install-deps.sh: %s\n' "$*" >&2
  exit 1
}

what=${1:-build}
case $what in
  build | package | test | list-build | list-package | list-test) ;;
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
spdlog, fmt, yaml-cpp, CLI11, nlohmann-json, c-ares, libidn2, libpsl and the public suffix list, libdeflate, ISA-L (optional), zlib, brotli, zstd, xxHash, RocksDB >= 7.8, Expat, uchardet;
for the quickstart nginx, dnsmasq and python3; for the tests GoogleTest, gumbo, tinyproxy, microsocks, wget, zstd, valgrind, clang with libFuzzer, openssl, python3-jsonschema, zsh, fish.
TEXT
    exit 1
    ;;
esac

packages=(
  g++ cmake ninja-build ccache pkg-config ca-certificates
  "$boost" libssl-dev libspdlog-dev libfmt-dev libyaml-cpp-dev libcli11-dev nlohmann-json3-dev libc-ares-dev
  libidn2-dev libpsl-dev publicsuffix libdeflate-dev zlib1g-dev libbrotli-dev libzstd-dev libxxhash-dev
  librocksdb-dev libexpat1-dev libuchardet-dev
  # The quickstart's little web.
  nginx dnsmasq-base python3 curl
)
case $(dpkg --print-architecture) in
  amd64 | arm64) packages+=(libisal-dev) ;; # other architectures do without
esac
if [[ $what == *package || $what == *test ]]; then
  packages+=(build-essential debhelper fakeroot lintian)
fi
if [[ $what == *test ]]; then
  packages+=(
    prometheus  # for promtool
    libgtest-dev libgmock-dev libgumbo-dev libbenchmark-dev openssl iproute2 wget zstd tinyproxy microsocks shellcheck
    valgrind  # counts instructions
    systemd  # systemd-analyze judges the unit
    python3-jsonschema zsh fish
    "clang-$clang" "libclang-rt-$clang-dev" "clang-tidy-$clang" "clang-format-$clang"
  )
  if [[ $system == debian-* ]]; then packages+=(chromium); fi # Ubuntu has it as a snap only; the test of the status page skips itself there
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

# These are wanted as programs, not as services: where this script is what installs them, they neither start now nor at the next
# boot. Those that were there before are left exactly as they are.
fresh=()
for service in nginx tinyproxy prometheus; do
  if [[ " ${missing[*]} " == *" $service "* ]]; then fresh+=("$service"); fi
done
policy=/usr/sbin/policy-rc.d
own_policy=0
forget_policy() {
  [ "$own_policy" -eq 0 ] || "${as_root[@]}" rm -f "$policy"
  own_policy=0
}
trap forget_policy EXIT
if [ "${#fresh[@]}" -gt 0 ] && [ ! -e "$policy" ]; then
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
for service in "${fresh[@]}"; do
  # Both are parts of init-system-helpers, which is always there; where the package had no such service, there is nothing to undo.
  "${as_root[@]}" deb-systemd-helper disable "$service.service" >/dev/null 2>&1 || true
  "${as_root[@]}" update-rc.d "$service" disable >/dev/null 2>&1 || true
done
