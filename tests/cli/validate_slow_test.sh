#!/usr/bin/env bash
# `gridcast calibrate --check`: forecasts scored as table, JSON and CSV, and refusals.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool

run "$GRIDCAST" calibrate "$pool"/c5-json/{c5-json.log,history.json} --draws 50 -o "$work/c5.yaml"
expect 0 "calibrate"
scored=(calibrate --check "$work/c5.yaml" --against "$pool/c6-xml" --work-word 1 -n 20)

run "$GRIDCAST" "${scored[@]}"
expect 0 "scores"
says out "^90 % intervals held [0-9]+ of [0-9]+ figures: " "coverage"
says out "^CRPS skill over the last campaign: " "skill"
text=$(cat "$work/out")

# Without its own record a calibration has no plain guess to be scored against, and says so.
cp "$pool/c5-json/c5-json.log" "$work/gone.log"
run "$GRIDCAST" calibrate "$work/gone.log" --draws 50 -o "$work/gone.yaml"
rm "$work/gone.log"
run "$GRIDCAST" calibrate --check "$work/gone.yaml" --against "$pool/c6-xml" --work-word 1 -n 20
expect 0 "scores without a guess"
says out "^CRPS skill over the last campaign: no guess is there" "no guess"
says err "gone\.log is not here with the SHA-256.*--last RECORD" "why there is no guess"

run "$GRIDCAST" "${scored[@]}" --json --csv "$work/tables"
expect 0 "scores as JSON and CSV"
says out '"schema": "gridcast.validation/1"' "the schema"
cases=$(grep -oP '^  "cases": \K[0-9]+' "$work/out")
grep -q "held [0-9]* of $cases figures" <<<"$text" || complain "table and JSON score as many figures"
counted=$(grep -c ',yes,' "$work/tables/scores.csv")
[[ $counted == "$cases" ]] || complain "the CSV counts $counted figures, the JSON $cases"
python3 - "$work/tables/scores.csv" "$work/out" <<'END' || complain "the intervals of the CSV give another coverage"
import csv, json, sys
rows = [row for row in csv.DictReader(open(sys.argv[1])) if row['counted'] == 'yes']
for level, low, high in ((0.5, 'p25', 'p75'), (0.9, 'p05', 'p95')):
    inside = sum(float(row[low]) <= float(row['observed']) <= float(row[high]) for row in rows)
    found = next(c['inside'] for c in json.load(open(sys.argv[2]))['coverage'] if c['level'] == level)
    assert inside == found, (level, inside, found)
END

# The scores do not depend on the number of processes.
left_out() {  # NAME ARGUMENT...
  local name=$1
  shift
  run "$GRIDCAST" calibrate --check "$@" -n 10 --json -j 1
  expect 0 "$name in one process"
  json 'd["cases"] > 0' "$name"
  cp "$work/out" "$work/$name.json"
  run "$GRIDCAST" calibrate --check "$@" -n 10 --json -j 3
  expect 0 "$name in three processes"
  cmp -s "$work/out" "$work/$name.json" || complain "$name in three processes: other bytes"
}
left_out part "$pool/c6-xml" --leave-one part
left_out rest "$pool/c4-retry" "$pool/c6-xml" --leave-one campaign
left_out each "$pool/c4-retry" "$pool/c6-xml" --leave-one campaign --from each

exit $exit_status
