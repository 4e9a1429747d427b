#!/usr/bin/env bash
# Conformal corrections of a prediction's 90 % intervals, read from a table.
source "$(dirname -- "$0")/check.sh"

# ends NAME: the 5, 50 and 95 % points of the makespan in the JSON.
ends() {
  python3 -c '
import json, sys
m = json.load(open(sys.argv[1]))["metrics"]["makespan_s"]
print(m["p05"], m["p50"], m["p95"])' "$1"
}

printf 'figure,campaigns,factor\nmakespan_s,9,2\nholds,9,inf\n' >"$work/conformal.csv"
scenario=$GRIDCAST_SOURCE/scenarios/osg-imagenet.yaml
run "$GRIDCAST" forecast "$scenario" -n 40 --json
expect 0 "as it is"
cp "$work/out" "$work/plain.json"
run "$GRIDCAST" forecast "$scenario" -n 40 --json --conformal "$work/conformal.csv"
expect 0 "corrected"
cp "$work/out" "$work/corrected.json"
python3 - $(ends "$work/plain.json") $(ends "$work/corrected.json") <<'P' || complain "twice the halves of the interval"
import sys
low, middle, high, new_low, new_middle, new_high = map(float, sys.argv[1:])
assert new_middle == middle
assert abs(new_high - (middle + 2 * (high - middle))) < 1e-4
assert abs(new_low - max(0, middle - 2 * (middle - low))) < 1e-4
P
says out '"conformal_campaigns": 9' "by how many campaigns"
run "$GRIDCAST" forecast --details "$scenario" -n 40 --conformal "$work/conformal.csv"
says out "corrected by 9 campaigns" "in words"

printf 'figure,campaigns,factor\nmakespam_s,9,2\nholds,nine,1\nholds,9,-1\nholds,9\n' >"$work/bad.csv"
run "$GRIDCAST" forecast "$scenario" --conformal "$work/bad.csv"
expect 2 "a table with mistakes"
for place in 2:1 3:7 4:9 5:1; do
  says err "bad.csv:$place" "the place $place"
done
run "$GRIDCAST" forecast "$scenario" --conformal "$GRIDCAST_SOURCE/README.md"
expect 2 "no table"
run "$GRIDCAST" forecast "$scenario" --conformal "$work/conformal.csv" --on local
expect 2 "elsewhere"
exit $exit_status
