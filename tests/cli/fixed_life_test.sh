#!/usr/bin/env bash
# Pilots of a site that live for four hours, which no job of five hours outlasts: that is found, said, and
# forecast; where their lives are of any length, it is not.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200
cd "$work" || exit 1

printf 'executable = train.sh\nqueue 20\n' >job.sub
python3 "$GRIDCAST_SOURCE/tests/cli/fixed_life.py" fixed.csv
python3 "$GRIDCAST_SOURCE/tests/cli/fixed_life.py" any.csv any

said='pilots at A come at any age: p = .*, rejected: 12 of 12 pilots that ended did so at nearly one age, about 14[3-6][0-9]{2} s'
run "$GRIDCAST" calibrate --details fixed.csv -o fixed.yaml --draws 100
expect 0 "calibrate pilots of a fixed life"
says err "$said" "calibrate says at which age pilots end"
run "$GRIDCAST" forecast --details job.sub fixed.csv --of 50 -j 1 --explain -o made
expect 0 "forecast with pilots of a fixed life"
says out "$said" "--explain says at which age pilots end"
for seed in 1 2 3 4 5; do
  run "$GRIDCAST" forecast --once made/scenario.yaml --seed "$seed" --out "run$seed"
  expect 0 "forecast --once $seed with pilots of a fixed life"
  python3 -c '
import csv, sys
rows = [row for row in csv.DictReader(open(sys.argv[1])) if row["site"] == "A"]
assert rows and not any(row["end"] == "success" for row in rows)' "run$seed/attempts.csv" ||
    complain "a job outlasts its pilot at A, or none starts there"
done

run "$GRIDCAST" calibrate any.csv -o any.yaml --draws 100
expect 0 "calibrate pilots of any life"
grep -q 'pilot_life_s' any.yaml && complain "lives of any length are taken for one"
exit $exit_status
