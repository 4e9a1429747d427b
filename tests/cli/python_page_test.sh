#!/usr/bin/env bash
# The Python of docs/python.md, block after block, as a reader would run it.
source "$(dirname -- "$0")/check.sh"

command -v python3 >/dev/null || exit 77
mkdir "$work/bin" "$work/scenarios" "$work/calibration"
ln -s "$(readlink -f "$GRIDCAST")" "$work/bin/gridcast"
cp -r "$GRIDCAST_SOURCE"/scenarios/* "$work/scenarios"
cp -r "$GRIDCAST_SOURCE/calibration/fitted" "$work/calibration/fitted"
cp "$table" "$work/scenarios"
awk '/^```python$/ { inside = 1; next } /^```$/ { inside = 0 } inside' \
  "$GRIDCAST_SOURCE/docs/python.md" >"$work/page.py"
(($(wc -l <"$work/page.py") > 40)) || complain "the page has no Python"

cd "$work/scenarios" || exit 1
status=0
PATH=$work/bin:$PATH timeout 250 python3 -W error "$work/page.py" >"$work/out" 2>"$work/err" || status=$?
expect 0 "docs/python.md"
says out '^[0-9]+ of 100 jobs succeeded, [0-9]+ slot hours' "forecast --once"
says out '^half of 40 campaigns end within [0-9.]+ d' "forecast"
says out '^[0-9]+ of 40 campaigns take longer than a week' "forecast --csv"
says out '^upgrade +[+-][0-9.]+ jobs on average, ' "compare"
says out '^all -?[0-9.e+]+ ' "compare --csv"
says out '^recorded [0-9]+ s of badput' "compare"
says out '^64 [0-9.]+$' "profile"
says out '^100 jobs, half of them waited [0-9]+ s at most' "export csv"

# R, where it is there with jsonlite.
if Rscript -e 'quit(status = !requireNamespace("jsonlite", quietly = TRUE))' >/dev/null 2>&1; then
  awk '/^```r$/ { inside = 1; next } /^```$/ { inside = 0 } inside' \
    "$GRIDCAST_SOURCE/docs/python.md" >"$work/page.R"
  status=0
  PATH=$work/bin:$PATH Rscript "$work/page.R" >"$work/out" 2>"$work/err" || status=$?
  expect 0 "the R of docs/python.md"
fi

exit $exit_status
