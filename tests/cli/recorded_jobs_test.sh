#!/usr/bin/env bash
# Forecasts that repeat the jobs of their record, the file of these jobs, and processes that are off.
source "$(dirname -- "$0")/check.sh"

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
record=$pool/c1-sweep
cd "$work" || exit 1

run "$GRIDCAST" forecast "$record/job.sub" "$record"/{c1-sweep.log,history.json,epochs.INPUT.json} --of 40 -o made --json
expect 0 "forecast of the recorded campaign"
grep -q 'from: record' made/scenario.yaml || complain "the recorded jobs are not repeated"
run "$GRIDCAST" forecast made/scenario.yaml -n 40 --without campaign-variation --json
expect 0 "--without campaign-variation"
cp out forecast.json
run "$GRIDCAST" ledger "$record/c1-sweep.log" --json
cp out ledger.json
python3 - <<'END' || complain "the forecast does not reproduce its record"
import json
forecast, ledger = json.load(open('forecast.json'))['metrics'], json.load(open('ledger.json'))['metrics']
bad = []
for name in ('succeeded', 'compute_success_s', 'wallclock_s', 'attempts', 'match_to_done_median_s', 'makespan_s'):
    ratio = forecast[name]['p50'] / ledger[name]
    if not 1 / 1.25 < ratio < 1.25: bad.append((name, round(ratio, 2)))
print(*bad)
raise SystemExit(1 if bad else 0)
END

# Another size of input, another program or other work are not in the record.
sed 's/^arguments *=.*/arguments = 1 2 3/' "$record/job.sub" >other.sub
run "$GRIDCAST" init other.sub --calibration made/calibration.yaml -o other.yaml
expect 0 "another program"
! grep -q 'from: record' other.yaml || complain "jobs of another program repeat the record's"
run "$GRIDCAST" init "$record/job.sub" --calibration made/calibration.yaml --work-scale 2 -o scaled.yaml
expect 0 "other work"
! grep -q 'from: record' scaled.yaml || complain "jobs of other work repeat the record's"

# Jobs of an inner DAG repeat recorded ones, too.
printf 'JOB a a.sub\nSUBDAG EXTERNAL inner inner.dag\nPARENT a CHILD inner\n' >outer.dag
printf 'JOB b a.sub\n' >inner.dag
cp "$record/job.sub" a.sub
run "$GRIDCAST" init outer.dag --calibration made/calibration.yaml -o dag.yaml
expect 0 "a DAG in a DAG"
run "$GRIDCAST" forecast dag.yaml --set campaign.work.from=record -n 3 --json
expect 0 "recorded jobs of an inner DAG"

# The same scenario, whichever number of processes.
run "$GRIDCAST" forecast made/scenario.yaml -n 20 -j 1 --json
cp out one.json
run "$GRIDCAST" forecast made/scenario.yaml -n 20 -j 3 --json
cmp -s out one.json || complain "two processes give other bytes"

# A file that is gone or changed is one problem at the key that asks for it.
mv made/calibration.jobs.json kept.json
run "$GRIDCAST" forecast made/scenario.yaml -n 10
expect 2 "no recorded jobs"
says err 'campaign.work.from' "no recorded jobs"
sed 's/"execution_s":[0-9.]*/"execution_s":1/' kept.json >made/calibration.jobs.json
run "$GRIDCAST" forecast made/scenario.yaml -n 10
expect 2 "changed jobs"
says err 'not the recorded jobs' "changed jobs"
run "$GRIDCAST" forecast made/scenario.yaml -n 10 --set campaign.work.from=processes
expect 0 "processes need no recorded jobs"

mv kept.json made/calibration.jobs.json
sed '/^recorded_jobs:/d' made/calibration.yaml >made/without.yaml
sed 's/calibration.yaml/without.yaml/' made/scenario.yaml >made/without.scenario.yaml
run "$GRIDCAST" forecast made/without.scenario.yaml -n 10
expect 2 "a calibration without recorded jobs"
says err "has no recorded jobs.*Write 'from: processes'" "a calibration without recorded jobs"

# A process that is off does not happen.
run "$GRIDCAST" forecast made/scenario.yaml -n 20 --without evictions,pilot-deaths,lost-contacts --json
expect 0 "--without"
python3 -c 'import json; m = json.load(open("out"))["metrics"]; assert m["evictions"]["p95"] == 0, m["evictions"]' ||
  complain "--without evictions has evictions"
run "$GRIDCAST" forecast made/scenario.yaml -n 20 --without evicton
expect 2 "an unknown process"
says err "Did you mean 'evictions'" "an unknown process"

# The later part of a record whose sites are split by their GPUs.
run "$GRIDCAST" calibrate --check "$record" --leave-one part -n 10 --json
expect 0 "calibrate --check --leave-one part"

# A table of attempts is a record too; the calibration's own record is reproduced.
run "$GRIDCAST" export csv "$record/c1-sweep.log" --table record -o attempts.csv
expect 0 "export of the table of attempts"
run "$GRIDCAST" calibrate attempts.csv -o table.yaml
expect 0 "calibration of a table of attempts"
run "$GRIDCAST" calibrate --check table.yaml --against attempts.csv -n 20 --csv scores
expect 0 "calibrate --check --against a table of attempts"
says err 'is of this record' "the calibration's own record"
python3 - <<'END' || complain "a calibration does not reproduce its own table"
import csv
bad = []
for row in csv.DictReader(open('scores/scores.csv')):
    if not row['p50']: continue
    observed, median = float(row['observed']), float(row['p50'])
    big = row['figure'] in ('compute_success_s', 'wallclock_s', 'attempts') and row['counted'] == 'yes'
    if big and not 1 / 1.15 < median / observed < 1.15: bad.append((row['figure'], observed, median))
print(*bad)
raise SystemExit(1 if bad else 0)
END

# A record that ends while most jobs run: 6 of 20 ended after an hour, 14 have run for ten minutes.
# All jobs run for an hour, also where the record does not contain their end.
python3 - <<'END'
from datetime import datetime, timedelta
start, events = datetime(2026, 3, 1), []
def add(kind, job, second, text):
    events.append((second, f'{kind:03} (7.{job:03}.000) {start + timedelta(seconds=second)} {text}\n...\n'))
where = '<10.0.0.1:9618?addrs=10.0.0.1-9618&alias=node{}.site-a.example&noUDP>'
for job in range(20):
    add(0, job, 0, 'Job submitted from host: <10.0.0.9:9618?addrs=10.0.0.9-9618&alias=ap.example&noUDP>')
    begin = 60 if job < 6 else 3060
    add(1, job, begin, 'Job executing on host: ' + where.format(job))
    add(5, job, begin + 3600, 'Job terminated.\n\t(1) Normal termination (return value 0)')
for name, end in (('whole.log', 10**6), ('cut.log', 3660)):
    open(name, 'w').write(''.join(text for second, text in sorted(events) if second <= end))
END
run "$GRIDCAST" calibrate cut.log -o cut.yaml
expect 0 "calibration of a running campaign"
[ -s cut.jobs.json ] || complain "the jobs of a running campaign are not repeated"
run "$GRIDCAST" calibrate --check cut.yaml --against whole.log -n 40 --csv cut
expect 0 "calibrate --check of a running campaign"
python3 - <<'END' || complain "jobs that the record leaves running are not drawn to their end"
import csv
median = {row['figure']: float(row['p50']) for row in csv.DictReader(open('cut/scores.csv')) if row['p50']}
assert median['succeeded'] == 20, median
assert abs(median['compute_success_s'] / (20 * 3600) - 1) < 0.05, median
END

# A record of two programs: a submit file's jobs repeat those of its own, and other campaigns have the mix.
python3 - <<'END'
from datetime import datetime, timedelta
start, events = datetime(2026, 3, 1), []
def add(kind, job, second, text):
    events.append((second, f'{kind:03} (7.{job:03}.000) {start + timedelta(seconds=second)} {text}\n...\n'))
host = '<10.0.0.1:9618?addrs=10.0.0.1-9618&alias=node1.site-a.example&noUDP>'
for job in range(40):
    program, length = ('prep.sh', 600 + job) if job % 2 else ('train.sh', 6000 + 10 * job)
    add(0, job, 0, 'Job submitted from host: <10.0.0.9:9618?addrs=10.0.0.9-9618&alias=ap.example&noUDP>')
    add(28, job, 0, f'Job ad information event triggered.\nCmd = "/home/ann/{program}"')
    add(1, job, 60, 'Job executing on host: ' + host)
    add(5, job, 60 + length, 'Job terminated.\n\t(1) Normal termination (return value 0)')
open('two.log', 'w').write(''.join(text for second, text in sorted(events, key=lambda event: event[0])))
END
hours_of() {
    python3 -c 'import json, sys; print(json.load(open("out"))["metrics"]["compute_success_s"]["p50"] / 3600)'
}
near() {
    python3 -c 'import sys; sys.exit(not abs(float(sys.argv[1]) / float(sys.argv[2]) - 1) < 0.1)' "$1" "$2" ||
        complain "$3: $1 h, not $2 h"
}
run "$GRIDCAST" calibrate two.log -o two.yaml
for program in prep train unknown; do
    printf 'executable = %s.sh\nqueue 40\n' $program >$program.sub
    run "$GRIDCAST" init $program.sub --calibration two.yaml -o $program.yaml
    run "$GRIDCAST" forecast $program.yaml -n 60 --without campaign-variation --json
    expect 0 "forecast of $program.sub"
    case $program in
        prep) near "$(hours_of)" 6.9 "jobs of prep.sh" ;;
        train) near "$(hours_of)" 68.8 "jobs of train.sh" ;;
        *) near "$(hours_of)" 37.9 "jobs of any program" ;;
    esac
done
run "$GRIDCAST" forecast train.yaml --set 'campaign.work.programs=[none.sh]' -n 2
expect 2 "a program that the record does not have"
says err "no recorded job ran 'none.sh'" "a program that the record does not have"
# The scorer: all jobs, those of a program, and those that an expression chooses.
score() {
    run "$GRIDCAST" calibrate --check two.yaml --against two.log -n 20 --csv scores --force "$@"
    expect 0 "calibrate --check $*"
    awk -F, '$3 == "compute_success_s" { print $5 / 3600 }' scores/scores.csv
}
near "$(score)" 37.9 "observed of all"
near "$(score --program /home/ann/prep.sh)" 3.45 "observed of prep.sh"
near "$(score --where 'Cmd == "/home/ann/train.sh"')" 34.4 "observed of train.sh"
run "$GRIDCAST" calibrate --check two.yaml --against two.log --program none.sh
expect 2 "calibrate --check of a program that the record does not have"
says err "no job of the record ran 'none.sh'" "calibrate --check --program"

exit $exit_status
