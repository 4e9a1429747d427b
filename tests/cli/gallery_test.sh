#!/usr/bin/env bash
# The gallery shows what its scenarios ask, each with a picture, and each scenario of it can be played.
source "$(dirname -- "$0")/check.sh"
python3 "$GRIDCAST_SOURCE/tests/gallery/write" --check >"$work/said" || complain "the gallery: $(cat "$work/said")"
for file in "$GRIDCAST_SOURCE"/scenarios/gallery/*.yaml; do
  run "$GRIDCAST" compare "$file" -n 2 --quiet
  expect 0 "compare ${file##*/}"
done
exit $exit_status
