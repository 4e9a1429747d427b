#!/usr/bin/env bash
# The ledger of every real log is, to the second, what a few lines of another language count: with and
# without ads, in any order, cut anywhere.
source "$(dirname -- "$0")/check.sh"

python3 "$GRIDCAST_SOURCE/tests/cli/ledger_count.py" "$GRIDCAST" "$GRIDCAST_SOURCE/calibration/data" "$work" ||
  exit_status=1

exit $exit_status
