#!/usr/bin/env bash
# Campaigns in the formats of other programs: of a scenario and of a real log, each held against what
# its format asks for.
source "$(dirname -- "$0")/check.sh"

log=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep/c1-sweep.log

# exported FORMAT NAME SOURCE...: into $work/NAME
exported() {
  run "$GRIDCAST" export "$1" "${@:3}" -o "$work/$2"
  expect 0 "export $1 ${*:3}"
}

for source in "$scenario" "$log"; do
  exported chrome-trace trace.json "$source" --force
  cp "$work/trace.json" "$work/out"
  json 'all(e["ph"] in "MXC" and "pid" in e and "name" in e for e in d["traceEvents"])' "chrome-trace"
  json 'all(e["dur"] > 0 for e in d["traceEvents"] if e["ph"] == "X")' "chrome-trace"
  json '[e["ts"] for e in d["traceEvents"] if "ts" in e] == sorted(e["ts"] for e in d["traceEvents"] if "ts" in e)' \
    "chrome-trace: sorted"

  exported wfformat instance.json "$source" --force
  cp "$work/instance.json" "$work/out"
  json 'd["schemaVersion"] == "1.5" and d["name"] and d["workflow"]["specification"]["tasks"]' wfformat
  json 'set(t["id"] for t in d["workflow"]["execution"]["tasks"]) <= set(t["id"] for t in d["workflow"]["specification"]["tasks"])' wfformat
  json 'set(m for t in d["workflow"]["execution"]["tasks"] for m in t["machines"]) == set(m["nodeName"] for m in d["workflow"]["execution"]["machines"])' wfformat
  json 'all(set(t["inputFiles"]) <= set(f["id"] for f in d["workflow"]["specification"]["files"]) for t in d["workflow"]["specification"]["tasks"])' wfformat

  # Against the public schema, which is not here for its licence (LGPL): give its file by this variable.
  # It is wfcommons-schema.json of github.com/wfcommons/WfFormat.
  if [[ -n ${WFFORMAT_SCHEMA-} ]]; then
    python3 - "$WFFORMAT_SCHEMA" "$work/instance.json" "$GRIDCAST_SOURCE/tests/import/wfformat_test.cpp" \
      <<'PYTHON' || complain "the public schema refuses an instance"
import json, jsonschema, re, sys
schema = json.load(open(sys.argv[1]))
jsonschema.validate(json.load(open(sys.argv[2])), schema)
by_hand = re.search(r'instance_text = R"\((.*?)\)"', open(sys.argv[3]).read(), re.S).group(1)
jsonschema.validate(json.loads(by_hand), schema)
PYTHON
  fi

done

# All at once, one table alone, and what the columns are.
run "$GRIDCAST" export csv "$scenario" -o "$work/tables"
expect 0 "export csv"
for name in jobs attempts transfers sites caches columns; do
  [[ -s $work/tables/$name.csv ]] || complain "export csv: no $name.csv"
done
run "$GRIDCAST" export csv "$scenario" --table jobs
expect 0 "export csv --table"
cmp -s "$work/out" "$work/tables/jobs.csv" || complain "--table jobs is another table"
run "$GRIDCAST" export csv --dictionary
expect 0 "export csv --dictionary"
cmp -s "$work/out" "$work/tables/columns.csv" || complain "--dictionary is another than columns.csv"

# docs/formats.md names each column, in its order.
python3 - "$work/tables/columns.csv" "$GRIDCAST_SOURCE/docs/formats.md" <<'PYTHON' || complain "docs/formats.md has other columns"
import csv, sys
tables = {}
for row in csv.DictReader(open(sys.argv[1])):
    tables.setdefault(row["table"], []).append("`%s`" % row["column"])
page = open(sys.argv[2]).read().splitlines()
for table, columns in tables.items():
    line = [l for l in page if l.startswith("| `%s.csv` |" % table) and l.endswith("| %s |" % ", ".join(columns))]
    if len(line) != 1:
        sys.exit(1)
PYTHON

# The same replica in every format, and the same bytes each time.
run "$GRIDCAST" export wfformat "$scenario" --seed 3 --strategy auto-release --replica 2
cp "$work/out" "$work/once"
run "$GRIDCAST" export wfformat "$scenario" --seed 3 --strategy auto-release --replica 2
cmp -s "$work/out" "$work/once" || complain "the same replica is another"
says out 'strategy auto-release, seed 3, replica 2' "export wfformat"

# --set changes the scenario in every format.
for format in chrome-trace wfformat attempts; do
  run "$GRIDCAST" export $format "$scenario"
  cp "$work/out" "$work/once"
  run "$GRIDCAST" export $format "$scenario" --set 'pool.sites.CHTC-Spark-CE1.uplink=1 Gbps' \
    --set 'campaign.submit=[{at: 0 s, jobs: 3}]'
  expect 0 "export $format --set"
  cmp -s "$work/out" "$work/once" && complain "export $format --set changes nothing"
done
run "$GRIDCAST" export csv "$scenario" --table jobs --set 'campaign.submit=[{at: 0 s, jobs: 3}]'
(($(wc -l <"$work/out") == 4)) || complain "export csv --set: not three jobs"
run "$GRIDCAST" export events "$scenario" -o "$work/few.log" --set 'campaign.submit=[{at: 0 s, jobs: 3}]'
expect 0 "export events --set"
(($(grep -c '^000 (' "$work/few.log") == 3)) || complain "export events --set: not three jobs"

# refused PATTERN ARGUMENT...
refused() {
  run "$GRIDCAST" export "${@:2}"
  expect 2 "export ${*:2}"
  says err "$1" "export ${*:2}"
  [[ -e $work/none ]] && complain "export ${*:2}: something was written"
}
: >"$work/empty.log"
for format in chrome-trace wfformat csv; do
  refused "it has no dates" "$format" "$table" -o "$work/none"
  refused "empty.log" "$format" "$work/empty.log" -o "$work/none"
  refused "nowhere.log" "$format" "$work/nowhere.log" -o "$work/none"
done
refused "changes a scenario, and this is a record" wfformat "$log" --set a=b -o "$work/none"
refused "is a submit file.*gridcast forecast" wfformat \
  "$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep/job.sub" -o "$work/none"
refused "is already there" wfformat "$log" -o "$work/instance.json"
refused "Give -o DIR" csv "$log"
refused "no table 'caches'" csv "$log" --table caches
refused "nothing to export" csv --table jobs
run "$GRIDCAST" export csv "$log" -o "$work/tables"
expect 2 "export csv over tables"

exit $exit_status
