#!/usr/bin/env bash
# Killed (SIGKILL) at random moments: of a study that is resumed each time nothing is lost and the
# bytes are those of an unbroken one; of a calibration each file is whole, old or new; a study in shards
# is begun, resumed and gathered, and keeps all that it has; of one whose shards lose the processes that
# play their replicas the bytes are the same once it is resumed.
source "$(dirname -- "$0")/check.sh"

cd "$work" || exit 1
RANDOM=7
kills=${KILLS:-25}  # of each; KILLS=67 for 200 in all

# took COMMAND...: how many milliseconds, to $took.
took() {
  local before
  before=$(date +%s%3N)
  "$@"
  took=$(($(date +%s%3N) - before))
}
# killed_after MILLISECONDS ARGUMENT...: true if it had come to its end before.
killed_after() {
  local pause
  pause=$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))
  "$GRIDCAST" "${@:2}" >out 2>err </dev/null &
  local program=$!
  sleep "$pause"
  kill -KILL "$program" 2>/dev/null
  { wait "$program"; } 2>/dev/null
}
# clean FOLDER WHAT: nothing temporary is there.
clean() {
  local left
  left=$(find "$1" -name '.*' -type f)
  [[ -z $left ]] || complain "$2: left behind: $left"
}

replicas=12
took "$GRIDCAST" compare "$scenario" -n $replicas --json >unbroken
finished=0
for ((i = 0; i < kills; ++i)); do
  if killed_after $((RANDOM % took)) compare "$scenario" -n $replicas --json --resume study; then
    finished=$((finished + 1))
    cmp -s out unbroken || complain "kill $i: a study that was resumed has other bytes"
    rm -rf study
  fi
  [[ -d study ]] && clean study "compare, kill $i"
done
run "$GRIDCAST" compare "$scenario" -n $replicas --json --resume study
expect 0 "compare after $kills kills"
cmp -s out unbroken || complain "compare after $kills kills: other bytes"
echo "compare: $kills kills, of which $finished came too late"

"$GRIDCAST" export events "$scenario" -o in.log 2>err
calibrate=(calibrate in.log --draws 50 --quiet --force -o fitted/c.yaml)
took "$GRIDCAST" "${calibrate[@]}" >out 2>err
[[ -s fitted/c.yaml ]] || complain "calibrate"
cp -r fitted reference
finished=0
for ((i = 0; i < kills; ++i)); do
  rm -rf fitted
  mkdir fitted
  ((i % 2)) && echo old | tee fitted/c.yaml >fitted/c.pool.yaml
  killed_after $((RANDOM % (took + took / 4))) "${calibrate[@]}" && finished=$((finished + 1))
  clean fitted "calibrate, kill $i"
  for file in fitted/*; do
    [[ -e $file ]] || continue
    cmp -s "$file" "reference/$(basename -- "$file")" || [[ $(cat "$file") == old ]] ||
      complain "calibrate, kill $i: $file is neither old nor new"
  done
done
echo "calibrate: $kills kills, of which $finished came too late"

sharded=(forecast "$scenario" -n 60 --json)
"$GRIDCAST" "${sharded[@]}" >unbroken 2>err
took "$GRIDCAST" "${sharded[@]}" --on local --study whole --shard-size 8 >out 2>err
cmp -s out unbroken || complain "in shards: other bytes"
begin_took=$took
took "$GRIDCAST" compare gather whole --json >out 2>err
for ((i = 0; i < kills; ++i)); do
  case $((i % 3)) in
    0)
      rm -rf sharded
      killed_after $((RANDOM % begin_took)) "${sharded[@]}" --on local --study sharded --shard-size 8
      ;;
    1) [[ -d sharded/frozen ]] && killed_after $((RANDOM % begin_took)) study resume sharded --json ;;
    2) killed_after $((RANDOM % (took + took / 4))) study gather whole --json --csv tables --force ;;
  esac
  for folder in whole sharded tables; do [[ -d $folder ]] && clean "$folder" "shards, kill $i"; done
  # Begun anew where it was killed before it was frozen, in the same folder.
  if ((i % 3 == 1)); then
    if [[ -d sharded/frozen ]]; then
      run "$GRIDCAST" compare resume sharded --json
    else
      run "$GRIDCAST" "${sharded[@]}" --on local --study sharded --shard-size 8
    fi
    expect 0 "shards after kill $i"
    cmp -s out unbroken || complain "shards after kill $i: other bytes"
  fi
done
run "$GRIDCAST" compare gather whole --json
cmp -s out unbroken || complain "gather after $kills kills: other bytes"

# workers_killed ARGUMENT...: one process of its after another is killed, and sometimes itself.
hits=0
workers_killed() {
  "$GRIDCAST" "$@" >out 2>err </dev/null &
  local program=$! workers
  while kill -0 "$program" 2>/dev/null; do
    sleep "0.0$((RANDOM % 10))"
    mapfile -t workers < <(pgrep -P "$program")
    ((${#workers[@]})) && kill -KILL "${workers[RANDOM % ${#workers[@]}]}" 2>/dev/null && hits=$((hits + 1))
    ((RANDOM % 40 == 0)) && kill -KILL "$program" 2>/dev/null
  done
  { wait "$program"; } 2>/dev/null
}
# It takes a second or two, so that its processes can be found.
sharded=(forecast "$scenario" -n 1200 --json)
"$GRIDCAST" "${sharded[@]}" >unbroken 2>err
rounds=$((kills / 5))
for ((i = 0; i < rounds; ++i)); do
  rm -rf sharded
  workers_killed "${sharded[@]}" --on local --study sharded --shard-size 100 -j 2
  [[ -d sharded ]] && clean sharded "workers, round $i"
  [[ -d sharded/frozen ]] || continue
  workers_killed study resume sharded -j 2 --json
  clean sharded "workers, resumed, round $i"
  run "$GRIDCAST" compare resume sharded --json
  expect 0 "resume after workers were killed, round $i"
  cmp -s out unbroken || complain "resume after workers were killed, round $i: other bytes"
done
echo "shards: $hits of their processes killed in $rounds rounds"
((hits >= rounds)) || complain "hardly a process was killed: $hits"

exit $exit_status
