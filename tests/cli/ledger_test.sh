#!/usr/bin/env bash
# `gridcast ledger` of event logs: known by their content, in any form, from any place; the answer always
# names the files; bad input is refused in one message.
source "$(dirname -- "$0")/check.sh"
# Wide enough for every reason to stand in a line.
export COLUMNS=200

data=$GRIDCAST_SOURCE/calibration/data
pool=$data/htcondor-pool
c1=$pool/c1-sweep/c1-sweep.log

run "$GRIDCAST" ledger --details "$c1"
expect 0 "ledger of a log"
says out "^892 events, 80 jobs, 0 lines not understood$" "ledger of a log"
says out "80 succeeded" "ledger of a log"
says out "held.*input transfer failed: the plugin gave up \(exit 1\) +28 " "reasons"
says out "^makespan: 3.45 min$" "makespan"
run "$GRIDCAST" ledger "$GRIDCAST_SOURCE/calibration/data/metl-ospool/metl_12634378.log"
[[ $(tr '\n' ' ' <"$work/out" | tr -s ' ') == *"the last job ended after 0.0 s. "* ]] || complain "a job that is removed at once"

head -2 "$c1" >"$work/one.log"
run "$GRIDCAST" ledger --details "$work/one.log"
says out "^1 event, 1 job, 0 lines not understood$" "one of each"

run "$GRIDCAST" ledger "$c1" --json --jobs
expect 0 "ledger --json"
says err "^892 events, 80 jobs, 0 lines not understood$" "ledger --json"
json 'd["schema"] == "gridcast.ledger/1" and d["metrics"]["makespan_s"] == 207' "ledger --json"
json 'len(d["jobs"]) == 80' "ledger --jobs"
json 'all(sum(j["classes"].values()) > 0 for j in d["jobs"].values())' "classes by job"
json 'abs(sum(d["classes"].values()) - sum(sum(j["classes"].values()) for j in d["jobs"].values())) < 1e-3' "classes"
cp "$work/out" "$work/plain.json"

# One answer at a time; and an empty variable of a script is a mistake.
for options in '--by site --jobs' '--by site --black-holes' '--requests --black-holes' '--requests --jobs'; do
  # shellcheck disable=SC2086
  run "$GRIDCAST" ledger "$c1" $options
  expect 2 "$options"
  says err 'excludes --' "$options"
done
for empty in '--since=' '--where=' '--columns=' '--report='; do
  run "$GRIDCAST" ledger "$c1" "$empty" --quiet
  expect 2 "$empty"
  says err "gridcast ledger: ${empty%=} is empty" "$empty"
done
run "$GRIDCAST" ledger "$c1" --until ''
expect 2 "--until ''"
says err 'until is empty' "--until ''"

# The same log, packed, through a pipe, under another name.
gzip -c "$c1" >"$work/log.csv"
run "$GRIDCAST" ledger "$work/log.csv" --json --jobs
cmp -s "$work/out" "$work/plain.json" || complain "gzip and plain differ"
"$GRIDCAST" ledger - --json --jobs <"$c1" 2>/dev/null | cmp -s - "$work/plain.json" ||
  complain "standard input and file differ"

for campaign in c5-json c6-xml; do
  run "$GRIDCAST" ledger --details "$pool/$campaign/$campaign.log"
  expect 0 "$campaign"
  says out "^24 jobs: 2[34] succeeded" "$campaign"
done
run "$GRIDCAST" ledger --details "$pool/c4-retry/c4-retry.log" --year 2026 --tz America/Chicago
expect 0 "--year --tz"
says out "requeued.*exit code 1" "retries"

# Hosts that let all jobs fail: n9 has 20 failures of 50 s each, 20 others succeed elsewhere.
{
  echo job,submitted,started,ended,outcome,site,host,exit_code
  for i in {1..20}; do
    echo "$i,0,10,60,failed,A,n9.a.org,1"
    echo "$((i + 20)),0,10,3610,succeeded,A,n$((i % 3)).a.org,0"
  done
} >"$work/holes.csv"
run "$GRIDCAST" ledger "$work/holes.csv" --black-holes
expect 0 "--black-holes"
says out '^n9.a.org +A +20 +20 +0.3 h' "--black-holes"
says out '^requirements = \(Machine != "n9.a.org"\)$' "--black-holes"
run "$GRIDCAST" ledger "$work/holes.csv"
says out '^Black hole: 20 of 20 attempts on host n9.a.org failed, ' "the twelve lines with a black hole"
(($(wc -l <"$work/out") <= 12)) || complain "a black hole takes the twelve lines' room"
run "$GRIDCAST" ledger "$work/holes.csv" --details
says out '^requirements = \(Machine != "n9.a.org"\)$' "--details with a black hole"
{
  for job in {1..40}; do
    printf '000 (%d.000.000) 2026-01-01 00:00:00 Job submitted from host: <192.0.2.9:9618>\n...\n' "$job"
  done
  for job in {1..40}; do
    host=n$((job <= 20 ? 9 : job % 3)).a.org
    printf '001 (%d.000.000) 2026-01-01 00:00:10 Job executing on host: <192.0.2.1:%d?alias=%s>\n' "$job" $((9000 + job)) "$host"
    printf '\tSlotName: slot1@%s\n...\n' "$host"
  done
  for job in {1..40}; do
    printf '005 (%d.000.000) 2026-01-01 00:01:00 Job terminated.\n' "$job"
    printf '\t(1) Normal termination (return value %d)\n...\n' $((job <= 20))
  done
} >"$work/holes.log"
run "$GRIDCAST" ledger "$work/holes.log"
says out '^Black hole: 20 of 20 attempts on host n9.a.org failed, ' "a log, whose events are not kept"
run "$GRIDCAST" ledger "$work/holes.csv" --black-holes --json
json 'd["schema"] == "gridcast.black-holes/1" and [h["lost_s"] for h in d["hosts"]] == [1000]' "--black-holes --json"

# With ads more is known.
run "$GRIDCAST" ledger --details "$c1" "$pool"/c1-sweep/history.json "$pool"/c1-sweep/epochs*.json --verbose
expect 0 "log and ads"
says out "80 jobs in log and ads, 0 only in the log, 0 only in the ads" "log and ads"
run "$GRIDCAST" ledger --details "$pool/c1-sweep/history.json" "$pool/c1-sweep/epochs.json"
expect 0 "ads alone"
says out "80 succeeded" "ads alone"
run "$GRIDCAST" ledger --details "$pool/c4-retry/history.json"
expect 0 "ads of jobs that were queued again"
says out "requeued +the program ended, and its exit.* 20 " "requeues of NumJobCompletions"

run "$GRIDCAST" ledger --details "$data"/metl-ospool/*.log --verbose
expect 0 "METL"
says out "^4360 events, 55 jobs, 0 lines not understood$" "METL"
says out "submission is not in the log" "METL --verbose"

# A table that is cut off lacks the row within which it is cut, once, packed or not.
attempts=$data/metl-campaign/attempts-to-september.csv
gzip -c "$attempts" | head -c 9000 >"$work/cut.csv.gz"
gzip -dc "$work/cut.csv.gz" >"$work/cut.csv" 2>"$work/gzip"
rows=$(($(wc -l <"$work/cut.csv")))
for file in cut.csv cut.csv.gz; do
  run "$GRIDCAST" ledger --details "$work/$file" --columns metl
  expect 0 "$file"
  says out "^$rows rows, 1 row left out" "$file"
done
says out "the compressed file ends early \(the missing part is not counted\)" "cut.csv.gz"

run "$GRIDCAST" ledger "$c1" "$table"
expect 2 "a table among logs"
says err "a job table among event logs" "a table among logs"
run "$GRIDCAST" ledger "$work"
expect 2 "a folder"
printf 'nothing of the kind\n' >"$work/text.log"
run "$GRIDCAST" ledger "$work/text.log"
expect 2 "no log"
says err "is no job event log" "no log"

# Remarks of readers fit a screen as well.
cp "$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c4-retry/c4-retry.log" "$work/c4.log"
(cd "$work" && COLUMNS=80 "$GRIDCAST" ledger c4.log --details >out 2>err)
says out 'dates without a year' "ledger --details"
(($(widest "$work/out") <= 80)) || complain "ledger --details: $(widest "$work/out") columns"

exit $exit_status
