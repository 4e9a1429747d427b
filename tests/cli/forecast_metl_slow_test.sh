#!/usr/bin/env bash
# A forecast and a page from each of a real campaign's three records, in under a minute each on two cores:
# 120 s of processor, whatever else the machine does. (No page where npm could not make one.)
source "$(dirname -- "$0")/check.sh"

cd "$work" || exit 1
# A link, so that the length of what is printed does not depend on where the source is.
ln -s "$GRIDCAST_SOURCE/calibration/data" data
metl=data/metl-campaign
printf 'executable = train.sh\nrequest_gpus = 1\ntransfer_input_files = osdf:///data.tar\nqueue 40\n' >job.sub
sed 's/^queue .*/queue/' job.sub >one.sub
for run in {0..9}; do
  for epoch in {0..19}; do
    echo "JOB run$run-train_epoch$epoch one.sub"
    ((epoch > 0)) && echo "PARENT run$run-train_epoch$((epoch - 1)) CHILD run$run-train_epoch$epoch"
  done
done >work.dag

page=
has_page && page=--report
# forecast NAME ARGUMENT...: within its time, with a page.
forecast() {
  local name=$1
  shift
  TIMEFORMAT='%U %S'
  { time run "$GRIDCAST" forecast --details "$@" ${page:+"$page" "$name.html"}; } 2>time
  expect 0 "forecast of $name"
  says out '1000 campaigns' "$name"
  [[ -z $page || -s $name.html ]] || complain "no page of $name"
  awk '{ exit !($1 + $2 < 120) }' time || complain "the forecast of $name took $(tail -1 time) s of processor"
}

# on_a_screen NAME ARGUMENT...: leaves what the forecast learnt from where in `sources`.
on_a_screen() {
  local name=$1
  shift
  COLUMNS=100 run "$GRIDCAST" forecast --details "$@" --of 4 --explain
  expect 0 "forecast of $name, explained"
  sed -n '/^Learnt from/,$p' out >sources
  (($(wc -l <sources) <= 42 && $(widest sources) <= 100)) || complain "$name: its sources do not fit a screen: $(<sources)"
}

# explained NAME ARGUMENT...: its sources on one screen, with what decides.
explained() {
  local name=$1 part
  on_a_screen "$@"
  for part in 'jobs, .* attempts' 'with their number of events' 'hours \(90 %\)' '^Left out' '^Not in the record' \
    'never seen, so in some draws only' 'how the next campaign differs' \
    '^(Fits that a test rejects|No test rejects any of [0-9]+ fits|No fit has enough)'; do
    grep -qE -e "$part" sources || complain "$name: its sources do not say '$part': $(<sources)"
  done
}
explained log job.sub "$metl/aws-jobs-1-57.log"
says out 'train_epoch3: .*the newest' "the program that counts"
says out '^  12 jobs of works and speeds' "jobs that were left out, and why"
explained dag work.dag "$metl/pretraining-jobs-1-25.nodes.log"
says out '040 events' "a nodes log has no transfers"
explained table job.sub "$metl/attempts-to-september.csv" --columns metl
on_a_screen logs job.sub data/metl-ospool/*.log
says sources '^  55 event logs: ' "a log of each job"

forecast log job.sub "$metl/aws-jobs-1-57.log"
forecast dag work.dag "$metl/pretraining-jobs-1-25.nodes.log"
forecast table job.sub "$metl/attempts-to-september.csv" --columns metl

exit $exit_status
