#!/usr/bin/env bash
# gridcast forecast: calibrate, import and predict in one; its explanation; GPUs of a log.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
cd "$work" || exit 1

run "$GRIDCAST" forecast --details "$pool/c1-sweep/job.sub" "$pool"/c1-sweep/{c1-sweep.log,history.json,epochs.INPUT.json} \
  --of 20 --explain -o made
expect 0 "forecast"
says out '20 campaigns' "forecast"
says out '^evict_per_s\. |^work_s ' "each parameter"
says out 'Not in the log, and the replacement' "what was borrowed"
for file in calibration.yaml calibration.pool.yaml scenario.yaml; do
  [[ -s made/$file ]] || complain "no $file is kept"
done
run "$GRIDCAST" forecast made/scenario.yaml -n 20
expect 0 "the scenario that is kept"

run "$GRIDCAST" forecast "$pool/c1-sweep/job.sub" "$pool"/c1-sweep/c1-sweep.log --of 10 --json
expect 0 "forecast --json"
python3 -c 'import json; assert json.load(open("out"))["schema"] == "gridcast.prediction/1"' ||
  complain "forecast --json is no prediction"
cp out json
run "$GRIDCAST" forecast "$pool/c1-sweep/job.sub" "$pool"/c1-sweep/c1-sweep.log --of 10 --json
cmp -s out json || complain "the same forecast again is other bytes"
[[ -z $(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'gridcast-forecast-*' -newer out 2>/dev/null) ]] ||
  complain "the temporary folder is left"
run "$GRIDCAST" forecast "$pool/c1-sweep/job.sub" "$pool"/c1-sweep/c1-sweep.log --once --details
expect 0 "forecast --once of a submit file"
says out 'c1-sweep/job\.sub, strategy submitted, seed 1' "the submit file of a scenario that is not kept"

# Nor is it where a signal ends the forecast while it reads and fits. (Bash's children ignore SIGINT.)
mkdir tmp
for signal in TERM HUP; do
  TMPDIR=$work/tmp "$GRIDCAST" forecast "$pool/c1-sweep/job.sub" "$pool"/c1-sweep/c1-sweep.log --of 1000 >out 2>err &
  for ((i = 0; i < 500; ++i)); do
    compgen -G 'tmp/gridcast-forecast-*' >list && break
    sleep 0.01
  done
  kill -$signal $!
  status=0
  wait $! || status=$?
  [[ -s list && $status == $((128 + $(kill -l $signal))) ]] || complain "SIG$signal while it fits: exit status $status"
  rm -f list
  [[ -z $(ls tmp) ]] || complain "SIG$signal leaves $(ls tmp)"
done
# A reader that goes away, as head does, ends it too.
TMPDIR=$work/tmp "$GRIDCAST" forecast "$pool/c1-sweep/job.sub" "$pool"/c1-sweep/c1-sweep.log --of 10 2>&1 | true
[[ -z $(ls tmp) ]] || complain "a reader that goes away leaves $(ls tmp)"

# The message names the options for open facts.
run "$GRIDCAST" forecast "$pool/c4-retry/job.sub" "$pool"/c1-sweep/c1-sweep.log --of 10
says err '--job-hours H or --work-scale X sets another' "the work of another program"
run "$GRIDCAST" forecast "$pool/c4-retry/job.sub" "$pool"/c1-sweep/c1-sweep.log --of 10 --work-scale 2 --crash-odds 1 -o scaled
expect 0 "forecast --work-scale --crash-odds"
grep -q -- '--work-scale X\|--crash-odds X' err && complain "it asks for a value that is given"
grep -q 'scale: 2' scaled/scenario.yaml || complain "the scale is not in the scenario"

run "$GRIDCAST" forecast "$pool/c1-sweep/job.sub" "$pool"/c1-sweep/c1-sweep.log --where 'NoSuchThing > 1'
expect 2 "a name that no job has"
says err 'no job of a record has NoSuchThing' "a name that no job has"

# Ten executions on two L40S each, of two models at one site; jobs that ask for GPUs get a forecast.
log() {
  for ((i = 1; i <= 10; ++i)); do
    local model=L40S took=$((3600 + 10 * i))
    ((i % 2)) || { model=A100-SXM4-80GB; took=$((1800 + 10 * i)); }
    printf '000 (%03d.000.000) 2026-01-%02d 00:00:00 Job submitted from host: <192.0.2.9:9618>\n    DAG Node: run%d\n...\n' "$i" "$i" "$i"
    printf '001 (%03d.000.000) 2026-01-%02d 00:10:00 Job executing on host: <192.0.2.%d:9618>\n' "$i" "$i" "$i"
    printf '\tSlotName: slot1_1@glidein_%d_1@h%d\n\tGLIDEIN_ResourceName = "SITE"\n\tGPUs = 2\n' "$i" "$i"
    printf '\tGPUs_GPU_%08d = [ Id = "GPU-%08d"; Capability = 8.9; DeviceName = "NVIDIA %s"; GlobalMemoryMb = 45458 ]\n...\n' "$i" "$i" "$model"
    printf '005 (%03d.000.000) 2026-01-%02d %s Job terminated.\n\t(1) Normal termination (return value 0)\n' "$i" "$i" \
      "$(date -u -d "@$((600 + took))" +%H:%M:%S)"
    printf '\t1000000000  -  Run Bytes Received By Job\n\t   TimeSlotBusy (s)     :     %d\n...\n' $((took + 300))
  done
}
log >gpus.log
printf 'executable = train.sh\nrequest_gpus = 2\ntransfer_input_files = osdf:///a.tar\nqueue 5\n' >job.sub
COLUMNS=200 run "$GRIDCAST" forecast --details job.sub gpus.log --of 20 --explain -o gpus
expect 0 "jobs with GPUs"
says err 'the size of osdf:///a.tar is not known: taken for' "a size from the log"
grep -q 'gpu: "NVIDIA L40S"' gpus/calibration.pool.yaml || complain "no L40S in the pool"
grep -q 'SITE/A100-SXM4-80GB' gpus/calibration.pool.yaml || complain "no entry for the second model"
says out 'no 040 events' "a log without transfers"

# The campaign that took place is split by GPUs as the records are: the odd jobs alone ran on L40S, at one kind of GPU, and
# the forecast has that kind. Where the even ones ran on another model, the forecast has nothing to hold them to.
awk 'BEGIN { RS = "[.][.][.]\n"; ORS = "...\n" } match($0, /[(]/) && substr($0, RSTART + 1, 3) % 2' gpus.log >odd.log
sed 's/A100-SXM4-80GB/H200/' gpus.log >h200.log
run "$GRIDCAST" forecast job.sub gpus.log --of 20 --against odd.log --json
expect 0 "a later record of one kind"
json 'len(d["against"]["executions"]) == 5 and d["against"]["executions_not_compared"] == 0' "a later record of one kind"
json 'all(e["site"] == "SITE/L40S" and e["within_5_percent"] for e in d["against"]["executions"])' "L40S of a later record"
run "$GRIDCAST" forecast job.sub gpus.log --of 20 --against h200.log --json
json 'd["against"]["executions_not_compared"] == 5' "a model that the forecast has not"
json 'sum(e["within_5_percent"] is None for e in d["against"]["executions"]) == 5' "nothing to hold five to"
run "$GRIDCAST" forecast --details job.sub gpus.log --of 20 --against h200.log
says out '^5 executions at sites where the forecast has no success are not compared' "a model that the forecast has not"

# A page names what the owner gave, with its SHA-256, and is the same again wherever it is made on the way.
if has_page; then
  run "$GRIDCAST" forecast job.sub gpus.log --of 5 --against odd.log --report page.html
  expect 0 "a forecast's page"
  mv page.html first.html
  mkdir tmp-of-two
  TMPDIR=$work/tmp-of-two run "$GRIDCAST" forecast job.sub gpus.log --of 5 --against odd.log --report page.html
  cmp page.html first.html || complain "the same page again is other bytes"
  grep -q 'gridcast-forecast-\|tmp-of-two' page.html && complain "the page names a folder that is gone"
  for file in job.sub gpus.log odd.log; do
    grep -q "\"$file\",\"$(sha256sum "$file" | cut -d' ' -f1)\"" page.html || complain "the page does not name $file"
  done
fi

# Pieces of work are no use to a program that keeps nothing.
run "$GRIDCAST" forecast job.sub gpus.log --of 5 --epochs 4 --details
says err '--epochs 4: the submit file has no checkpoint_exit_code' "pieces without checkpoints"

# Clients that go on to the next cache in the record go on so in the forecast: most end within minutes, where
# tries that wait for the starter's timer would take an hour.
next=$GRIDCAST_SOURCE/calibration/data/htcondor-transfer/w3.r1
run "$GRIDCAST" forecast "$next/job.sub" "$next"/{w3.r1.log,epochs.INPUT.json} --submit "$next/job.sub" --of 10 -o next --json --details
expect 0 "clients that ask the next cache"
says err "record's clients try the next cache after 4[.0-9]* s without a byte, as 47 of their tries show" "the client's rule"
grep -q 'on_stall: next_cache' next/scenario.yaml || complain "the strategy does not ask the next cache"
grep -q 'client_timeout: 4 s' next/scenario.yaml || complain "the strategy has not the client's timeout"
json 'd["metrics"]["makespan_s"]["p50"] < 171 * 1.5' "a campaign of 171 s"

# Mistakes in the job are reported before the fit, for which this log has nothing.
grep -A 2 '^000' gpus.log >waiting.log
run "$GRIDCAST" forecast job.sub waiting.log
expect 2 "a log of jobs that wait"
run "$GRIDCAST" forecast job.sub waiting.log --size osdf:///a.tar=1GB
expect 2 "a log of jobs that wait"
says err 'waiting.log|no execution|no job' "a log of jobs that wait"
grep -q 'a.tar' err && complain "it asks for a size that is known"

# All missing files are reported at once.
run "$GRIDCAST" forecast none.sub none.log gpus.log --against none.json --submit none-own.sub
expect 2 "four files that are missing"
for missing in none.sub none.log none.json none-own.sub; do
  says err "^(gridcast: )?$missing: " "four files that are missing"
done

# A problem of a temporary file is reported for the file that it was made from.
printf 'executable = train.sh\nrequest_gpus = 64\nqueue 5\n' >many.sub
run "$GRIDCAST" forecast many.sub "$pool"/c5-json/c5-json.log --of 5 --details
expect 0 "a record without GPUs"
says err 'many.sub: request_gpus = 64: the pool lists no GPUs, so it is taken for met' "a record without GPUs"
run "$GRIDCAST" forecast many.sub gpus.log --of 5
expect 2 "more GPUs than any site has"
says err '^many.sub: campaign.request: no site of the pool can ever run these jobs' "more GPUs than any site has"
# Without --details there are only notes that ask for something, at 80 columns.
printf 'executable = train.sh\ntransfer_input_files = osdf:///a.tar\nrequest_gpus = 1\n+WantFlocking = true\n' >new.sub
echo 'queue 5' >>new.sub
run env -u COLUMNS "$GRIDCAST" forecast new.sub --job-hours 3 --of 5
expect 0 "a submit file without a record"
says err '^new.sub:2: size not known: osdf:///a.tar' "an unknown size"
(($(widest err) <= 80)) || complain "a note is wider than 80 columns: $(<err)"
grep -qE 'calibration|is not simulated' err && complain "notes that ask for nothing: $(<err)"
run "$GRIDCAST" forecast new.sub --on A100 --of 5
expect 2 "a GPU without hours"
says err '--on-gpu requires --job-hours' "a GPU without hours"
run "$GRIDCAST" forecast new.sub --job-hours 3 --of 5 --size osdf:///b.tar=4GB
says err '^new.sub: --size osdf:///b.tar: no job fetches this file. Did you mean' "a size of another file"
run "$GRIDCAST" forecast new.sub --job-hours 3 --of 5 --details
says err 'the shipped one is used, .*yaml' "the calibration's file, with --details"

grep -q 'gridcast-forecast-' err && complain "a file that is gone is named: $(<err)"

exit $exit_status
