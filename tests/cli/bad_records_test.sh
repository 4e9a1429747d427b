#!/usr/bin/env bash
# Records of every kind cut at any byte, and tables and logs that are wrong in one way: a line for each
# problem with its place, at most ten and a count.
source "$(dirname -- "$0")/check.sh"

python3 "$GRIDCAST_SOURCE/tests/cli/bad_records.py" "$GRIDCAST" "$GRIDCAST_SOURCE/calibration/data" "$work" ||
  exit_status=1

exit $exit_status
