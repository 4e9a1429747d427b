#!/usr/bin/env bash
# gridcast init: a scenario that can be read, notes with lines, and one message for what
# cannot be submitted.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
fitted=$GRIDCAST_SOURCE/calibration/fitted/osg-imagenet.yaml

run "$GRIDCAST" init "$pool/c4-retry/job.sub" --calibration "$fitted" -o "$work/made/c4.yaml"
expect 0 "init"
says out '60 jobs in .*job.sub, 1 note\.' "init"
grep -q 'memory: ' "$work/made/c4.yaml" || complain "no request of memory in the scenario"
grep -q 'submit: \[{at: 0 s, jobs: 60}\]' "$work/made/c4.yaml" || complain "no 60 jobs in the scenario"
grep -q 'max_retries: 3' "$work/made/c4.yaml" || complain "no retries in the scenario"

run "$GRIDCAST" init "$pool/c4-retry/job.sub" --calibration "$fitted" -o "$work/made/c4.yaml"
expect 2 "a scenario that is there"
says err 'c4.yaml: is already there.*--force' "a scenario that is there"

# refused PATTERN: job.sub is refused with one line.
refused() {
  run "$GRIDCAST" init "$work/job.sub" --calibration "$fitted" -o "$work/none.yaml" "${@:2}"
  expect 2 "$1"
  says err "$1" "$1"
  (($(wc -l <"$work/err") == 1)) || complain "$1: more than one line"
  [[ -e $work/none.yaml ]] && complain "$1: something was written"
}

printf 'include : job.sub\nqueue\n' >"$work/job.sub"
refused 'job.sub:1: include : job.sub is a loop'
printf 'a = $(b)\nb = $(a)\nqueue\n' >"$work/job.sub"
refused "job.sub:1: macro 'b' never ends"
printf 'queue x from nothing.txt\n' >"$work/job.sub"
refused 'job.sub:1: queue from .*nothing.txt: no such file'
printf 'transfer_input_files = osdf:///a.tar\nqueue\n' >"$work/job.sub"
refused '--crash-odds needs a calibration of dated logs' --crash-odds 2 --size osdf:///a.tar=1GB
refused "--size 'osdf:///a.tar' is not URL=SIZE" --size osdf:///a.tar
printf 'log = x\n' >"$work/job.sub"
refused 'job.sub: no queue statement'
printf 'queue\0\n' >"$work/job.sub"
refused 'binary'
rm "$work/job.sub"
refused 'no such file'
mkdir "$work/job.sub"
refused 'folder'
rmdir "$work/job.sub"

mkdir "$work/data"
touch "$work/data/one.csv" "$work/data/two.csv" "$work/data/other.txt"
printf 'transfer_input_files = osdf:///a.tar\nqueue f matching data/*.csv\n' >"$work/job.sub"
run "$GRIDCAST" init "$work/job.sub" --calibration "$fitted" --size osdf:///a.tar=137GB -o "$work/glob.yaml"
expect 0 "matching"
says out '2 jobs' "matching"
grep -q 'size: 137 GB' "$work/glob.yaml" || complain "no size in the scenario"

# As condor_submit, from the project's folder: the list there, and not the one beside the file.
mkdir -p "$work/project/scripts"
printf 'a\nb\nc\n' >"$work/project/list.txt"
printf 'a\n' >"$work/project/scripts/list.txt"
printf 'executable = x\nqueue s from list.txt\n' >"$work/project/scripts/x.sub"
run env -C "$work/project" "$GRIDCAST" init scripts/x.sub --calibration "$fitted" -o "$work/x.yaml"
expect 0 "a list in the current folder"
says out '3 jobs in' "a list in the current folder"
says err 'scripts/x.sub:2: list.txt counts.*; scripts/list.txt differs' "a list in the current folder"
run env -C "$work/project" "$GRIDCAST" forecast scripts/x.sub -n 2 --calibration "$fitted"
says out '3 of 3 jobs|of 3 jobs' "forecast: a list in the current folder"

# A DAG that is named like a submit file and begins with a property of its nodes.
printf 'executable = x\nqueue\n' >"$work/one.sub"
printf 'VARS ALL_NODES n="1"\nJOB A one.sub\nJOB B one.sub\n' >"$work/dag.sub"
run "$GRIDCAST" init "$work/dag.sub" --calibration "$fitted" -o "$work/dag.yaml"
expect 0 "a DAG named *.sub"
says out '2 nodes of .*dag.sub' "a DAG named *.sub"

# Scripts of other batch systems are named; a submit file that was made from one is none.
printf '#!/bin/bash\n#SBATCH --mem=4G\nsrun train\n' >"$work/slurm.sub"
run "$GRIDCAST" forecast "$work/slurm.sub"
expect 2 "a script of Slurm"
says err 'slurm.sub:1: is a job script of Slurm' "a script of Slurm"
printf '#SBATCH --mem=4G\nexecutable = x\nrequest_memory = 4GB\nqueue 2\n' >"$work/ported.sub"
run "$GRIDCAST" init "$work/ported.sub" --calibration "$fitted" -o "$work/ported.yaml"
expect 0 "a submit file with a comment of Slurm's"
says out '2 jobs in' "a submit file with a comment of Slurm's"

printf 'executable = x\nrequest_gpus = 1\nqueue 10\n' >"$work/gpu.sub"
# Jobs that no V100 of the shipped calibration's pool can run find slots in the wider shipped pool.
printf 'transfer_input_files = osdf:///a.tar\nrequest_gpus = 1\ngpus_minimum_memory = 40000\nqueue 4\n' >"$work/big.sub"
run "$GRIDCAST" forecast "$work/big.sub" -n 5 --json
expect 0 "40 GB of GPU memory"
says err 'no slot of ospool-2024.yaml can run these jobs, so the pool is ospool-2026.yaml' "40 GB of GPU memory"
json 'set(name for name, site in d["sites"].items() if site["succeeded"]["mean"]) <= {"CHTC-Spark-CE1", "PDX-Coeus-CE1", "Duke-NCShare-CE1", "UIUC-TGI-RAILS-CE1", "UTC-Epyc"}' "40 GB of GPU memory"
json 'd["metrics"]["succeeded"]["mean"] > 0' "40 GB of GPU memory"
run "$GRIDCAST" forecast "$work/big.sub" -n 5 --job-hours 6 --on-gpu A100 --json
expect 0 "hours of a job at sites that the calibration does not know"
# The work of a calibrated job is 5.5 times as fast on an H200 as on the V100 of its record, its unpacking is not;
# stated hours hold.
hours_of() { # hours_of OPTION...: the computing of each job that finishes
  run "$GRIDCAST" forecast "$work/big.sub" -n 60 --json "$@"
  python3 -c 'import json; d = json.load(open("'"$work"'/out"))["metrics"]; print(d["compute_success_s"]["mean"] / d["succeeded"]["mean"] / 3600)'
}
sed -i 's/40000/141000/' "$work/big.sub"
h200=$(hours_of)
stated=$(hours_of --job-hours 6 --on A100)
sed -i 's/141000/16000/' "$work/big.sub"
v100=$(hours_of)
python3 -c "h, s, v = $h200, $stated, $v100; assert 3 < v / h < 5.6 and 2.4 < s < 3.4, (h, s, v)" || complain "hours on an H200: $h200, stated $stated, on a V100 $v100"
run "$GRIDCAST" forecast "$work/big.sub" -n 5
grep -q 'ospool-2026' "$work/err" && complain "16 GB of GPU memory: another pool than the calibration's"

printf 'request_gpus = 4\nrequire_gpus = (Capability == 7.5) && (DriverVersion >= 11.3)\nqueue 2\n' >"$work/turing.sub"
run "$GRIDCAST" forecast "$work/turing.sub" -n 5
expect 0 "one compute capability"
says out 'RTX 2080 Ti .speed not known.' "one compute capability"

# Hours that are stated on a GPU which that pool lacks are those of jobs for the wider one; hours beyond the limit of
# execution time are noted.
run "$GRIDCAST" forecast "$work/gpu.sub" -n 5 --job-hours 6 --on A100
says err 'ospool-2024.yaml has no A100, so the pool is ospool-2026.yaml' "hours on an A100"
run "$GRIDCAST" forecast "$work/gpu.sub" -n 5 --job-hours 6 --on V100
[[ -s $work/err ]] && complain "hours on a V100: $(<"$work/err")"
run "$GRIDCAST" forecast "$work/gpu.sub" -n 5 --job-hours 21
says err 'a job computes for up to 21 h .*holds it after 20 h .*JobDurationCategory = "Long" allows 40 h' "hours beyond the limit"
printf 'executable = x\nrequest_gpus = 1\n+JobDurationCategory = "Long"\nqueue 10\n' >"$work/long.sub"
run "$GRIDCAST" forecast "$work/long.sub" -n 5 --job-hours 21
[[ -s $work/err ]] && complain "hours within the limit: $(<"$work/err")"

# Slips in a submit file, and jobs that are simulated with another request, are noted without --details.
cat >"$work/slips.sub" <<'END'
executabel = x
request_gpus = $(NGPU)
transfer_input_file = osdf:///a/b
x_of_mine = 3
queue 3
request_gpus = 4
queue 5
END
run "$GRIDCAST" forecast "$work/slips.sub" -n 5
expect 0 "slips"
says err "slips.sub:1: not understood: executabel = x. Did you mean 'executable'" "a slip in a command"
says err "slips.sub:3: not understood: .*Did you mean 'transfer_input_files'" "a slip in a command"
says err "slips.sub:4: not understood: x_of_mine = 3$" "a command that is like none"
says err 'slips.sub:2: nothing defines \$\(NGPU\): it is taken as empty' "an undefined macro"
run "$GRIDCAST" init "$work/slips.sub" -o "$work/slips.yaml"
expect 0 "unlike jobs"
grep -qE 'submit: .*jobs: 3, request: "slips".*jobs: 5' "$work/slips.yaml" || complain "unlike jobs: $(grep submit: "$work/slips.yaml")"
grep -qF 'requests: {slips: {gpus: 0}}' "$work/slips.yaml" || complain "unlike jobs: $(grep requests: "$work/slips.yaml")"
max=(-e 's/^request_gpus = 4$/max_retries = 4/' "$work/slips.sub")
sed "${max[@]}" >"$work/retries.sub"
run "$GRIDCAST" forecast "$work/retries.sub" -n 5
says err "retries.sub:6: 3 of 8 jobs have another max_retries \(2 in all\): all are simulated with '4'" "jobs with other rules"
printf 'executable = x\nrequest_gpus = 1\ntransfer_output_files = out.$(Process)\nqueue 3\n' >"$work/outputs.sub"
run "$GRIDCAST" forecast "$work/outputs.sub" -n 5 --job-hours 1
[[ -s $work/err ]] && complain "names of outputs: $(<"$work/err")"

# What cannot be simulated is not written, and has its place in the submit file.
for memory in 99999999999999999999 9PB; do
  printf 'executable = x\nrequest_memory = %s\nqueue\n' "$memory" >"$work/huge.sub"
  for verb in "init $work/huge.sub -o $work/huge.yaml" "forecast $work/huge.sub -n 5"; do
    # shellcheck disable=SC2086
    run "$GRIDCAST" $verb
    expect 2 "request_memory = $memory"
    says err "^$work/huge.sub:.*(no machine has so much|no site of the pool)" "request_memory = $memory"
    [[ -e $work/huge.yaml ]] && complain "request_memory = $memory: init wrote a scenario"
  done
done
run "$GRIDCAST" init "$work/huge.sub" --set campaign.request.memory=2GB -o "$work/huge.yaml"
expect 0 "another memory by --set"
printf 'executable = x\nrequest_memory = 99999999999999999999\nqueue\n' >"$work/huge.sub"
run "$GRIDCAST" forecast "$work/huge.sub" -n 5
says err "huge.sub:2: request_memory = 9+ \\(no machine has so much\\)" "more memory than any machine has"

# The note on the work says what --epochs means: epochs of the shipped record's jobs, or nothing.
run "$GRIDCAST" forecast "$work/gpu.sub" --epochs 30 -n 5
says err 'assumed to have 30 epochs, each as long as in the calibrated jobs' "--epochs"
run "$GRIDCAST" forecast "$work/gpu.sub" --epochs 30 --job-hours 6 -n 5
says err '--epochs has no effect: --job-hours states the work' "--epochs with --job-hours"

# compare of a submit file is compare of its scenario; a job that no slot can run is refused in the file's name.
with=(--with 'again:retry.max_retries=9' --with 'release:release.transfer_holds_after=20 min')
run "$GRIDCAST" init "$work/gpu.sub" --job-hours 2 -o "$work/same.yaml"
run "$GRIDCAST" compare "$work/same.yaml" "${with[@]}" -n 30 --json
cp "$work/out" "$work/same.json"
run "$GRIDCAST" compare "$work/gpu.sub" --job-hours 2 "${with[@]}" -n 30 --json
expect 0 "compare of a submit file"
python3 - "$work/same.json" "$work/out" <<'END' || complain "compare of a submit file and of its scenario differ"
import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:])
raise SystemExit(a["strategies"] != b["strategies"] or len(a["strategies"]) != 3)
END
printf 'executable = x\nrequest_gpus = 1\nrequire_gpus = Capability >= 99\nqueue 2\n' >"$work/never.sub"
for verb in forecast compare optimize; do
  run "$GRIDCAST" "$verb" "$work/never.sub"
  expect 2 "$verb of jobs that no slot can run"
  says err "never.sub: strategies.submitted: no slot of the pool ever meets" "$verb of jobs that no slot can run"
done

# A scenario of a submit file has one strategy, so compare decides nothing and names the next step; optimize
# names the way from a submit file without a record.
printf 'executable = x\nrequest_gpus = 1\nqueue 10\n' >"$work/alone.sub"
run "$GRIDCAST" init "$work/alone.sub" -o "$work/alone.yaml"
run "$GRIDCAST" compare "$work/alone.yaml" -n 20
expect 0 "one strategy"
says out '^Nothing is compared: submitted is the only strategy' "one strategy"
grep -qE 'Decided|best or equal|Trade-off' "$work/out" && complain "one strategy is rated: $(<"$work/out")"
says out '^Next: .* optimize .*/alone.yaml$' "the next command of one strategy"
run "$GRIDCAST" compare "$work/alone.yaml" -n 20 --set 'strategies.submitted.about=no change' --deadline '2 d'
says out "alone.yaml --set 'strategies.submitted.about=no change'$" "the next command keeps the options that a search takes"

# A submit file is compared with the changes that its owner can make alone, without those that it decides itself.
names_in() { python3 -c 'import json, sys; print(*json.load(open(sys.argv[1]))["strategies"])' "$1"; }
run "$GRIDCAST" compare "$work/alone.sub" -n 20 --json
expect 0 "compare of a submit file alone"
[[ $(names_in "$work/out") == "submitted auto-release retries auto-release-retries" ]] ||
  complain "compare of a submit file alone: $(names_in "$work/out")"
sed 's/^queue/max_retries = 2\nperiodic_release = NumJobStarts < 3\nqueue/' "$work/alone.sub" >"$work/decided.sub"
run "$GRIDCAST" compare "$work/decided.sub" -n 20 --json
[[ $(names_in "$work/out") == submitted ]] || complain "decided by the file: $(names_in "$work/out")"
run "$GRIDCAST" compare "$work/decided.sub" -n 20
says out '^Next: .* optimize ' "no change is left to propose"
grep -qE 'max_retries|auto-release|transfer_holds' "$work/out" && complain "a change that the file has: $(<"$work/out")"
run "$GRIDCAST" compare "$work/alone.sub" -n 20 --set 'strategies.retries.retry.max_retries=0' --json
cp "$work/out" "$work/never.json"
run "$GRIDCAST" compare "$work/alone.sub" -n 20 --json
cmp -s "$work/out" "$work/never.json" && complain "--set does not reach a strategy beside that of a submit file"
run "$GRIDCAST" forecast "$work/alone.sub" -n 20 --strategy auto-release --json
says out '"strategy": "auto-release"' "forecast of a strategy that compare shows"
run "$GRIDCAST" compare "$work/alone.sub" -n 20 --with 'again:retry.max_retries=9' --json
[[ $(names_in "$work/out") == "submitted again" ]] || complain "beside --with: $(names_in "$work/out")"

# open takes a submit file: its answer is that of forecast.
run "$GRIDCAST" open "$work/alone.sub" --stream -n 20
expect 0 "open of a submit file"
cp "$work/out" "$work/stream"
run "$GRIDCAST" forecast "$work/alone.sub" -n 20 --json
python3 - "$work/stream" "$work/out" <<'END' || complain "open and forecast of a submit file differ"
import json, sys
last = json.loads(open(sys.argv[1]).read().splitlines()[-1])
raise SystemExit(json.loads(last["result"])["metrics"] != json.load(open(sys.argv[2]))["metrics"])
END

# The time of the assumed work is stated. A limit below it holds every job, so the hours are asked for.
printf 'executable = x\nallowed_execute_duration = %s\nqueue 5\n' 600 >"$work/short.sub"
run "$GRIDCAST" forecast "$work/short.sub" -n 5
says err 'which may run another program: [0-9.]+ h of computing, the mean of the sites. --job-hours' "assumed work"
says err 'allowed_execute_duration holds each job after 10 min, before this work' "a limit below it"
sed -i 's/execute_duration/job_duration/' "$work/short.sub"
run "$GRIDCAST" forecast "$work/short.sub" -n 5
says err 'allowed_job_duration holds each job after 10 min, before this work' "a limit of the whole job below it"
run "$GRIDCAST" forecast "$work/short.sub" -n 5 --job-hours 0.1
grep -q 'before this work' "$work/err" && complain "a limit above the stated hours: $(<"$work/err")"

# Jobs of one submit file with different requests are of one cluster.
printf 'executable = x\nrequest_gpus = 1\nrequest_memory = 2GB\nqueue 2\nrequest_memory = 3GB\nqueue 3\n' >"$work/cluster.sub"
run "$GRIDCAST" forecast "$work/cluster.sub" --once -o "$work/cluster"
[[ $(grep -o '^000 ([0-9.]*' "$work/cluster/events.log" | sort -u | tr -d '\n') == \
  '000 (001.000.000000 (001.001.000000 (001.002.000000 (001.003.000000 (001.004.000' ]] ||
  complain "clusters: $(grep '^000' "$work/cluster/events.log")"

# Other GPUs than the record's are those that the jobs can match, and no others.
printf 'executable = x\nrequest_gpus = 1\nrequire_gpus = DeviceName == "NVIDIA A100-SXM4-80GB"\nqueue 4\n' >"$work/a100.sub"
run "$GRIDCAST" forecast "$work/a100.sub" -n 5
says out 'Beyond the record: NVIDIA A100-SXM4-80GB' "one other GPU"

# Beside records, compare, forecast and open of one submit file have the same figures.
pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
jobs=("$pool/c4-retry/job.sub" "$pool/c1-sweep/c1-sweep.log" "$pool/c1-sweep/history.json")
run "$GRIDCAST" forecast "${jobs[@]}" -n 20 --json
expect 0 "forecast of a submit file and records"
cp "$work/out" "$work/forecast.json"
run "$GRIDCAST" open "${jobs[@]}" --stream -n 20
expect 0 "open of a submit file and records"
cp "$work/out" "$work/stream"
run "$GRIDCAST" compare "${jobs[@]}" -n 20 --with 'again:retry.max_retries=9' --json
expect 0 "compare of a submit file and records"
python3 - "$work/forecast.json" "$work/stream" "$work/out" <<'END' || complain "records: forecast, open and compare differ"
import json, sys
whole = json.load(open(sys.argv[1]))
forecast = whole["metrics"]
opened = json.loads(json.loads(open(sys.argv[2]).read().splitlines()[-1])["result"])["metrics"]
strategies = json.load(open(sys.argv[3]))["strategies"]
assert list(strategies) == ["submitted", "again"], list(strategies)
compared = strategies["submitted"]["metrics"]
assert forecast == opened
# Figures of one name in both mean the same; the two makespans of `metrics` are those of `finish`.
for name in ("makespan_quantiles_s", "wanted_quantiles_s", "wanted_jobs"):
    assert whole["finish"][name] == strategies["submitted"]["finish"][name], name
assert forecast["makespan_s"]["p50"] == whole["finish"]["makespan_quantiles_s"][50]
assert compared["makespan_s"]["p50"] == whole["finish"]["wanted_quantiles_s"][50]
for name in ("succeeded", "badput_s", "wallclock_s", "transfer_retried_s"):
    assert forecast[name]["mean"] == compared[name]["mean"] and forecast[name]["p50"] == compared[name]["p50"], name
END

# Jobs with several GPUs run on nodes of the wider pool, for as many GPU hours; one job is one job.
printf 'executable = x\nrequest_gpus = 4\nqueue\n' >"$work/gpus.sub"
run "$GRIDCAST" forecast "$work/gpus.sub" -n 20
expect 0 "four GPUs"
says err '4 GPUs of a job compute as long as one' "four GPUs"
says out '^Forecast: 1 of 1 job finishes, in ' "one job"
run "$GRIDCAST" forecast "$work/gpus.sub" -n 20 --job-hours 6 --on A100 --csv "$work/gpus"
python3 - "$work/gpus/replicas.csv" <<'END' || complain "a slot hour of four GPUs is not four GPU hours"
import csv, sys
rows = [row for row in csv.DictReader(open(sys.argv[1])) if row["succeeded"] == "1"]
assert len(rows) > 10
for row in rows:
    hours = float(row["wallclock_s"]) / 3600
    assert abs(float(row["gpu_hours_per_success"]) - 4 * hours) < 1e-6 * hours, row
END
grep -q 'GPUs of a job compute' "$work/err" && complain "the note stays beside --job-hours"

# A note on an expression has the place in the submit file and is printed once.
printf 'executable = x\nperiodic_release = HoldReason =?= "x"\nqueue\n' >"$work/note.sub"
run "$GRIDCAST" forecast "$work/note.sub" -n 2
[[ $(grep -c 'HoldReason' "$work/err") == 1 ]] || complain "not one note: $(<"$work/err")"
says err 'note.sub:2: periodic_release: simulated jobs have no HoldReason: undefined' "an undefined attribute"

# A scenario gets the notes on its expressions that a submit file gets.
run "$GRIDCAST" forecast "$work/glob.yaml" -n 2 --set 'strategies.submitted.retry.periodic_remove=RemoteWallClock > 5'
says err 'strategies.submitted.retry.periodic_remove: simulated jobs have no RemoteWallClock: undefined' "a scenario"
run "$GRIDCAST" forecast "$work/glob.yaml" -n 2
! grep -q 'undefined' "$work/err" || complain "a scenario without expressions has notes"

exit $exit_status
