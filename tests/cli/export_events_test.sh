#!/usr/bin/env bash
# Event logs that are written: of a scenario the one that `run` writes, of a log the same again, in
# either version's words; and nothing of what has no dates.
source "$(dirname -- "$0")/check.sh"

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
log=$pool/c1-sweep/c1-sweep.log

run "$GRIDCAST" forecast --once "$scenario" --seed 3 --strategy auto-release --out "$work/run"
expect 0 "forecast --once"
run "$GRIDCAST" export events "$scenario" --seed 3 --strategy auto-release -o "$work/same.log"
expect 0 "export events of a scenario"
cmp -s "$work/run/events.log" "$work/same.log" || complain "forecast --once and export write different logs"
run "$GRIDCAST" export events "$scenario" --seed 3 --strategy auto-release --condor-version 25 -o "$work/a.log"
expect 0 "export events --condor-version"
grep -q '^004 .* Job was evicted\. Code ' "$work/a.log" || complain "no eviction as of 25"
grep -q 'of its own accord' "$work/a.log" && complain "terminations as of 23.9 in a log of 25"

run "$GRIDCAST" export events "$scenario" --seed 3 --strategy auto-release -o -
expect 0 "export events to standard output"
grep -q '^004 .* Job was evicted\.$' "$work/out" || complain "no eviction as of 23.9"
grep -q 'of its own accord' "$work/out" || complain "no terminations as of 23.9"

# Memory and disk are those of the request; where jobs differ, the log has none.
request='campaign.request={disk: 300 GiB, memory: 4 GiB, gpu_memory: 15500 MiB}'
run "$GRIDCAST" export events "$scenario" --set "$request" -o "$work/request.log"
expect 0 "export events of a request"
grep -q '^.Memory = 4096$' "$work/request.log" || complain "not the memory that was requested"
grep -q '^.Disk = 314572800$' "$work/request.log" || complain "not the disk that was requested"
run "$GRIDCAST" export events "$scenario" --set "$request" -o "$work/requests.log" \
  --set 'campaign.requests={small: {gpus: 0, disk: 1 GiB, memory: 1 GiB}}' \
  --set 'campaign.submit=[{at: 0 s, jobs: 4}, {at: 0 s, jobs: 4, request: small}]'
expect 0 "export events of two requests"
grep -qE '^.(Memory|Disk) = |Disk \(KB\)|Memory \(MB\)' "$work/requests.log" && complain "one request for jobs of two"

# The events are written as read, and a second pass gives the same bytes.
run "$GRIDCAST" export events "$log" -o "$work/once.log"
expect 0 "export events of a log"
says err '^903 events, 80 jobs|^[0-9]+ events, 80 jobs, 0 lines not understood' "export events of a log"
run "$GRIDCAST" export events "$work/once.log" -o "$work/twice.log"
cmp -s "$work/once.log" "$work/twice.log" || complain "a log read and written twice is another"
for number in 000 001 004 005 012 013; do
  (($(grep -c "^$number (" "$log") == $(grep -c "^$number (" "$work/once.log"))) ||
    complain "not as many events $number as were read"
done
run "$GRIDCAST" export events "$work/run" -o "$work/of-folder.log"
expect 0 "export events of a folder of run"
(($(grep -c '^005' "$work/of-folder.log") == $(grep -c '^005' "$work/run/events.log"))) ||
  complain "the folder's log has other terminations"

run "$GRIDCAST" export events "$pool/c1-sweep/history.json" "$pool/c1-sweep/epochs.json" -o "$work/of-ads.log"
expect 0 "export events of ads alone"
(($(grep -c '^005' "$work/of-ads.log") == 80)) || complain "the log of the ads has not 80 terminations"

# A DAG's jobs are known by the names of its nodes.
aws=$GRIDCAST_SOURCE/calibration/data/metl-campaign/aws-jobs-1-57.log
run "$GRIDCAST" export events "$aws" --condor-version 25 -o "$work/aws.log"
expect 0 "export events of a DAG's log"
nodes() { grep -o 'DAG Node: .*' "$1" | sort -u; }
diff <(nodes "$aws") <(nodes "$work/aws.log") >/dev/null || complain "a DAG's log has other nodes when it is written again"

# refused PATTERN ARGUMENT...
refused() {
  run "$GRIDCAST" export "${@:2}"
  expect 2 "export ${*:2}"
  says err "$1" "export ${*:2}"
  [[ -e $work/none.log ]] && complain "export ${*:2}: something was written"
}
refused "imagenet-5epoch-100jobs.csv: no event log .*no dates" events "$table" -o "$work/none.log"
refused "a scenario is simulated" events "$scenario" "$log" -o "$work/none.log"
refused "23\.9" events "$log" --condor-version 9 -o "$work/none.log"
refused "Not a directory" events "$log" -o "$work/once.log/none.log"
refused "nowhere.log" events "$work/nowhere.log" -o "$work/none.log"
refused "publishd.*Did you mean 'published'" events "$scenario" --strategy publishd -o "$work/none.log"
refused "See gridcast export --help"

# A full disk is no bad input.
run "$GRIDCAST" export events "$log" -o /dev/full
expect 1 "export events to a full disk"
says err "No space left on device" "export events to a full disk"

exit $exit_status
