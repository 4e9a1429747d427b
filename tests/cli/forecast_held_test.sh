#!/usr/bin/env bash
# gridcast forecast: what people do with held jobs depends on what these are held for.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

# Each third of 60 jobs is held for a failed transfer and released after half an hour, and each third for memory:
# these are removed after half an hour, or stay held for two days.
rows() {
  echo job,attempt,submitted,started,ended,outcome,reason,hold_code,released,release_reason,removed,site
  for ((i = 1; i <= 60; ++i)); do
    local at=$((3600 * i)) began=$((3600 * i + 60)) ended=$((3600 * i + 660 + i % 7))
    local then=$((ended + 1800 + 60 * (i % 5)))
    case $((i % 3)) in
      0) printf '%d,1,%d,%d,%d,succeeded,,,,,,S\n' "$i" $at $began $ended ;;
      1) printf '%d,1,%d,,%d,held,transfer_failed,13,%d,manual,,S\n' "$i" $at $ended $then
        printf '%d,2,%d,%d,%d,succeeded,,,,,,S\n' "$i" $at $((then + 60)) $((then + 660)) ;;
      2) printf '%d,1,%d,%d,%d,held,out_of_resources,34,,,%s,S\n' "$i" $at $began $ended "${1:+$then}" ;;
    esac
  done
  echo 61,1,$((3600 * 108)),$((3600 * 108 + 60)),$((3600 * 108 + 660)),succeeded,,,,,,S
}
printf 'executable = a.sh\nqueue 60\n' >job.sub

# Medians of the metrics named.
medians() {
  python3 -c '
import json, sys
metrics = json.load(open("out"))["metrics"]
rows = {m["name"]: m for m in metrics} if isinstance(metrics, list) else metrics
print(*(round(rows[name]["p50"]) for name in sys.argv[1:]))' "$@"
}

rows removed >removed.csv
run "$GRIDCAST" forecast job.sub removed.csv -n 100 --json -o removed
expect 0 "owners who remove what met a limit"
read -r held gone <<<"$(medians held removed)"
((held <= 2 && gone >= 10 && gone <= 32)) || complain "of some 20 removed jobs $gone are removed, $held held"
grep -q '^  release_transfer_hold:' removed/calibration.yaml || complain "releases of failed transfers"
grep -q '^  remove_resource_hold:' removed/calibration.yaml || complain "jobs that memory stopped are removed"

rows >left.csv
run "$GRIDCAST" forecast job.sub left.csv -n 100 --json -o left
expect 0 "owners who leave what met a limit"
read -r held gone makespan <<<"$(medians held removed makespan_s)"
((held >= 10 && held <= 32 && gone <= 2)) || complain "of some 20 jobs left held $held are held, $gone removed"
((makespan < 200000)) || complain "releases come $makespan s late"

exit $exit_status
