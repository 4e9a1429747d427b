#!/usr/bin/env bash
# The notebook of the published campaign: its code, cell after cell, as Jupyter runs it; and in Jupyter,
# where that is installed (jupyter-nbconvert, python3-ipykernel).
source "$(dirname -- "$0")/check.sh"

command -v python3 >/dev/null || exit 77
mkdir -p "$work/bin" "$work/docs" "$work/calibration/data"
ln -s "$(readlink -f "$GRIDCAST")" "$work/bin/gridcast"
cp -r "$GRIDCAST_SOURCE/scenarios" "$work/"
cp -r "$GRIDCAST_SOURCE/calibration/fitted" "$work/calibration/"
cp -r "$data" "$work/calibration/data/"
notebook=$GRIDCAST_SOURCE/docs/published-campaign.ipynb
python3 -c '
import json, sys
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell["cell_type"] == "code":
        if cell["outputs"]: sys.exit("the notebook has outputs: clear them before it is committed")
        print("".join(cell["source"]) + "\n")' "$notebook" >"$work/notebook.py" || complain "the notebook's cells"

cd "$work/docs" || exit 1
export PATH=$work/bin:$PATH
status=0
timeout 900 python3 "$work/notebook.py" >"$work/out" 2>"$work/err" || status=$?
expect 0 "the notebook's code"
says out '^[0-9]+ of 100 jobs succeeded, [0-9]+ ended held$' "the record"
says out '^makespan_s +[0-9.]+ +[0-9.]+ +[0-9.]+' "the prediction"
says out '^[0-9]+ % of the campaigns retried transfers' "the prediction's replicas"
says out '^upgrade +[+-][0-9.]+ jobs on average' "the comparison"
says out '^ +overload +[0-9]+ % probable' "the explanations"

if jupyter nbconvert --version >/dev/null 2>&1 && python3 -c 'import ipykernel' 2>/dev/null; then
  cp "$notebook" .
  run timeout 900 jupyter nbconvert --to notebook --execute --output done.ipynb published-campaign.ipynb
  expect 0 "the notebook in Jupyter"
  grep -q 'jobs succeeded' done.ipynb || complain "the notebook in Jupyter has no output"
fi

exit $exit_status
