#!/usr/bin/env bash
# Every "Next:" line of every verb runs as printed, with the files that the command before it has left.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1
pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
ln -s "$GRIDCAST" gridcast
PATH=$work:$PATH
cp -r "$GRIDCAST_SOURCE/scenarios" scenarios
mkdir calibration
ln -s "$GRIDCAST_SOURCE/calibration/fitted" calibration/fitted
cp "$pool/c1-sweep/job.sub" JOB.sub
cp "$pool/c1-sweep/c1-sweep.log" done.log
head -n 200 done.log >"running campaign.log"
cp "$table" table.csv
cp "$GRIDCAST_SOURCE/calibration/data/mlperf/training.csv" runs.csv
printf 'executable = x\nrequest_gpus = 1\nqueue 10\n' >alone.sub

# nexts: the commands of the "Next:" lines in $work/out, a continued line as one.
nexts() {
  sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' out | sed -n 's/^Next: //p'
}

# follow COMMAND: it prints at least one "Next:" line, and each runs.
follow() {
  local command=$1 next
  run bash -c "$command"
  expect 0 "$command"
  (($(widest out) <= 80)) || complain "$command: $(widest out) columns"
  mapfile -t all < <(nexts)
  ((${#all[@]} > 0)) || complain "$command: no next command"
  for next in "${all[@]}"; do
    [[ $next == "the same command with "* ]] && next="$command ${next#the same command with }"
    [[ $next == gridcast\ * ]] || complain "$command: the next command is '$next'"
    # Under other files than those of the first run.
    run bash -c "$next"
    expect 0 "$command, then: $next"
    [[ -s out ]] || complain "$next prints nothing"
  done
}

s=scenarios/osg-imagenet.yaml
while IFS= read -r command; do
  follow "$command"
done <<END
gridcast forecast $s -n 4
gridcast forecast $s -n 4 --set 'study.goal=makespan' --csv tables
gridcast forecast JOB.sub -n 4
gridcast forecast JOB.sub -n 4 --job-hours 6 --on A100
gridcast forecast JOB.sub done.log -n 4 -o made
gridcast forecast JOB.sub 'running campaign.log' --running
gridcast forecast 'running campaign.log' --running --deadline '1 h' --change release
gridcast compare $s -n 4 --goal makespan
gridcast compare $s -n 4 --goal 'deadline:3 d' --with 'patient:transfer.stall_timeout=2 h'
gridcast compare $s -n 4 --resume kept
gridcast compare done.log -n 4
gridcast ledger table.csv
gridcast ledger -- done.log
gridcast ledger done.log --requests
gridcast optimize $s --budget '20 campaigns' --goal makespan -o best.yaml
gridcast calibrate done.log --draws 20 -o c1.yaml
gridcast calibrate done.log --draws 20 -o "$work/a-name-that-fills-the-line-of-a-terminal.yaml" --submit JOB.sub
gridcast profile resnet50-imagenet-kempner
gridcast profile resnet50-imagenet-kempner --gpus 8
gridcast profile resnet50-imagenet-kempner --scaling 1..64
gridcast profile --fit runs.csv --most-nodes 4 -o fitted.yaml
gridcast init alone.sub -o alone.yaml
gridcast compare alone.yaml -n 4
gridcast init --yes -o mine.yaml
gridcast lesson list
gridcast lesson list --folder scenarios/teaching
gridcast lesson start 3
gridcast lesson start 5 --folder scenarios/teaching
END

# Where the wanted jobs never finish, another strategy is the next question.
sed 's/replicas: 1000/replicas: 4/' $s >scenarios/never.yaml
follow 'gridcast forecast scenarios/never.yaml'
run gridcast forecast scenarios/never.yaml
says out 'but never the wanted 90' "a forecast in which the wanted jobs never finish"
says out '^Next: gridcast compare scenarios/never.yaml$' "its next command"

# A page of a running campaign has another verb, which the refusal names.
run gridcast forecast 'running campaign.log' --running --report page.html
expect 2 "--report with --running"
says err "gridcast open 'running campaign.log' shows" "--report with --running"
gridcast forecast 'running campaign.log' --running --json >running.json 2>/dev/null
run gridcast export html running.json
expect 2 "a page of a forecast of a running campaign"
says err "gridcast watch LOG --page FILE" "a page of a forecast of a running campaign"

exit $exit_status
