#!/usr/bin/env bash
# Builds the fuzz targets and runs each of them for a while on its corpus. What they learn stays in build/fuzz/corpus, where the next
# run goes on; the corpus in the tree is only read. The last line is `N passed, N failed`, one for each target.
#
# Usage: tests/fuzz/run.sh [SECONDS [TARGET...]]     60 seconds, all targets; a target is url_fuzz or just url
#   JOBS=4 tests/fuzz/run.sh 36000                  ten hours each, four at a time
set -euo pipefail
# shellcheck source=tests/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

seconds=${1:-60}
if ! [[ $seconds =~ ^[1-9][0-9]*$ ]]; then
  sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 64
fi
shift || true
cd "$root"
if [ $# -gt 0 ]; then
  targets=("${@/%_fuzz/}")
else
  targets=()
  for source in tests/fuzz/*_fuzz.cpp; do
    name=${source##*/}
    targets+=("${name%_fuzz.cpp}")
  done
fi

build=build/fuzz
if ! { configure fuzz && ninja -C "$build" -j "$jobs" "${targets[@]/%/_fuzz}"; }; then
  echo "the fuzz targets do not build" >&2
  closing 0 "${#targets[@]}"
  exit 1
fi

fuzz() { # NAME: becomes one target; its words go to build/fuzz/logs/NAME.log
  local name=$1 known=() dictionary=()
  mkdir -p "$build/corpus/$name" "$build/artifacts" "$build/logs"
  if [ -d "tests/fuzz/corpus/$name" ]; then known=("tests/fuzz/corpus/$name"); fi
  if [ -f "tests/fuzz/$name.dict" ]; then dictionary=("-dict=tests/fuzz/$name.dict"); fi
  exec "${plain_layout[@]}" "$build/tests/fuzz/${name}_fuzz" "$build/corpus/$name" "${known[@]}" "${dictionary[@]}" \
    "-max_total_time=$seconds" -timeout=5 -rss_limit_mb=1024 -print_final_stats=1 "-artifact_prefix=$build/artifacts/$name-" \
    >"$build/logs/$name.log" 2>&1 </dev/null
}

report() { # NAME STATUS: one line, and what went wrong
  local log=$build/logs/$1.log runs
  runs=$(awk '/^stat::number_of_executed_units:/ { print $2 }' "$log")
  if [ "$2" -eq 0 ]; then
    echo "$1: good, ${runs:-0} runs in $seconds s, $(find "$build/corpus/$1" -type f | wc -l) inputs kept"
    return
  fi
  echo "$1: FAILED"
  grep -nE 'ERROR:|SUMMARY:|runtime error:|Assertion|Test unit written' "$log" | head -n 8 || true
  echo "  all of it: $log; again: $build/tests/fuzz/${1}_fuzz <the test unit>"
}

passed=0
failed=0
declare -A names=()
reap() { # Waits for one target.
  local status=0 pid
  wait -n -p pid || status=$?
  report "${names[$pid]}" "$status"
  if [ "$status" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  unset "names[$pid]"
}
stop() {
  [ "${#names[@]}" -eq 0 ] || kill "${!names[@]}" 2>/dev/null || true
}
trap stop EXIT
for name in "${targets[@]}"; do
  if [ "${#names[@]}" -ge "$jobs" ]; then reap; fi
  fuzz "$name" &
  names[$!]=$name
done
while [ "${#names[@]}" -gt 0 ]; do reap; done
closing "$passed" "$failed"
