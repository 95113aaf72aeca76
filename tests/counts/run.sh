#!/usr/bin/env bash
# Counts the instructions of what the daemon does most often (counts.cpp), with valgrind, and compares them with limits.txt. Time depends
# on who else uses the machine; this does not. The last line is `N passed, N failed`, one for each case.
#
# Usage: tests/counts/run.sh [CASE...]          all cases
#        tests/counts/run.sh --update           writes limits.txt: what was counted, and 20 % more: string functions differ by processor
set -euo pipefail
# shellcheck source=tests/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

limits=tests/counts/limits.txt
program=build/counts/tests/counts/crawld_counts
update=false
case ${1:-} in
  --update) update=true && shift ;;
  -*)
    sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 64
    ;;
esac
cd "$root"

if ! { configure counts && ninja -C build/counts -j "$jobs" crawld_counts; }; then
  echo "the program that is counted does not build" >&2
  closing 0 1
  exit 1
fi
declare -A units=()
names=()
while read -r name unit; do
  names+=("$name")
  units[$name]=$unit
done < <("$program")
if [ $# -gt 0 ] && ! $update; then names=("$@"); fi

# Prints the instructions of one operation of a case: what callgrind collected, by the operations that the program says it made.
count() { # CASE
  local log=build/counts/$1.log operations
  operations=$(valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=/dev/null --log-file="$log" "$program" "$1") || return 1
  awk -v operations="$operations" '/Collected :/ { count = $NF } END { if (!count) exit 1; printf "%.1f\n", count / operations }' "$log"
}

limit_of() { # CASE
  awk -v name="$1" '$1 == name { print $2 }' "$limits"
}

# Two at a time, or as many as there are processors.
results=build/counts/results
rm -rf "$results"
mkdir -p "$results"
running=0
for name in "${names[@]}"; do
  if [ "$running" -ge "$jobs" ]; then
    wait -n || true
    running=$((running - 1))
  fi
  (count "$name" >"$results/$name" || rm -f "$results/$name") &
  running=$((running + 1))
done
wait

if $update; then
  {
    echo "# Instructions that one operation may take: tests/counts/run.sh. Written by \`tests/counts/run.sh --update\`."
    echo "# case limit unit"
    for name in "${names[@]}"; do
      awk -v name="$name" -v unit="${units[$name]}" '{ printf "%s %.1f %s\n", name, $1 * 1.2, unit }' "$results/$name"
    done
  } >"$limits.new"
  mv "$limits.new" "$limits"
fi

passed=0
failed=0
printf '%-26s %14s %14s  %s\n' case measured limit instructions
for name in "${names[@]}"; do
  measured=$(cat "$results/$name" 2>/dev/null || true)
  limit=$(limit_of "$name")
  verdict=$(awk -v measured="$measured" -v limit="$limit" 'BEGIN {
    if (measured == "") print "FAILED: not counted; see build/counts/*.log"
    else if (limit == "") print "FAILED: has no limit"
    else if (measured > limit + 0) printf "FAILED: %.0f %% over its limit\n", (measured / limit - 1) * 100
    else if (measured < limit * 0.75) printf "good; %.0f %% under its limit: lower that\n", (1 - measured / limit) * 100
    else print "good"
  }')
  printf '%-26s %14s %14s  for one %s: %s\n' "$name" "${measured:--}" "${limit:--}" "${units[$name]:-?}" "$verdict"
  if [[ $verdict == good* ]]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
if [ "$failed" -gt 0 ]; then
  echo "If the change is worth it: tests/counts/run.sh --update, and say why in the commit that changes $limits."
fi
closing "$passed" "$failed"
