#!/usr/bin/env bash
# Scenarios with random changes are refused, or their sums agree. MUTANTS=850 for a night.
source "$(dirname -- "$0")/check.sh"
cp -r "$GRIDCAST_SOURCE/scenarios" "$work/scenarios"
mkdir "$work/calibration"
cp -r "$GRIDCAST_SOURCE/calibration/fitted" "$work/calibration/fitted"
sed -i 's/jobs: 50}, {at: 0 s, jobs: 50}/jobs: 10}, {at: 60 s, jobs: 10}/' "$work/scenarios/osg-imagenet.yaml"
python3 "$GRIDCAST_SOURCE/tests/cli/mutated_scenarios.py" "$GRIDCAST" "$work/scenarios/osg-imagenet.yaml" "${MUTANTS:-60}" ||
  complain "a mutant"
exit $exit_status
