#!/usr/bin/env bash
# gridcast forecast --running: of a log that was cut while its campaign ran; and what cannot be forecast.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

# event NUMBER JOB MINUTE TEXT
event() { printf '%s (0001.%03d.000) 2026-11-27 %02d:%02d:00 %s\n...\n' "$1" "$2" $((10 + $3 / 60)) $(($3 % 60)) "$4"; }
ended() {
  printf '005 (0001.%03d.000) 2026-11-27 %02d:%02d:00 Job terminated.\n' "$1" $((10 + $2 / 60)) $(($2 % 60))
  printf '\t(1) Normal termination (return value 0)\n...\n'
}
# campaign OVER: ten jobs that start at once and take half an hour each; so many are over after 30 min.
campaign() {
  for job in {0..9}; do event 000 "$job" 0 'Job submitted from host: <10.0.0.1:9618>'; done
  for job in {0..9}; do event 001 "$job" 1 'Job executing on host: <10.0.0.2:9618>'; done
  for ((job = 0; job < $1; ++job)); do ended "$job" 31; done
}

campaign 6 >cut.log
run "$GRIDCAST" forecast cut.log --running
expect 0 "a log that was cut"
says out 'Now \(2026-11-27 10:31\): 6 of 10 jobs over, 6 with success; 4 in slots\.' "progress"
says out '9 jobs have succeeded by 2026-11-27 10:' "the wanted share"
says out 'The last job ends 2026-11-27 1[01]:' "the end"
says out '1\.[6-9] has executed for 30 min' "why"
(($(wc -l <out) <= 12)) && (($(widest out) <= 80)) || complain "more than twelve lines of 80 columns"

# The same campaign in a log that shows its zone: dates without one are the log's own, in both directions.
sed 's/(return value 0)$/&\n\n\tJob terminated of its own accord at 2026-11-27T16:31:00Z with exit-code 0./' cut.log >zoned.log
run "$GRIDCAST" forecast zoned.log --running
says out 'Now \(2026-11-27 10:31\): 6 of 10 jobs over' "now, by the log's dates"
says out '9 jobs have succeeded by 2026-11-27 10:' "the wanted share, by the log's dates"
for deadline in 2026-11-27T10:40:00 2026-11-27T16:40:00Z '40 min'; do
  run "$GRIDCAST" forecast zoned.log --running --json --deadline "$deadline"
  cp out "deadline-${deadline%% *}"
done
cmp -s deadline-2026-11-27T10:40:00 deadline-40 || complain "a deadline without a zone is no date of the log's clock"
cmp -s deadline-2026-11-27T16:40:00Z deadline-40 || complain "a deadline with a zone"
run "$GRIDCAST" ledger zoned.log --since '2026-11-27 09:59' --until '2026-11-27 10:01' --json
json 'd["metrics"]["jobs"] == 10' "--since and --until, by the log's dates"

run "$GRIDCAST" forecast cut.log --running --wanted 10
says out 'The wanted job has succeeded\.' "one wanted job of ten"
run "$GRIDCAST" forecast cut.log --running --wanted 0.9
expect 2 "a share instead of a percentage"
says err "'0\.9' is not a number from 1 to 100" "a share instead of a percentage"

run "$GRIDCAST" forecast cut.log --running --json --deadline 2026-11-28T10:00:00
expect 0 "--json"
python3 - <<'END' || complain "--json"
import json
forecast = json.load(open('out'))
assert forecast['schema'] == 'gridcast.running/1'
assert forecast['jobs'] == {'all': 10, 'over': 6, 'succeeded': 6, 'running': 4, 'idle': 0, 'not_started': 0, 'held': 0}
assert forecast['now_s'] == 31 * 60 and forecast['wanted'] == 9
assert forecast['metrics']['makespan_s']['p05'] >= forecast['now_s']
assert forecast['deadline']['probability'] > 0.9
assert len(forecast['delaying']) == 4
END
cp out first
run "$GRIDCAST" forecast cut.log --running --json --deadline 2026-11-28T10:00:00
cmp -s out first || complain "the same forecast again is other bytes"

# Through a pipe, whose bytes can be read only once.
mkfifo pipe
for source in - pipe; do
  cat cut.log >pipe &
  run bash -c '[[ $2 == pipe ]] || exec <pipe; "$1" forecast "$2" --running --json --deadline 2026-11-28T10:00:00' - "$GRIDCAST" "$source"
  expect 0 "the log from $source"
  cmp -s out first || complain "the forecast from $source differs from that of the file: $(cat err)"
done

run "$GRIDCAST" forecast cut.log --running --details
says out 'jobs that succeed' "--details"

# One of six jobs failed, so eight of ten may never succeed.
{ campaign 5; event 005 5 31 'Job terminated.' | sed 's/terminated\./&\n\t(1) Normal termination (return value 1)/'; } >failing.log
run "$GRIDCAST" forecast failing.log --running --wanted 80 --json
json '0.5 < d["wanted_probability"] < 1' "the probability that the wanted jobs succeed"
never=$(python3 -c 'import json; print(round(100 * (1 - json.load(open("out"))["wanted_probability"])))')
run "$GRIDCAST" forecast failing.log --running --wanted 80
tr -s '\n ' '  ' <out | grep -qE "never in $never % of the campaigns." || complain "never: $(cat out)"

# Changes from now on: of two held jobs, the release makes them succeed.
{ campaign 4; for job in 8 9; do event 012 "$job" 20 'Job was held.'; printf ''; done; } | sed 's/Job was held\./&\n\tby owner\n\tCode 1 Subcode 0/' >held.log
run "$GRIDCAST" forecast held.log --running --json --change release --change 'limit:6 h'
expect 0 "--change"
json 'd["interventions"][0]["what"] == "your changes" and d["interventions"][0]["succeeded"]["p50"] >= 0' "--change"
# In half of the futures somebody releases them without it, which the median alone would hide.
run "$GRIDCAST" forecast held.log --running
says out '^Changes from now on that help' "held jobs are released"
says out 'release 2 held jobs: end .*, \+[0-2] success(es)? ' "held jobs are released"
run "$GRIDCAST" forecast cut.log --running --change release
says out '^  your changes: no difference$' "a release where no job is held"
run "$GRIDCAST" forecast held.log --running --json --change 'release-after:1 min'
json 'd["interventions"][0]["succeeded"]["p95"] >= 1' "held jobs are released by a rule"
json 'd["hosts"] == [] or all(type(h) is str for h in d["hosts"])' "hosts in use"
# refused CHANGE REASON: the message names the change and what it takes.
refused() {
  run "$GRIDCAST" forecast held.log --running --change "$1"
  expect 2 "--change $1"
  says err "$2" "--change $1"
}
for wrong in nothing avoid:; do refused "$wrong" 'write release, resubmit, avoid:HOST'; done
for wrong in limit limit:soon release-after:0 second-copy:-1 transfer-limit; do
  refused "$wrong" "${wrong%%:*}: '.*' is no time above zero, such as 6 h"
done
for wrong in 0 two 1.5; do refused "retries:$wrong" "retries: '$wrong' is no whole number from 1 to 1000"; done

# A host is avoided by its name, as the ledger and Machine in a submit file write it: three of its jobs move.
{ for job in {0..5}; do event 000 "$job" 0 'Job submitted from host: <10.0.0.1:9618>'; done
  for job in {0..5}; do
    event 001 "$job" 1 "Job executing on host: <10.0.0.$((2 + job % 2)):9618?alias=node$((1 + job % 2)).example.org&sock=startd_1>"
  done; ended 0 31; } >hosts.log
run "$GRIDCAST" forecast hosts.log --running --json --change avoid:node2.example.org
json 'd["hosts"] == ["node2.example.org", "node1.example.org"]' "hosts, with the most jobs first"
json 'd["interventions"][0]["end_s"]["p95"] > 0' "jobs leave a host"
# Each avoid counts: of both hosts all five jobs move.
cp out one
run "$GRIDCAST" forecast hosts.log --running --json --change avoid:node2.example.org --change avoid:node1.example.org
python3 - <<'END' || complain "two hosts to avoid"
import json
gpu_hours = [json.load(open(file))['interventions'][0]['gpu_hours']['p50'] for file in ('one', 'out')]
assert gpu_hours[1] > gpu_hours[0] > 0, gpu_hours
END
run "$GRIDCAST" forecast hosts.log --running --change avoid:node3.example.org
expect 2 "an unknown host"
says err "avoid:node3.example.org: no job was on that host. Did you mean 'node[12].example.org'" "an unknown host"
run "$GRIDCAST" forecast hosts.log --running
says out 'on node[12]\.example\.org$' "the host of a job"

# A submit file with more jobs than the log contains.
printf 'executable = run.sh\nqueue 15\n' >job.sub
run "$GRIDCAST" forecast job.sub cut.log --running
expect 0 "a submit file"
says out '6 of 15 jobs over, 6 with success; 4 in slots; 5 not$' "jobs to come"
says out '^ +[0-9.]+ % a job to come is not in the log yet$' "jobs to come in one line"
(($(grep -c 'a job to come' out) == 1)) || complain "jobs to come in several lines: $(cat out)"
grep -q 'guesses' out && complain "guesses, although jobs have ended"

# Without the end of an execution, nobody knows how long one takes.
campaign 0 >waiting.log
run "$GRIDCAST" forecast waiting.log --running
says out '^No job has ended yet, so these times are guesses' "no execution has ended"
# All jobs are held, and nobody has ever released one.
{ campaign 0; for job in {0..9}; do event 012 "$job" 20 'Job was held.' | sed 's/held\./&\n\tby owner\n\tCode 1 Subcode 0/'; done; } >allheld.log
run "$GRIDCAST" forecast allheld.log --running
says out '10 held jobs will probably stay held' "all jobs are held"
# One job, which has run for three days.
{ event 000 0 0 'Job submitted from host: <10.0.0.1:9618>'; event 001 0 1 'Job executing on host: <10.0.0.2:9618>'
  event 006 0 1 'Image size of job updated: 1' | sed 's/2026-11-27/2026-11-30/'; } >days.log
run "$GRIDCAST" forecast days.log --running
says out '^1 job has succeeded by 2026-1[12]-[0-9]+ ' "one job"

campaign 10 >done.log
run "$GRIDCAST" forecast done.log --running
expect 2 "a finished log"
says err 'all 10 jobs are over \(nothing is left to forecast\)' "a finished log"
(($(wc -l <err) == 1)) || complain "a finished log: more than one sentence"

# A log that ends inside an event, and one that jumps back.
{ campaign 6 && event 004 7 40 'Job was evicted.' | head -c 30; } >half.log
run "$GRIDCAST" forecast half.log --running
expect 0 "a log that ends inside an event"
says out '6 of 10 jobs over' "half an event"
{ campaign 6 && event 001 3 0 'Job executing on host: <10.0.0.2:9618>'; } >back.log
run "$GRIDCAST" forecast back.log --running
expect 0 "a log that jumps back"

# A goal that cannot be reached: most jobs were removed.
{ campaign 4 && for job in {4..8}; do event 009 "$job" 32 'Job was aborted by the user.'; done; } >removed.log
run "$GRIDCAST" forecast removed.log --running
expect 0 "an unreachable goal"
says out 'The wanted 9 jobs will probably not all succeed; the closest is [45]' "the closest"

# A DAG: node a has ten jobs, and the five of b wait for it.
printf 'executable = run.sh\nqueue 10\n' >a.sub
printf 'executable = run.sh\nqueue 5\n' >b.sub
printf 'JOB a a.sub\nJOB b b.sub\nPARENT a CHILD b\n' >work.dag
sed '/Job submitted/a\    DAG Node: a' cut.log >nodes.log
run "$GRIDCAST" forecast work.dag nodes.log --running
says out '% node b is not in the log yet$' "the node that ends last"
run "$GRIDCAST" forecast work.dag nodes.log --running --json
expect 0 "a DAG"
python3 - <<'END' || complain "a DAG"
import json
dag, alone = json.load(open('out')), json.load(open('first'))
assert dag['jobs']['all'] == 15 and dag['jobs']['not_started'] == 5
# b starts when a is over, and takes half an hour.
end, before = (forecast['metrics']['makespan_s']['p50'] for forecast in (dag, alone))
assert end > before + 20 * 60, (end, before)
END

run "$GRIDCAST" forecast work.dag nodes.log --running --change 'second-copy:1 h'
expect 2 "a second copy in a DAG"
says err 'the campaign is a DAG' "a second copy in a DAG"

# An earlier campaign, whose jobs took half an hour, while none of this one's has ended.
campaign 10 >earlier.log
run "$GRIDCAST" calibrate earlier.log -o earlier.yaml --draws 20
expect 0 "the calibration of an earlier campaign"
campaign 0 >young.log
event 028 0 21 'Job ad information event triggered.' >>young.log
run "$GRIDCAST" forecast young.log --running --json --calibration earlier.yaml
expect 0 "an earlier campaign"
cp out with
run "$GRIDCAST" forecast young.log --running --json
python3 - <<'END' || complain "an earlier campaign"
import json
known, unknown = json.load(open('with')), json.load(open('out'))
def width(forecast):
    return forecast['metrics']['makespan_s']['p95'] - forecast['metrics']['makespan_s']['p05']
assert width(known) < width(unknown), (width(known), width(unknown))
END
run "$GRIDCAST" forecast job.sub --running
expect 2 "no log"
run "$GRIDCAST" forecast cut.log --running --deadline soon
expect 2 "no date"
says err 'is no date and no time' "no date"

exit $exit_status
