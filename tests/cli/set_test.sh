#!/usr/bin/env bash
# --set in each verb that reads a scenario, a calibration or a profile: as if the value stood in the file.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1
pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
job=$pool/c1-sweep/job.sub
log=$pool/c1-sweep/c1-sweep.log


# init writes the value, and keeps the comment with its notes.
run "$GRIDCAST" init "$job" -o set.yaml --set campaign.submit.0.jobs=7
expect 0 "init of a submit file"
grep -q '^# Program: /pool/bin/train' set.yaml || complain "init of a submit file: no comment"
run "$GRIDCAST" forecast set.yaml -n 5 --json --quiet
json "d['metrics']['jobs']['p95'] == 7" "init of a submit file: its jobs"
run "$GRIDCAST" init --yes -o asked.yaml --set campaign.submit.0.jobs=7
expect 0 "init of answers"
grep -q 'jobs: 7' asked.yaml || complain "init of answers: not the value"
printf '1 0 0 100 1 -1 -1 1 200 -1 1 1 1 1 1 -1 -1 -1\n' >trace.swf
run "$GRIDCAST" init trace.swf -o trace --set study.seed=77
expect 0 "init of a trace"
grep -q 'seed: 77' trace/scenario.yaml || complain "init of a trace: not the value"
printf 'model: {name: unet3d}\nworkflow: {train: true}\ndataset: {num_files_train: 168, num_samples_per_file: 1, record_length: 146600628}\nreader: {batch_size: 4}\ntrain: {epochs: 5, computation_time: 1.3604}\n' >dlio.yaml
run "$GRIDCAST" init dlio.yaml -o profile.yaml --set train.epochs=9
expect 0 "init of a workload"
run "$GRIDCAST" profile profile.yaml --json
json "d['epochs'] == 9" "init of a workload: its epochs"
for wrong in campaign.submit.0.job=7 pool.sites.PDX.gpus=1 calibration.gpus=1; do
  rm -f set.yaml
  run "$GRIDCAST" init "$job" -o set.yaml --set "$wrong"
  expect 2 "init --set $wrong"
  says err "--set $wrong: " "init --set $wrong"
  [[ ! -e set.yaml ]] || complain "init --set $wrong: a file is written"
done
printf 'job,site\n1,a\n' >table.csv
run "$GRIDCAST" init table.csv --set a=b
expect 2 "init of a table"

# profile: the value of the profile, as its own option sets it.
run "$GRIDCAST" profile resnet50-imagenet-kempner --gpus 8 --epochs 3 --json
cp out by_option
run "$GRIDCAST" profile resnet50-imagenet-kempner --gpus 8 --set train.epochs=3 --json
python3 -c 'import json; a, b = (json.load(open(f)) for f in ("by_option", "out")); assert a["total_s"] == b["total_s"], (a, b)' ||
  complain "profile: --set is not --epochs"
run "$GRIDCAST" profile resnet50-imagenet-kempner --set train.epoch=3
expect 2 "profile: a key that is not known"
says err "train: unknown key 'epoch'" "profile: a key that is not known"

# A running campaign: the scenario with the jobs to come.
head -c 9000 "$log" >cut.log
run "$GRIDCAST" init "$job" -o jobs.yaml
run "$GRIDCAST" forecast jobs.yaml cut.log --running --json --set campaign.submit.0.jobs=200
expect 0 "forecast --running"
json "d['jobs']['all'] == 200" "forecast --running: the jobs to come"
run "$GRIDCAST" forecast cut.log --running --set campaign.submit.0.jobs=200
expect 2 "forecast --running without a scenario"
says err 'cut.log: --set changes a scenario' "forecast --running without a scenario"
run "$GRIDCAST" watch cut.log --set campaign.submit.0.jobs=200
expect 2 "watch without a scenario"
for option in '--strategy x' '--without stalls' '--once' '--csv tables'; do
  run "$GRIDCAST" forecast cut.log --running $option
  expect 2 "forecast --running $option"
  says err "${option%% *} with --running" "forecast --running $option"
done

# calibrate --check: the scenario of each forecast.
run "$GRIDCAST" calibrate "$log" --draws 20 -o c1.yaml --quiet
check() { run "$GRIDCAST" calibrate --check c1.yaml --against "$pool/c1-sweep" -n 10 --json "$@"; }
check
cp out as_it_is
check --set 'strategies.submitted.retry.max_retries=0' --set campaign.request.gpus=0
expect 0 "calibrate --check"
check --set campaign.submit.0.job=7
expect 2 "calibrate --check: a key that is not known"
says err "--set campaign.submit.0.job=7: " "calibrate --check: a key that is not known"

exit $exit_status
