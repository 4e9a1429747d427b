#!/usr/bin/env bash
# init writes a scenario that runs as it is, or nothing; asks at a terminal, and only there.
source "$(dirname -- "$0")/check.sh"
cd "$GRIDCAST_SOURCE" || exit 1
mine=$work/mine.yaml

# refused PATTERN ARGUMENT...: exit status 2, nothing on stdout, nothing written.
refused() {
  run "$GRIDCAST" init "${@:2}"
  expect 2 "init ${*:2}"
  says err "$1" "init ${*:2}"
  [[ -s $work/out ]] && complain "init ${*:2}: something on stdout"
  nothing_left "init ${*:2}"
}
nothing_left() {
  [[ -z $(find "$work" -name '*mine*' -o -name '*.yaml*') ]] || complain "$1: something was written"
}
# good WHAT: the file fits the schema and plays.
good() {
  expect 0 "$1"
  python3 -c '
import json, sys, yaml, jsonschema
jsonschema.validate(yaml.safe_load(open(sys.argv[1])), json.load(open(sys.argv[2])))' \
    "$mine" docs/scenario.schema.json 2>"$work/python" || {
    grep -q "No module named 'yaml'" "$work/python" || complain "$1: $(tail -n 3 "$work/python")"
  }
  (($(grep -c '^ *#' "$mine") >= 10)) || complain "$1: hardly any comments"
  run "$GRIDCAST" forecast --once "$mine"
  expect 0 "$1: run"
  says out 'succeeded' "$1: run"
  run "$GRIDCAST" compare "$mine" -n 3
  expect 0 "$1: compare"
}

# No terminal: what is missing is named, all of it.
refused '--calibration, --jobs, --input, --work not given' -o "$mine"
refused 'init: --calibration, --input, --work not given' -o "$mine" --jobs 3
refused "init: --jobs: 'ten' is not a whole number" -o "$mine" --yes --jobs ten
refused "init: --input: '137' is not a size" -o "$mine" --yes --input 137
refused "init: --input: '-1 GB' is not a size" -o "$mine" --yes --input='-1 GB'
refused "init: --work: '0' is not a whole number" -o "$mine" --yes --work 0
refused "nowhere.yaml: no such file" -o "$mine" --yes --calibration nowhere.yaml
run "$GRIDCAST" init -o "$mine" --yes --jobs ten --input 137
(($(grep -c 'init: --' "$work/err") == 2)) || complain "two mistakes are not reported at once"

run "$GRIDCAST" init -o "$mine" --yes
good "init --yes"
cp "$mine" "$work/kept"
run "$GRIDCAST" init -o "$mine" --yes --jobs 7
expect 2 "init over a file"
says err 'is already there.*--force' "init over a file"
cmp -s "$mine" "$work/kept" || complain "init over a file: it was touched"
run "$GRIDCAST" init -o "$mine" --yes --jobs 7 --force
good "init --force"
grep -q 'jobs: 7}' "$mine" || complain "init --force: not the new one"
rm "$mine" "$work/kept"

# A file that raises no question needs no --yes; what no slot can run is refused as forecast does.
job() { printf 'executable = a.sh\nrequest_gpus = 1\n%s\nqueue 2\n' "$1" >"$work/job.sub"; }
for requirement in 'requirements = GPUs_Capability == 7.0' 'requirements = GPUs_Capability == 7.5' 'require_gpus = Capability == 7.5'; do
  job "$requirement"
  run "$GRIDCAST" init "$work/job.sub" --yes --calibration calibration/fitted/osg-imagenet.yaml -o "$mine" --force
  if [[ $requirement == *7.0 ]]; then expect 0 "$requirement"; else expect 2 "$requirement"; fi
  [[ $requirement == *7.0 ]] || says err 'job.sub: strategies.submitted: no slot of the pool ever meets' "$requirement"
  [[ $requirement == *7.0 ]] || cmp -s "$mine" "$work/kept" || complain "$requirement: the file that was there is gone"
  cp "$mine" "$work/kept"
done
rm "$mine" "$work/kept"

# The map of a table that the ledger asks for: of packed ones, and of documents that it refuses by name.
printf 'job;started;ended;state\n1;0;9;OK\n' | gzip >"$work/table.csv.gz"
echo '{"ProbeName": "condor:ce", "ResourceType": "Batch", "LocalJobId": "7", "StartTime": "2026-01-02T03:04:05Z", "Status": "0"}' >"$work/usage.json"
for table in table.csv.gz usage.json; do
  run "$GRIDCAST" ledger "$work/$table"
  expect 2 "$table without a map"
  says err 'gridcast init .* -o map.yaml' "$table without a map"
  run "$GRIDCAST" init "$work/$table" -o "$mine" --force
  expect 0 "the map of $table"
  grep -q '^  started: ' "$mine" || complain "the map of $table has no started"
done
# The map of GRACC's records knows their exit codes, and the ledger reads them with it.
sed 's/"Status": "0"/"EndTime": "2026-01-02T04:04:05Z", "Status": 7/; s/"7", "S/"8", "S/' "$work/usage.json" >>"$work/usage.json.more"
sed -i 's/"Status": "0"/"EndTime": "2026-01-02T05:04:05Z", "Status": 0/' "$work/usage.json"
cat "$work/usage.json.more" >>"$work/usage.json"
run "$GRIDCAST" init "$work/usage.json" -o "$mine" --force
run "$GRIDCAST" ledger "$work/usage.json" --columns "$mine"
expect 0 "usage records with their map"
says out '^1 of 2 jobs succeeded' "usage records with their map"
says out '^3.00 h of slot time' "usage records with their map"
rm "$mine"

run "$GRIDCAST" init -o "$mine" --jobs 20 --input '5 GB' --work 2 \
  --calibration calibration/fitted/osg-imagenet.yaml
good "init with all options"
rm "$mine"
# The same campaign from a submit file and from answers: the same forecast.
cat >"$work/job.sub" <<'END'
executable = train.sh
transfer_input_files = osdf:///a/input.tar
request_gpus = 1
+JobDurationCategory = "Long"
queue 60
END
metrics() {
  expect 0 "$1"
  python3 -c 'import json, sys; print(json.dumps(json.load(open(sys.argv[1]))["metrics"]))' "$work/out" >"$work/$1"
}
for limit in 20 40; do
  sed "$( ((limit == 20)) && echo '/JobDuration/d')" "$work/job.sub" >"$work/of-$limit.sub"
  run "$GRIDCAST" init "$work/of-$limit.sub" --size osdf:///a/input.tar=137GB --epochs 5 -o "$mine"
  expect 0 "init JOB.sub, $limit h"
  run "$GRIDCAST" forecast "$mine" -n 40 --json
  metrics submitted
  rm "$mine"
  run "$GRIDCAST" init -o "$mine" --yes --jobs 60 --input '137 GB' --work 5 --limit "$limit h"
  expect 0 "init with the same answers, $limit h"
  run "$GRIDCAST" forecast "$mine" -n 40 --json
  metrics answered
  rm "$mine"
  cmp -s "$work/submitted" "$work/answered" || complain "init JOB.sub and the answers differ, $limit h"
done
rm "$work"/*.sub

# From another folder, with the files where the program finds them.
(cd "$work" && run "$GRIDCAST" init mine.yaml --yes && exit "$status") || complain "init elsewhere"
status=0 good "init elsewhere"
rm "$mine"

# From a log: with a calibration and a pool of its own beside it.
log=calibration/data/htcondor-pool/c1-sweep/c1-sweep.log
run "$GRIDCAST" init $log -o "$mine" --yes --jobs 20 --input '5 MB'
good "init LOG --jobs"
grep -q 'calibration: .*mine.calibration.yaml' "$mine" || complain "init LOG --jobs: not its calibration"
[[ -s $work/mine.calibration.pool.yaml ]] || complain "init LOG --jobs: no pool"
rm "$work"/mine*
# A log alone: the scenario repeats its campaign, and gives the answer of gridcast forecast LOG.
run "$GRIDCAST" init $log --yes -o "$mine"
expect 0 "init LOG"
grep -q 'from: record' "$mine" || complain "init LOG: the record is not repeated"
grep -q '137 GB' "$mine" && complain "init LOG: an input that the log does not have"
run "$GRIDCAST" forecast "$mine" --json
metrics initiated
run "$GRIDCAST" forecast $log --json
metrics repeated
cmp -s "$work/initiated" "$work/repeated" || complain "init LOG and forecast LOG differ"
run "$GRIDCAST" forecast $log
expect 0 "forecast LOG"
(($(wc -l <"$work/out") <= 12)) || complain "forecast LOG: more than twelve lines"
rm "$work"/mine*
refused "is no job event log" calibration/data/htcondor-pool/c1-sweep/history.json -o "$mine" --yes
run "$GRIDCAST" forecast --once scenarios/osg-imagenet.yaml --set 'campaign.request.site=PDX-Coeus-CE1, CHTC-Spark'
expect 2 "a site that is not there"
says err "the pool has no site 'CHTC-Spark'.*Did you mean 'CHTC-Spark-CE1'" "a site that is not there"

# asked ANSWER...: types them at a terminal of its own, one a line; "EOF" and "INT" are the keys.
asked() {
  status=0
  timeout 60 python3 - "$GRIDCAST" "$mine" "$@" >"$work/out" 2>"$work/err" <<'PYTHON' || status=$?
import os, pty, sys, time, select
program, mine, keys = sys.argv[1], sys.argv[2], sys.argv[3:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(program, ["gridcast", "init", "-o", mine])
shown = b""
def read_until(word):
    global shown
    start = len(shown)
    end = time.time() + 20
    while word not in shown[start:] and time.time() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                return
            if not piece:
                return
            shown += piece
for key in keys:
    read_until(b"] ")
    os.write(terminal, {"EOF": b"\x04", "INT": b"\x03"}.get(key, key.encode() + b"\n"))
read_until(b"\0never")
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(status))
PYTHON
}

asked '' '' '' '' '' ''
good "six times return"
rm "$mine"
asked nowhere.yaml '' many 0 12 '' lots '20 GB' soon '40 h' 1.5 2
says out "nowhere.yaml: no such file" "wrong answers"
says out "'many' is not a whole number from 1 to" "wrong answers"
says out "'0' is not a whole number" "wrong answers"
says out "'lots' is not a size: write 137 GB" "wrong answers"
says out "'soon' is not a time" "wrong answers"
says out "The pool's limit is 20 h" "wrong answers"
says out "'1.5' is not a whole number" "wrong answers"
says out '1/6 On which grid' "wrong answers"
says out '6/6 How many hours.*how many epochs' "wrong answers"
good "wrong answers"
grep -q 'jobs: 12}' "$mine" || complain "wrong answers: not the jobs"
grep -q 'size: 20 GB' "$mine" || complain "wrong answers: not the size"
grep -q 'epochs: 2}' "$mine" || complain "wrong answers: not the epochs"
rm "$mine"
asked '' EOF
expect 2 "EOF"
says out 'the answers ended' "EOF"
nothing_left EOF
asked '' 12 INT
expect 130 "Ctrl-C"
says out 'interrupted; nothing was written' "Ctrl-C"
nothing_left Ctrl-C

# Answers and a submit file with them give the same pool and work, also for jobs of two GPUs.
printf 'executable = a\nrequest_gpus = 2\ntransfer_input_files = osdf:///a/b.tar\nqueue 10\n' >"$work/two.sub"
run "$GRIDCAST" init "$work/two.sub" --size 'osdf:///a/b.tar=5 GB' -o "$work/sub.yaml"
expect 0 "a submit file of two GPUs"
run "$GRIDCAST" init --yes --jobs 10 --gpus 2 --input '5 GB' -o "$work/answers.yaml"
expect 0 "answers with two GPUs"
for file in sub answers; do
  run "$GRIDCAST" forecast "$work/$file.yaml" -n 20
  expect 0 "forecast of $file"
  head -n 1 "$work/out" >"$work/$file.first"
done
cmp -s "$work/sub.first" "$work/answers.first" ||
  complain "two forecasts of one campaign: $(cat "$work/sub.first" "$work/answers.first")"

# So do the hours of a job, as an option and as an answer.
scale_of() { grep -o 'scale: [0-9.]*' "$work/$1.yaml"; }
run "$GRIDCAST" init "$work/two.sub" --size 'osdf:///a/b.tar=5 GB' --job-hours 6 --on A100 -o "$work/sub-hours.yaml"
expect 0 "a submit file with hours"
run "$GRIDCAST" init --yes --jobs 10 --gpus 2 --input '5 GB' --job-hours 6 --on A100 -o "$work/hours.yaml"
expect 0 "answers with hours"
[[ -n $(scale_of hours) && $(scale_of hours) == "$(scale_of sub-hours)" ]] ||
  complain "hours: $(scale_of hours) instead of $(scale_of sub-hours)"
run "$GRIDCAST" init --yes --jobs 10 --gpus 2 --input '5 GB' --work '6 h' -o "$work/answer.yaml"
run "$GRIDCAST" init --yes --jobs 10 --gpus 2 --input '5 GB' --job-hours 6 -o "$work/option.yaml"
cmp -s "$work/answer.yaml" "$work/option.yaml" || complain "--work '6 h' is not --job-hours 6"
[[ $(scale_of answer) == "$(scale_of hours)" ]] && complain "the GPU of the hours has no effect"
run "$GRIDCAST" init --yes --jobs 10 --job-hours 6 --work 2 -o "$work/both.yaml"
expect 2 "two statements on the work"
says err 'Leave one out' "two statements on the work"

# -o - is standard output, as for other results.
(cd "$work" && "$GRIDCAST" init two.sub --size 'osdf:///a/b.tar=5 GB' -o - >shown.yaml 2>err)
grep -q '^schema: gridcast.scenario/1' "$work/shown.yaml" || complain "-o - does not show the scenario"
[[ -e $work/- ]] && complain "-o - writes a file"
run "$GRIDCAST" init --yes --gpus 99 -o "$work/ninety-nine.yaml"
expect 2 "99 GPUs"
says err "^$work/ninety-nine.yaml:[0-9]+:[0-9]+: campaign.request: no site" "99 GPUs"

exit $exit_status
