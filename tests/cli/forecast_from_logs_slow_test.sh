#!/usr/bin/env bash
# From one campaign's log to a forecast of another on the same pool: other work, other retry rule.
# The campaigns are of a real HTCondor pool (calibration/data/htcondor-pool).
source "$(dirname -- "$0")/check.sh"

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
cd "$work" || exit 1

# forecast CAMPAIGN IMPORT-OPTION...: to CAMPAIGN.json.
forecast() {
  local name=$1
  shift
  run "$GRIDCAST" init "$pool/$name/job.sub" --calibration c1.yaml "$@" -o "$name.yaml"
  expect 0 "import $name"
  run "$GRIDCAST" forecast "$name.yaml" -n 400 --json --against "$pool/$name/$name.log"
  expect 0 "forecast $name"
  mv out "$name.json"
}

# outside FILE: the metrics whose observed value is not in the central 90 %.
outside() {
  python3 -c '
import json, sys
for name, placed in json.load(open(sys.argv[1]))["against"]["metrics"].items():
    if not placed["inside_90"]: print(name)' "$1"
}

run "$GRIDCAST" calibrate "$pool"/c1-sweep/{c1-sweep.log,history.json,epochs.json,epochs.INPUT.json} -o c1.yaml
expect 0 "calibrate"

# The campaign itself: every figure of its ledger.
forecast c1-sweep
[[ -z $(outside c1-sweep.json) ]] ||
  complain "c1-sweep outside: $(outside c1-sweep.json | tr "\n" " ")"

# Shorter work (10 s instead of 16 s at speed 1) of a program that fails more often, so its owner
# gave it max_retries; by how much is not known: up to twenty times the odds. It lists no outputs, so that each
# start waits for a second more; the ads of the calibrated jobs show that theirs did not.
forecast c4-retry --work-scale 0.625 --crash-odds 1..20
[[ -z $(outside c4-retry.json) ]] ||
  complain "c4-retry outside: $(outside c4-retry.json | tr '\n' ' ')"

# The submit file leaves the lease to the pool, whose default the ads of the calibrated jobs show.
grep -q "job_lease_duration: 60 s" c4-retry.yaml || complain "the pool's lease is not the ads'"

exit $exit_status
