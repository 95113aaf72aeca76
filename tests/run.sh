#!/usr/bin/env bash
# Builds and runs the tests. The last line is `N passed, N failed` (`, N skipped`), and the exit status says whether any failed.
set -euo pipefail
# shellcheck source=tests/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<'TEXT'
Usage: tests/run.sh [--no-install] [--preset dev|tsan|clang] [--only NAME,NAME...] [-- CTEST-OPTION...]

  --no-install  do not install packages (deploy/install-deps.sh test)
  --preset      which build: dev (the default: g++, ASan, UBSan), tsan (g++, TSan), clang
  --only        only these CTest tests, such as fetch,process_crawl, and only what they need; `process` is all of that folder
TEXT
}

install=1
preset=dev
only=
while [ $# -gt 0 ]; do
  case $1 in
    --no-install) install=0 ;;
    --preset)
      preset=${2:-}
      shift
      ;;
    --only)
      only=${2:-}
      shift
      ;;
    --)
      shift
      break
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      usage >&2
      exit 64
      ;;
  esac
  shift
done
case $preset in
  dev | tsan | clang) ;;
  *)
    usage >&2
    exit 64
    ;;
esac

broken() {
  echo "$1" >&2
  closing 0 1
  exit 1
}

cd "$root"
if [ "$install" -eq 1 ]; then deploy/install-deps.sh test || broken "the packages that tests need could not be installed"; fi
configure "$preset" || broken "cmake failed"

build=build/$preset
options=()
targets=()
if [ -n "$only" ]; then
  wanted=
  for name in ${only//,/ }; do
    wanted+=${wanted:+|}${name/%process/process_.*}
    case $name in process* | zoo) targets+=(crawld) ;; esac
    if compgen -G "tests/$name/*_test.cpp" >/dev/null; then targets+=("${name}_tests"); fi
  done
  options=(-R "^($wanted)\$")
fi
ninja -C "$build" -j "$jobs" "${targets[@]}" || broken "the build failed"

results=$build/results
rm -rf "$results"
mkdir -p "$results"
# Halt at the first finding, and say where.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
# RocksDB comes without instrumentation: TSan sees its accesses to our memory, but not the locks that order them.
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1:second_deadlock_stack=1:suppressions=$root/tests/tsan.supp}
GTEST_OUTPUT="xml:$PWD/$results/" "${plain_layout[@]}" ctest --preset "$preset" -j "$jobs" --no-tests=error \
  --output-junit "$PWD/$results/ctest.xml" --test-output-size-passed 100000000 --test-output-size-failed 100000000 \
  "${options[@]}" "$@" </dev/null || true
[ -s "$results/ctest.xml" ] || broken "ctest ran nothing"
read -r passed failed skipped < <(python3 -B tests/count.py "$results")
closing "$passed" "$failed" "$skipped"
