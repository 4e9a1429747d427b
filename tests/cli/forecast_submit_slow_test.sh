#!/usr/bin/env bash
# gridcast forecast --submit: facts from the record's own submit file.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
cd "$work" || exit 1

# The record's own submit file: its program, its URLs, and whether HTCondor waited for a second before each
# execution, which the jobs to come then do or not as their own file says.
pair=("$pool/c4-retry/job.sub" "$pool/c1-sweep/c1-sweep.log" --of 10)
run "$GRIDCAST" forecast "${pair[@]}" -o without
expect 0 "a record without its submit file"
says err 'do not contain their jobs.* program. Name it with --submit FILE' "a record without its submit file"
grep -q 'unlisted_wait_s' without/calibration.yaml && complain "the calibration has a wait that no record shows"
run "$GRIDCAST" forecast --details "${pair[@]}" --submit "$pool/c1-sweep/job.sub" -o given
expect 0 "forecast --submit"
grep -q 'do not contain the program' err && complain "it asks for the submit file that is given"
grep -q 'unlisted_wait_s' given/calibration.yaml || complain "forecast --submit does not read the list of outputs"
grep -q 'outputs_unlisted: true' given/scenario.yaml || complain "the jobs to come wait, as their file says"
(($(grep -c 'url: "' given/calibration.yaml) == 2)) || complain "not the two URLs of the submit file"
grep -q 'executable: "/pool/bin/train"' given/calibration.yaml || complain "not the submit file's program"
run "$GRIDCAST" calibrate "$pool/c1-sweep/c1-sweep.log" --submit "$pool/c1-sweep/job.sub" --draws 200 -o same.yaml
diff <(sed 's/ -o .*//' same.yaml | grep -vE 'pool|recorded_jobs') <(sed 's/ -o .*//' given/calibration.yaml | grep -vE 'pool|recorded_jobs') >differ ||
  complain "forecast --submit calibrates other than calibrate --submit: $(head -5 differ)"
# A submit file that names the record as its log is the record's own, too.
own=("$pool/c1-sweep/job.sub" "$pool/c1-sweep/c1-sweep.log")
run "$GRIDCAST" forecast "${own[@]}" --of 10 -o own
expect 0 "the record's own submit file"
says err 'job.sub names this record as its log' "the record's own submit file"
run "$GRIDCAST" forecast "${own[@]}" --of 10 --submit "${own[0]}" -o stated
diff <(sed 's/ -o .*//' own/calibration.yaml | grep -v ^pool) <(sed 's/ -o .*//' stated/calibration.yaml | grep -v ^pool) >differ ||
  complain "it calibrates other than with --submit: $(head -5 differ)"
cmp -s {own,stated}/calibration.jobs.json || complain "it has other recorded jobs than with --submit"
grep -q 'from: record' own/scenario.yaml || complain "jobs of the recorded program do not repeat recorded jobs"
# A rule that the record's jobs did not have acts on repeated jobs, too: ads and --submit show their rules.
run "$GRIDCAST" forecast "${own[@]}" "$pool/c1-sweep/history.json" --of 4 -o same-rules
run "$GRIDCAST" compare same-rules/scenario.yaml --with more:retry.max_retries=9 -n 5 --json
json 'sorted(d["strategies"]) == ["more", "submitted"]' "the same rules are two strategies"
sed 's/^queue/allowed_execute_duration = 5\n&/' "${own[0]}" >limited.sub
run "$GRIDCAST" forecast limited.sub "${own[1]}" "$pool/c1-sweep/history.json" --of 4 -o other-rules
grep -q '^record_strategy: "recorded"' other-rules/scenario.yaml || complain "the ads' rules are not the record's"
# 16 of its 60 jobs have a first exit code that is not 0. Set on the command line or in the scenario's file,
# a rule is one of the next jobs.
retried=("$pool/c4-retry/job.sub" "$pool/c4-retry/c4-retry.log" --year 2026 -n 40)
run "$GRIDCAST" forecast "${retried[@]}" -o retried --json
json 'd["metrics"]["succeeded"]["p50"] == 60' "the record's retries"
run "$GRIDCAST" forecast "${retried[@]}" --set strategies.submitted.retry.max_retries=0 --json
json '42 <= d["metrics"]["succeeded"]["p50"] <= 46' "no retries, by --set"
sed '0,/max_retries: 3/s//max_retries: 0/' retried/scenario.yaml >retried/edited.yaml
cmp -s retried/{scenario,edited}.yaml && complain "the scenario does not state max_retries"
run "$GRIDCAST" forecast retried/edited.yaml -n 40 --json
json '42 <= d["metrics"]["succeeded"]["p50"] <= 46' "no retries, in the scenario's file"
# Half of the jobs take five minutes, the others five hours.
at() { date -u -d "2026-01-01 + $1 sec" '+%Y-%m-%d %H:%M:%S'; }
{
  for job in {1..20}; do
    printf '000 (%d.000.000) %s Job submitted from host: <192.0.2.9:9618>\n...\n' "$job" "$(at 0)"
  done
  for job in {1..20}; do
    printf '001 (%d.000.000) %s Job executing on host: <192.0.2.1:%d?alias=n%d.a.org>\n...\n' "$job" "$(at 60)" $((9000 + job)) "$job"
  done
  for job in {1..20}; do
    printf '005 (%d.000.000) %s Job terminated.\n' "$job" "$(at $((job <= 10 ? 360 : 18060)))"
    printf '\t(1) Normal termination (return value 0)\n...\n'
  done
} >halves.log
printf 'executable = a.sh\nqueue 20\n' >halves.sub
sed 's/^queue/periodic_remove = JobStatus == 2 \&\& time() - EnteredCurrentStatus > 3600\n&/' halves.sub >impatient.sub
run "$GRIDCAST" forecast halves.sub halves.log --submit halves.sub -n 100 --json
json 'd["metrics"]["succeeded"]["p50"] == 20' "the record's rules"
run "$GRIDCAST" forecast impatient.sub halves.log --submit halves.sub -n 100 --json
json '7 <= d["metrics"]["succeeded"]["p50"] <= 13' "a rule that removes half of the jobs"
# Rules that nothing shows count as HTCondor's defaults. If the record's jobs had those of JOB.sub all the same,
# the answer is that with the rules known.
run "$GRIDCAST" forecast "${own[@]}" -n 200 --json && cp out unknown.json
run "$GRIDCAST" forecast "${own[@]}" -n 200 --json --submit "${own[0]}" && cp out known.json
python3 - <<'END' || complain "rules that the record's jobs had act twice"
import json
unknown, known = (json.load(open(name))["metrics"] for name in ("unknown.json", "known.json"))
assert unknown["succeeded"]["p50"] == known["succeeded"]["p50"]
for figure in ("badput_s", "wallclock_s", "attempts"):
    assert abs(unknown[figure]["p50"] / known[figure]["p50"] - 1) < 0.05, figure
END
# compare and optimize know the option, and ask for it.
for verb in compare 'optimize --budget 3s'; do
  # shellcheck disable=SC2086
  run "$GRIDCAST" $verb "${pair[@]:0:2}" --set study.replicas=4
  says err 'do not contain their jobs.* program. Name it with --submit FILE' "$verb without --submit"
  # shellcheck disable=SC2086
  run "$GRIDCAST" $verb "${pair[@]:0:2}" --set study.replicas=4 --submit "${own[0]}"
  expect 0 "$verb --submit"
  grep -q 'do not contain the program' err && complain "$verb asks for the submit file that is given"
done
# The jobs' own ads contain it as well.
run "$GRIDCAST" forecast "${pair[@]}" "$pool/c1-sweep/history.json" -o ads
expect 0 "a record with its ads"
grep -q 'unlisted_wait_s' ads/calibration.yaml || complain "the ads' list of outputs is not read"
printf 'executable = train.sh\nqueue x from nothing.txt\n' >bad.sub
run "$GRIDCAST" forecast "${pair[@]}" --submit bad.sub
expect 2 "a record's submit file that is none"
says err '^(gridcast: )?bad.sub:2: ' "a record's submit file that is none"

exit $exit_status
