#!/usr/bin/env bash
# Records of every kind, from everywhere: tables of attempts, other programs' tables with a map, pipes,
# zstd, listings that are none, several campaigns.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
c1=$pool/c1-sweep/c1-sweep.log
c4=$pool/c4-retry/c4-retry.log

# There and back: the same ledger, and the same table.
run "$GRIDCAST" ledger "$c1" --json --quiet
cp "$work/out" "$work/log.json"
run "$GRIDCAST" export attempts "$c1" -o "$work/c1.csv"
expect 0 "export attempts"
run "$GRIDCAST" ledger "$work/c1.csv" --json --quiet
expect 0 "ledger of a table of attempts"
cp "$work/out" "$work/table.json"
python3 - "$work/log.json" "$work/table.json" <<'EOF' || complain "the ledger of a log and of its table differ"
import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:])
wrong = {k: (v, b["metrics"][k]) for k, v in a["metrics"].items() if v != b["metrics"][k]}
wrong.update({s: 1 for s in a["sites"] if a["sites"][s] != b["sites"].get(s)})
print(wrong) if wrong else None
sys.exit(bool(wrong))
EOF
run "$GRIDCAST" export attempts "$work/c1.csv" -o "$work/again.csv"
cmp -s "$work/c1.csv" "$work/again.csv" || complain "a table of a table differs"

# From pipes and in zstd as from a file.
"$GRIDCAST" ledger - --json --quiet <"$work/c1.csv" 2>/dev/null | cmp -s - "$work/table.json" ||
  complain "a table from standard input"
"$GRIDCAST" ledger <(gzip -c "$work/c1.csv") --json --quiet 2>/dev/null | cmp -s - "$work/table.json" ||
  complain "a packed table from a pipe"
"$GRIDCAST" ledger <(cat "$c1") --json --quiet 2>/dev/null | cmp -s - "$work/log.json" ||
  complain "a log from a pipe"
"$GRIDCAST" ledger "$c1" <(cat "$pool/c1-sweep/history.json") --quiet >/dev/null 2>&1 ||
  complain "ads from a pipe"
if command -v zstd >/dev/null; then
  zstd -q -o "$work/c1.zst" "$c1"
  "$GRIDCAST" ledger "$work/c1.zst" --json --quiet 2>/dev/null | cmp -s - "$work/log.json" ||
    complain "a log in zstd"
  head -c 2000 "$work/c1.zst" >"$work/cut.zst"
  run "$GRIDCAST" ledger "$work/cut.zst"
  says err "ends early|lines not understood|no event in the logs" "a zstd file that was cut"
fi

# Other programs' tables.
sacct=$GRIDCAST_SOURCE/tests/slurm/sacct.txt
run "$GRIDCAST" ledger "$sacct" --columns sacct
expect 0 "sacct"
says out "8 jobs: 5 succeeded" "sacct"
# A limit of seconds, as Slurm's was here, is one: the pool of the record can be simulated.
printf 'executable = train.sh\nqueue 5\n' >"$work/job.sub"
run "$GRIDCAST" forecast "$work/job.sub" "$sacct" --columns sacct --of 5 -j 1 --json
expect 0 "a forecast from sacct"
json 'd["metrics"]["jobs"]["p50"] == 5' "a forecast from sacct"
run "$GRIDCAST" ledger "$sacct"
expect 2 "a table without a map"
says err "recognised: .*job = 'JobID'" "what is recognised"
says err "import columns" "how a map is made"
says err "columns sacct" "the map that fits"
printf '[{"pandaid": 1, "starttime": "2025-01-01", "endtime": "2025-01-02", "jobstatus": "finished"}]' >"$work/panda.json"
run "$GRIDCAST" ledger "$work/panda.json"
expect 2 "a table in JSON without a map"
says err "columns panda" "the map that fits JSON"
run "$GRIDCAST" import columns "$sacct"
expect 0 "import columns"
says out "^  ended: 'End'$" "a proposed map"
says out "TIMEOUT.: removed execution_too_long" "proposed outcomes"
cp "$work/out" "$work/map.yaml"
run "$GRIDCAST" ledger "$sacct" --columns "$work/map.yaml"
expect 0 "the proposed map"
run "$GRIDCAST" ledger "$sacct" --columns nosuch
expect 2 "no such map"

# Listings made for people.
printf 'JobID           JobName  Partition\n------------ ---------- ----------\n1  train gpu\n' >"$work/list"
run "$GRIDCAST" ledger "$work/list"
expect 2 "sacct without -P"
says err "sacct -D -P" "sacct without -P"
printf ' ID     OWNER          SUBMITTED   RUN_TIME     ST COMPLETED   CMD\n' >"$work/list"
run "$GRIDCAST" ledger "$work/list"
says err "condor_history -json" "the default of condor_history"
for values in '12 0 alice 4' '12.0 alice' 'alice 12 0' 'undefined 4' $'ClusterId ProcId Owner\n12        0      alice'; do
  printf '%s\n' "$values" >"$work/list"
  run "$GRIDCAST" ledger "$work/list"
  expect 2 "condor_history -af"
  says err "condor_history -json" "condor_history -af: $values"
done
printf '12,0,4\n13,0,4\n' >"$work/list"
run "$GRIDCAST" ledger "$work/list"
says err "holds values, where the names of the columns should be" "a table without names"

# A log whose beginning is lost, within an event as well.
for at in 12345 20007 30001; do
  tail -c +$at "$c1" >"$work/tail.log"
  run "$GRIDCAST" ledger "$work/tail.log"
  expect 0 "a log from byte $at on"
done
sed 's/^JobID|/JobIDRaw|/' "$sacct" >"$work/raw.txt"
run "$GRIDCAST" ledger "$work/raw.txt" --columns sacct
says out "8 jobs: 5 succeeded" "sacct with JobIDRaw: steps are no jobs"

# Names that are no UTF-8: spelled out once, where the record is read, and the same from there on.
LC_ALL=C sed $'s/SITE-A/S\xceTE-A/' "$c1" >"$work/latin.log"
cp "$pool/c1-sweep/job.sub" "$work/latin.sub"
run "$GRIDCAST" forecast "$work/latin.sub" "$work/latin.log" --of 4 --out "$work/latin" --json
expect 0 "a forecast from a log with a site that is no UTF-8"
says err "1 name is no UTF-8.*'S.xceTE-A'" "what was spelled out"
says out '"S..xceTE-A"' "the site in JSON"
for file in "$work/out" "$work"/latin/*; do
  iconv -f UTF-8 -t UTF-8 "$file" >"$work/utf8" 2>&1 || complain "$file is no UTF-8"
done
run "$GRIDCAST" predict "$work/latin/scenario.yaml" -n 2 --json
expect 0 "predict from what forecast wrote"
says out '"S..xceTE-A"' "the site in the prediction's JSON"
LC_ALL=C sed $'s/SITE-A/S\xceTE-A/g' "$work/c1.csv" >"$work/latin.csv"
run "$GRIDCAST" ledger "$work/latin.csv"
says out "^1 name is no UTF-8" "of a table as well"
says out "^S.xceTE-A " "the site in the ledger of a table"

# One job in two campaigns.
sed 's/2026-11-21 0/2026-11-22 0/' "$c1" | sed 's/:\([0-9][0-9]\)\( Job submitted\)/:07\2/' >"$work/other.log"
run "$GRIDCAST" ledger "$c1" "$work/other.log"
expect 2 "the same jobs in two campaigns"
says err "other.log.*c1-sweep.log as well|c1-sweep.log.*other.log as well" "both files are named"
says err "--prefix" "the way out"
run "$GRIDCAST" ledger "$c1" "$work/other.log" --prefix
expect 0 "--prefix"
says out "^160 jobs" "--prefix keeps them apart"
says out "^1784 events, 160 jobs, 0 lines not understood$" "the sum over both logs"
[[ $(grep -c 'lines not understood' "$work/out") == 1 ]] || complain "--prefix: a line for each log"

# Cut anywhere, a table is read or refused; never a crash.
size=$(stat -c %s "$work/c1.csv")
for part in 0 1 10 200 400 401 5000 $((size - 1)); do
  head -c "$part" "$work/c1.csv" >"$work/cut.csv"
  run "$GRIDCAST" ledger "$work/cut.csv"
  ((status == 0 || status == 2)) || complain "a table cut at $part: exit status $status"
done

exit "$exit_status"
