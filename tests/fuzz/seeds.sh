#!/usr/bin/env bash
# tests/fuzz/seeds.sh FOLDER: fragments of the logs in calibration/data as FOLDER/NAME/*, the seeds of
# NAME_fuzz: each kind of event, and the whole life of a few jobs.
set -eu

data=$(dirname -- "$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")")/calibration/data
out=$1
mkdir -p "$out"/event_log_{text,json,xml} "$out"/{job_ads,swf,wfformat}

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
