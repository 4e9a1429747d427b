#!/usr/bin/env bash
# Traces of other programs as campaigns: what a grid without waits makes of them is what they were.
source "$(dirname -- "$0")/check.sh"

cat >"$work/small.swf" <<'SWF'
; Version: 2.2
; MaxProcs: 64
1 0 0 100 4 90 -1 4 200 -1 1 1 1 1 1 -1 -1 -1
2 5 0 -7 4 -1 -1 4 -1 -1 0 1 1 1 1 -1 -1 -1
3 30 0 60 1 -1 -1 1 -1 -1 1 2 1 1 1 -1 -1 -1
4 20 0 400000 1 -1 -1 1 -1 -1 1 2 1 1 1 -1 -1 -1
5 40 0 50
6 50 0 10 0 -1 -1 0 -1 -1 1 2 1 1 1 -1 -1 -1
SWF
run "$GRIDCAST" init "$work/small.swf" -o "$work/small"
expect 0 "init"
says out '3 jobs, 6 slots' "init"
says err 'small.swf:4: job 2' "init: a negative run time"
says err 'small.swf:6: job 4' "init: out of order"
says err 'small.swf:7: 4 fields' "init: too few fields"
says err 'small.swf:8: job 6' "init: no processors"
says err 'Rows: 6; left out: 3; jobs: 3' "init"
# rows SCENARIO: submission, wait and execution of each job of its simulation, in whole seconds.
rows() {
  run "$GRIDCAST" export csv "$1" --table jobs
  expect 0 "export csv of $1"
  python3 -c 'import csv, sys
for job in sorted(csv.DictReader(open(sys.argv[1])), key=lambda job: float(job["submission_time"])):
    submit, start, ran = (round(float(job[name])) for name in ("submission_time", "starting_time", "execution_time"))
    print(submit, start - submit, ran)' "$work/out" >"$work/rows"
}
rows "$work/small/scenario.yaml"
printf '0 0 100\n20 0 400000\n30 0 60\n' | cmp -s - "$work/rows" ||
  complain "submissions, waits and run times are others: $(cat "$work/rows")"

# Two jobs of 4 processors on 4 run one after the other, and a narrow one between them waits too.
cat >"$work/wide.swf" <<'SWF'
1 0 0 100 4 90 -1 4 200 -1 1 1 1 1 1 -1 -1 -1
2 1 -1 100 4 90 -1 4 200 -1 1 1 1 1 1 -1 -1 -1
3 2 -1 50 2 90 -1 2 200 -1 1 1 1 1 1 -1 -1 -1
SWF
run "$GRIDCAST" init "$work/wide.swf" --slots 4 -o "$work/wide"
expect 0 "init of wide jobs"
says out '3 jobs, 2 slots' "init: slots of 2 processors"
rows "$work/wide/scenario.yaml"
printf '0 0 100\n1 99 100\n2 198 50\n' | cmp -s - "$work/rows" ||
  complain "wide jobs do not wait for each other: $(cat "$work/rows")"

# 2 x 100 s in two slots and 50 s in one.
run "$GRIDCAST" forecast "$work/wide/scenario.yaml" -n 5 --json
expect 0 "forecast of wide jobs"
json 'abs(d["metrics"]["wallclock_s"]["mean"] - 450) < 0.1' "forecast: slot time of wide jobs"
run "$GRIDCAST" compare "$work/wide/scenario.yaml" --with 'again:retry.max_retries=1' -n 5 --json
expect 0 "compare of wide jobs"
json 'all(abs(s["gpu_hours"]["p50"] - 0.125) < 1e-4 for s in d["strategies"].values())' \
  "compare: slot hours of wide jobs"
run "$GRIDCAST" forecast "$work/wide/scenario.yaml" --once -o "$work/once"
expect 0 "a campaign of wide jobs"
run grep -h '"wallclock_s"' "$work/once/ledger.json"
says out '450[.,]' "a campaign: slot time of wide jobs"

# Packed as in the archive, with a byte order mark, and with the line ends of Windows.
gzip -k "$work/wide.swf"
{ printf '\xef\xbb\xbf'; sed 's/$/\r/' "$work/wide.swf"; } >"$work/other.swf"
for log in wide.swf.gz other.swf; do
  run "$GRIDCAST" init "$work/$log" --slots 4 -o "$work/again-$log"
  expect 0 "init $log"
  cmp -s "$work/wide/pool.yaml" "$work/again-$log/pool.yaml" || complain "$log: another pool"
  cmp -s <(grep -v '^#\|^title' "$work/wide/scenario.yaml") \
    <(grep -v '^#\|^title' "$work/again-$log/scenario.yaml") || complain "$log: another scenario"
done
head -c 60 "$work/wide.swf.gz" >"$work/cut.swf.gz"

cat >"$work/wf.json" <<'JSON'
{"name": "two levels", "schemaVersion": "1.5",
 "workflow": {
  "specification": {
   "tasks": [
    {"name": "split", "id": "a", "parents": [], "children": ["b", "c"], "inputFiles": ["f"]},
    {"name": "left", "id": "b", "parents": ["a"], "children": []},
    {"name": "right", "id": "c", "parents": ["a"], "children": []}],
   "files": [{"id": "f", "sizeInBytes": 3000000000}]},
  "execution": {"makespanInSeconds": 30, "executedAt": "2026-01-02T03:04:05+00:00",
   "tasks": [{"id": "a", "runtimeInSeconds": 100}, {"id": "b", "runtimeInSeconds": 20},
             {"id": "c", "runtimeInSeconds": -1}]}}}
JSON
run "$GRIDCAST" init "$work/wf.json" --slots 2 -o "$work/wf"
expect 0 "init"
says err "wf.json:11:[0-9]+: task 'c'" "init: a task without a run time"
rows "$work/wf/scenario.yaml"
printf '0 15 100\n115 15 20\n' | cmp -s - "$work/rows" ||
  complain "1.5 GB at 100 MB/s, then the run times, one after the other: $(cat "$work/rows")"

# refused PATTERN ARGUMENT...
refused() {
  run "$GRIDCAST" init "${@:2}" -o "$work/none"
  expect 2 "init ${*:2}"
  says err "$1" "init ${*:2}"
  [[ -e $work/none ]] && complain "init ${*:2}: something was written"
}
: >"$work/empty.swf"
printf '; Version: 2.2\n' >"$work/header.swf"
printf '1 2 3\n' >"$work/short.swf"
gzip -c "$work/wf.json" >"$work/packed.json.gz"
(cd "$work" && run "$GRIDCAST" init packed.json.gz --slots 2)
cmp -s "$work/packed/pool.yaml" "$work/wf/pool.yaml" || complain "a packed workflow is another: $(cat "$work/err")"
head -c 300 "$work/wf.json" >"$work/cut.json"
sed 's/"1.5"/"0.9"/' "$work/wf.json" >"$work/old.json"
sed 's/"tasks": \[/"tasks": [], "x": [/' "$work/wf.json" >"$work/none.json"
refused "no job in it" "$work/empty.swf"
refused "cut.swf.gz" "$work/cut.swf.gz"
refused "no job in it" "$work/header.swf"
refused "short.swf:1: 3 fields" "$work/short.swf"
refused "nowhere.swf" "$work/nowhere.swf"
refused "cut.json:[0-9]+:[0-9]+: the JSON ends here, before it is complete" "$work/cut.json"
refused "old.json:1:[0-9]+: this version" "$work/old.json"
refused "there are no tasks" "$work/none.json"
refused "no rate" "$work/wf.json" --rate fast
run "$GRIDCAST" init "$work/small.swf" -o "$work/small"
expect 2 "import over files"

exit $exit_status
