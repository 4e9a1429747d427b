#!/usr/bin/env bash
# gridcast forecast: the program of the record that a submit file runs, by ads and tables.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep
cd "$work" || exit 1

# Every other one of 40 jobs runs for 10 minutes; the others, with the newest, run for 2 hours, to 3 % each.
rows() {
  echo job,submitted,started,ended,outcome,site,program
  for ((i = 1; i <= 40; ++i)); do
    local program=/home/a/big.sh took=$((7200 + 60 * (i % 5 - 2)))
    ((i % 2)) && { program=/home/a/small.sh took=$((600 + 5 * (i % 5 - 2))); }
    printf '%d,%d,%d,%d,succeeded,S,%s\n' "$i" $((300 * i)) $((300 * i + 60)) $((300 * i + 60 + took)) "$program"
  done
}
rows >both.csv
grep -v big.sh both.csv >small.csv
printf 'executable = small.sh\narguments = x\nqueue 20\n' >small.sub

# HTCondor writes the whole path of what a submit file names from its folder.
run "$GRIDCAST" forecast small.sub both.csv --of 10 --json -o both
expect 0 "a relative executable"
grep -q 'taken for the newest' err && complain "a relative executable is not found: $(<err)"
python3 -c '
import json, re
assert re.search(r"""programs: \["/home/a/small.sh"\]""", open("both/scenario.yaml").read())
seconds = json.load(open("out"))["metrics"]["compute_success_s"]["p50"] / 20
assert 300 < seconds < 1200, seconds' || complain "jobs of small.sh do not take ten minutes"
run "$GRIDCAST" forecast small.sub both.csv --of 10 --crash-odds 2 -o scaled
grep -q 'scale: 0.08' scaled/scenario.yaml || complain "small.sh is not a twelfth of big.sh"

# A table's program is named even if all jobs ran one.
run "$GRIDCAST" forecast small.sub small.csv --of 10 -o small
expect 0 "a table of one program"
grep -q 'do not contain the program\|it is not known whether the calibrated jobs ran' err && complain "a table's program is not read: $(<err)"
grep -q '^program: {executable: "/home/a/small.sh"}$' small/calibration.yaml || complain "not the table's program"
grep -q 'crash_odds' small/scenario.yaml && complain "the odds of another program"

# Ads give the programs of the jobs that are left; half of these are another program's.
python3 -c '
import json
ads = json.load(open("'"$pool"'/history.json"))
for i, ad in enumerate(ads): ad["Cmd"] = "/run/small" if ad["ProcId"] % 2 else "/run/big"
json.dump(ads, open("halves.json", "w"))'
sed 's|^executable *=.*|executable = /run/small|' "$pool/job.sub" >of_small.sub
sed 's|^executable *=.*|executable = /run/big|' "$pool/job.sub" >of_big.sub
record=("$pool/c1-sweep.log" halves.json --of 10)
for name in small big; do
  run "$GRIDCAST" forecast "of_$name.sub" "${record[@]}"
  expect 0 "two programs of one work"
  grep -q 'another program' err && complain "$name is one of the record's: $(<err)"
done
run "$GRIDCAST" forecast of_small.sub "${record[@]}" --where 'Cmd == "/run/small"' -o left
expect 0 "programs of the jobs that are left"
grep -q 'another program' err && complain "the jobs that are left ran small: $(<err)"
grep -q '^program: {executable: "/run/small", ' left/calibration.yaml || complain "not the program of the jobs left"
run "$GRIDCAST" forecast of_big.sub "${record[@]}" --where 'Cmd == "/run/small"' --details
says err 'the calibrated jobs ran another program' "a program of jobs that are left out"

# A map is for the tables that need one.
printf 'Id|Begin|End|State\n90|99|199|COMPLETED\n' >theirs.txt
printf 'schema: gridcast.columns/1\nseparator: "|"\ncolumns: {job: Id, started: Begin, ended: End, outcome: State}\noutcomes: {COMPLETED: succeeded}\n' >map.yaml
run "$GRIDCAST" forecast small.sub small.csv --against theirs.txt --columns map.yaml --of 10
expect 0 "a map and a table that needs none"

exit $exit_status
