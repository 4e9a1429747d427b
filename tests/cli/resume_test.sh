#!/usr/bin/env bash
# A study that was killed goes on where it stood, with the same bytes as one that was not.
source "$(dirname -- "$0")/check.sh"

for verb in predict compare; do
  count=300
  [[ $verb == compare ]] && count=40
  "$GRIDCAST" "$verb" "$scenario" -n $count --json >"$work/unbroken" 2>/dev/null
  "$GRIDCAST" "$verb" "$scenario" -n 100000 --json --resume "$work/$verb" >"$work/out" 2>/dev/null &
  study=$!
  for _ in {1..200}; do
    [[ -s $work/$verb/study.journal ]] && (($(stat -c %s "$work/$verb/study.journal") > 20000)) && break
    sleep 0.02
  done
  kill -KILL "$study"
  wait "$study" 2>/dev/null
  "$GRIDCAST" "$verb" "$scenario" -n $count --json --resume "$work/$verb" >"$work/resumed" 2>/dev/null
  cmp -s "$work/unbroken" "$work/resumed" || complain "$verb: a resumed study differs from an unbroken one"
done

run "$GRIDCAST" predict "$scenario" -n 5 --seed 9 --resume "$work/predict"
expect 2 "predict, resuming another study"
says err "study.journal: is the journal of another study" "resuming another study"

exit $exit_status
