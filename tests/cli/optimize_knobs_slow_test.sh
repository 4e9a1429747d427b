#!/usr/bin/env bash
# optimize finds each setting of a strategy in a small world in which that setting is the remedy.
source "$(dirname -- "$0")/check.sh"

python3 "$(dirname -- "$0")/optimize_knobs.py" "$work" || complain "optimize does not find a remedy, or reports another gain"

exit $exit_status
