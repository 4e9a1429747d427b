#!/usr/bin/env bash
# A record whose works one lognormal does not describe: its forecast draws from a mixture and says so, what it
# simulates has both works, and the log of that, read again, has the mixture again.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200
cd "$work" || exit 1

# Half of the jobs take 100 s, half 1,000 s, each within a few per cent, in 10 slots of each of two sites.
python3 - <<'END'
import csv
with open('attempts.csv', 'w', newline='') as file:
    out = csv.writer(file)
    out.writerow('job,submitted,started,ended,outcome,site,host'.split(','))
    free = [60] * 20
    for job in range(120):
        slot = free.index(min(free))
        takes = (100 if job % 3 % 2 == job % 2 else 1000) * (1 + 0.01 * (job * 7 % 11 - 5))
        start = free[slot] + 5
        free[slot] = start + takes
        out.writerow([f'1.{job}', 0, round(start), round(start + takes), 'succeeded', 'AB'[slot % 2], f'host{slot}'])
END
printf 'executable = train.sh\nqueue 200\n' >job.sub

run "$GRIDCAST" calibrate --details attempts.csv --draws 60 -o calibration.yaml
expect 0 "calibrate"
says err 'work_s: one lognormal: .*; a mixture of 2 in its place' "calibrate says what is rejected"
run "$GRIDCAST" forecast --details job.sub attempts.csv --explain --of 4 -o made
expect 0 "forecast --explain"
says out 'work of a job: of a mixture of 2 lognormals, as one is rejected: [45][0-9] % around 9?[0-9]*\.?[0-9]* s, ' \
  "forecast --explain says what works are of"

# takes FILE: shares of executions of about 100 s, of about 1,000 s, and of what lies between, in per cent.
takes() {
  "$GRIDCAST" export attempts "$1" 2>"$work/err" | python3 -c '
import csv, sys
from datetime import datetime
at = datetime.fromisoformat
took = [(at(row["ended"].rstrip("Z")) - at(row["started"].rstrip("Z"))).total_seconds()
        for row in csv.DictReader(sys.stdin) if row["outcome"] == "succeeded"]
near = [sum(low < t < high for t in took) for low, high in ((80, 130), (800, 1250), (130, 800))]
print(*(round(100 * n / len(took)) for n in near))'
}
run "$GRIDCAST" init job.sub --calibration calibration.yaml -o scenario.yaml
expect 0 "init"
run "$GRIDCAST" export events scenario.yaml --seed 7 -o simulated.log
expect 0 "export events"
read -r short long between <<<"$(takes simulated.log)"
# Of 200 jobs a half, by chance 3.5 % more or less, where the share itself is known to 4.6 %.
((short > 30 && long > 30 && between < 3)) || complain "simulated: $short % short, $long % long, $between % between"

run "$GRIDCAST" calibrate simulated.log --draws 60 -o again.yaml
expect 0 "calibrate what was simulated"
grep -q 'work_kind_2_share' again.yaml || complain "the simulated log has no kinds of work"
grep -q 'work_kind_3_share' again.yaml && complain "the simulated log has another kind of work"

exit $exit_status
