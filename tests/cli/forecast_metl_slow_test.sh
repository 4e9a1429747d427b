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

forecast log job.sub "$metl/aws-jobs-1-57.log"
forecast dag work.dag "$metl/pretraining-jobs-1-25.nodes.log"
forecast table job.sub "$metl/attempts-to-september.csv" --columns metl

exit $exit_status
