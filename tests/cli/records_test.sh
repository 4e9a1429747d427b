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
# A calibration names the digest of what came from a pipe.
run "$GRIDCAST" calibrate <(gzip -c "$c1") --draws 10 -o "$work/piped.yaml"
expect 0 "a calibration from a pipe"
grep -q "sha256: *\"\?$(gzip -c "$c1" | sha256sum | cut -d " " -f 1)" "$work/piped.yaml" ||
  complain "a calibration from a pipe has not its digest"
"$GRIDCAST" calibrate - --draws 10 -o "$work/stdin.yaml" <"$c1" >"$work/out" 2>&1
grep -q "sha256: *\"\?$(sha256sum <"$c1" | cut -d " " -f 1)" "$work/stdin.yaml" ||
  complain "a calibration from standard input has not its digest"
# A job table too, in parts, from a pipe and for calibrations.
jobs=$GRIDCAST_SOURCE/calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv
run "$GRIDCAST" ledger "$jobs" --json --quiet
cp "$work/out" "$work/jobs.json"
{ head -n 50 "$jobs" | gzip -c; tail -n +51 "$jobs" | gzip -c; } >"$work/jobs.gz"
"$GRIDCAST" ledger "$work/jobs.gz" --json --quiet 2>/dev/null | cmp -s - "$work/jobs.json" ||
  complain "a job table in gzip"
"$GRIDCAST" ledger - --json --quiet <"$work/jobs.gz" 2>/dev/null | cmp -s - "$work/jobs.json" ||
  complain "a packed job table from standard input"
head -c 800 "$work/jobs.gz" >"$work/cut.gz"
run "$GRIDCAST" ledger "$work/cut.gz"
says err "cannot be read to its end" "a job table in gzip that was cut"
if command -v zstd >/dev/null; then
  zstd -q -o "$work/jobs.zst" "$jobs"
  "$GRIDCAST" ledger "$work/jobs.zst" --json --quiet 2>/dev/null | cmp -s - "$work/jobs.json" ||
    complain "a job table in zstd"
  zstd -q -o "$work/c1.zst" "$c1"
  "$GRIDCAST" ledger "$work/c1.zst" --json --quiet 2>/dev/null | cmp -s - "$work/log.json" ||
    complain "a log in zstd"
  head -c 2000 "$work/c1.zst" >"$work/cut.zst"
  run "$GRIDCAST" ledger "$work/cut.zst"
  says err "ends early|lines not understood|no event in the logs" "a zstd file that was cut"
fi

# The command in a calibration makes it again, whatever its files are called and however they are read.
mkdir "$work/again"
cp "$c1" "$work/again/my log.log"
cp "$c1" "$work/again/other.log"
printf 'executable = /bin/true\nqueue\n' >"$work/again/it's.sub"
(
  cd "$work/again" || exit 1
  ln -s "$GRIDCAST" gridcast
  ./gridcast calibrate 'my log.log' other.log --prefix --submit "it's.sub" --draws 20 \
    --where 'JobStatus =!= "it'"'"'s"' -o 'the file.yaml'
) >"$work/out" 2>"$work/err" || complain "calibrate files with blanks in their names"
command=$(sed -n 's/^#   \(\.\/gridcast calibrate .*\)/\1/p' "$work/again/the file.yaml")
(cd "$work/again" && cp 'the file.yaml' first.yaml && eval "$command --force") >"$work/out" 2>"$work/err" ||
  complain "the command of a calibration: $command"
cmp "$work/again/the file.yaml" "$work/again/first.yaml" || complain "another calibration"

# Other programs' tables.
sacct=$GRIDCAST_SOURCE/tests/slurm/sacct.txt
run "$GRIDCAST" ledger --details "$sacct" --columns sacct
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
says err "gridcast init" "how a map is made"
says err "columns sacct" "the map that fits"
printf '[{"pandaid": 1, "starttime": "2025-01-01", "endtime": "2025-01-02", "jobstatus": "finished"}]' >"$work/panda.json"
run "$GRIDCAST" ledger "$work/panda.json"
expect 2 "a table in JSON without a map"
says err "columns panda" "the map that fits JSON"
run "$GRIDCAST" init "$sacct"
expect 0 "init"
says out "^  ended: 'End'$" "a map of recognised columns"
says out "^  'TIMEOUT': removed execution_too_long$" "words that a shipped map knows"
cp "$work/out" "$work/map.yaml"
run "$GRIDCAST" ledger "$sacct" --columns "$work/map.yaml"
expect 0 "the map"
sed 's/|TIMEOUT/|Gone/' "$sacct" >"$work/words.txt"
run "$GRIDCAST" init "$work/words.txt"
says out "^  # 'Gone':   # one of succeeded, " "words that are left to the owner"

# sacct -n: no names of columns, and cells that say None.
tail -n +2 "$sacct" >"$work/values.txt"
run "$GRIDCAST" ledger "$work/values.txt"
expect 2 "a table without a header"
says err "gridcast init .* -o map.yaml" "the command for a table without a header"
run "$GRIDCAST" init "$work/values.txt" -o "$work/values.yaml"
expect 2 "init of a table without a header"
says err "header: .JobID, " "init of a table without a header"
{ head -1 "$sacct"; cat "$work/values.txt"; } >"$work/named.txt"
run "$GRIDCAST" init "$work/named.txt" -o "$work/values.yaml"
expect 0 "a table with the names put first"

# Documents of Elasticsearch: a dump with one a line, and an answer with all of them.
cat >"$work/dump.json" <<'EOF'
{"_index": "g", "_source": {"GlobalJobId": "s#1.0#1", "StartTime": "2026-02-25T10:00:00Z", "EndTime": "2026-02-25T11:00:00Z", "Status": "ok", "SiteName": "A"}}
{"_index": "g", "_source": {"GlobalJobId": "s#2.0#1", "StartTime": "2026-02-25T10:00:00Z", "EndTime": "2026-02-25T12:00:00Z", "Status": "ok", "SiteName": "B"}}
EOF
python3 -c "
import json, sys
hits = [json.loads(line) for line in open(sys.argv[1])]
print(json.dumps({'took': 3, 'hits': {'total': 2, 'hits': hits}}))" "$work/dump.json" >"$work/answer.json"
for documents in dump answer; do
  run "$GRIDCAST" init "$work/$documents.json" -o "$work/$documents.yaml" --force
  expect 0 "a map of documents of Elasticsearch ($documents)"
  sed -i "s/^  # 'ok':.*/  'ok': succeeded/" "$work/$documents.yaml"
  run "$GRIDCAST" ledger "$work/$documents.json" --columns "$work/$documents.yaml" --json
  expect 0 "documents of Elasticsearch ($documents)"
  json 'sorted(d["sites"]) == ["A", "B"] and d["metrics"]["succeeded"] == 2' \
    "documents of Elasticsearch ($documents)"
done
run "$GRIDCAST" ledger "$sacct" --columns nosuch
expect 2 "no such map"

# Words of a table for jobs and hosts, and advice that holds for Slurm.
python3 - "$sacct" "$work/ids.txt" <<'EOF'
import sys
rows = open(sys.argv[1]).read().splitlines()
head = rows[0].split("|")
at = {name: i for i, name in enumerate(head)}
def row(**cells):
    made = {"JobID": "", "JobName": "train", "User": "ann", "Cluster": "c", "Partition": "p",
            "Submit": "2025-01-01T00:00:00", "Start": "2025-01-01T01:00:00", "End": "2025-01-01T02:00:00",
            "State": "COMPLETED", "ExitCode": "0:0", "NodeList": "n1", "AllocTRES": "cpu=1", **cells}
    return "|".join(made.get(name, "") for name in head)
lines = [rows[0]] + [row(JobID="71"), row(JobID="72_1"), row(JobID="72_[2-9]", Start="Unknown", End="Unknown",
                                                             State="PENDING", NodeList="None assigned"),
                     row(JobID="73", State="TIMEOUT"), row(JobID="74", State="NODE_FAIL"),
                     row(JobID="74", NodeList="n2", Start="2025-01-01T03:00:00", End="2025-01-01T04:00:00")]
open(sys.argv[2], "w").write("\n".join(lines) + "\n")
EOF
run "$GRIDCAST" ledger --details "$work/ids.txt" --columns sacct --jobs
expect 0 "sacct with parts of arrays"
for job in 71.0 72.1 72.2 72.9 73.0 74.0; do
  says out "^$job " "the job's name $job"
done
says out "the program outlived its time limit" "Slurm's limit in its own words"
grep -E 'OSPool|allowed_execute_duration|HTCondor' "$work/out" && complain "advice for HTCondor's jobs"
says out "^6 rows; " "nothing was left out, and nothing says so"
run "$GRIDCAST" export attempts "$work/ids.txt" --columns sacct
says out '^74.0,2,.*,c,n2,,' "the host of an attempt, without a slot"
says out '^72.9,' "the last of an array's tasks that wait"
run "$GRIDCAST" calibrate "$work/ids.txt" --columns sacct --where 'GlobalJobId == "nobody"' -o "$work/no.yaml"
says err "no job of the record is left" "a job's own name in an expression"
run "$GRIDCAST" calibrate "$work/ids.txt" --columns sacct --where 'foo == 1' -o "$work/no.yaml"
(($(grep -o 'GlobalJobId' "$work/err" | wc -l) == 1)) || complain "names of attributes are not listed once: $(<"$work/err")"
run "$GRIDCAST" compare "$sacct" --columns sacct -n 2 -j 1
expect 0 "a replay of the output of sacct"

# export csv writes the record itself too; its other tables get a map that takes times for times.
run "$GRIDCAST" export csv "$c1" -o "$work/csv"
expect 0 "export csv"
run "$GRIDCAST" export attempts "$c1" -o "$work/attempts.csv"
cmp -s "$work/csv/record.csv" "$work/attempts.csv" || complain "record.csv is not the table of attempts"
run "$GRIDCAST" init "$work/csv/attempts.csv"
says out "^  ended: 'end_time'$" "a time for a time"
says out "^  outcome: 'end'$" "a word for an outcome"
run "$GRIDCAST" ledger "$work/csv/attempts.csv"
says err "ended = 'end_time', outcome = 'end'" "what is recognised of a table of export csv"

printf 'id,nGPU,Device,start,end,state,reason,hold reason\n1,2,A100,2025-01-01,2025-01-02,held,out_of_resources,\n' >"$work/names.csv"
printf '2,2,A100,2025-01-01,2025-01-02,held,,Out of disk\n' >>"$work/names.csv"
run "$GRIDCAST" init "$work/names.csv"
for each in "gpus: 'nGPU'" "gpu_model: 'Device'" "reason: 'reason'"; do says out "^  $each\$" "$each"; done
says out "^#   'hold reason'$" "somebody's own words"

# Dates of a form that has to be named: the proposed map names it, and a map without a needed column says so.
printf 'job,submitted,started,ended,outcome\n1,27.01.2025 02:51,27.01.2025 03:10,27.01.2025 03:30,succeeded\n' >"$work/dates.csv"
run "$GRIDCAST" ledger "$work/dates.csv"
says err 'time_format in a column map' "dates of another form"
run "$GRIDCAST" init "$work/dates.csv" -o "$work/dates.yaml"
run "$GRIDCAST" ledger "$work/dates.csv" --columns "$work/dates.yaml"
expect 0 "dates of another form, with the proposed map"
says out '^1200 s of slot time' "dates of another form, with the proposed map"
sed -i 's/^  started/  # started/' "$work/dates.yaml"
run "$GRIDCAST" ledger "$work/dates.csv" --columns "$work/dates.yaml"
expect 2 "a map without a needed column"
says err 'no column for started \(the map names none\)' "a map without a needed column"

# A table that fits no map is refused, and names that would give a terminal orders are spelled out.
iconv -f UTF-8 -t UTF-16 "$work/csv/attempts.csv" >"$work/utf16.csv"
run "$GRIDCAST" init "$work/utf16.csv"
expect 2 "init: UTF-16"
says err "utf16.csv: is UTF-16" "init: UTF-16"
[[ -s $work/out ]] && complain "import columns: a map of a binary file"
printf 'foo,bar\n1,2\n' >"$work/foo.csv"
run "$GRIDCAST" init "$work/foo.csv"
expect 2 "init: no column of use"
says err "foo.csv:1: none of its 2 columns is recognised" "init: no column of use"
printf 'job,\033[2Jx,\033submitted,started,ended,outcome\n1,2,2025-01-01,2025-01-01,2025-01-02,do\033ne\n2,2,2025-01-01,2025-01-01,2025-01-02,succeeded\n' >"$work/escape.csv"
run "$GRIDCAST" init "$work/escape.csv"
expect 0 "init: control characters"
LC_ALL=C grep -P '[\x00-\x08\x0b-\x1f\x7f]' "$work/out" && complain "a map has control characters"
cp "$work/out" "$work/escape.yaml"
run "$GRIDCAST" ledger "$work/escape.csv" --columns "$work/escape.yaml"
expect 0 "a map with names that are spelled out"

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
# A table of ads has the same jobs as the ads themselves, also with names from -af:h; init takes it as a record.
ads=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep/history.json
python3 - "$ads" "$work/pandas.csv" "$work/af.txt" <<'END'
import csv, json, sys
ads = json.load(open(sys.argv[1]))
names = sorted({name for ad in ads for name, value in ad.items() if not isinstance(value, (dict, list))})
with open(sys.argv[2], 'w', newline='') as file:
    table = csv.DictWriter(file, names, restval='', extrasaction='ignore')
    table.writeheader()
    table.writerows(ads)
few = ['ClusterId', 'ProcId', 'QDate', 'JobStatus', 'JobCurrentStartDate', 'CompletionDate', 'MemoryUsage']
with open(sys.argv[3], 'w') as file:
    print(*few, file=file)
    for ad in ads:
        print(*(ad.get(name, 'undefined') for name in few), file=file)
END
for record in "$ads" "$work/pandas.csv" "$work/af.txt"; do
  run "$GRIDCAST" ledger "$record" --json
  expect 0 "$record"
  says err '80 jobs, 0 ads without ids, 0 repeated, 0 values and 0 lines not understood' "$record"
  json "d['metrics']['jobs'] == d['metrics']['succeeded'] == 80" "$record"
  [[ $record == *af.txt ]] && continue
  json "d['metrics']['compute_success_s'] == 1276 and d['metrics']['transfer_success_s'] == 380" "$record"
done
run "$GRIDCAST" init "$work/pandas.csv" -o "$work/of-table.yaml"
says err 'gridcast forecast .*pandas.csv' "init of a table of ads, which needs no map"
printf '12,0,4\n13,0,4\n' >"$work/list"
run "$GRIDCAST" ledger "$work/list"
says err "holds values, where the names of the columns should be" "a table without names"
# One of its values is also the name of a column; a map that names columns does not help.
printf '12|train|ann|c|gpu|2025-01-01T00:00:00|2025-01-01T00:01:00|2025-01-01T00:31:00|COMPLETED|0:0|n1|cpu=4\n%.0s' 1 2 >"$work/list"
for columns in '' '--columns=sacct'; do
  # shellcheck disable=SC2086
  run "$GRIDCAST" ledger "$work/list" $columns
  expect 2 "sacct without names $columns"
  says err "holds values, where the names of the columns should be" "sacct without names $columns"
  (($(wc -l <"$work/err") == 1)) || complain "sacct without names $columns: several lines"
done

# A record without GPUs has slots, and its headline states the assumption.
run "$GRIDCAST" ledger "$c1"
says out '^GPU hours: [0-9.]+, if each job had one GPU .not recorded.' "a record without GPUs"

# Job ads in an answer of Elasticsearch.
cat >"$work/list" <<'EOF'
{"took": 3, "hits": {"total": 1, "hits": [{"_index": "a", "_source": {"ClusterId": 1, "ProcId": 0,
 "QDate": 1700000000, "JobStatus": 4, "JobCurrentStartDate": 1700000100, "ExitCode": 0,
 "JobCurrentStartExecutingDate": 1700000200, "CompletionDate": 1700000500}}]}}
EOF
run "$GRIDCAST" ledger "$work/list" --json
expect 0 "an answer of Elasticsearch"
json 'd["metrics"]["compute_success_s"] == 300' "an answer of Elasticsearch"

# Commands that are proposed name the file so that a shell reads it, without its control characters.
for name in $'a\n\e[31mb.log' '-x.log' 'a b;c.log'; do
  (cd "$work" && cp "$c1" "./$name")
  run bash -c 'cd "$0" && "$1" ledger -- "$2"' "$work" "$GRIDCAST" "$name"
  expect 0 "a log with a strange name"
  LC_ALL=C grep -P '[\x00-\x08\x0b-\x1f\x7f]' "$work/out" && complain "a name has control characters in a command"
  command=$(sed -n 's/^Next: //p' "$work/out")
  [[ $command != "the same command"* ]] || command="\$GRIDCAST ledger --details -- '$name'"
  (cd "$work" && eval "$command") >"$work/typed" 2>/dev/null || complain "cannot be typed again: $command"
done

# A log whose beginning is lost, within an event as well.
for at in 12345 20007 30001; do
  tail -c +$at "$c1" >"$work/tail.log"
  run "$GRIDCAST" ledger "$work/tail.log"
  expect 0 "a log from byte $at on"
done
sed 's/^JobID|/JobIDRaw|/' "$sacct" >"$work/raw.txt"
run "$GRIDCAST" ledger --details "$work/raw.txt" --columns sacct
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
run "$GRIDCAST" forecast "$work/latin/scenario.yaml" -n 2 --json
expect 0 "forecast from what forecast wrote"
says out '"S..xceTE-A"' "the site in the prediction's JSON"
LC_ALL=C sed $'s/SITE-A/S\xceTE-A/g' "$work/c1.csv" >"$work/latin.csv"
run "$GRIDCAST" ledger --details "$work/latin.csv"
says out "^1 name is no UTF-8" "of a table as well"
says out "^S.xceTE-A " "the site in the ledger of a table"

# One job in two campaigns.
sed 's/2026-11-21 0/2026-11-22 0/' "$c1" | sed 's/:\([0-9][0-9]\)\( Job submitted\)/:07\2/' >"$work/other.log"
run "$GRIDCAST" ledger "$c1" "$work/other.log"
expect 2 "the same jobs in two campaigns"
says err "other.log.*c1-sweep.log as well|c1-sweep.log.*other.log as well" "both files are named"
says err "--prefix" "the way out"
run "$GRIDCAST" ledger --details "$c1" "$work/other.log" --prefix
expect 0 "--prefix"
says out "^160 jobs" "--prefix keeps them apart"
says out "^1784 events, 160 jobs, 0 lines not understood$" "the sum over both logs"
[[ $(grep -c 'lines not understood' "$work/out") == 1 ]] || complain "--prefix: a line for each log"

# Ads of another campaign than the log's are left out, which is said once, or taken in.
run "$GRIDCAST" ledger --details "$c1" "$pool/c4-retry/history.json"
expect 0 "ads of another campaign"
says out "^80 jobs" "ads of another campaign are not the log's"
says out "c4-retry/history.json: 60 jobs are of the ads .*in none of the logs" "what was left out"
says out "take it in with( --prefix|$)" "the way to take in other ads"
run "$GRIDCAST" ledger --details "$c1" "$pool/c4-retry/history.json" --prefix
expect 0 "ads of another campaign with --prefix"
says out "^140 jobs" "ads of another campaign taken in"

# Ads alone: the unknown end of an attempt is null, and holds are those that the ads count.
run "$GRIDCAST" ledger "$pool/c7-hang/history.json" --json
json 'd["metrics"]["holds"] == 18 and d["metrics"]["evictions"] == 0' "18 holds, no other end"
run "$GRIDCAST" ledger "$pool/c1-sweep/history.json" --json
json 'd["metrics"]["holds"] == 33 and d["metrics"]["evictions"] is None' "33 holds, 12 other ends"

# GPUs of ads: of 2 jobs with 2 GPUs each, an hour of slots is two of GPUs.
python3 - "$work" <<'EOF'
import json, sys
def ad(p, **more):
    return {"ClusterId": 1, "ProcId": p, "QDate": 1770000000, "JobStatus": 4, "ExitCode": 0,
            "NumShadowStarts": 1, "NumJobStarts": 1, "JobStartDate": 1770000000, "RequestGPUs": 2,
            "JobCurrentStartDate": 1770000000, "JobCurrentStartExecutingDate": 1770000010,
            "CompletionDate": 1770003600, "RemoteWallClockTime": 3600.0,
            "LastRemoteWallClockTime": 3600.0, "MachineAttrGLIDEIN_ResourceName0": "UIUC", **more}
json.dump([ad(p, GPUsProvisioned=2, GPUs_DeviceName="NVIDIA A40") for p in range(2)],
          open(sys.argv[1] + "/gpus.json", "w"))
EOF
run "$GRIDCAST" ledger "$work/gpus.json" --json
json 'd["gpu_hours"]["all"] == 4 and d["metrics"]["wallclock_s"] == 7200' "GPU hours of ads"

# A file that is no list of ads has one line each, with the attribute where one has no value.
printf '[' >"$work/open.json"
run "$GRIDCAST" ledger "$work/open.json"
expect 2 "an array that ends at once"
[[ $(wc -l <"$work/err") == 1 ]] || complain "an array that ends at once is reported in one line"
says err "open.json:1: holds no ads" "an array that ends at once"
says err "condor_history -json" "an array that ends at once names the next command"
printf '<classads>\n<c>\n<a n="ClusterId"><i>1</i></a>\n' >"$work/cut.xml"
run "$GRIDCAST" ledger "$work/cut.xml"
expect 2 "XML that is cut"
[[ $(wc -l <"$work/err") == 1 ]] || complain "XML that is cut is reported in one line"
says err "cut.xml:2: an ad does not end" "XML that is cut"
printf 'ClusterId = 1\nProcId = 0\nQDate = 1770000000\nJobStatus = 1\nJobStartDate = 1e400\n' >"$work/bad.l"
run "$GRIDCAST" ledger --details "$work/bad.l"
says out "bad.l:5: JobStartDate has a value that it cannot have" "the attribute and its line"

# Cut anywhere, a table is read or refused; never a crash.
size=$(stat -c %s "$work/c1.csv")
for part in 0 1 10 200 400 401 5000 $((size - 1)); do
  head -c "$part" "$work/c1.csv" >"$work/cut.csv"
  run "$GRIDCAST" ledger "$work/cut.csv"
  ((status == 0 || status == 2)) || complain "a table cut at $part: exit status $status"
done

# Ads with a few attributes: attempts before the last are counted and not recorded.
cat >"$work/few.json" <<'JSON'
[{"ClusterId": 12, "ProcId": 0, "JobStatus": 4, "QDate": 1767225600, "JobCurrentStartDate": 1767229000,
  "CompletionDate": 1767232600, "NumJobStarts": 3, "ExitCode": 0}]
JSON
run "$GRIDCAST" ledger "$work/few.json" --quiet
expect 0 "a ledger of few attributes"
says out '2 earlier attempts of these jobs are not' "a ledger of few attributes"
grep -q ' 0 %' "$work/out" && complain "a ledger of few attributes has nothing lost: $(cat "$work/out")"
run "$GRIDCAST" ledger "$work/few.json" --quiet --details
says out 'Not in the record: 2 earlier attempts' "a ledger of few attributes, --details"
run "$GRIDCAST" ledger "$work/few.json" --quiet --json
json 'd["attempts_not_in_record"] == 2' "a ledger of few attributes, --json"
cp "$work/out" "$work/few.ledger"
# The same by user: of whom attempts are not recorded, the shares are not known.
sed -E '1s/\{/{"Owner": "ann", /; $s/\]$/,/' "$work/few.json" >"$work/two.json"
sed -E '1s/^\[\{/{"Owner": "bob", /; s/: 12,/: 13,/; s/"NumJobStarts": 3/"NumJobStarts": 1/' \
  "$work/few.json" >>"$work/two.json"
run "$GRIDCAST" ledger "$work/two.json" --quiet --by user
expect 0 "a ledger by user with earlier attempts"
says out 'ann +1 +1 +1.0 h +- +-$' "a user with earlier attempts"
says out 'bob +1 +1 +1.0 h +100 % +0.0 h$' "a user without"
says out 'all +2 +2 +2.0 h +- +-$' "all users"
says out 'Not in the record: 2 earlier attempts' "a ledger by user"
run "$GRIDCAST" ledger "$work/two.json" --quiet --by site
says out '\(unknown\) +2 +2 +2.0 h +- +-$' "a site with earlier attempts"
# Numbers as texts.
sed -E 's/: ([0-9]+)/: "\1"/g' "$work/few.json" >"$work/texts.json"
run "$GRIDCAST" ledger "$work/texts.json" --quiet --json
expect 0 "ads whose numbers are texts"
cmp -s "$work/out" "$work/few.ledger" || complain "ads whose numbers are texts have another ledger"

# JSON that is no record gets no map.
echo '{"panels": [{"id": 1, "title": "Jobs", "type": "graph"}], "schemaVersion": 36}' >"$work/dashboard.json"
echo '{"name": "pkg", "version": "1.0.0", "dependencies": {"a": "^1"}}' >"$work/package.json"
for file in dashboard package; do
  for verb in init ledger; do
    run "$GRIDCAST" $verb "$work/$file.json"
    expect 2 "$verb of $file.json"
    says err "$file.json:1: is JSON that is no record.* condor_history -json" "$verb of $file.json"
    [[ -s $work/out ]] && complain "$verb of $file.json writes: $(cat "$work/out")"
  done
done
# With dates its owner can complete the map.
echo '[{"task": 1, "begin": "2026-01-02T03:04:05Z", "finish": "2026-01-02T04:04:05Z"}]' >"$work/foreign.json"
run "$GRIDCAST" init "$work/foreign.json"
says out 'gridcast.columns/1' "init of JSON with foreign names"

# Each verb that reads logs takes the year and the time zone that its notes name.
old=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c4-retry/c4-retry.log
printf 'executable = train.sh\nqueue 5\n' >"$work/old.sub"
takes_dates() {
  run "$GRIDCAST" "$@" --year 2019 --tz America/Chicago
  expect 0 "$1 --year --tz"
  ! grep -qE -e 'dates without a year|time zone' "$work/err" || complain "$1 ignores --year or --tz: $(cat "$work/err")"
}
takes_dates ledger "$old"
takes_dates compare "$old" -n 2
takes_dates optimize "$work/old.sub" "$old" --budget '10 campaigns'
takes_dates forecast "$work/old.sub" "$old" -n 2
takes_dates forecast "$scenario" --against "$old" -n 2
takes_dates calibrate "$old" --draws 20 -o "$work/old.yaml"
takes_dates init "$old" --yes -o "$work/from-old.yaml"
takes_dates export csv "$old" --table jobs -o "$work/old.csv"

# DAGMan's own job runs on the access point. `*.log` in the folder of a DAG names its log, too.
head -n 2 "$c1" | sed 's/([0-9]*\./(999999./' >"$work/my.dag.dagman.log"
run "$GRIDCAST" ledger "$c1" "$work/my.dag.dagman.log" --json
cmp -s "$work/log.json" "$work/out" || complain "the job of DAGMan counts"
says err "my.dag.dagman.log: the log of DAGMan's own job" "the log of DAGMan"
run "$GRIDCAST" ledger "$work/my.dag.dagman.log" --json
json 'd["metrics"]["jobs"] == 1' "the log of DAGMan alone"

exit "$exit_status"
