#!/usr/bin/env bash
# Ten thousand replicas: the parent is as large at the end as soon after the start.
source "$(dirname -- "$0")/check.sh"

"$GRIDCAST" predict "$scenario" -n 10000 -j 2 --json >"$work/out" &
study=$!
sleep 2 # the first record has come, and with it room for all
first=0 largest=0
while kill -0 "$study" 2>/dev/null; do
  size=$(awk '/^VmRSS:/ { print $2 }' "/proc/$study/status" 2>/dev/null)
  [[ -z $size ]] && break
  ((first == 0)) && first=$size
  ((size > largest)) && largest=$size
  sleep 0.2
done
wait "$study"
status=$?
expect 0 "10,000 replicas"
json 'd["replicas"] == 10000' "10,000 replicas"
echo "$first kB at first, $largest kB at most"
((first > 0 && largest * 100 <= first * 105)) || complain "the parent grew from $first kB to $largest kB"

exit $exit_status
