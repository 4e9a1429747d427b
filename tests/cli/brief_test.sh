#!/usr/bin/env bash
# The verbs answer in at most twelve lines of at most eighty columns; --details prints the rest. Notes
# fold too, and those that require no action come with --details.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1
# Short names: a command is not broken within a name, and the checkout's folder may be a long one.
ln -s "$GRIDCAST" gridcast
GRIDCAST=$work/gridcast
ln -s "$GRIDCAST_SOURCE/calibration/data/htcondor-pool" pool
pool=pool

# brief WHAT COMMAND...: twelve lines, eighty columns, and the next command.
brief() {
  run "$GRIDCAST" "${@:2}"
  expect 0 "$1"
  (($(wc -l <out) <= 12)) || complain "$1: $(wc -l <out) lines"
  (($(widest out) <= 80)) || complain "$1: $(widest out) columns"
  (($(wc -l <out) >= 3)) || complain "$1: $(wc -l <out) lines only"
}
# quiet WHAT COMMAND...: brief, and no note: nothing has to be done.
quiet() {
  brief "$@"
  [[ ! -s err ]] || complain "$1: a note without an action: $(head -n 2 err)"
}
# noted WHAT LINES COMMAND...: brief, and at most so many lines of notes, in eighty columns.
noted() {
  brief "$1" "${@:3}"
  (($(wc -l <err) <= $2)) || complain "$1: $(wc -l <err) lines of notes"
  (($(widest err) <= 80)) || complain "$1: notes of $(widest err) columns"
}
# longer WHAT COMMAND...: more than twelve lines with --details.
longer() {
  run "$GRIDCAST" "${@:2}" --details
  expect 0 "$1 --details"
  (($(wc -l <out) > 12)) || complain "$1 --details: $(wc -l <out) lines"
}

few=(-n 12 --quiet)
for columns in 60 80 200; do
  COLUMNS=$columns brief "compare, $columns columns" compare "$scenario" "${few[@]}"
  says out '^(Decided|Undecided|No material difference)' "the answer comes first"
  says out '^strategy +jobs that finish +d to 90 jobs +GPU hours' "the strategies"
  says out '^(Next: .*)?--details|with --details' "the next command"
done
longer compare compare "$scenario" "${few[@]}"
brief "compare, a deadline" compare "$scenario" "${few[@]}" --deadline '3 d' --goal 'deadline:3 d'
says out 'meets the deadline of 3 d|Deadline 3 d' "the deadline"
brief predict forecast "$scenario" "${few[@]}"
says out '^Forecast: [0-9]+ of 100 jobs finish' "the forecast"
longer predict forecast "$scenario" "${few[@]}"
says out '^until the last job ended +d' "the last event, which is no makespan"
grep -qw makespan out && complain "forecast --details: a makespan that is not compare's"
brief "predict against a record" forecast "$scenario" "${few[@]}" --against "$table"
says out '^Record: [0-9]+ of [0-9]+ observed figures' "the record"
finished=$(sed -n 's/^jobs that finish *//p' out)
longer "predict against a record" forecast "$scenario" "${few[@]}" --against "$table"
[[ $(sed -nE 's/^succeeded +jobs +79 +(.*\)) .*/\1/p' out) == "$finished" ]] || complain "two numbers of finished jobs beside a record"
brief "one campaign" forecast "$scenario" --once --seed 3
says out '^[0-9]+ of 100 jobs succeeded' "one campaign"
says out 'one simulated campaign .strategy published, seed 3, campaign 0' "which campaign"
longer "one campaign" forecast "$scenario" --once --seed 3
brief "one campaign without lost time" forecast "$GRIDCAST_SOURCE/scenarios/teaching/15-critical-path.yaml" --once
brief "ledger of a table" ledger "$table"
says out '^79 of 100 jobs succeeded' "what happened"
longer "ledger of a table" ledger "$table"
quiet "ledger of a log" ledger "$pool/c1-sweep/c1-sweep.log"
says out '^80 of 80 jobs succeeded' "what happened"
quiet "compare a record" compare "$pool/c1-sweep/c1-sweep.log" -n 10
says out '^The recorded campaign once more: 80 of 80 jobs finish in all repetitions' "the replay"
longer "compare a record" compare "$pool/c1-sweep/c1-sweep.log" -n 10
brief "compare a record, another strategy" compare "$table" --strategy stall-timeout-2h -n 10
says out 'The recorded campaign under stall-timeout-2h: [0-9]+ of 100 jobs finish' "the replay"
run "$GRIDCAST" compare "$pool/c1-sweep/c1-sweep.log" -n 10 --with again:retry.max_retries=3
says out '^The recorded campaign under again: 80 of 80 jobs finish' "a replay in which nothing is drawn"
quiet calibrate calibrate "$pool/c1-sweep/c1-sweep.log" --draws 20 -o c1.yaml
says out '^Calibrated from 80 jobs' "how much was fitted"
says out '^Written to c1.yaml' "the files"
says out '^Next: .*/gridcast forecast JOB.sub --calibration' "the next command"
longer calibrate calibrate "$pool/c1-sweep/c1-sweep.log" --draws 20 -o c1.yaml --force
scores=(calibrate --check c1.yaml --against "$pool/c4-retry" -n 10)
brief "scores" "${scores[@]}"
says out '^90 % intervals held [0-9]+ of [0-9]+ figures' "scores: the coverage"
says out '^CRPS skill over the last campaign' "scores: the skill"
says out '^Most often outside 90 %: ' "scores: what missed"
longer "scores" "${scores[@]}"
brief train profile resnet50-imagenet-kempner --gpus 8
longer train profile resnet50-imagenet-kempner --gpus 8
brief "train, scaling" profile resnet50-imagenet-kempner --scaling 1..64
says out '^resnet50-imagenet-kempner takes .* on 64 GPUs' "the largest job"
longer "train, scaling" profile resnet50-imagenet-kempner --scaling 1..64
mlperf=$GRIDCAST_SOURCE/calibration/data/mlperf
for columns in 60 80 200; do
  COLUMNS=$columns brief "train, a fit" profile --fit "$mlperf/training.csv" --most-nodes 4
  says out '^Fitted to 59 rows' "the rows"
  says out '^Not fitted: 7 rows, ' "the rows that are predicted"
done
longer "train, a fit" profile --fit "$mlperf/training.csv" --most-nodes 4
brief "train, a store" profile --fit "$mlperf/storage.csv" --smallest
says out '^Not fitted: ' "the rows that are predicted"
brief forecast forecast "$pool/c1-sweep/job.sub" "$pool/c1-sweep/c1-sweep.log" --of 20
quiet "ledger of a log without years" ledger "$pool/c4-retry/c4-retry.log"
run "$GRIDCAST" compare "$pool/c4-retry/c4-retry.log" -n 10 --details
says err 'dates without a year are taken to begin in 2026' "compare a record --details: the notes"
longest=$work/a-folder-with-a-long-name-$(printf 'x%.0s' {1..60})
mkdir "$longest"
cp "$pool/c4-retry/job.sub" "$pool/c4-retry/c4-retry.log" "$longest"
noted "optimize a submit file" 6 optimize "$longest/job.sub" "$longest/c4-retry.log" --budget '20 campaigns'
noted "forecast a submit file" 8 forecast "$longest/job.sub" "$longest/c4-retry.log" -n 10
noted "compare a scenario with notes" 8 compare "$scenario" -n 10 --set campaign.request.memory=8GB
quiet "forecast four GPUs" forecast "$GRIDCAST_SOURCE/scenarios/four-gpu-jobs.yaml" -n 20
run "$GRIDCAST" init "$longest/job.sub" -o "$longest/campaign.yaml"
# A command is not broken within a name.
grep -vx "  $longest/campaign.yaml" out >lines
(($(widest err) <= 80 && $(widest lines) <= 80)) || complain "init: $(widest err) and $(widest lines) columns"

# A strategy on the command line; a comma in brackets belongs to a value.
run "$GRIDCAST" compare "$scenario" "${few[@]}" --json \
  --with 'mine:transfer.stall_timeout=2 h,match.avoid_site={after_stalls: 2, for: 1 h}'
json '"mine" in d["strategies"] and "upgrade" in d["strategies"]' "--with"
# It has a row at any rank; so has the strategy that `optimize -o` has written.
run "$GRIDCAST" compare "$scenario" "${few[@]}" --with 'patient:transfer.stall_timeout=4 h'
says out '^patient +[0-9]' "--with: its own row"
(($(wc -l <out) <= 12)) || complain "--with: $(wc -l <out) lines"
run "$GRIDCAST" compare "$scenario" "${few[@]}" --set 'strategies.optimized={}'
says out '^optimized +[0-9]' "the optimized strategy's row"
run "$GRIDCAST" compare "$scenario" "${few[@]}" --with 'mine:transfer.stall_timeot=2 h'
expect 2 "--with a key that is not known"
says err "stall_timeot.*stall_timeout" "--with a key that is not known"
for with in mine mine: 'mine:transfer' 'a.b:transfer.resume=true'; do
  run "$GRIDCAST" compare "$scenario" "${few[@]}" --with "$with"
  expect 2 "--with $with"
done

# Goals.
for goal in successes makespan gpu-hours cost 'deadline:2 d' "deadline:'2 d'"; do
  run "$GRIDCAST" compare "$scenario" "${few[@]}" --goal "$goal" --json
  expect 0 "--goal $goal"
  json "d['choice']['goal'] == '${goal%%:*}'" "--goal $goal"
done
run "$GRIDCAST" compare "$scenario" "${few[@]}" --set 'prices={currency: USD, gpu_hour: 2}'
grep -q 'Trade-off: .* costs [0-9]* % less' "$work/out" || complain "prices: the trade-off is not in money"
for goal in fast deadline 'deadline:soon' 'makespan:2 d'; do
  run "$GRIDCAST" compare "$scenario" "${few[@]}" --goal "$goal"
  expect 2 "--goal $goal"
done
sed "s|\.\./|$GRIDCAST_SOURCE/|; s|pools/|$GRIDCAST_SOURCE/scenarios/pools/|; s|goal: successes|goal: quick|" "$scenario" >quick.yaml
run "$GRIDCAST" compare quick.yaml "${few[@]}"
expect 2 "a goal in the scenario"
says err "study.goal: 'quick' is no goal" "a goal in the scenario"

# Prices.
run "$GRIDCAST" compare "$scenario" "${few[@]}" --json --set 'prices={currency: USD, gpu_hour: 2, person_hour: 100}'
json 'd["choice"]["currency"] == "USD"' "prices"
json 'd["choice"]["strategies"]["upgrade"]["money"]["p50"] > 800' "eight hours of work at 100 USD, and GPU hours"
# With one price alone, the money of a forecast is that of its GPU hours.
run "$GRIDCAST" forecast "$scenario" "${few[@]}" --json --set 'prices={currency: USD, gpu_hour: 2}'
json 'd["currency"] == "USD" and all(abs(d["money"][q] - 2 * d["gpu_hours"][q]) < 1e-6 for q in ("p05", "p50", "p95"))' "prices of a forecast"
run "$GRIDCAST" forecast "$scenario" "${few[@]}" --set 'prices={currency: USD, gpu_hour: 2}' --report priced.html
says out '^USD ' "prices of a forecast"
grep -q 'The campaign costs [0-9.,]* ([0-9.,]*) USD' priced.html || complain "no price on the page of a forecast"

# A scenario of one's own has other jobs than the shipped record.
sed "s|\.\./|$GRIDCAST_SOURCE/|; s|pools/|$GRIDCAST_SOURCE/scenarios/pools/|" "$scenario" >copy.yaml
run "$GRIDCAST" forecast copy.yaml -n 20
! grep -q 'another program' out || complain "a copy of the shipped campaign is another program: $(<out)"
sed "s|size: 137 GB|size: 120 GB|" copy.yaml >own.yaml
run "$GRIDCAST" forecast own.yaml -n 20
says out '^Evidence: the shipped record of 100 jobs of another program; 20 campaigns' "evidence, a forecast"
run "$GRIDCAST" forecast own.yaml -n 20 --set 'campaign.request.gpus=0'
says out '100 GPU jobs of another program \(CPU jobs' "evidence, jobs without GPUs"
says out 'their slots are its GPUs' "their slots"
run "$GRIDCAST" forecast own.yaml -n 20 --set 'campaign.input[0].size=10 MB'
says out '100 jobs of another program, each with 137 GB of' "evidence, jobs with little input"
run "$GRIDCAST" compare own.yaml "${few[@]}"
says out '^Evidence: 100 jobs of another program, ' "evidence, a comparison"
run "$GRIDCAST" compare "$scenario" "${few[@]}"
says out '^Evidence: 100 recorded jobs, ' "evidence, the shipped scenario"

exit $exit_status
