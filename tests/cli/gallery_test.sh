#!/usr/bin/env bash
# The gallery shows the question of each scenario with a picture, and each scenario can be simulated.
source "$(dirname -- "$0")/check.sh"
python3 "$GRIDCAST_SOURCE/tests/gallery/write" --check >"$work/said" || complain "the gallery: $(cat "$work/said")"
for file in "$GRIDCAST_SOURCE"/scenarios/gallery/*.yaml; do
  run "$GRIDCAST" compare "$file" -n 2 --quiet
  expect 0 "compare ${file##*/}"
done
exit $exit_status
