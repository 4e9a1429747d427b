#!/usr/bin/env bash
# A record of few jobs on a pool with more slots than they needed, and a forecast of many: what came is
# inside what was forecast. With the slots that were seen, and no more, it is not.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200

cd "$work" || exit 1

# world JOBS: a campaign of so many jobs of 24 h, more or less.
world() {
  cat <<END
schema: gridcast.scenario/1
title: A pool that few jobs do not fill
pool: slots.yaml
calibration: $GRIDCAST_SOURCE/scenarios/teaching/calibrations/evictions.yaml
parameters: {execution_sigma: 0.2, sites: {campus: {evict_per_s: 2e-6}}}
campaign:
  submit: [{at: 0 s, jobs: $1}]
  request: {gpus: 0}
  input: [{url: osdf:///lesson/input.tar, size: 1 GB}]
  work: {profile: lesson, epochs: 1}
strategies:
  usual: {}
study: {replicas: 1, seed: 1}
END
}
world 15 >few.yaml
world 135 >many.yaml
printf 'executable = train.sh\ntransfer_input_files = osdf:///lesson/input.tar\nqueue 135\n' >job.sub

# log NAME OPTION...: the campaign NAME.yaml, as its log shows it.
log() {
  local name=$1
  shift
  run "$GRIDCAST" export events "$name.yaml" --force -o "$name.log" "$@"
  expect 0 "the log of $name"
}

# forecast OPTION...: of the 135 jobs, held against what came.
forecast() {
  run "$GRIDCAST" forecast made/scenario.yaml -n 200 --json --against many.log "$@"
  expect 0 "the forecast $*"
}

seed=0
for slots in 20 25 30 45 60; do
  seed=$((seed + 1))
  sed "s/slots: 20/slots: $slots/" "$GRIDCAST_SOURCE/scenarios/teaching/pools/slots-20.yaml" >slots.yaml
  log few --seed $seed
  log many --seed $seed --replica 1
  run "$GRIDCAST" forecast job.sub few.log --size osdf:///lesson/input.tar=1GB --of 2 -o made --force --details
  expect 0 "the forecast from a record on $slots slots"
  says err '1 of 1 site may have more slots than the 15 seen: taken to have 1 to 20 times as many' "what is assumed"
  forecast
  json 'd["against"]["metrics"]["makespan_s"]["inside_90"]' "$slots slots: what came is inside"
  forecast --set calibration.slots.campus=15
  json 'd["against"]["metrics"]["makespan_s"]["observed"] < d["metrics"]["makespan_s"]["p05"]' \
    "$slots slots: with those seen alone all is too late"
  mv out of_draws
  forecast --set pool.sites.campus.slots=15
  json 'd["metrics"] == json.load(open("of_draws"))["metrics"]' "a number is the same, whoever states it"
done

exit $exit_status
