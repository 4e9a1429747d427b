#!/usr/bin/env bash
# A campaign as tables, of a scenario and of a real log.
source "$(dirname -- "$0")/check.sh"

log=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep/c1-sweep.log

# All at once, one table alone, and what the columns are.
run "$GRIDCAST" export csv "$scenario" -o "$work/tables"
expect 0 "export csv"
for name in jobs attempts transfers sites caches columns; do
  [[ -s $work/tables/$name.csv ]] || complain "export csv: no $name.csv"
done
run "$GRIDCAST" export csv "$scenario" --table jobs
expect 0 "export csv --table"
cmp -s "$work/out" "$work/tables/jobs.csv" || complain "--table jobs is another table"

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

# The same replica gives the same bytes each time.
for format in attempts "csv --table attempts"; do
  run "$GRIDCAST" export $format "$scenario" --seed 3 --strategy auto-release --replica 2
  cp "$work/out" "$work/once"
  run "$GRIDCAST" export $format "$scenario" --seed 3 --strategy auto-release --replica 2
  cmp -s "$work/out" "$work/once" || complain "export $format: the same replica is another"
done

# --set changes the scenario in every format.
run "$GRIDCAST" export attempts "$scenario"
cp "$work/out" "$work/once"
run "$GRIDCAST" export attempts "$scenario" --set 'pool.sites.CHTC-Spark-CE1.uplink=1 Gbps' \
  --set 'campaign.submit=[{at: 0 s, jobs: 3}]'
expect 0 "export attempts --set"
cmp -s "$work/out" "$work/once" && complain "export attempts --set changes nothing"
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
for format in attempts csv; do
  refused "it has no dates" "$format" "$table" -o "$work/none"
  refused "empty.log" "$format" "$work/empty.log" -o "$work/none"
  refused "nowhere.log" "$format" "$work/nowhere.log" -o "$work/none"
done
refused "changes a scenario, and this is a record" attempts "$log" --set a=b -o "$work/none"
refused "is a submit file.*gridcast forecast" attempts \
  "$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep/job.sub" -o "$work/none"
refused "is already there" attempts "$log" -o "$work/tables/jobs.csv"
refused "Give -o DIR" csv "$log"
refused "no table 'caches'" csv "$log" --table caches
run "$GRIDCAST" export csv "$log" -o "$work/tables"
expect 2 "export csv over tables"

exit $exit_status
