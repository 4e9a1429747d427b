#!/usr/bin/env bash
# Ten thousand replicas: the parent is as large when the last are simulated as soon after the start. To sum them
# up it takes some room more, for a moment.
source "$(dirname -- "$0")/check.sh"

"$GRIDCAST" forecast "$scenario" -n 10000 -j 2 --json >"$work/out" &
study=$!
sleep 2 # the first record has come, and with it room for all
first=0 largest=0 peak=0
while kill -0 "$study" 2>/dev/null; do
  size=$(awk '/^VmRSS:/ { print $2 }' "/proc/$study/status" 2>/dev/null)
  [[ -z $size ]] && break
  ((first == 0)) && first=$size
  ((size > peak)) && peak=$size
  pgrep -P "$study" >/dev/null && ((size > largest)) && largest=$size
  sleep 0.1
done
wait "$study"
status=$?
expect 0 "10,000 replicas"
json 'd["replicas"] == 10000' "10,000 replicas"
echo "$first kB at first, $largest kB at most while replicas are simulated, $peak kB with their sum"
((first > 0 && largest * 100 <= first * 105)) || complain "the parent grew from $first kB to $largest kB"
((peak * 100 <= first * 110)) || complain "to sum up takes $peak kB where playing takes $first kB"

exit $exit_status
