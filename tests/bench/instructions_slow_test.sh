#!/usr/bin/env bash
# Instructions that four small cases take, against the recorded counts: within 10 %. They do not
# depend on what else the machine does, unlike seconds. To record anew, after looking at why:
#
#   tests/bench/instructions_slow_test.sh --record
source "$(dirname -- "$0")/../cli/check.sh"

recorded=$GRIDCAST_SOURCE/tests/bench/instructions.txt
tolerance_percent=10

command -v valgrind >/dev/null || { echo "valgrind is not there"; exit 77; }
"$GRIDCAST_SOURCE/tests/bench/scale_scenario.py" --jobs 2000 --slots 200 --sites 5 --caches 3 "$work/scale"
"$GRIDCAST_SOURCE/tests/bench/log_world" --jobs 2000 --slots 192 --gridcast "$GRIDCAST" "$work/log" 2>/dev/null

# count ARGUMENT...: instructions of the program.
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$GRIDCAST" "$@" 2>&1 >/dev/null |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

cases() {
  echo "published-campaign $(count run "$scenario")"
  echo "scale-2000-jobs $(count run "$work/scale/scenario.yaml")"
  echo "log-world-2000-jobs $(count run "$work/log/scenario.yaml")"
  echo "ledger-of-a-log $(count ledger "$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep/c1-sweep.log")"
}

if [[ ${1-} == --record ]]; then
  cases >"$recorded"
  exit
fi

while read -r name now; do
  before=$(sed -n "s/^$name //p" "$recorded")
  if [[ -z $before || -z $now ]]; then
    complain "$name: no count (recorded: '$before', counted: '$now')"
    continue
  fi
  percent=$(((now - before) * 100 / before))
  echo "$name: $now instructions, recorded $before ($percent %)"
  ((percent <= tolerance_percent && percent >= -tolerance_percent)) ||
    complain "$name: $percent % off; if that is meant, record it with --record"
done < <(cases)

exit $exit_status
