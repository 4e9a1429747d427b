#!/usr/bin/env bash
# Goals on campaigns whose figures follow by hand: twenty jobs of one hour, on eight GPUs, on two
# dearer ones, on both, or also on ten GPUs at which each job is held after half an hour.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

site='gpu_capability: 8, gpu_memory: 40 GB, disk: 500 GB, uplink: 100 Gbps, caches: [c]'
cat >pool.yaml <<END
schema: gridcast.pool/1
sites:
  - {name: big, gpus: 8, gpu: A40, $site}
  - {name: small, gpus: 2, gpu: A100, $site}
  - {name: trap, gpus: 10, gpu: L4, $site}
caches: [{name: c, disk: 10 TB}]
origin: {name: o, bandwidth: 100 Gbps, stream_limit: 10 Gbps}
access_point: {shadow_start_interval: 0 s, max_execution: 1000 h}
pilots: {walltime: 2000 h, min_remaining: 0 s, replacement: 10 min}
END
cat >calibration.yaml <<'END'
schema: gridcast.calibration/1
profile: lesson
parameters: {}
draws:
  columns: [work_s, slots.big, speed.big, stream_limit_Bps.big, slots.small, speed.small, stream_limit_Bps.small, slots.trap, speed.trap, stream_limit_Bps.trap, stop.trap, stop_after_s.trap, stop_sigma.trap, stop_holds.trap]
  rows:
    - [3600, 1000, 1, 1.0e+8, 1000, 1, 1.0e+8, 1000, 1, 1.0e+8, 1, 1800, 0, 1]
END
at() { printf "{match: {requirements: 'regexp(\"%s\", GLIDEIN_ResourceName)'}}" "$1"; }
cat >goals.yaml <<END
schema: gridcast.scenario/1
title: goals
pool: pool.yaml
calibration: calibration.yaml
campaign:
  submit: [{at: 0 s, jobs: 20}]
  input: [{url: osdf:///x, size: 1 MB}]
  work: {profile: lesson, epochs: 1}
strategies:
  big: $(at big)
  small: $(at small)
  both: $(at 'big|small')
  all: $(at .)
baseline: big
prices: {currency: EUR, gpu_hours: {A40: 1, A100: 3}}
study: {replicas: 40, seed: 1}
END

# best GOAL STRATEGY SENTENCE [OPTION...]: the verdict of the terminal and of --json.
best() {
  run "$GRIDCAST" compare goals.yaml --goal "$1" "${@:4}" --json
  expect 0 "--goal $1"
  json "d['choice']['best'] == '$2' and d['choice']['state'] == 'decided'" "--goal $1 ${*:4}"
  run "$GRIDCAST" compare goals.yaml --goal "$1" "${@:4}"
  [[ $(tr '\n' ' ' <"$work/out" | tr -s ' ') == "$3"* ]] || complain "--goal $1 ${*:4}: $(head -3 "$work/out")"
}
best successes both 'Decided: both is the fastest of those that finish as many jobs: 20 of 20 jobs finish, 18 of them in 2.0 h, for 20 GPU hours, 28 EUR.'
best makespan both 'Decided: both is the fastest: '
best 'deadline:150 min' both 'Decided: both most often meets the deadline of 2.5 h: '
best 'deadline:200 min' both 'Decided: both is the fastest of those that meet the deadline as often: '
best 'deadline:1 h' both 'No strategy meets the deadline of 60 min. Decided: both is the fastest '
best gpu-hours both 'Decided: both is the fastest of those that need as many GPU hours for each success: '
best cost big 'Decided: big costs the least for each success: 20 of 20 jobs finish, 18 of them in 3.1 h, for 20 GPU hours, 20 EUR.'
# A price 1 % higher is no material difference, so that the time decides.
best cost both 'Decided: both is the fastest of those that cost as much for each success: ' --set prices.gpu_hours.A100=1.01

run "$GRIDCAST" compare goals.yaml --goal cost --set 'prices.gpu_hours={A40: 1}'
says err 'prices.gpu_hours: no price of A100, L4 .their hours count as free' "a model without a price"
says out 'No price of A100, L4 is stated: their' "a model without a price, the answer"
run "$GRIDCAST" optimize goals.yaml --goal cost --budget '60 campaigns' --as owner
[[ $(tr '\n' ' ' <"$work/out") =~ ' EUR' ]] || complain "no money in the answer of optimize: $(head -3 "$work/out")"

# No program fails, so its retries change no campaign.
run "$GRIDCAST" compare goals.yaml --with 'idle:retry.max_retries=5' --json
json 'd["strategies"]["idle"]["as_baseline"] and "as_baseline" not in d["strategies"]["both"]' "a setting that never acts"
run "$GRIDCAST" compare goals.yaml --with 'idle:retry.max_retries=5' --goal makespan
[[ $(tr '\n' ' ' <"$work/out" | tr -s ' ') == *'The settings of idle never act in these campaigns.'* ]] ||
  complain "a setting that never acts: $(cat "$work/out")"

# Where each job at the trap is held, ten jobs succeed: the wanted eighteen never do.
run "$GRIDCAST" compare goals.yaml --details
says out '^all +56 % +never +1.40 ' "failure looks fast" # 10 of 18; 8 hours at 1 and 2 at 3
run "$GRIDCAST" compare goals.yaml --json
json 'd["choice"]["strategies"]["all"]["makespan_s"]["p50"] is None' "failure looks fast"
json 'abs(d["choice"]["strategies"]["both"]["money"]["p50"] - (16 * 1 + 4 * 3)) < 0.1' "sixteen hours at 1, four at 3"

exit $exit_status
