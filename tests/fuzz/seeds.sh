#!/usr/bin/env bash
# tests/fuzz/seeds.sh FOLDER: fragments of the logs in calibration/data as FOLDER/NAME/*, the seeds of
# NAME_fuzz: each kind of event, and the whole life of a few jobs.
set -eu

root=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")
data=$root/calibration/data
out=$1
mkdir -p "$out"/event_log_{text,json,xml} "$out"/{job_ads,swf,wfformat,scenario,pool,calibration,profile,dlio,job_table,attempts,result,journal}

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

# Ads: whole ones of each type, and a short one of each form with what decides.
first_objects() { awk -v most="$1" '$0 == "{" && ++objects > most { exit } { print }' "$2"; }
for campaign in c1-sweep c3-ckpt c7-hang; do
  for kind in history epochs epochs.INPUT epochs.OUTPUT; do
    file=$data/htcondor-pool/$campaign/$kind.json
    [[ -f $file ]] && first_objects 2 "$file" >"$out/job_ads/$campaign-$kind"
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

# YAML as it is shipped; of a calibration a few draws.
cp "$root"/scenarios/*.yaml "$out/scenario/"
cp "$root"/scenarios/pools/*.yaml "$out/pool/"
cp "$root"/scenarios/profiles/*.yaml "$out/profile/"
for file in "$root"/calibration/fitted/*.yaml; do
  awk '/^ *- \[/ && ++rows > 3 { next } { print }' "$file" >"$out/calibration/$(basename -- "$file")"
done
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
printf 'gridcast.journal/2 abc\n' >"$out/journal/begun"
python3 - "$out/journal" <<'END'
import hashlib, json, struct, sys
numbers = struct.pack("<2d", 1.5, -2)
digest = hashlib.sha256(f"abc 7 {len(numbers)} ".encode() + numbers).hexdigest()[:16]
entry = struct.pack("<IIQ", 7, 2, int(digest, 16)) + numbers
open(sys.argv[1] + "/entry", "wb").write(b"gridcast.journal/2 abc\n" + entry)
body = struct.pack("<II", 1, 2) + numbers
head = json.dumps({"shard": "0-3", "host": "h", "version": "0.1.0", "revision": "", "computed_by": "b", "seed": 1,
                   "started": 1700000000, "took_s": 1.5, "computed_s": 1.0, "replicas": 1,
                   "failed": [{"number": 0, "why": "killed"}], "bytes": len(body)}).encode() + b"\n"
shard = hashlib.sha256(b"abc 0-3").hexdigest()
sha = hashlib.sha256(head + body).hexdigest()
open(sys.argv[1] + "/shard", "wb").write(f"gridcast.shard/1 {shard} {sha}\n".encode() + head + body)
END
