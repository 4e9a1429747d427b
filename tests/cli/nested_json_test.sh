#!/usr/bin/env bash
# JSON that is nested a hundred thousand levels deep, in each file that a verb reads as JSON: a message
# with its place, and no overflow of the stack.
source "$(dirname -- "$0")/check.sh"

cd "$work" || exit 1
mkdir -p calibration
cp -r "$GRIDCAST_SOURCE/scenarios" scenarios
cp -r "$GRIDCAST_SOURCE/calibration/fitted" calibration/fitted

python3 - <<'END'
n = 100_000
for kind, nested in (("list", "[" * n + "]" * n), ("object", '{"a":' * n + "1" + "}" * n)):
    files = {
        "bare": nested,
        "table": '[{"job": 1,\n "a": %s}]\n' % nested,
        "lines": '{"job": 1, "a": 2}\n{"job": 2, "a": %s}\n' % nested,
        "workflow": '{"schemaVersion": "1.5", "workflow": {},\n "name": %s}\n' % nested,
        "result": '{"schema": "gridcast.ledger/1",\n "metrics": %s}\n' % nested,
        "ads": '[{"ClusterId": 1, "ProcId": 0, "JobStatus": 4,\n "a": %s}]\n' % nested,
        "log": '{"Cluster": 1, "Proc": 0, "EventTypeNumber": 0, "EventTime": "2024-01-01T00:00:00",\n "a": %s}\n'
        % nested,
    }
    for name, text in files.items():
        open("%s-%s.json" % (name, kind), "w").write(text)
END

# refused FILE ARGUMENT...: by a message that names the file, its line and the depth.
refused() {
  local file=$1
  shift
  run timeout 60 "$GRIDCAST" "$@" </dev/null
  expect 2 "$*"
  says err "$file:[12]:[0-9]+: lists and objects are nested too deeply \(more than 200 levels\)" "$*"
}

# unfit ARGUMENT...: a file of another kind for the verb, which therefore does not read all of it.
unfit() {
  run timeout 60 "$GRIDCAST" "$@" </dev/null
  expect 2 "$*"
}

for kind in list object; do
  for file in "table-$kind.json" "lines-$kind.json"; do
    refused "$file" ledger "$file"
    unfit init "$file" -o map.yaml
    refused "$file" calibrate "$file" -o fitted.yaml
    refused "$file" compare "$file"
    refused "$file" export csv "$file" -o tables
    refused "$file" forecast "$scenario" -n 5 --against "$file"
  done
  refused "workflow-$kind.json" init "workflow-$kind.json" -o workflow
  unfit init "bare-$kind.json" -o workflow
  refused "result-$kind.json" export html "result-$kind.json" -o page.html
  [[ $kind == list ]] || refused "bare-$kind.json" export html "bare-$kind.json" -o page.html
  # This is a record whose damaged parts are left out.
  for file in "ads-$kind.json" "log-$kind.json" "bare-$kind.json"; do
    run timeout 60 "$GRIDCAST" ledger "$file" </dev/null
    ((status == 0 || status == 2)) || complain "ledger $file: status $status"
  done
done

# The files that a study keeps.
run "$GRIDCAST" forecast "$scenario" -n 4 --quiet --on local --study study
expect 0 "a study"
cp study/frozen/study.json kept.json
python3 - <<'END'
text = open("kept.json").read().rstrip()
open("study/frozen/study.json", "w").write(text[:-1] + ',\n"a":' + "[" * 100_000 + "]" * 100_000 + "}")
END
for verb in status gather resume; do
  run timeout 60 "$GRIDCAST" compare "$verb" study </dev/null
  expect 2 "compare $verb"
  says err "study.json:[0-9]+:[0-9]+: lists and objects are nested too deeply" "compare $verb"
done

exit $exit_status
