# Words that the test scripts share; sourced by them.
# shellcheck shell=bash
# shellcheck disable=SC2034  # what is set here is used there

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${JOBS:-$(nproc)}
export CCACHE_DIR=${CCACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/ccache}
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
# Checkouts in different folders share what was compiled.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}

# The presets name clang 14; a system without it has another that will do.
find_clang() {
  local version
  for version in 14 19 18 17 16 15; do
    if command -v "clang++-$version" >/dev/null; then
      echo "clang++-$version"
      return
    fi
  done
  echo "no clang++-14 to -19 here; deploy/install-deps.sh test installs one" >&2
  return 1
}

# configure PRESET [-D...]
configure() {
  local compiler=()
  case $1 in
    clang | fuzz) compiler=("-DCMAKE_CXX_COMPILER=$(find_clang)") || return 1 ;;
  esac
  (cd "$root" && cmake --preset "$1" "${compiler[@]}" "${@:2}" >/dev/null)
}

# The sanitizers of these compilers need a memory layout that newer kernels randomise away; where we may ask for the old one, we do.
if command -v setarch >/dev/null && setarch "$(uname -m)" -R true 2>/dev/null; then
  plain_layout=(setarch "$(uname -m)" -R)
else
  plain_layout=(env)
fi

# Prints the closing line and leaves with 1 when something failed: closing PASSED FAILED [SKIPPED]
closing() {
  local line="$1 passed, $2 failed"
  [ "${3:-0}" -eq 0 ] || line="$line, $3 skipped"
  echo "$line"
  [ "$2" -eq 0 ]
}
