#!/usr/bin/env bash
# How a study ends: interrupted, it shows what is done; with replicas that died, it names them.
source "$(dirname -- "$0")/check.sh"

many=1000000

# start ARGUMENT...: the program in the background, its number in $study.
start() {
  "$GRIDCAST" "$@" >"$work/out" 2>"$work/err" </dev/null &
  study=$!
  for _ in {1..100}; do
    pgrep -P "$study" >/dev/null && return
    sleep 0.05
  done
  complain "$*: no replicas were started"
  exit 1
}

# finish: waits for it.
finish() {
  status=0
  wait "$study" || status=$?
}

for signal in INT TERM; do
  start compare "$scenario" -n $many --json
  sleep 1
  kill -$signal "$study"
  finish
  expect 130 "compare, SIG$signal"
  json 'd["partial"] and 0 < d["replicas"] < d["requested"]' "compare, SIG$signal"
  json 'max(s["replicas"] for s in d["strategies"].values()) -
        min(s["replicas"] for s in d["strategies"].values()) <= 2' "compare, SIG$signal"
done

start predict "$scenario" -n $many
sleep 1
kill -INT "$study"
finish
expect 130 "predict, interrupted"
says out '^PARTIAL: after [0-9]+ of 1000000 campaigns' "predict, interrupted"

# Replicas that live for a second or more, so that one that is seen is still there when it is shot.
"$GRIDCAST_SOURCE/tests/bench/scale_scenario.py" --jobs 100000 --slots 1000 "$work/large"
start predict "$work/large/scenario.yaml" -n 4 -j 2 --seed 5 --json
read -r replica _ <"/proc/$study/task/$study/children"
kill -KILL "$replica"
finish
expect 3 "predict, replicas killed"
says err 'campaign [0-9]+ of seed 5 failed under [a-z-]+: killed by signal 9' "replicas killed"
says err 'gridcast forecast .* --once --seed 5 --replica [0-9]+ --strategy' "replicas killed"
json 'd["failed"] and d["replicas"] + len(d["failed"]) == d["requested"] and not d["partial"]' \
  "replicas killed"

# In shards as well, of which all are there then: the missing campaign has to be simulated again.
start predict "$work/large/scenario.yaml" -n 4 -j 2 --seed 5 --on local --study "$work/shot" --shard-size 4
while kill -0 "$study" && [[ ! -e $work/shot/frozen/study.json ]]; do sleep 0.05; done
until replica=$(pgrep -o -P "$study") || ! kill -0 "$study"; do sleep 0.05; done
kill -KILL "$replica"
finish
expect 3 "shards, a replica killed"
run "$GRIDCAST" compare status "$work/shot"
says out '^done +1 of 1 shards, 3 of 4 simulated campaigns; 1 failed' "status, a replica killed"
says out '^next +gridcast compare resume .*, which simulates shards with failed campaigns again' "status, a replica killed"
run "$GRIDCAST" compare resume "$work/shot" -j 2
expect 0 "resume, a replica killed"
run "$GRIDCAST" compare status "$work/shot"
says out '^done +1 of 1 shards, 4 of 4 simulated campaigns$' "status, resumed"
says out '^next +gridcast compare gather ' "status, resumed"

exit $exit_status
