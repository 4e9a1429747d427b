#!/usr/bin/env bash
# Five jobs, one site, all alike, nothing failed, everything failed, repeats of different work: a useful
# answer with an honest width, or one line that says what is missing; never nan, never an error of zero.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200

python3 "$GRIDCAST_SOURCE/tests/cli/few_jobs.py" "$work"
printf 'executable = train.sh\nqueue 30\n' >"$work/job.sub"

# refused PATTERN ARGUMENT...: in one line that matches, after what is said of the log's reading.
refused() {
  local pattern=$1
  shift
  run "$GRIDCAST" "$@"
  expect 2 "$*"
  says err "$pattern" "$*"
  [[ -s $work/out ]] && complain "$*: something on standard output"
  [[ $(grep -cvE 'lines not understood|time zone' "$work/err") == 1 ]] || complain "$*: not one line: $(<"$work/err")"
}

for table in held not-found unfinished; do
  refused "$table.csv: no job of the table got its input" calibrate "$work/$table.csv" \
    --pool "$GRIDCAST_SOURCE/scenarios/pools/ospool-2024.yaml" -o "$work/no.yaml"
done
refused "four.csv: only 4 executions were completed" calibrate "$work/four.csv" \
  --pool "$GRIDCAST_SOURCE/scenarios/pools/ospool-2024.yaml" -o "$work/no.yaml"
log=no-input
refused "$log/jobs.log: no job of the logs began to execute" calibrate "$work/$log/jobs.log" -o "$work/no.yaml"
refused "$log/jobs.log: no job of the logs began to execute" forecast "$work/job.sub" "$work/$log/jobs.log"
refused "$log/jobs.log: no job of the logs began to execute" calibrate --check "$work/$log/jobs.log" --leave-one part -n 10
# Without any execution that ended by itself there is an answer, which says what it assumes.
run "$GRIDCAST" calibrate "$work/all-evicted/jobs.log" -o "$work/evicted.yaml" --draws 40
expect 0 "calibrate all-evicted"
grep -q 'no execution of the record ended by itself' "$work/evicted.yaml" || complain "the assumption is not in the calibration"
run "$GRIDCAST" forecast "$work/job.sub" "$work/all-evicted/jobs.log" -n 20 -j 1 --json
expect 0 "forecast all-evicted"
run "$GRIDCAST" calibrate --check "$work/all-evicted/jobs.log" --leave-one part -n 10
expect 0 "calibrate --check all-evicted"
refused "alike/jobs.log: no job of the record is left \(of [0-9]+, none matches --where" calibrate "$work/alike/jobs.log" \
  --where 'ClusterId < 0' -o "$work/no.yaml"
[[ -e $work/no.yaml ]] && complain "a refused record leaves a file"

for log in alike five one-site nothing-failed all-crashed; do
  run "$GRIDCAST" calibrate "$work/$log/jobs.log" -o "$work/$log.yaml" --draws 40
  expect 0 "calibrate $log"
  run "$GRIDCAST" forecast "$work/job.sub" "$work/$log/jobs.log" -n 30 -j 1 --json
  expect 0 "forecast $log"
  grep -qwiE -e '-?nan|inf(inity)?' "$work/out" "$work/$log.yaml" && complain "$log: a number that is none"
  json 'all(m["p95"] > m["p05"] for n, m in d["metrics"].items() if n in ("makespan_s", "wallclock_s", "badput_s"))' \
    "$log: forecasts have a width"
  json 'all(m["mean_ci95"][0] is None or m["mean_ci95"][0] < m["mean_ci95"][1] for m in d["metrics"].values())' "$log: no error is zero"
done

# Records without a submit file, of jobs without GPUs; the same twice; repeats that are none.
scored=(calibrate --check "$work/one-site.yaml" -n 10 -j 1)
run "$GRIDCAST" "${scored[@]}" --against "$work/nothing-failed/jobs.log"
expect 0 "a log without a submit file"
says err "no submit file" "a log without a submit file"
refused "alike/: the record is named twice" "${scored[@]}" --against "$work/alike" "$work/alike/"
run "$GRIDCAST" "${scored[@]}" --submit "$work/job.sub" --against "$work/alike" "$work/nothing-failed" "$work/short"
expect 0 "repeats and none"
says err "^short: by its submit file a repeat of alike, but its jobs computed 60 s where those did 600 s" \
  "repeats of different work"
run "$GRIDCAST" "${scored[@]}" --submit "$work/job.sub" --against "$work/five" "$work/alike" --details
expect 0 "records of different numbers of jobs"
says out "bootstrap over the 2 campaigns" "records of different numbers of jobs"
says out "^makespan .* -$" "records of different numbers of jobs are no repeats"

exit $exit_status
