#!/usr/bin/env bash
# gridcast watch: follows a log that a script writes, rotates, copies and ends; and is ended itself.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

start=$(date +%s)
now() { date -d "@$((start + $1))" '+%Y-%m-%d %H:%M:%S'; }
submitted() { printf '000 (0001.%03d.000) %s Job submitted from host: <10.0.0.1:9618>\n...\n' "$1" "$(now 0)"; }
executing() { printf '001 (0001.%03d.000) %s Job executing on host: <10.0.0.2:9618>\n...\n' "$1" "$(now 1)"; }
ended() {
  printf '005 (0001.%03d.000) %s Job terminated.\n\t(1) Normal termination (return value 0)\n...\n' "$1" "$(now 2)"
}
# within SECONDS PATTERN FILE WHAT
within() {
  for ((i = 0; i < $1 * 10; ++i)); do
    grep -q -- "$2" "$3" && return
    sleep 0.1
  done
  complain "$4: no '$2' within $1 s in: $(cat "$3")"
}
# watch ARGUMENT...: in the background. Lines of the last watch are gone before it starts.
watch() {
  : >seen
  : >problems
  "$GRIDCAST" watch "$@" >seen 2>problems </dev/null &
  watcher=$!
}
finish() {
  local code=0
  wait "$watcher" || code=$?
  [[ $code == "$1" ]] || complain "$2: exit status $code, not $1: $(cat problems)"
}

for job in 1 2 3 4; do submitted "$job"; done >campaign.log
watch campaign.log --page page.html
within 20 '0 of 4 jobs over, 0 with success; 4 not started' seen "the first look"
for job in 1 2 3 4; do executing "$job"; done >>campaign.log
within 10 '4 in slots' seen "a new event"
event=$(ended 1)
printf '%s' "${event:0:40}" >>campaign.log
sleep 1
printf '%s\n' "${event:40}" >>campaign.log
within 10 '1 of 4 jobs over' seen "an event in two pieces"
# Rotation: the last event of the old file, the next one in a new file.
ended 2 >>campaign.log
mv campaign.log campaign.log.old
ended 3 >campaign.log
within 10 '3 of 4 jobs over, 3 with success; 1 in slots' seen "rotation"
within 10 'campaign.log: it begins anew; its events are added' problems "a note of the rotation"
# A copy of all that was written takes its place, with the last event.
{ cat campaign.log.old campaign.log && ended 4; } >copy
mv copy campaign.log
finish 0 "all jobs are over"
grep -q '4 of 4 jobs over' seen || complain "the end is not shown: $(cat seen)"
grep -q 'http-equiv="refresh"' page.html || complain "no page that refreshes itself"
grep -q $'\x1b' seen && complain "control sequences where there is no terminal"

# A log without an event yet, then one with the ends of lines of Windows, all of whose jobs are held.
echo >later.log
watch later.log
within 10 '^later.log: no event yet; the watch waits for the first one$' problems "an empty log"
for job in 1 2; do
  submitted "$job"
  printf '012 (0001.%03d.000) %s Job was held.\n\tvia condor_hold\n\tCode 1 Subcode 0\n...\n' "$job" "$(now 1)"
done | sed 's/$/\r/' >>later.log
within 10 '0 of 2 jobs over, 0 with success; 2 held .* | 2 held jobs will probably stay held$' seen "held jobs"
kill -INT "$watcher" 2>/dev/null
finish 130 "held jobs"

# Several logs, a deadline that passes once, and the command that is run then.
for job in 1 2; do submitted "$job" && executing "$job"; done >one.log
sed 's/(0001/(0002/' one.log >two.log
watch one.log two.log --deadline '1 s' --run 'echo late >>runs; sleep 30'
within 20 'one.log: 0 of 2 jobs over' seen "the first of several logs"
within 20 'two.log: 0 of 2 jobs over' seen "the second of several logs"
within 20 'passes the deadline' problems "the deadline"
ended 1 >>one.log
within 10 'one.log: 1 of 2 jobs over' seen "a change of one log"
kill -INT "$watcher" 2>/dev/null
finish 130 "Ctrl-C"
[[ $(wc -l <runs) == 2 ]] || complain "--run ran $(wc -l <runs) times for two logs"
for log in one two; do
  [[ $(grep -c "^$log.log: the forecast passes the deadline" problems) == 1 ]] || complain "$log.log: the deadline is not reported once"
done

# Other content takes the place of the same bytes in the same file.
for job in 1 2; do submitted "$job"; done >written.log
for job in 3 4; do submitted "$job"; done >others.log
watch written.log --deadline '1 s' --run 'exit 3'
within 20 '0 of 2 jobs over' seen "before the log is overwritten"
dd if=others.log of=written.log conv=notrunc status=none
within 10 '0 of 4 jobs over' seen "a log that is overwritten in place"
within 10 'written.log: it begins anew' problems "a note of the overwriting"
within 10 "^--run: 'exit 3' ended with 3$" problems "a command that fails in silence"
kill -INT "$watcher" 2>/dev/null
finish 130 "a log that is overwritten in place"

# A disk that is full for a while: the watch continues, and the page follows.
for job in 1 2 3; do submitted "$job" && executing "$job"; done >full.log
: >kept.html
watch full.log --page kept.html
within 20 '0 of 3 jobs over' kept.html "the first page"
ln -sf /dev/full kept.html
ended 1 >>full.log
within 10 'kept.html: cannot be written .*' problems "a full disk"
within 10 '1 of 3 jobs over' seen "the watch on a full disk"
rm kept.html
# Two rotations between two looks: HTCondor keeps one of them.
ended 2 >full.log.new
mv full.log full.log.old && mv full.log.new full.log.old
ended 3 >full.log
finish 0 "a page after a full disk, and two rotations at once"
grep -q '3 of 3 jobs over' kept.html || complain "no page after the disk was full"
[[ $(grep -c 'cannot be written' problems) == 1 ]] || complain "a full disk is reported more than once"

# The jobs to come, of a submit file; of a DAG, whose second node waits for the first one's retry.
printf 'executable = run.sh\nqueue 9\n' >job.sub
for job in 1 2; do submitted "$job" && executing "$job"; done >few.log
watch few.log --work job.sub
within 20 '0 of 9 jobs over, 0 with success; 2 in slots; 7 not started' seen "jobs to come"
kill -INT "$watcher" 2>/dev/null
finish 130 "jobs to come"
printf 'executable = run.sh\nqueue\n' >node.sub
printf 'JOB first node.sub\nJOB second node.sub\nPARENT first CHILD second\nRETRY first 1\n' >work.dag
failed=$(printf '005 (0001.000.000) %s Job terminated.\n\t(1) Normal termination (return value 1)\n...\n' "$(now 2)")
{ printf '000 (0001.000.000) %s Job submitted from host: <10.0.0.1:9618>\n    DAG Node: first\n...\n' "$(now 0)"
  executing 0; printf '%s\n' "$failed"; } >dag.log
watch dag.log --work work.dag
within 20 '0 of 2 jobs over, 0 with success; 1 in the queue again; 1 not started' seen "a node that is tried again"
kill -INT "$watcher" 2>/dev/null
finish 130 "a node that is tried again"

# Logs of one campaign show one line: the jobs' work names it, or a job is in both. Other campaigns have theirs,
# also one with a job of the same number.
for job in 1 2 3; do submitted "$job"; done >whole.log
ended 1 >>whole.log
cp whole.log copy.log
ln -s whole.log link.log
{ ended 2; executing 3; } >rest.log
mkdir elsewhere
for job in 7 8; do submitted "$job"; done | sed 's/(0001/(0009/' >elsewhere/whole.log
start=$((start - 5000))
submitted 1 >others.log
start=$((start + 5000))
watch rest.log whole.log link.log copy.log elsewhere/whole.log others.log
within 20 ' rest.log and 2 more: 2 of 3 jobs over, 2 with success; 1 in slots' seen "logs of one campaign"
within 10 ' elsewhere/whole.log: 0 of 2 jobs over' seen "another campaign"
within 10 ' others.log: 0 of 1 job over, 0 with success; 1 not started' seen "another campaign with the same number"
within 10 '^link.log: is the same file as whole.log$' problems "a file under two names"
within 10 '^copy.log: has jobs of rest.log; both are one campaign$' problems "a copy beside the log"
ended 3 >>rest.log
within 10 'rest.log and 2 more: 3 of 3 jobs over' seen "an event of one of several logs"
kill -INT "$watcher" 2>/dev/null
finish 130 "logs of one campaign"
for job in 1 2; do submitted "$job"; done | sed 's/(0001/(0002/' >second.log
watch few.log second.log --work job.sub
within 20 ' 0 of 9 jobs over, 0 with success; 2 in slots; 7 not started' seen "two logs of one work"
kill -INT "$watcher" 2>/dev/null
finish 130 "two logs of one work"

# DAGMan submits the next node some seconds after the last one's end.
{ printf '000 (0001.000.000) %s Job submitted from host: <10.0.0.1:9618>\n    DAG Node: first\n...\n' "$(now 0)"
  executing 0; printf '005 (0001.000.000) %s Job terminated.\n\t(1) Normal termination (return value 0)\n...\n' "$(now 2)"; } >nodes.log
watch nodes.log
within 20 '1 of 1 job over, 1 with success' seen "the first node"
sleep 1
submitted 5 >>nodes.log
within 10 '1 of 2 jobs over' seen "the next node"
kill -INT "$watcher" 2>/dev/null
finish 130 "a DAG between two nodes"

run "$GRIDCAST" watch one.log --work two.log
expect 2 "--work with a log"
says err 'two.log: is an event log .*Name the submit file' "--work with a log"
run "$GRIDCAST" watch one.log --run true
expect 2 "--run without a deadline"
mkfifo pipe
ln -s loop loop
for odd in 'pipe:is no ordinary file' '.:is a folder' 'loop:Too many levels'; do
  run timeout 20 "$GRIDCAST" watch "${odd%%:*}"
  expect 2 "${odd%%:*}"
  says err "${odd#*:}" "${odd%%:*}"
  (($(wc -l <err) == 1)) || complain "${odd%%:*}: more than one sentence"
done

run "$GRIDCAST" watch missing.log
expect 2 "a missing log"
gzip -c one.log >one.log.gz
run "$GRIDCAST" watch one.log.gz
expect 2 "a compressed log"
says err 'is compressed .*forecast --running one.log.gz' "a compressed log"
echo 'Dear reader,' >letter
run "$GRIDCAST" watch letter
expect 2 "no event log"
says err 'is no job event log' "no event log"

exit $exit_status
