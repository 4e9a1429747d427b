#!/usr/bin/env bash
# Repeated jobs whose submit file excludes sites or hosts of the record, or asks for what the record's
# slots cannot show.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

# Of 40 jobs, each second one crashes first on the host of SITE-B; all succeed on SITE-A.
python3 - <<'END'
from datetime import datetime, timedelta
start, events = datetime(2026, 3, 1), []
def add(kind, job, second, text):
    events.append((second, f'{kind:03} (7.{job:03}.000) {start + timedelta(seconds=second)} {text}\n...\n'))
def run(job, second, length, site, code):
    host = f'node.{site.lower()}.example'
    add(1, job, second, f'Job executing on host: <10.0.0.1:9618?addrs=10.0.0.1-9618&alias={host}>\n'
        f'\tSlotName: slot1@{host}\n\tGLIDEIN_ResourceName = "{site}"')
    kind = 'Job terminated.' if code == 0 else 'Job was evicted.\n\t(0) Job terminated and was requeued'
    add(5 if code == 0 else 4, job, second + length, f'{kind}\n\t(1) Normal termination (return value {code})')
for job in range(40):
    add(0, job, 0, 'Job submitted from host: <10.0.0.9:9618?addrs=10.0.0.9-9618&alias=ap.example&noUDP>')
    begin = 100 + 10 * job
    if job % 2: run(job, begin, 300, 'SITE-B', 1)
    run(job, begin + 600 * (job % 2), 3000 + job, 'SITE-A', 0)
open('a.log', 'w').write(''.join(text for second, text in sorted(events, key=lambda e: e[0])))
END
printf 'executable = a.sh\nmax_retries = 3\nqueue 40\n' >a.sub

# executions LINE: of the campaign whose submit file has one more line. The record has 60 for 40
# jobs, and a campaign of jobs that are drawn from it about as many.
executions() {
  printf 'executable = a.sh\nmax_retries = 3\n%s\nqueue 40\n' "$1" >b.sub
  run "$GRIDCAST" forecast b.sub a.log --submit a.sub -n 8 --without campaign-variation --json
  expect 0 "$1"
  python3 -c 'import json; m = json.load(open("out"))["metrics"]; a = m["attempts"]["p50"]; print("about 60" if 50 < a < 70 else round(a), round(m["succeeded"]["p50"]))'
}
[[ $(executions '') == 'about 60 40' ]] || complain "the record is not repeated"
for line in 'requirements = GLIDEIN_ResourceName =!= "SITE-B"' \
  'requirements = (Machine != "node.site-b.example")' '+UNDESIRED_Sites = "SITE-B"'; do
  [[ $(executions "$line") == '40 40' ]] || complain "jobs run in slots that are excluded: $line"
done
[[ $(executions 'requirements = (Machine != "elsewhere.example")') == 'about 60 40' ]] ||
  complain "a host that the record lacks changes the forecast"
executions 'rank = GLIDEIN_ResourceName == "SITE-A"' >seen
says err 'rank: no effect on jobs that repeat the record' "a rank"

# A limit of the queue that the record met hides further slots.
printf 'executable = a.sh\nmax_retries = 3\nmax_materialize = 40\nqueue 40\n' >a.sub
executions '' >seen
says err 'the record had no more than 40 jobs at a time' "no limit of the queue"
run "$GRIDCAST" compare a.sub a.log --submit a.sub -n 8 --with more:submit.max_materialize=80
expect 0 "a larger limit of the queue"
says err 'cannot show more than 40 jobs at a time' "a larger limit of the queue"
exit "$exit_status"
