#!/usr/bin/env bash
# Facts in records beside their events: how many URLs, which and how large; bytes of attempts; the site
# of an attempt that only its loss shows; ads beside the logs of several campaigns.
source "$(dirname -- "$0")/check.sh"

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep
cd "$work" || exit 1

# TransferInput names two URLs of 700 kB together (TransferInputStats), where no ad shows transfers.
python3 - "$pool/history.json" <<'EOF'
import json, sys
ads = json.load(open(sys.argv[1]))
for ad in ads:
    ad["TransferInput"] = "osdf:///data/train.tar,osdf:///data/image.sif,local.txt"
json.dump(ads, open("history.json", "w"))
for ad in ads:
    del ad["TransferInputStats"]
json.dump(ads, open("unsized.json", "w"))
EOF
sed 's/?size=[0-9]*//g' "$pool/job.sub" | sed 's#ospool/ap40/data/alice#data#g' >job.sub
run "$GRIDCAST" calibrate "$pool/c1-sweep.log" history.json --draws 20 -o c1.yaml
expect 0 "calibrate with ads that name the input"
grep -q 'url: "osdf:///data/train.tar", size: 350000 B' c1.yaml || complain "the first URL with its half of the bytes"
grep -q 'url: "osdf:///data/image.sif", size: 350000 B' c1.yaml || complain "the second"
(($(grep -c 'url: "' c1.yaml) == 2)) || complain "not two URLs: $(grep 'url:' c1.yaml)"
run "$GRIDCAST" init job.sub --calibration c1.yaml -o job.yaml
expect 0 "init with sizes that the ads knew"
run "$GRIDCAST" forecast job.sub "$pool/c1-sweep.log" history.json --of 2 -o made
expect 0 "forecast with sizes that the ads know"
(($(grep -c 'size: 350 kB' made/scenario.yaml) == 2)) || complain "the forecast's input: $(grep url made/scenario.yaml)"
run "$GRIDCAST" calibrate "$pool/c1-sweep.log" --submit job.sub --draws 20 -o submit.yaml
expect 0 "calibrate --submit without sizes"
(($(grep -c 'url: "osdf:///data/' submit.yaml) == 2)) || complain "the submit file's URLs: $(grep url: submit.yaml)"
run "$GRIDCAST" calibrate "$pool/c1-sweep.log" unsized.json --submit job.sub --draws 20 -o unsized.yaml
expect 0 "calibrate with ads that name URLs without sizes"

# If ads alone show no hold, attempts that never executed are transfers that queue their job again.
python3 - "$pool/history.json" <<'EOF'
import json, sys
ads = json.load(open(sys.argv[1]))
for ad in ads:
    ad["NumHolds"] = 0
    for name in [n for n in ad if n.startswith(("NumHoldsBy", "LastHold"))]:
        del ad[name]
json.dump(ads, open("unheld.json", "w"))
EOF
run "$GRIDCAST" calibrate unheld.json --draws 20 -o unheld.yaml
expect 0 "calibrate ads without holds"
holds_drawn() { # FILE: each value once
  local column
  column=$(sed -n '/^  columns:/,/^  rows:/p' "$1" | grep -n hold_on_failure | cut -d: -f1)
  sed -n 's/^    - \[\(.*\)\]$/\1/p' "$1" | cut -d, -f$((column - 1)) | sort -u | tr -d ' \n'
}
[[ $(holds_drawn unheld.yaml) == 0 ]] || complain "draws of hold_on_failure: $(holds_drawn unheld.yaml)"

# HTCondor >= 25.6.1 cools a job down: an eviction with the code of a failed transfer, and no hold.
failed_once() { # JOB [held]
  printf '000 (%03d.000.000) 2026-01-01 00:00:00 Job submitted from host: <192.0.2.9:9618>\n...\n' "$1"
  printf '040 (%03d.000.000) 2026-01-01 00:01:00 Started transferring input files\n' "$1"
  printf '\tTransferring to host: <192.0.2.%d:9618?alias=gpu%d.x.edu>\n...\n' "$1" "$1"
  local why='Transfer input files failure at execution point slot1@x.edu using protocol osdf. Details: timeout'
  if [[ ${2:-} ]]; then
    printf '012 (%03d.000.000) 2026-01-01 00:06:00 Job was held.\n\t%s\n\tCode 13 Subcode 2816\n...\n' "$1" "$why"
    printf '013 (%03d.000.000) 2026-01-01 00:12:00 Job was released.\n\tvia condor_release (by user a)\n...\n' "$1"
  else
    printf '004 (%03d.000.000) 2026-01-01 00:06:00 Job was evicted. Code 13 Subcode 2816\n' "$1"
    printf '\t(0) Job was not checkpointed.\n\tReason: %s\n...\n' "$why"
  fi
  printf '040 (%03d.000.000) 2026-01-01 00:14:00 Started transferring input files\n' "$1"
  printf '\tTransferring to host: <192.0.2.%d:9618?alias=gpu%d.x.edu>\n...\n' "$1" "$1"
  printf '040 (%03d.000.000) 2026-01-01 00:15:00 Finished transferring input files\n...\n' "$1"
  printf '001 (%03d.000.000) 2026-01-01 00:15:00 Job executing on host: <192.0.2.%d:9618?alias=gpu%d.x.edu>\n' "$1" "$1" "$1"
  printf '\tSlotName: slot1_1@glidein_%d_1@gpu%d.x.edu\n\tGLIDEIN_ResourceName = "SITE"\n...\n' "$1" "$1"
  printf '005 (%03d.000.000) 2026-01-01 01:10:00 Job terminated.\n\t(1) Normal termination (return value 0)\n...\n' "$1"
}
for job in 1 2 3; do failed_once $job; done >cooled.log
{ cat cooled.log && failed_once 4 held; } >one-held.log
for log in cooled one-held; do
  run "$GRIDCAST" calibrate $log.log --draws 20 -o $log.yaml
  expect 0 "calibrate $log.log"
done
[[ $(holds_drawn cooled.yaml) == 0 ]] || complain "none was held: $(holds_drawn cooled.yaml)"
[[ $(holds_drawn one-held.yaml) == 0.25 ]] || complain "one of four was held: $(holds_drawn one-held.yaml)"
# They were matched again after 8 minutes, which HTCondor's 5 to 10 minutes explain.
grep -q '^  cool_down: \[300 s, 600 s\]$' cooled.yaml || complain "how long jobs cool down"
run "$GRIDCAST" init job.sub --calibration cooled.yaml --work-scale 1 --size osdf:///data/train.tar=1GB \
  --size osdf:///data/image.sif=1GB -o cooled-job.yaml
expect 0 "init where jobs cool down"
grep -q 'on_transfer_failure: cool_down' cooled-job.yaml || complain "the strategy of jobs that cool down"
grep -q 'delay: 300 s\.\.600 s' cooled-job.yaml || complain "how long: $(grep delay cooled-job.yaml)"

# Failed transfers of EPOCH ads are holds where NumHolds says so.
python3 - <<'EOF'
import json
def ad(**more): return dict(ClusterId=7, ProcId=0, QDate=1750000000, Owner="al", RequestGPUs=1, **more)
failed = ad(JobCurrentStartDate=1750000100, NumShadowStarts=1, NumJobStarts=0, EpochWriteDate=1750000400,
            VacateReasonCode=13, VacateReasonSubCode=2816, NumJobCoolDowns=0, JobStatus=2)
ran = dict(JobCurrentStartDate=1750000850, NumShadowStarts=2, NumJobStarts=1, NumJobCoolDowns=1,
           JobCurrentStartExecutingDate=1750000910)
json.dump([failed, ad(**ran, EpochWriteDate=1750005910, JobStatus=2)], open("cooled.ep.json", "w"))
json.dump([ad(**ran, JobStatus=4, ExitCode=0, CompletionDate=1750005910, EnteredCurrentStatus=1750005910,
              NumHolds=0)], open("cooled.hist.json", "w"))
EOF
run "$GRIDCAST" ledger --json cooled.hist.json cooled.ep.json
expect 0 "ads of a job that cooled down"
json '(m := d["metrics"]) and (m["evictions"], m["holds"], d["classes"]["cool_down_s"]) == (1, 0, 450)' "a cool-down in ads"

# Bytes of a log go into its table of attempts, from there into its ledger, and back.
run "$GRIDCAST" export attempts "$GRIDCAST_SOURCE/calibration/data/metl-campaign/aws-jobs-1-57.log" -o aws.csv
expect 0 "export attempts"
run "$GRIDCAST" ledger aws.csv --json
cp out table.json
run "$GRIDCAST" ledger "$GRIDCAST_SOURCE/calibration/data/metl-campaign/aws-jobs-1-57.log" --json
python3 - <<'EOF' || complain "a table's bytes are not its log's"
import json, sys
log, table = json.load(open("out"))["bytes"], json.load(open("table.json"))["bytes"]
print(log, table) if log != table else None
sys.exit(log != table)
EOF
run "$GRIDCAST" export attempts aws.csv -o again.csv
cmp -s aws.csv again.csv || complain "a table of a table differs"

# An attempt that only 024 shows was where its host's others were; of a neighbour, if all are at one
# site; elsewhere nobody knows.
{
  for ((i = 1; i <= 3; ++i)); do
    printf '000 (%03d.000.000) 2026-01-01 00:00:00 Job submitted from host: <192.0.2.9:9618>\n...\n' "$i"
    printf '001 (%03d.000.000) 2026-01-01 00:10:00 Job executing on host: <192.0.2.%d:9618?alias=gpu%d.x.edu>\n' "$i" "$i" "$i"
    printf '\tSlotName: slot1_1@glidein_%d_1@gpu%d.x.edu\n\tGLIDEIN_ResourceName = "SITE"\n...\n' "$i" "$i"
    printf '005 (%03d.000.000) 2026-01-01 01:10:00 Job terminated.\n\t(1) Normal termination (return value 0)\n...\n' "$i"
  done
  i=10
  for host in gpu1.x.edu gpu9.x.edu node1.y.org; do
    printf '000 (0%d.000.000) 2026-01-02 00:00:00 Job submitted from host: <192.0.2.9:9618>\n...\n' "$i"
    printf '024 (0%d.000.000) 2026-01-02 05:00:00 Job reconnection failed\n    Job disconnected too long: JobLeaseDuration (2400 seconds) expired\n' "$i"
    printf '    Can not reconnect to slot1_1@glidein_77_2@%s, rescheduling job\n...\n' "$host"
    ((++i))
  done
} >lost.log
run "$GRIDCAST" export attempts lost.log -o lost.csv
expect 0 "a log with attempts that were lost"
python3 - <<'EOF' || complain "sites of lost attempts: $(cut -d, -f1,25,26 lost.csv)"
import csv, sys
site = {row["job"]: row["site"] for row in csv.DictReader(open("lost.csv")) if row["outcome"] == "lost"}
sys.exit(site != {"10.0": "SITE", "11.0": "SITE", "12.0": ""})
EOF

# The same numbers of jobs in two campaigns: ads go with the log that dates the jobs as they do.
python3 - "$pool" <<'EOF'
import json, pathlib, sys
pool, week = pathlib.Path(sys.argv[1]), 7 * 86400 + 100
log = (pool / "c1-sweep.log").read_text()
open("first.log", "w").write(log)
open("second.log", "w").write(log.replace("2026-11-21", "2026-11-28"))
ads = json.load(open(pool / "history.json"))
json.dump(ads, open("first.json", "w"))
later = [{k: v + 7 * 86400 if isinstance(v, int) and v > 1.7e9 else v for k, v in ad.items()} for ad in ads]
json.dump(later, open("second.json", "w"))
EOF
run "$GRIDCAST" ledger first.log first.json --json
cp out one.json
run "$GRIDCAST" ledger second.log first.log first.json second.json --prefix --json
expect 0 "--prefix with ads"
says err '^1784 events, 160 jobs, 0 lines not understood$' "the sum over both logs"
says err '^160 ads \(HISTORY 160\), 160 jobs, 0 ads without ids' "the sum over both files of ads"
python3 - <<'EOF' || complain "--prefix: two campaigns with their ads are not twice one"
import json, sys
one, two = json.load(open("one.json"))["metrics"], json.load(open("out"))["metrics"]
names = ("jobs", "succeeded", "attempts", "executions", "holds", "compute_success_s", "wallclock_s")
value = lambda m, name: m[name]["value"] if isinstance(m[name], dict) else m[name]
wrong = {n: (value(one, n), value(two, n)) for n in names if abs(value(two, n) - 2 * value(one, n)) > 1e-6}
print(wrong) if wrong else None
sys.exit(bool(wrong))
EOF

# Ads alone of two campaigns, with the same numbers of jobs: kept apart, files of one campaign together.
python3 - <<'EOF'
import json
for name, begin, owners in (("one", 1750000000, "ab"), ("two", 1760000000, "aa")):
    base = [dict(ClusterId=7, ProcId=p, QDate=begin, Owner=o, GlobalJobId=f"ap#7.{p}#{begin}") for p, o in enumerate(owners)]
    run = dict(JobCurrentStartDate=begin + 100, NumShadowStarts=1, NumJobStarts=1, JobCurrentStartExecutingDate=begin + 110,
               MachineAttrGLIDEIN_ResourceName0="SITE")
    json.dump([dict(b, **run, JobStatus=4, ExitCode=0, CompletionDate=begin + 910, EnteredCurrentStatus=begin + 910)
               for b in base], open(f"{name}.hist.json", "w"))
    json.dump([dict(b, **run, EpochWriteDate=begin + 910) for b in base], open(f"{name}.ep.json", "w"))
    url = dict(TransferUrl="osdf:///x", TransferType="download", TransferStartTime=begin + 101, TransferEndTime=begin + 105,
               TransferSuccess=True, TransferFileBytes=1000, TransferTotalBytes=1000)
    json.dump([dict(ClusterId=7, ProcId=p, NumShadowStarts=1, InputPluginResultList=[url]) for p in (0, 1)],
              open(f"{name}.in.json", "w"))
many = json.load(open("one.hist.json"))[:1]
many[0].update(NumShadowStarts=2147483648, JobStartDate=1750000050, RemoteWallClockTime=810.0)
json.dump(many, open("many-starts.json", "w"), indent=1)
EOF
run "$GRIDCAST" ledger one.hist.json one.ep.json two.hist.json two.ep.json
expect 2 "ads of two campaigns"
says err '^two.hist.json:1: job 7.0 is in one.hist.json as well, and is another there .*--prefix' "both names, and the way out"
run "$GRIDCAST" ledger --json --prefix two.in.json one.hist.json one.ep.json two.hist.json one.in.json two.ep.json
expect 0 "--prefix with ads alone"
json '(m := d["metrics"]) and (m["jobs"], m["succeeded"], m["attempts"], m["executions"]) == (4, 4, 4, 4)' "two campaigns of two jobs"

# Owners are read from ads.
run "$GRIDCAST" calibrate one.hist.json one.ep.json --where 'Owner == "b"' --draws 20 -o of-b.yaml
expect 0 "--where Owner of ads"
grep -q '^  jobs: 1$' of-b.yaml || complain "one job is b's"

# A damaged number of attempts does not fill the memory.
status=0
(limit_memory 4000000; exec timeout 600 "$GRIDCAST" ledger --json many-starts.json) >"$work/out" 2>"$work/err" </dev/null ||
  status=$?
expect 0 "an ad with 2147483648 starts"
says err '^many-starts.json:[0-9]+: NumShadowStarts has a value that it cannot have' "which value is left out"

# Jobs that still run when one campaign's log ends did so until then, not until another campaign's end; and
# the bytes of an attempt that never executed are a part of its input.
job() { # CLUSTER YEAR EXECUTES [ENDS]
  printf '000 (%03d.000.000) %d-11-05 00:00:00 Job submitted from host: <192.0.2.9:9618>\n...\n' "$1" "$2"
  printf '001 (%03d.000.000) %d-11-05 %s Job executing on host: <192.0.2.7:9618?alias=gpu7.x.edu>\n\tGLIDEIN_ResourceName = "SITE"\n...\n' "$1" "$2" "$3"
  [[ -z ${4:-} ]] || printf '005 (%03d.000.000) %d-11-05 %s Job terminated.\n\t(1) Normal termination (return value 0)\n\t9000000000  -  Run Bytes Received By Job\n...\n' "$1" "$2" "$4"
}
{ job 2 2024 00:40:00; job 1 2024 00:10:00 01:10:00; } >early.log
job 5 2025 00:10:00 01:10:00 >late.log
run "$GRIDCAST" ledger early.log late.log --prefix --json
expect 0 "two campaigns a year apart"
json 'd["metrics"]["wallclock_s"] == 3600 + 1800 + 3600' "slot time of two campaigns a year apart"
run "$GRIDCAST" calibrate early.log late.log --prefix --draws 20 -o years.yaml
expect 0 "calibrate two campaigns a year apart"
python3 - <<'EOF' || complain "work_s of two campaigns a year apart"
import re, sys
work = re.search(r"\n  work_s:\n    estimate: ([0-9.]+)", open("years.yaml").read())
sys.exit(not 2700 < float(work[1]) < 4800)
EOF
run "$GRIDCAST" ledger --details early.log late.log
says out '^early.log: a job is in its slot where the log ends, ' "a job that looks as if it ran for a year"
says out '^  campaigns, --prefix keeps them apart$' "the option that keeps two campaigns apart"
{
  for i in 1 2 3; do
    printf '000 (%03d.000.000) 2024-11-05 00:00:00 Job submitted from host: <192.0.2.9:9618>\n...\n' "$((i + 10))"
    for hour in 01 02; do
      printf '040 (%03d.000.000) 2024-11-05 %s:00:00 Started transferring input files\n\tTransferring to host: <192.0.2.7:9618?alias=gpu7.x.edu>\n...\n' "$((i + 10))" "$hour"
      printf '004 (%03d.000.000) 2024-11-05 %s:50:00 Job was evicted.\n\t(0) CPU times\n\t52  -  Run Bytes Received By Job\n...\n' "$((i + 10))" "$hour"
    done
    job "$((i + 20))" 2024 03:00:00 04:00:00
  done
} >stalled.log
run "$GRIDCAST" calibrate stalled.log --draws 20 -o stalled.yaml
expect 0 "attempts that had 52 bytes of their input"
grep -q 'size: 9000000000 B' stalled.yaml || complain "the size of an input of which some attempts had 52 bytes: $(grep size: stalled.yaml)"

# Events that are left out of a log are reported with their place.
head -c 3000 "$pool/c1-sweep.log" >cut.log
run "$GRIDCAST" ledger --details cut.log
expect 0 "a log that is cut"
says out '^cut.log:[0-9]+: the log ends within an event' "a log that is cut"

# A list of PanDA's jobs that breaks off gives what is whole.
python3 - <<'EOF'
import json
job = {"pandaid": 1, "creationtime": "2025-01-01T00:00:00", "starttime": "2025-01-01T00:10:00",
       "endtime": "2025-01-01T01:00:00", "jobstatus": "finished", "computingsite": "BNL"}
jobs = [dict(job, pandaid=i) for i in range(5)]
text = json.dumps({"errsByCount": [{"error": "a"}] , "jobs": jobs, "selectionsummary": [{"field": "b"}] * 2})
open("panda.json", "w").write(text)
open("cut.json", "w").write(text[:text.index('"pandaid": 3') + 30])
EOF
run "$GRIDCAST" ledger --details panda.json --columns panda
expect 0 "PanDA's jobs"
says out '^5 jobs' "PanDA's jobs"
run "$GRIDCAST" ledger --details cut.json --columns panda
expect 0 "PanDA's jobs, cut"
says out '^3 jobs' "PanDA's jobs, cut"
says out '^cut.json:1: a value that begins here never ends' "PanDA's jobs, cut"

# A document on one line with more summaries than jobs, as BigPanDA answers; PanDA's states; slot@host.
python3 - <<'EOF'
import json
job = {"pandaid": 7000000001, "jobname": "user.x.1/", "creationtime": "2025-01-01T00:00:00+00:00", "starttime": None,
       "endtime": None, "jobstatus": "throttled", "computingsite": "BNL", "transexitcode": "0",
       "modificationhost": "slot1_5@node7.example.org", "datasets": [{"lfn": "a"}, {"lfn": "b"}]}
ran = dict(job, pandaid=7000000002, jobstatus="finished", starttime="2025-01-01T00:10:00+00:00",
           endtime="2025-01-01T01:10:00+00:00")
jobs = [job, ran, dict(ran, pandaid=7000000003, jobstatus="failed", transexitcode="65"),
        dict(job, pandaid=7000000004, jobstatus="starting")]
summary = [{"field": name, "list": [{"kname": name, "kvalue": 1}], "stats": {}} for name in "abcdefgh"]
print(json.dumps({"selectionsummary": summary, "jobs": jobs, "errsByCount": [{"error": "a"}] * 9}), file=open("big.json", "w"))
EOF
run "$GRIDCAST" ledger --details big.json --columns panda
expect 0 "what BigPanDA answers"
says out '^4 jobs' "what BigPanDA answers"
run "$GRIDCAST" export attempts big.json --columns panda
expect 0 "what BigPanDA answers, as attempts"
says out ',slot1_5@node7.example.org,' "slot and host of PanDA"
says out ',failed,.*,65,' "the exit code of PanDA"

# A retry is a new job with the PandaID of the first in its name, or with the one before it as its parent.
cat >retries.csv <<'EOF'
pandaid,jobname,parentid,attemptnr,creationtime,starttime,endtime,jobstatus,computingsite
7000000001,task.7000000001,,1,2025-01-01T00:00:00,2025-01-01T00:10:00,2025-01-01T01:00:00,failed,A
7000000003,task.7000000001,,2,2025-01-01T01:01:00,2025-01-01T01:10:00,2025-01-01T02:00:00,finished,B
7000000004,user.x/,,1,2025-01-01T00:00:00,2025-01-01T00:10:00,2025-01-01T01:00:00,failed,A
7000000005,user.x/,7000000004,2,2025-01-01T01:01:00,2025-01-01T01:10:00,2025-01-01T02:00:00,finished,B
EOF
python3 -c '
import csv, json
print(json.dumps({"jobs": list(csv.DictReader(open("retries.csv"))), "errsByCount": []}))' >retries.json
for table in retries.csv retries.json; do
  run "$GRIDCAST" ledger --details $table --columns panda
  expect 0 "PanDA's retries"
  says out '^2 jobs: 2 succeeded' "PanDA's retries"
  says out '2 rows are retries, joined' "PanDA's retries"
  run "$GRIDCAST" ledger --json $table --columns panda
  json 'sum(r["times"] for r in d["reasons"]) == 2' "PanDA's failed attempts"
done

exit $exit_status
