#!/usr/bin/env bash
# gridcast forecast: jobs that a limit of memory stops each time, and jobs that it stops once.
source "$(dirname -- "$0")/check.sh"

cd "$work" || exit 1

# 100 jobs of half an hour. Each tenth needs too much memory after ten minutes: at each try, so that its owner removes
# it at the third hold, or at its first alone. Released after 20 minutes.
record() {
  python3 - "$1" <<'END'
import datetime, random, sys
each_time = sys.argv[1] == "each"
noise = random.Random(5)
start = datetime.datetime(2026, 3, 2)
events, free = [], [(60.0 + i, i) for i in range(30)]
def event(at, number, job, words, *more):
    when = (start + datetime.timedelta(seconds=int(at))).strftime("%Y-%m-%d %H:%M:%S")
    events.append((int(at), len(events), f"{number:03d} (7.{job:03d}.000) {when} {words}\n" + "".join(f"\t{line}\n" for line in more) + "...\n"))
for job in range(100):
    event(0, 0, job, "Job submitted from host: <10.0.0.1:9618?sock=schedd>")
waiting = [(0.0, job, 0) for job in range(100)]
while waiting:
    waiting.sort()
    ready, job, tries = waiting.pop(0)
    free.sort()
    at, slot = free.pop(0)
    at = max(at, ready) + 5
    host = f"<10.0.1.{slot}:9618?sock=startd>"
    event(at, 40, job, "Started transferring input files", f"Transferring to host: {host}")
    event(at + 60, 40, job, "Finished transferring input files")
    event(at + 61, 1, job, f"Job executing on host: {host}", f"SlotName: slot1_1@host{slot}", 'GLIDEIN_ResourceName = "SITE"')
    stopped = job % 10 == 3 and (each_time or tries == 0)
    end = at + 61 + (600 * noise.uniform(0.98, 1.02) if stopped else 1800 * noise.uniform(0.9, 1.1))
    if stopped:
        event(end, 12, job, "Job was held.", "Error from slot1_1@host: Job has gone over cgroup memory limit of 4096 megabytes.", "Code 34 Subcode 102")
        released = end + 1200 * noise.uniform(0.5, 1.5)
        if tries == 2:
            event(released, 9, job, "Job was aborted.", "via condor_rm (by user alice)")
        else:
            event(released, 13, job, "Job was released.", "via condor_release (by user alice)")
            waiting.append((released, job, tries + 1))
    else:
        event(end, 40, job, "Started transferring output files")
        event(end + 5, 40, job, "Finished transferring output files")
        event(end + 5, 5, job, "Job terminated.", "(1) Normal termination (return value 0)")
    free.append((end + 6, slot))
sys.stdout.write("".join(text for _, _, text in sorted(events)))
END
}

printf 'executable = train\nrequest_memory = 4GB\ntransfer_input_files = osdf:///x/data.tar\nqueue 200\n' >job.sub
for kind in each once; do
  record "$kind" >"$kind.log"
  run "$GRIDCAST" forecast job.sub "$kind.log" --submit job.sub --size osdf:///x/data.tar=1GB --of 100 --json --explain --without campaign-variation -o "$kind"
  expect 0 "a record with stops: $kind"
  cp out "$kind.json"
done
# 200 jobs like 100 in the record, twice each: 20 are held three times and then removed, or 20 are held once.
python3 - <<'END' || complain "forecasts of stops"
import json
def median(kind, metric): return json.load(open(kind + ".json"))["metrics"][metric]["p50"]
for metric, low, high in (("removed", 12, 32), ("holds", 36, 100), ("succeeded", 168, 188)):
    assert low <= median("each", metric) <= high, ("each", metric, median("each", metric))
assert median("once", "removed") == 0, median("once", "removed")
assert median("once", "succeeded") >= 197, median("once", "succeeded")
END
exit $exit_status
