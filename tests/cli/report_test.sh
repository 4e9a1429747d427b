#!/usr/bin/env bash
# The report page: every verb writes one, with the numbers that --json prints; hostile text stays
# text; bad results are refused with one message and nothing written.
source "$(dirname -- "$0")/check.sh"

# Without the page (no Node.js at build time) the program says how to get it, and all else works.
mkdir -p "$work/bare"
cp "$GRIDCAST" "$work/bare/gridcast"
run "$work/bare/gridcast" run "$scenario" --report "$work/none.html"
expect 2 "no page"
says err 'apt-get install nodejs npm' "no page"
[[ -e $work/none.html || -s $work/out ]] && complain "no page: something was written"
run "$work/bare/gridcast" run "$scenario" --json
expect 0 "all else without a page"

run "$GRIDCAST" forecast --once "$scenario" --report "$work/run.html"
if ((status == 2)) && grep -q nodejs "$work/err"; then
  echo "this gridcast was built without the page: the rest is not tested"
  exit $exit_status
fi
expect 0 "forecast --once --report"

# page FILE EXPRESSION WHAT: the Python expression is true of the page's document d and text t.
page() {
  python3 - "$work/$1" "$2" 2>"$work/python" <<'EOF' && return
import json, re, sys
t = open(sys.argv[1]).read()
m = re.search(r'<script type="application/json" id="gridcast-report">(.*?)</script>', t, re.S)
d = json.loads(m.group(1))
section = {s["id"]: s for s in d["sections"]}
figure = {f["id"]: f for s in d["sections"] for f in s["figures"]}
def column(table, name):
    at = [c["name"] for c in table["columns"]].index(name)
    return [row[at] for row in table["rows"]]
def near(shown, exact):  # the page keeps six digits
    return len(shown) == len(exact) and all(abs(a - b) <= 5e-6 * abs(b) for a, b in zip(shown, exact))
sys.exit(0 if eval("(" + sys.argv[2] + ")") else 1)
EOF
  complain "$3: not true of the page: $2"
  tail -n 1 "$work/python"
}

all_parts='{"where-the-time-went", "finish", "gantt", "sites", "jobs", "provenance"}'
page run.html "$all_parts <= section.keys()" "the sections of a run"
page run.html 'd["kind"] == "run" and d["schema"] == "gridcast.report/1"' "a run's kind"
page run.html 'len(section["jobs"]["table"]["rows"]) == 100' "a row a job"
page run.html '{"finish-curve", "waterfall-1"} <= figure.keys()' "figures"
page run.html 'all(f["says"] for f in figure.values())' "each figure says something"
page run.html 'all(len(r) == len(f["columns"]) for f in figure.values() for r in f["rows"])' "rows"

# Numbers in the page are those of the JSON.
run "$GRIDCAST" compare "$scenario" -n 6 -j 2 --json --report "$work/compare.html" --deadline '2 d'
expect 0 "compare --report"
cp "$work/out" "$work/compare.json"
page compare.html "$all_parts <= section.keys() and 'strategies' in section" "a comparison's sections"
compare_json="json.load(open('$work/compare.json'))"
page compare.html "near(column(section['strategies']['table'], 'badput_s_p50'),
  [s['metrics']['badput_s']['p50'] for s in $compare_json['strategies'].values()])" "numbers"
page compare.html "figure['finish-curve']['params']['deadline_s'] == 172800" "the deadline"
page compare.html "len(t) < 3000000" "under 3 MB"

run "$GRIDCAST" export html "$work/compare.json" -o "$work/again.html" --deadline '2 d'
expect 0 "report"
page again.html "near(column(section['strategies']['table'], 'badput_s_p50'),
  [s['metrics']['badput_s']['p50'] for s in $compare_json['strategies'].values()])" "numbers again"
page again.html "any('holds no events' in n['text'] for n in d['notices'])" "what a result lacks"
run "$GRIDCAST" export html "$work/compare.json" -o "$work/again.html"
expect 2 "a page is not replaced"
says err 'again.html.*already there' "a page is not replaced"
run "$GRIDCAST" export html "$work/compare.json" -o "$work/again.html" --force
expect 0 "a page is replaced when asked"

run "$GRIDCAST" forecast "$scenario" -n 4 -j 2 --against "$table" --json --report "$work/predict.html"
expect 0 "forecast --report"
cp "$work/out" "$work/predict.json"
page predict.html '"coverage-1" in figure and {"observed", "predicted"} <=
  set(column(figure["waterfall-1"], "source"))' "observed beside predicted"
run "$GRIDCAST" compare "$table" -n 2 --report "$work/replay.html"
expect 0 "compare --report"
page replay.html 'd["kind"] == "replay" and "where-the-time-went" in section' "a replay's page"
run "$GRIDCAST" export html "$work/compare.json" "$work/predict.json" -o "$work/both.html"
expect 0 "two results side by side"
page both.html '"published (" in str(column(section["strategies"]["table"], "strategy"))' "labels"

# Two scenarios on one page: each with its own first part and sections.
sed 's|osg-imagenet.yaml|other.yaml|; s|"scenario_sha256": "|&0|' "$work/predict.json" >"$work/other.json"
run "$GRIDCAST" export html "$work/compare.json" "$work/other.json" -o "$work/scenarios.html"
expect 0 "two scenarios"
page scenarios.html 'len(d["others"]) == 1 and len(d["overview"]["rows"]) == 2 and
  len(section) == len(d["sections"]) and "finish-of-2" in section' "two scenarios"

# The first part: options in words, a time that is never reached, the deadline, the citation.
page compare.html 'any("periodic_release" in a for a in column(d["options"], "about"))' "about"
page compare.html "all((a == 'never') == (s['finish']['wanted_quantiles_s'][50] is None)
  for a, s in ((t, $compare_json['strategies'][o]) for o, t in
               zip(column(d['options'], 'option'), column(d['options'], 'time_p50'))))" "never"
page compare.html '"2 d" in d["deadline"] and d["figure"]["params"]["deadline_s"] == 172800' "deadline"
page compare.html 'any("doi:10.1016" in c for c in d["cite"]) and d["evidence"]' "cite and evidence"
page compare.html "len({g['end'] for g in [section['gantt']['gantt']] + section['gantt']['other_gantts']}) == 1" "one axis"

# A table has no dates: no Gantt, and it says so.
run "$GRIDCAST" ledger "$table" --report "$work/table.html"
expect 0 "a table's page"
page table.html '"gantt" not in section and any("no dates" in n["text"] for n in d["notices"])' "no dates"

# A log with hostile text in a site's name and in a reason.
pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
sed -e 's|"SITE-A"|"</script><img src=x onerror=alert(1)>"|' \
  -e 's|Transfer output files failure|</script><img onerror=alert(2)> "quoted" שלום|' \
  "$pool/check/ok.log" >"$work/hostile.log"
run "$GRIDCAST" ledger "$work/hostile.log" --report "$work/hostile.html"
expect 0 "a hostile log"
page hostile.html '"<img" not in t' "nothing of the log is markup"
page hostile.html '"onerror=alert(2)> \"quoted\" שלום" in str(section["gantt"]["gantt"]["reasons"])' \
  "the log's reason is there as text"
page hostile.html 'any("</script><img src=x onerror=alert(1)>" in l["group"]
  for l in section["gantt"]["gantt"]["lanes"])' "the site's name is there as text"
run "$GRIDCAST" ledger "$pool/c1-sweep/c1-sweep.log" "$pool/c1-sweep/epochs.INPUT.json" \
  "$pool/c1-sweep/epochs.json" --report "$work/log.html"
expect 0 "a real log"
page log.html 'len(section["gantt"]["gantt"]["bars"]) > 80' "a real log's page"

# Bad results: exit status 2, one message, no page.
refused() {
  local pattern=$1
  shift
  run "$GRIDCAST" export html "$@" -o "$work/refused.html"
  expect 2 "$*"
  says err "$pattern" "$*"
  [[ -s $work/out || -e $work/refused.html ]] && complain "$*: something was written"
}
head -c 3000 "$work/compare.json" >"$work/cut.json"
refused 'cut.json:[0-9]+:[0-9]+: the JSON ends here' "$work/cut.json"
sed 's|gridcast.comparison/1|gridcast.comparison/7|' "$work/compare.json" >"$work/seven.json"
refused 'schema gridcast.comparison/7' "$work/seven.json"
refused 'nowhere.json: no such file' nowhere.json
echo '{"jobs": 2}' >"$work/other.json"
refused 'names no schema' "$work/other.json"
refused "'soon' is no time" "$work/compare.json" --deadline soon

# Results with nothing in them, and with everything gone wrong, have pages.
echo '{"schema": "gridcast.ledger/1", "metrics": {"jobs": 0}, "sites": {}}' >"$work/zero.json"
run "$GRIDCAST" export html "$work/zero.json" -o "$work/zero.html"
expect 0 "no jobs"
page zero.html '"no job" in d["answer"][0]' "no jobs"
printf '000 (001.000.000) 2026-01-01 00:00:00 Job submitted from host: <127.0.0.1:9618>\n...\n' \
  >"$work/single.log"
run "$GRIDCAST" ledger "$work/single.log" --report "$work/single.html"
expect 0 "a single job"
page single.html '"0 of 1 job succeeded" in d["answer"][0]' "a single job"

exit $exit_status
