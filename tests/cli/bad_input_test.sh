#!/usr/bin/env bash
# Every bad input is refused with exit status 2 and one message a problem that says what and where,
# with nothing on standard output and nothing written.
source "$(dirname -- "$0")/check.sh"

# refused LINES PATTERN ARGUMENT...: the program prints that many lines, one of which matches.
refused() {
  local lines=$1 pattern=$2
  shift 2
  run "$GRIDCAST" "$@"
  expect 2 "$*"
  says err "$pattern" "$*"
  [[ -s $work/out ]] && complain "$*: something on standard output"
  (($(wc -l <"$work/err") == lines)) || {
    complain "$*: not $lines lines of complaint:"
    cat "$work/err"
  }
}

# A copy of the scenario to break, with everything it refers to.
mkdir -p "$work/calibration"
cp -r "$GRIDCAST_SOURCE/scenarios" "$work/scenarios"
cp -r "$GRIDCAST_SOURCE/calibration/fitted" "$work/calibration/fitted"
mine=$work/scenarios/mine.yaml

# broken SED-SCRIPT: the scenario, changed.
broken() {
  sed -E "$1" "$scenario" >"$mine"
  cmp -s "$scenario" "$mine" && complain "sed '$1' changes nothing"
}
in_mine='mine\.yaml:[0-9]+:[0-9]+: '

broken '$ a\strateges: {}'
refused 1 "${in_mine}.*strateges.*strategies" forecast "$mine"
broken 's/^baseline: .*/&\nrecord_strategy: publishd/'
refused 1 "${in_mine}record_strategy: .*Did you mean 'published'" forecast "$mine"
broken 's/(disk: *)350 GB/\1350 h/'
refused 1 "${in_mine}.*350 h" forecast "$mine"
broken 's/(size: *)137 GB/\1-137 GB/'
refused 1 "${in_mine}.*-137 GB" forecast "$mine"
broken 's/(disk: *)350 GB/\1350 h/; s/(size: *)137 GB/\1-137 GB/; $ a\strateges: {}'
refused 3 "${in_mine}" forecast "$mine"
broken 's/(disk: *)350 GB/\1350 PB/'
refused 1 "mine\.yaml" forecast "$mine"
broken 's/^baseline: .*/baseline: publishd/'
refused 1 "${in_mine}.*publishd.*'published'" compare "$mine"
broken 's/^title: .*/title: [/'
refused 1 "mine\.yaml:[0-9]+" forecast --once "$mine"

cp "$scenario" "$mine"
sed -i 's|gridcast.calibration/1|gridcast.calibration/99|' "$work"/calibration/fitted/*.yaml
refused 1 "calibration/99" forecast "$mine"
cp "$GRIDCAST_SOURCE"/calibration/fitted/*.yaml "$work/calibration/fitted"
sed -Ei 's|^    - gpus\.(.*)|    - old_per_s.\1|' "$work"/calibration/fitted/*.yaml
run "$GRIDCAST" forecast "$mine"
expect 2 "a parameter of an older calibration"
says err 'osg-imagenet.yaml:[0-9]+:[0-9]+: .*old_per_s.*another version.*calibrate. again' \
  "a parameter of an older calibration"
rm "$work"/calibration/fitted/*.yaml
refused 1 "no such file" forecast "$mine"

refused 1 "nowhere.yaml: no such file" forecast nowhere.yaml
refused 1 "Did you mean '.*/scenarios/teaching/01-waiting-and-matching.yaml'" \
  forecast "$work/scenaros/teachng/01-waiting-and-matching.yml"
refused 1 "training.csv: is a table of jobs.*gridcast profile --fit " \
  profile "$GRIDCAST_SOURCE/calibration/data/mlperf/training.csv"
refused 1 "publishd.*Did you mean 'published'" forecast "$scenario" --strategy publishd
refused 1 "publishd.*Did you mean 'published'" forecast --once "$scenario" --strategy publishd
refused 1 "publishd.*Did you mean 'published'" compare "$table" --strategy publishd
printf 'schema: gridcast.scenario/1\0' >"$work/binary.yaml"
refused 1 "binary" forecast "$work/binary.yaml"

sed '3s/,.*//' "$table" >"$work/row.csv"
refused 1 "row.csv:3" ledger "$work/row.csv"
refused 1 "row.csv:3" forecast "$scenario" --against "$work/row.csv"
refused 1 "row.csv:3" compare "$work/row.csv"
: >"$work/empty.csv"
refused 1 "empty.csv" ledger "$work/empty.csv"
refused 1 "empty.csv" compare "$work/empty.csv"
head -c 2000 "$GRIDCAST" >"$work/binary.csv"
refused 1 "binary.csv.*binary" ledger "$work/binary.csv"
printf 'job\0,site,\0host\n1,2,3\n' >"$work/columns.csv"
refused 1 "columns.csv.*binary" ledger "$work/columns.csv"
refused 1 "binary.csv.*binary" forecast "$scenario" --against "$work/binary.csv"
refused 1 "nowhere.csv: no such file" forecast "$scenario" --against nowhere.csv

refused 1 "'0' is not a whole number" forecast "$scenario" -n 0
refused 1 "'0' is not a whole number" compare "$scenario" -j 0
refused 1 "'abc' is not a whole number" forecast "$scenario" --seed abc
refused 1 "'abc' is not a whole number" forecast --once "$scenario" --seed abc
refused 1 "'1\.0' is no number of a lesson" lesson start 1.0
refused 1 "'1\.0' is no number of a lesson" lesson check 1.0 '5 h'
refused 1 "unknown verb 'forcast'.*'forecast'" forcast "$scenario"
refused 1 "unknown option '--sead'.*'--seed'" forecast "$scenario" --sead 1
for verb in calibrate ledger; do
  refused 1 "gridcast $verb: has no option '--set'. gridcast forecast, .*gridcast compare,.* have it" $verb x --set a=1
done
refused 1 "gridcast forecast: has no option '--goal'. gridcast compare, .*gridcast optimize,? .*have it" forecast "$scenario" --goal makespan
refused 1 "WORK is required" forecast
refused 1 "which verb" 

# Options that the records have no use for, all at once; options that exclude each other.
log=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep/c1-sweep.log
of_log=(calibrate "$log" -o "$work/no.yaml")
refused 1 "'nan' is not a number from 0 to 3" "${of_log[@]}" --between-campaigns nan
refused 1 "--input-size without a job table.*--submit" "${of_log[@]}" --input-size "77 GB"
refused 4 "--makespan without a job table" "${of_log[@]}" --input-size "77 GB" --epochs 5 \
  --makespan '7 d' --simulations 500
refused 1 "--columns without a table of another program" "${of_log[@]}" --columns metl
refused 2 "--year with nothing but job tables" calibrate "$table" --pool p.yaml --year 2025 \
  --where true -o "$work/no.yaml"
# A pool without GPUs, on which no job of a table starts.
sed -n 's/^  - name: \(.*\)/  - {name: \1, slots: 4}/p; 1i schema: gridcast.pool/1\nsites:' \
  "$GRIDCAST_SOURCE/scenarios/pools/ospool-2024.yaml" >"$work/slots.yaml"
refused 3 "the pool has no GPUs at site" calibrate "$table" --pool "$work/slots.yaml" -o "$work/no.yaml"
# Messages of the log's reader come before these.
run "$GRIDCAST" "${of_log[@]}" --caches A=c1 --caches A=c2 --caches B=c1,c1
expect 2 "two lists of caches"
says err "two lists for site 'A'" "two lists of caches"
says err "'B=c1,c1' names a cache twice" "a cache twice"
[[ -e $work/no.yaml ]] && complain "a calibration was written"
refused 1 "--against and --leave-one cannot be given together" calibrate --check --against x --leave-one part "$scenario"
refused 1 "neither --against nor --leave-one" calibrate --check "$table"

# A file that is given to the wrong verb, with the command that takes it.
job=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep/job.sub
for verb in ledger watch profile 'export html' 'export platform' 'export attempts' 'calibrate --check'; do
  # shellcheck disable=SC2086
  refused 1 "is a submit file.*gridcast forecast " $verb "$job"
done
refused 1 "gridcast init .* -o job.yaml; then gridcast compare job.yaml --on slurm" compare "$job" --on slurm
refused 1 "--strategy without a record" compare "$job" --strategy x
refused 1 "--job-hours with a scenario" compare "$scenario" --job-hours 3
refused 1 "is one argument too many.*Name the submit file in place of the scenario" compare "$scenario" "$job"
refused 1 "--job-hours with a record alone" compare "$log" --job-hours 3
refused 3 "--max-jobs without a DAG" forecast "$log" --size a=1GB --max-jobs 3 --all-nodes
refused 1 "--columns with a scenario" forecast "$scenario" --columns sacct
for option in '--wanted 50' '--change release' '--shard-size 4' '--study s' '--submit-option x=y'; do
  # shellcheck disable=SC2086
  refused 1 "${option%% *} (needs|requires) --(running|on)" forecast "$scenario" $option
done
for verb in ledger watch; do
  refused 1 "is a submit file.*gridcast $verb .*c1-sweep.log, which is their log" $verb "$job"
done
refused 1 "is a scenario \\(gridcast init takes" init "$scenario"
for verb in ledger watch profile 'export html' 'calibrate --check'; do
  # shellcheck disable=SC2086
  refused 1 "is a scenario.*gridcast forecast .*gridcast compare " $verb "$scenario"
done
refused 1 "a table of jobs keeps sums without dates" forecast "$table"
refused 1 "is a record of jobs.*gridcast optimize .*c1-sweep/job.sub $log" optimize "$log"
for verb in profile 'export html' 'export platform'; do
  # shellcheck disable=SC2086
  refused 1 "is a record of jobs.*gridcast ledger " $verb "$log"
  # shellcheck disable=SC2086
  refused 1 "is a table of jobs.*gridcast ledger " $verb "$table"
done
# Only records are read packed.
gzip -c "$job" >"$work/job.sub.gz"
gzip -c "$scenario" >"$work/s.gz"
printf 'JOB a job.sub\n' | gzip >"$work/x.dag.gz"
for verb in forecast ledger compare optimize init 'calibrate -o x.yaml' 'export html'; do
  for packed in job.sub.gz s.gz x.dag.gz; do
    # shellcheck disable=SC2086
    refused 1 "is packed \\(only records of jobs are read packed\\). Unpack it: gunzip -k .*$packed" $verb "$work/$packed"
  done
done
# An archive is no record, packed or not, whatever is in it.
mkdir "$work/jobs"
cp "$log" "$table" "$work/jobs"
tar -C "$work" -cf "$work/jobs.tar" jobs
tar -C "$work/jobs" -czf "$work/table.tgz" "$(basename "$table")"
tar -C "$work/jobs" --format=v7 -cf "$work/old.log" "$(basename "$log")"
for archive in jobs.tar table.tgz old.log; do
  for verb in ledger forecast 'calibrate -o x.yaml' watch init 'ledger --columns sacct'; do
    # shellcheck disable=SC2086
    refused 1 'is a tar archive .*Unpack it: tar -xf FILE' $verb "$work/$archive"
  done
done
# A file that is not there, or is empty, is of no kind.
for verb in forecast compare ledger optimize watch profile 'forecast --running'; do
  # shellcheck disable=SC2086
  refused 1 "no such file. Did you mean '$job'|unknown profile" $verb "${job%.sub}x.sub"
done
: >"$work/empty.log"
for verb in forecast compare optimize 'forecast --running'; do
  # shellcheck disable=SC2086
  refused 1 "empty.log: is empty" $verb "$work/empty.log"
done
# forecast --running takes no table, no ads and no page.
printf '[{"ClusterId": 1, "ProcId": 0, "JobStatus": 2}]\n' >"$work/ads.json"
printf '<!DOCTYPE html>\n<html lang="en"></html>\n' >"$work/page.html"
refused 1 "is a table of jobs .gridcast forecast --running takes" forecast --running "$table"
refused 1 "ads.json: is no event log .*submit file names" forecast --running "$work/ads.json"
refused 1 "page.html: is a page " ledger "$work/page.html"
refused 1 "Did you mean '$scenario'" forecast "${scenario%.yaml}t.yaml"
printf 'executable = a\nrequest_gpus = 1\nrequirements = DeviceName == "H100"\nqueue\n' >"$work/h100.sub"
COLUMNS=200 run "$GRIDCAST" forecast "$work/h100.sub"
expect 2 "a GPU that no slot has"
says err 'no slot of the pool ever meets GPUs_DeviceName == "H100" .*with .*A100' "a GPU that no slot has"
says err 'h100.sub:3: .*DeviceName is taken as GPUs_DeviceName' "a GPU that no slot has"
run "$GRIDCAST" forecast "$GRIDCAST_SOURCE/scenarios/osg-imagenet.yaml" -n 2 \
  --set 'strategies.published.match.requirements=CUDADeviceName == "V100"'
expect 2 "a GPU's name for its device"
says err 'Slots have no CUDADeviceName: write GPUs_DeviceName' "a GPU's name for its device"
refused 1 "no control of the page changes 'a'. Give it to gridcast forecast" open "$scenario" --set a=b --no-browser

# The place of a page is tested before the work.
for page in '--report' '--page'; do
  verbs=("forecast $scenario" "forecast $scenario --once" "forecast $job" "compare $scenario"
    "compare $log" "ledger $log" "lesson run 1")
  [[ $page == --page ]] && verbs=("watch $log")
  [[ $page == --page ]] || has_page || continue
  for verb in "${verbs[@]}"; do
    # shellcheck disable=SC2086
    run timeout 20 "$GRIDCAST" $verb $page "$work"
    expect 2 "$verb $page FOLDER"
    says err "$work: is a folder. Name a file in it" "$verb $page FOLDER"
    [[ -s $work/out ]] && complain "$verb $page FOLDER: an answer before the complaint"
  done
done

# Folders: a file in the way, results already there.
touch "$work/file"
refused 1 "$work/file" forecast --once "$scenario" --out "$work/file"
refused 1 "$work/file/below" compare "$scenario" --csv "$work/file/below"
mkdir "$work/full"
touch "$work/full/events.log"
refused 1 "already holds events.log.*--force" forecast --once "$scenario" --out "$work/full"
[[ -s $work/full/events.log || $(ls -A "$work/full") != events.log ]] &&
  complain "forecast --once --out: the folder was touched"

exit $exit_status
