#!/usr/bin/env bash
# A DAG with its nodes log: what is done is left out, what is left waits for what it has to, and the
# critical path is shown; a bad DAG is refused with one message a problem.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200
cd "$work" || exit 1

# DAGMan's nodes log of three chains, of which four epochs each are done: an hour of execution each, on
# two GPUs, one after the other; the fifth of the first chain is in the queue.
nodes_log() {
  local job=100 run epoch day
  for ((epoch = 0; epoch < 4; ++epoch)); do
    for ((run = 0; run < 3; ++run)); do
      day=$(printf '2026-01-%02d' $((epoch + 1)))
      printf '000 (%d.000.000) %s 0%d:00:00 Job submitted from host: <192.0.2.9:9618>\n    DAG Node: run%d-epoch%d\n...\n' \
        $job "$day" $run $run $epoch
      printf '001 (%d.000.000) %s 0%d:10:00 Job executing on host: <192.0.2.%d:9618>\n\tSlotName: slot1_1@glidein_%d_1@h%d\n' \
        $job "$day" $run $run $run $run
      printf '\tGLIDEIN_ResourceName = "SITE"\n\tGPUs = 2\n'
      printf '\tGPUs_GPU_0000000%d = [ Id = "GPU-0000000%d"; Capability = 8.9; DeviceName = "NVIDIA L40S"; GlobalMemoryMb = 45458 ]\n...\n' $run $run
      printf '005 (%d.000.000) %s 0%d:%02d:00 Job terminated.\n\t(1) Normal termination (return value 0)\n\t   TimeSlotBusy (s)     :     3%d00\n...\n' \
        $job "$day" $((run + 1)) $((10 + run + epoch)) $((7 + run))
      ((++job))
    done
  done
  printf '000 (%d.000.000) 2026-01-05 00:00:00 Job submitted from host: <192.0.2.9:9618>\n    DAG Node: run0-epoch4\n...\n' $job
}
nodes_log >work.nodes.log

printf 'executable = train.sh\narguments = $(epoch)\nrequest_gpus = 2\nqueue\n' >train.sub
{
  for run in 0 1 2; do
    for epoch in {0..7}; do
      printf 'JOB run%d-epoch%d train.sub\nVARS run%d-epoch%d epoch="%d"\n' $run $epoch $run $epoch $epoch
      ((epoch > 0)) && printf 'PARENT run%d-epoch%d CHILD run%d-epoch%d\n' $run $((epoch - 1)) $run $epoch
    done
  done
  printf 'RETRY ALL_NODES 3 UNLESS-EXIT 2\nSUBDAG EXTERNAL after evaluate.dag\nPARENT run0-epoch7 CHILD after\n'
} >work.dag

run "$GRIDCAST" forecast --details work.dag work.nodes.log --of 20 --explain -o made
expect 0 "forecast of a DAG"
says err '12 of 25 nodes are to be run; 12 are done' "what is done"
says err 'work.dag:[0-9]+: SUBDAG after \(evaluate.dag\) is not there: it takes no time' "a sub-DAG"
says out 'Critical path of the typical campaign: 4 submissions one after the other' "the critical path"
run "$GRIDCAST" forecast work.dag work.nodes.log --of 20 --json
json 'len(d["critical_path"]) == 4' "the critical path in the JSON"
json 'd["critical_path"][0]["ended_s"] <= d["critical_path"][1]["submitted_s"]' "an epoch waits for the one before"
# Four epochs of an hour, one after the other, are the least; the log shows two slots, for six rounds.
json '4 * 3600 < d["metrics"]["makespan_s"]["p50"] < 14 * 3600' "four epochs of each of three chains"
json 'd["metrics"]["succeeded"]["p50"] == 12' "all are done in the end"

# The same by hand, and all nodes.
run "$GRIDCAST" init work.dag --record work.nodes.log --calibration made/calibration.yaml -o rest.yaml
expect 0 "init"
says out '12 nodes of work.dag, 12 done before' "init"
run "$GRIDCAST" forecast --once rest.yaml --details
expect 0 "forecast --once"
says out 'Critical path of this run: 4 submissions' "the critical path of a run"
run "$GRIDCAST" forecast work.dag work.nodes.log --of 5 --all-nodes --json
json 'len(d["critical_path"]) == 8' "all nodes"
# A node at a time: twelve hours at least.
run "$GRIDCAST" forecast work.dag work.nodes.log --of 5 --max-jobs 1 --json
json 'd["metrics"]["makespan_s"]["p05"] > 11.9 * 3600' "--max-jobs"
# ... which the DAG's CONFIG can say too, and the command line takes back.
{ echo 'CONFIG work.config'; cat work.dag; } >limited.dag
echo 'DAGMAN_MAX_JOBS_SUBMITTED = 1' >work.config
run "$GRIDCAST" forecast limited.dag work.nodes.log --of 5 --json
json 'd["metrics"]["makespan_s"]["p05"] > 11.9 * 3600' "CONFIG"
run "$GRIDCAST" forecast limited.dag work.nodes.log --of 5 --max-jobs 0 --json
json 'd["metrics"]["makespan_s"]["p50"] < 11.9 * 3600' "CONFIG with --max-jobs"

# A rescue file; a DAG of which everything is done.
for run in 0 1 2; do printf 'DONE run%d-epoch4\n' $run; done >work.dag.rescue001
run "$GRIDCAST" forecast work.dag work.nodes.log --of 5
says err '9 of 25 nodes are to be run; 15 are done' "a rescue file"
for run in 0 1 2; do for epoch in {5..7}; do printf 'DONE run%d-epoch%d\n' $run $epoch; done; done >>work.dag.rescue001
run "$GRIDCAST" forecast work.dag work.nodes.log --of 5
expect 2 "nothing to run"
says err 'every node is done.*--all-nodes' "nothing to run"
rm work.dag.rescue001

# Each problem has a line, with its place.
printf 'JOB a train.sub\nJOB a train.sub\nPARENT a CHILD b\nRETRY a x\nJOBS c train.sub\nVARS a k\nSPLICE s no.dag\n' >bad.dag
run "$GRIDCAST" forecast bad.dag work.nodes.log
expect 2 "a bad DAG"
(($(wc -l <err) == 6)) || complain "not a line for each of six problems: $(cat err)"
for line in 2 3 4 5 6 7; do says err "^bad.dag:$line: " "a problem in line $line"; done
printf 'JOB a nowhere.sub\nJOB b none.sub\n' >bad.dag
run "$GRIDCAST" init bad.dag --calibration made/calibration.yaml -o no.yaml
expect 2 "submit files that are not there"
says err '^bad.dag:1: .*nowhere.sub' "a submit file that is not there"
says err '^bad.dag:2: .*none.sub' "... and the other"
[[ -e no.yaml ]] && complain "a scenario of a bad DAG is written"

# The hours of a job are those of every node; a note names the value that changes one of them.
printf 'JOB a train.sub\nJOB b train.sub\nPARENT a CHILD b\n' >two.dag
run "$GRIDCAST" forecast two.dag -n 20 --job-hours 6
expect 0 "--job-hours of a DAG"
says err 'the jobs of all 2 nodes have this work. --set campaign.submit.a.scale=0.5' "--job-hours of a DAG"
longer() {
  run "$GRIDCAST" forecast two.dag -n 20 --job-hours 6 --json "$@"
  python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["metrics"]["wallclock_s"]["mean"])' "$work/out" 2>&1
}
python3 -c 'import sys; sys.exit(not float(sys.argv[1]) < 0.9 * float(sys.argv[2]))' \
  "$(longer --set campaign.submit.a.scale=0.5)" "$(longer)" || complain "--set campaign.submit.a.scale changes nothing"

# Nodes with requests of their own: four on GPUs, of which one asks for more memory, and two without.
printf 'request_memory = 8GB\nmax_retries = 0\nqueue\n' >prepare.sub
printf 'request_gpus = 1\nrequest_memory = $(mem:16GB)\nmax_retries = $(again:0)\nqueue\n' >learn.sub
{
  printf 'JOB prepare prepare.sub\nJOB evaluate prepare.sub\n'
  for node in a b c d; do printf 'JOB %s learn.sub\nPARENT prepare CHILD %s\nPARENT %s CHILD evaluate\n' $node $node $node; done
  printf 'VARS b mem="24GB"\n'
} >mixed.dag
run "$GRIDCAST" init mixed.dag -o mixed.yaml
expect 0 "init of several requests"
grep -q 'request: "prepare", name: "prepare"' mixed.yaml || complain "the request of a node without GPUs"
run "$GRIDCAST" forecast --once mixed.yaml --without crashes,evictions,pilot-deaths -o mixed
expect 0 "forecast --once of several requests"
# In the log as well only the four trainings held GPUs.
held=$(awk '/^001/ { job = $2 } /^\tGPUs = 1$/ { print job }' mixed/events.log | sort -u | wc -l)
((held == 4)) || complain "$held jobs of several requests held a GPU instead of 4"
run "$GRIDCAST" forecast mixed.dag -n 20
grep -q Simplified "$work/out" && complain "several requests are said to be simplified"
echo 'VARS c again="3"' >>mixed.dag
run "$GRIDCAST" forecast mixed.dag -n 20
says out "Simplified: 1 of 6 nodes have another max_retries than node 'prepare'" "another rule"

# Each file with a bad value is named, at once.
printf 'executable = a\nrequest_memory = 3 4\nqueue\n' >bad-memory.sub
printf 'executable = a\nrequest_disk = 12 parsecs\nqueue\n' >bad-disk.sub
printf 'JOB a bad-memory.sub\nJOB b bad-memory.sub\nJOB c bad-disk.sub\n' >bad.dag
run "$GRIDCAST" forecast bad.dag
expect 2 "bad values in two submit files"
says err "bad-memory.sub:2: request_memory: '3 4'" "bad values in two submit files"
says err "bad-disk.sub:2: request_disk: '12 parsecs'" "bad values in two submit files"
(($(grep -c 'sub:2' "$work/err") == 2)) || complain "a bad value is not reported once"

# Cut at any line: read or refused, never anything else.
for size in 1 40 200 700 1500; do
  head -c $size work.dag >cut.dag
  run "$GRIDCAST" init cut.dag --calibration made/calibration.yaml -o cut.yaml --force
  ((status == 0 || status == 2)) || complain "a DAG cut at byte $size: exit status $status"
done

exit $exit_status
