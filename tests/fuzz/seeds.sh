#!/usr/bin/env bash
# tests/fuzz/seeds.sh FOLDER: fragments of the logs in calibration/data as FOLDER/NAME/*, the seeds of
# NAME_fuzz: each kind of event, and the whole life of a few jobs.
set -eu

root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
data=$root/calibration/data
out=$1
mkdir -p "$out"/event_log_{text,json,xml} "$out"/{job_ads,swf,wfformat,scenario,pool,calibration,profile,dlio,job_table,attempts,result,journal,dag,columns,lesson,measured,classad,submit}

# pieces PREFIX EVERY FILE...: events by number, at most 3 of each, and the events of every EVERYth
# job, each in a file of its own.
text_pieces() {
  local prefix=$1 every=$2
  shift 2
  cat -- "$@" | awk -v to="$out/event_log_text/$prefix" -v every="$every" '
    { event = event $0 "\n" }
    /^\.\.\.\r?$/ {
      split(event, word, /[ ()]+/)
      number = word[1]
      if (number ~ /^[0-9][0-9][0-9]$/ && ++seen[number] <= 3) {
        file = to "-" number "-" seen[number]
        printf "%s", event > file
        close(file)
      }
      job = word[2]
      if (!(job in index_of)) index_of[job] = ++jobs
      if (index_of[job] % every == 0) {
        file = to "-job-" job
        printf "%s", event >> file
        close(file)
      }
      event = ""
    }'
}

# object_pieces NAME LINE FILE: runs of 6 objects that each begin with LINE, from every 60.
object_pieces() {
  awk -v to="$out/event_log_$1/" -v begin="$2" '
    $0 == begin { ++objects }
    objects % 60 < 6 { print >> (to int(objects / 60)) }' "$3"
}

rm -f "$out"/event_log_text/* "$out"/event_log_json/* "$out"/event_log_xml/* "$out"/job_ads/*
for campaign in c1-sweep c3-ckpt c4-retry c7-hang; do
  text_pieces "$campaign" 12 "$data/htcondor-pool/$campaign/$campaign.log"
done
text_pieces metl 20 "$data"/metl-ospool/*.log
cp "$data"/htcondor-pool/check/*.log "$out/event_log_text/"
object_pieces json '{' "$data/htcondor-pool/c5-json/c5-json.log"
object_pieces xml '<c>' "$data/htcondor-pool/c6-xml/c6-xml.log"

# Ads: of each type two, with the attributes that are read, of some two hundred; and a short one of each form
# with what decides.
first_ads() {
  python3 - "$root"/sim/condor/ads "$1" <<'END'
import json, pathlib, re, sys
read = set(re.findall(r'"([A-Za-z]\w+)"', "".join(p.read_text() for p in pathlib.Path(sys.argv[1]).glob("*.cpp"))))
ads = json.load(open(sys.argv[2]))[:2]
print(json.dumps([{k: v for k, v in ad.items() if k in read or not isinstance(v, (str, int, float))} for ad in ads], indent=1))
END
}
for campaign in c1-sweep c3-ckpt c7-hang; do
  for kind in history epochs epochs.INPUT epochs.OUTPUT; do
    file=$data/htcondor-pool/$campaign/$kind.json
    [[ -f $file ]] && first_ads "$file" >"$out/job_ads/$campaign-$kind"
  done
done
cat >"$out/job_ads/epochs-long" <<'ADS'
QDate = 1000
JobCurrentStartDate = 1010
EpochWriteDate = 1020
TransferInStarted = 1011
VacateReasonCode = 13
VacateReasonSubCode = 256
RemoteHost = "slot1_2@glidein_1@host"
MachineAttrGLIDEIN_ResourceName0 = "SITE-A"
*** EPOCH ClusterId=1 ProcId=0 RunInstanceId=0 Owner="alice" CurrentTime=1020
InputPluginResultList = { [ TransferUrl = "osdf:///a"; TransferSuccess = true; TransferStartTime = 1011; TransferEndTime = 1015 ] }
*** INPUT ClusterId=1 ProcId=0 RunInstanceId=0 Owner="alice" CurrentTime=1020
ADS
cat >"$out/job_ads/history-long" <<'ADS'
ClusterId = 1
ProcId = 0
QDate = 1000
JobStatus = 4
NumShadowStarts = 2
JobCurrentStartDate = 1030
CompletionDate = 1050
NumHoldsByReason = [ TransferInputError = 1 ]
ToE = [ When = 1049; ExitCode = 0; HowCode = 0; ExitBySignal = false ]

ADS
cat >"$out/job_ads/history-jsonl" <<'ADS'
{"ClusterId": 1, "ProcId": 0, "QDate": 1000, "JobStatus": 3, "EnteredCurrentStatus": 1100}
{"ClusterId": 1, "ProcId": 1, "EpochWriteDate": 1030, "JobCurrentStartDate": 1020, "ShadowBday": 1021}
ADS

for file in "$data"/*/*/job.sub; do cp "$file" "$out/submit/$(basename "$(dirname "$file")")"; done
cat >"$out/submit/small" <<'SUB'
n = 3
executable = train-$(n).sh
transfer_input_files = osdf:///a/$Fnx(file), b
if defined n
  request_gpus = $INT(n)
endif
+Site = "A"
retry_until = ExitCode == 0
queue 2 file, n from (
  x.csv, 1
  y.csv, 2
)
queue file matching files *.tar
SUB
cat >"$out/classad/requirements" <<'AD'
Site = "A"
Mips = 2.5e3
Gpus = { [ Id = "GPU-1"; Memory = 40 * 1024 ], [ Id = "GPU-2" ] }
(TARGET.Site =?= "A" || regexp("^b+$", Site, "i")) && Gpus[1].Id != undefined && ifThenElse(Mips > 1, size(Gpus) >= 1, error)
AD

# A log and an instance with a bit of everything.
cat >"$out/swf/small" <<'SWF'
; Version: 2.2
; MaxProcs: 64
1 0 0 100 4 90 -1 4 200 -1 1 1 1 1 1 -1 -1 -1
2 5 0 -7 4 -1 -1 4 -1 -1 0 1 1 1 1 -1 -1 -1
3 30 10 60.5 1 -1 -1 1 -1 -1 1 2 1 1 1 -1 1 5
4 20 0 400000 1 -1 -1 1 -1 -1 5 2 1 1 1 -1 -1 -1
SWF
cat >"$out/wfformat/small" <<'JSON'
{"name": "w", "schemaVersion": "1.5", "workflow": {
"specification": {"tasks": [
{"name": "b", "id": "b", "parents": ["a"], "children": [], "inputFiles": ["f"]},
{"name": "a", "id": "a", "parents": [], "children": ["b"], "inputFiles": ["f"], "outputFiles": []}],
"files": [{"id": "f", "sizeInBytes": 1000}]},
"execution": {"makespanInSeconds": 60.5, "executedAt": "2026-01-02T03:04:05+00:00",
"tasks": [{"id": "a", "runtimeInSeconds": 10}, {"id": "b", "runtimeInSeconds": 20.5}],
"machines": [{"nodeName": "n", "cpu": {"coreCount": 4}}]}}}
JSON

# YAML as it is shipped, without its comments: half of a file, which every mutant would carry along. A text
# longer than a mutant may be would be cut off, and never be read to its end: of a calibration one site
# and two draws are taken.
bare() { sed -e 's/^ *#.*//' -e '/^$/d' "$1"; }
for file in "$root"/scenarios/*.yaml; do bare "$file" >"$out/scenario/$(basename -- "$file")"; done
for file in "$root"/scenarios/pools/*.yaml; do bare "$file" >"$out/pool/$(basename -- "$file")"; done
for file in "$root"/scenarios/profiles/*.yaml; do
  [[ $file == */hardware.yaml ]] || bare "$file" >"$out/profile/$(basename -- "$file")"
done
for file in "$root"/scenarios/teaching/*.yaml; do bare "$file" >"$out/lesson/$(basename -- "$file")"; done
python3 - "$root"/calibration/fitted/osg-imagenet.yaml >"$out/calibration/one-site" <<'END'
import re, sys
text = open(sys.argv[1]).read()
draws = text[text.index("\ndraws:"):]
columns = re.findall(r"^    - (\S+)$", draws, re.M)
rows = re.findall(r"^ *- \[(.*)\]$", draws, re.M)[:2]
site = next(c for c in columns if "." in c).split(".", 1)[1]
kept = [i for i, c in enumerate(columns) if "." not in c or c.endswith("." + site)]
print("schema: gridcast.calibration/1\nprofile: resnet50-imagenet\ndraws:\n  columns:")
for i in kept: print("    - " + columns[i])
print("  rows:")
for row in rows:
    numbers = row.split(", ")
    print("    - [" + ", ".join(numbers[i] for i in kept) + "]")
END
for file in "$root"/tests/training/*dlio*/*.yaml "$root"/tests/training/dlio/*.yaml; do
  [[ -f $file ]] && cp "$file" "$out/dlio/"
done
cat >"$out/dlio/small" <<'YAML'
model: {name: unet3d}
workflow: {generate_data: False, train: True, checkpoint: True}
dataset: {data_folder: data/unet3d/, format: npz, num_files_train: 168, num_samples_per_file: 1, record_length_bytes: 146600628, record_length_bytes_stdev: 68341808}
reader: {data_loader: pytorch, batch_size: 7, read_threads: 4, file_shuffle: seed, sample_shuffle: seed}
train: {epochs: 5, computation_time: 1.3604}
checkpoint: {checkpoint_folder: checkpoints/unet3d, checkpoint_after_epoch: 5, epochs_between_checkpoints: 2}
YAML
head -n 8 "$data/osg-imagenet/imagenet-5epoch-100jobs.csv" >"$out/job_table/published"
cat >"$out/attempts/small" <<'CSV'
job,attempt,user,submitted,matched,transfer_started,transfer_ended,started,ended,outcome,reason,hold_code,released,site,host,gpus
1.0,1,a,2025-08-27T10:00:00Z,2025-08-27T10:01:00Z,2025-08-27T10:01:05Z,2025-08-27T10:02:00Z,2025-08-27T10:02:00Z,2025-08-27T11:00:00Z,evicted,pilot_ended,,,SITE-A,h1,1
1.0,2,a,2025-08-27T10:00:00Z,2025-08-27T11:01:00Z,,,2025-08-27T11:02:00Z,2025-08-27T12:00:00Z,succeeded,,,,SITE-B,h2,1
1.1,1,a,2025-08-27T10:00:00Z,2025-08-27T10:05:00Z,,,,2025-08-27T10:06:00Z,held,transfer_failed,13,2025-08-27T13:00:00Z,SITE-A,h1,1
CSV
cat >"$out/result/ledger" <<'JSON'
{"schema": "gridcast.ledger/1", "version": "0.1.0", "metrics": {"jobs": 2, "succeeded": 1, "makespan_s": null, "wallclock_s": 7200.5}, "sites": {"A": {"jobs": 2, "succeeded": 1}}}
JSON
cat >"$out/result/prediction" <<'JSON'
{"schema": "gridcast.prediction/1", "scenario": "s.yaml", "strategy": "published", "replicas": 2, "requested": 3, "partial": true, "seed": 1, "failed": [], "metrics": {"makespan_s": {"mean": 1, "sd": 0, "p05": 1, "p25": 1, "p50": 1, "p75": 1, "p95": 1, "mean_ci95": [0.5, 1.5]}}}
JSON
cat >"$out/dag/all" <<'DAG'
# A chain with most of what may stand in a DAG.
JOB a train.sub DIR work
JOB b train.sub NOOP
JOB c {
  executable = c.sh
  queue
}
SUBMIT-DESCRIPTION common @=END
executable = d.sh
@END
NODE d common DONE
SUBDAG EXTERNAL e inner.dag
PARENT a b CHILD c d
PARENT d CHILD e
RETRY ALL_NODES 3 UNLESS-EXIT 2
VARS a PREPEND epoch="1" name="x \"y\" z"
SCRIPT DEFER 4 60 PRE b wait.sh $JOB
CATEGORY a heavy
MAXJOBS heavy 2
DONE b
FINAL f train.sub
PRIORITY a 3
DAG
cat >"$out/dag/pins" <<'DAG'
SPLICE inner inner.dag
SPLICE outer outer.dag DIR there
CONNECT inner outer
JOB x x.sub
PIN_OUT x 1
PIN_IN x 1
INCLUDE more.dag
DAG

# Maps with a table each, and what is shipped by itself.
for file in "$root"/calibration/maps/*.yaml; do
  name=$(basename -- "$file" .yaml)
  cp "$file" "$out/columns/$name-alone"
done
{ cat "$root/calibration/maps/metl.yaml"; printf '%%%%\n'; head -n 5 "$data/metl-campaign/attempts-to-september.csv"; } >"$out/columns/metl"
{ cat "$root/calibration/maps/sacct.yaml"; printf '%%%%\n'; head -n 12 "$root/tests/slurm/sacct.txt"; } >"$out/columns/sacct"
cat >"$out/columns/small" <<'END'
schema: gridcast.columns/1
separator: ";"
time_zone: America/Chicago
columns: {job: id, site: [where, {value: here}], submitted: in, started: on, ended: off, outcome: how, gpus: {column: res, pattern: 'gpu=(\d+)'}}
outcomes: {OK: succeeded, BAD: failed 3, OUT: removed execution_too_long}
ends: [{column: held, outcome: held}]
empty: [None]
skip: {id: '\.'}
%%
id;where;in;on;off;how;res;held
1;A;2025-08-27T10:00:00;2025-08-27T10:01:00;2025-08-27T11:00:00;OK;gpu=2;None
2;;2025-08-27T10:00:00;2025-08-27T10:01:00;;OUT;;2025-08-27T12:00:00
1.0;A;None;;;BAD;;
END
table() { printf '%s' "$1"; head -n "$2" "$3"; }  # KIND LINES FILE
table 0 4 "$data/mlperf/storage.csv" >"$out/measured/storage"
table 1 4 "$data/mlperf/training.csv" >"$out/measured/runs"
printf '1gpus,batch,epoch_s,gpu\n1,512,18.07,V100\n2,512,10.20,V100\n' >"$out/measured/small"
printf 'gridcast.journal/2 abc\n' >"$out/journal/begun"
python3 - "$out/journal" <<'END'
import hashlib, json, struct, sys
numbers = struct.pack("<2d", 1.5, -2)
digest = hashlib.sha256(f"abc 7 {len(numbers)} ".encode() + numbers).hexdigest()[:16]
entry = struct.pack("<IIQ", 7, 2, int(digest, 16)) + numbers
open(sys.argv[1] + "/entry", "wb").write(b"gridcast.journal/2 abc\n" + entry)
body = struct.pack("<II", 1, 2) + numbers
head = json.dumps({"shard": "0-3", "host": "h", "version": "0.1.0", "revision": "", "build": "b", "seed": 1,
                   "started": 1700000000, "took_s": 1.5, "computed_s": 1.0, "replicas": 1,
                   "failed": [{"number": 0, "why": "killed"}], "bytes": len(body)}).encode() + b"\n"
shard = hashlib.sha256(b"abc 0-3").hexdigest()
sha = hashlib.sha256(head + body).hexdigest()
open(sys.argv[1] + "/shard", "wb").write(f"gridcast.shard/1 {shard} {sha}\n".encode() + head + body)
END
