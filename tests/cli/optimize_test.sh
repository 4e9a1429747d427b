#!/usr/bin/env bash
# optimize: its answer fits a screen, one seed and one number of campaigns have one answer, compare
# reads the strategy that it writes, Ctrl-C leaves the best so far, and bad input is one sentence.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

few=(--set "campaign.submit=[{at: 0 s, jobs: 10}]")
search=(optimize "$scenario" "${few[@]}" --as anyone --budget '1000 campaigns' --seed 2)

run "$GRIDCAST" "${search[@]}" -o better.yaml
expect 0 "optimize"
(($(wc -l <out) <= 12)) || complain "optimize: more than twelve lines"
(($(widest out) <= 80)) || complain "optimize: more than 80 columns"
says out '^Gain, ' "optimize"
says out '^(Submit file:|Access point.s configuration:|Configuration of the sites:|Settings .--details has their lines.:)' "optimize"
cp out once
run "$GRIDCAST" "${search[@]}" -j 1
cmp -s <(grep -v ^Next: out) <(grep -v ^Next: once) || complain "optimize: another answer with the same seed and number of campaigns"
run "$GRIDCAST" compare better.yaml -n 20 --json
expect 0 "compare of the strategy that was written"
json '"optimized" in d["strategies"] and "published" in d["strategies"]' "compare of the strategy that was written"
run "$GRIDCAST" "${search[@]}" -o better.yaml
expect 2 "a file that is there"

run "$GRIDCAST" "${search[@]}" --json
expect 0 "optimize --json"
json 'd["schema"] == "gridcast.optimum/1" and d["campaigns"] <= 1000 and d["tried"] > 10' "optimize --json"
# The short answer has all settings, by their keys or by all of their lines.
python3 - <<'END' || complain "optimize: settings of the answer are left out"
import json
short = ' '.join(open('once').read().replace('\\\n', ' ').split())
optimum = json.load(open('out'))
lines = all(' '.join(line['text'].split()) in short for line in optimum['lines'])
keys = all(change['key'] + ' ' + change['to'] in short for change in optimum['changes'])
assert optimum['changes'] and (lines or keys), short
END
json 'all(set(c) == {"key", "from", "to", "worth", "within_margin"} for c in d["changes"])' "optimize --json"
json 'all(len(r["values"]) >= 2 and sum(v["here"] for v in r["values"]) == 1 for r in d["responses"])' "responses"
json '{r["key"] for r in d["responses"]} <= set(d["settings"]) and len(d["responses"]) > 5' "responses"
# The current settings do as well as a forecast says, with as many campaigns of the same random numbers.
measured=$(python3 -c 'import json; print(json.load(open("out"))["measured"])')
python3 -c 'import json; print(json.load(open("out"))["choice"]["strategies"]["current"]["finished"])' >now
run "$GRIDCAST" forecast "$scenario" "${few[@]}" --seed 2 -n "$measured" --json
expect 0 "forecast"
python3 - <<'END' || complain "optimize and forecast have different answers for the current settings"
import json
metric = json.load(open('out'))['metrics']['succeeded']
now = eval(open('now').read())
assert now == {q: metric[q] for q in now}, (now, metric)
END
# A search whose budget is a time names the number of campaigns that repeats it, unless other work has made the
# machine slower since.
for attempt in 1 2 3; do
  run "$GRIDCAST" "${search[@]/1000 campaigns/6 s}"
  expect 0 "a budget in time, attempt $attempt"
  grep -q -e "^Next: .* campaigns'" out && break
done
says out "^Next: .*--budget '[0-9]+ campaigns' --details" "a budget in time"
same=$(sed -n "s/^Next: .*--budget '\([0-9]* campaigns\)'.*/\1/p" out)
cp out timed
run "$GRIDCAST" "${search[@]/1000 campaigns/$same}"
expect 0 "the number of campaigns that repeats it"
cmp -s <(grep -v ^Next: out) <(grep -v ^Next: timed) || complain "another answer with the number of campaigns that the search names"

run "$GRIDCAST" "${search[@]}" --details
says out 'free to change \(anyone\)' "optimize --details"
says out '^Evidence: ' "optimize --details"
says out '^Response to each setting alone' "optimize --details"

# Independent searches in shards: here, and on a stand-in for Slurm, with the same bytes; a lost one is made again.
shards=(optimize "$scenario" "${few[@]}" --as anyone --budget '150 campaigns' --searches 3)
run "$GRIDCAST" "${shards[@]}" --on local --study here.study --json
expect 0 "optimize --on local"
json 'd["schema"] == "gridcast.optimum/1" and d["tried"] >= 3' "optimize --on local"
cp out here.json
run "$GRIDCAST" compare here.study/optimized.yaml -n 5 --json
expect 0 "compare of what --on has written"
mkdir bin
cat >bin/sbatch <<'END'
#!/usr/bin/env bash
for word; do [[ $word == --array=* ]] && range=${word#--array=0-}; script=$word; done
for ((i = 0; i <= range; ++i)); do
  [[ $i == "$LOSE" ]] || SLURM_ARRAY_TASK_ID=$i SLURM_RESTART_COUNT=3 sh "$script"
done
echo 17
END
printf '#!/bin/sh\necho slurm 22.05\n' >bin/sinfo
printf '#!/bin/sh\nexit 0\n' >bin/squeue
printf '#!/bin/sh\nexit 1\n' | tee bin/sacct >bin/scontrol
chmod +x bin/*
LOSE=1 PATH=$work/bin:$PATH run "$GRIDCAST" "${shards[@]}" --on slurm --study there.study
expect 0 "optimize --on slurm"
says out 'Slurm has 3 shards .* 1 searches each' "optimize --on slurm"
PATH=$work/bin:$PATH run "$GRIDCAST" compare status there.study
says out 'done +2 of 3 shards, 2 of 3 searches' "status of searches"
PATH=$work/bin:$PATH run "$GRIDCAST" compare gather there.study --json
expect 3 "gather of a part of the searches"
PATH=$work/bin:$PATH run "$GRIDCAST" compare resume there.study
expect 0 "resume of searches"
run "$GRIDCAST" compare gather there.study --json
expect 0 "gather of searches"
cmp -s out here.json || complain "searches on a batch system: other bytes"
run "$GRIDCAST" "${shards[@]}" --on local --study other.study -o out.yaml
expect 2 "-o with --on"

# A party without a setting: jobs without input have nothing for an access point.
teaching=$GRIDCAST_SOURCE/scenarios/teaching
sed -e '/^  input:/d' -e "s,pools/,$teaching/&," -e "s,calibrations/,$teaching/&," \
  "$teaching/01-waiting-and-matching.yaml" >no-input.yaml
run "$GRIDCAST" optimize no-input.yaml --as access-point
expect 2 "an empty search space"
says err 'no setting to change here \(the search space is empty\)' "an empty search space"
(($(wc -l <err) == 1)) || complain "an empty search space: more than one sentence"

# Where jobs fail at once, the current campaign is short; one without the bad site has the time that it needs.
run "$GRIDCAST" optimize "$teaching/14-best-site.yaml" --budget '300 campaigns' --json
expect 0 "a site where jobs fail at once"
json '"new-site" in {c["key"]: c["to"] for c in d["changes"]}["match.requirements"]' "the site is avoided"
run "$GRIDCAST" optimize "$teaching/14-best-site.yaml" --budget '300 campaigns'
says out '^Change .*: 576 of 576 jobs finish' "all jobs finish without the site"

# A scenario in JSON, which YAML contains, is no result of gridcast.
cat >json.yaml <<END
{"schema": "gridcast.scenario/1", "title": "JSON", "pool": "$teaching/pools/slots.yaml",
 "calibration": "$teaching/calibrations/evictions.yaml",
 "campaign": {"submit": [{"jobs": 2}], "request": {"gpus": 0}, "work": {"profile": "lesson", "epochs": 96}},
 "strategies": {"now": {"checkpoint": {"every_epochs": 96}}}}
END
run "$GRIDCAST" optimize json.yaml --budget '40 campaigns'
expect 0 "a scenario in JSON"

# A goal that nothing reaches: the closest strategy.
run "$GRIDCAST" "${search[@]}" --goal 'deadline:1 min'
expect 0 "a deadline that nothing meets"
says out '^No strategy meets the deadline of 60 s' "a deadline that nothing meets"

for budget in '0 s' '0 campaigns'; do
  run "$GRIDCAST" optimize "$scenario" --budget "$budget"
  expect 2 "a budget of $budget"
  says err 'below one simulated campaign' "a budget of $budget"
done
run "$GRIDCAST" optimize "$scenario" --budget '1 campaigns'
expect 0 "a budget of one campaign"
says out '^The budget ended before a change was tried' "a budget of one campaign"
run "$GRIDCAST" optimize "$scenario" --budget 5
expect 2 "a budget without a unit"
says err "write '5 min' or '5 campaigns'" "a budget without a unit"
run "$GRIDCAST" optimize "$scenario" --tz UTC --columns map.yaml
expect 2 "options of a record with a scenario"
says err '\-\-columns without a record' "options of a record with a scenario"
says err '\-\-tz without a record' "options of a record with a scenario"
run "$GRIDCAST" optimize "$scenario" --budget 'a while'
expect 2 "a budget that is none"
printf 'executable = a\nqueue\n' >alone.sub
run "$GRIDCAST" optimize alone.sub --budget '8 campaigns'
expect 0 "a submit file without a record"
says out 'jobs of another program' "a submit file without a record"
# The options that the notes on a submit file name.
cp out usual.out
run "$GRIDCAST" optimize alone.sub --budget '8 campaigns' --job-hours 40 --on A100
expect 0 "optimize --job-hours"
cmp -s out usual.out && complain "optimize --job-hours has no effect"
grep -q 'is assumed to have the work' err && complain "optimize --job-hours: the work is assumed"
run "$GRIDCAST" optimize "$scenario" --budget '8 campaigns' --job-hours 40
expect 2 "optimize SCENARIO --job-hours"
says err '--job-hours with a scenario' "optimize SCENARIO --job-hours"

# Ctrl-C.
"$GRIDCAST" optimize "$scenario" --budget '10 min' >out 2>err &
search_id=$!
sleep 8
kill -INT $search_id
wait $search_id
status=$?
expect 130 "Ctrl-C"
says out 'interrupted' "Ctrl-C"

# A search that was cut off goes on, with the bytes of one that was not.
"$GRIDCAST" "${search[@]}" --resume kept >out 2>err &
search_id=$!
for ((i = 0; i < 300; ++i)); do
  [[ -s kept/search.journal ]] && break
  sleep 0.1
done
sleep 1
kill -INT $search_id 2>/dev/null
wait $search_id
run "$GRIDCAST" "${search[@]}" --resume kept
expect 0 "optimize --resume"
cmp -s <(grep -v ^Next: out) <(grep -v ^Next: once) || complain "optimize --resume: another answer than without an interruption"
run "$GRIDCAST" "${search[@]::${#search[@]}-1}" 5 --resume kept
expect 2 "--resume of another search"
says err 'journal of another study' "--resume of another search"

# A DAG that has partly run: the search is for its other nodes. Files that are there stay.
pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep
cp "$pool/job.sub" .
printf 'JOB first job.sub\nJOB second job.sub\nPARENT first CHILD second\n' >two.dag
sed 's|^\(000 .*\)$|\1\n    DAG Node: first|' "$pool/c1-sweep.log" >two.dag.nodes.log
run "$GRIDCAST" optimize two.dag two.dag.nodes.log --budget '10 campaigns' -o new.yaml
expect 0 "optimize of a DAG"
says err '^1 of 2 nodes are to be run; 1 ' "optimize of a DAG"
rm new.yaml
run "$GRIDCAST" optimize two.dag two.dag.nodes.log --budget '10 campaigns' -o new.yaml
expect 2 "a calibration that is there"
says err 'calibration.yaml.*--force' "a calibration that is there"

exit $exit_status
