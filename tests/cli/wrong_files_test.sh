#!/usr/bin/env bash
# A file that is given to the wrong verb: the message names a command that runs as printed.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1
pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
mkdir bin study study/frozen study/submissions simulated empty
ln -s "$GRIDCAST" bin/gridcast
PATH=$work/bin:$PATH
cp -r "$GRIDCAST_SOURCE/scenarios" scenarios
mkdir calibration
ln -s "$GRIDCAST_SOURCE/calibration/fitted" calibration/fitted
cp "$pool/c1-sweep/job.sub" "$pool/c1-sweep/c1-sweep.log" "$pool/c1-sweep/history.json" .
cp "$pool/c1-sweep/c1-sweep.log" simulated/events.log
cp "$pool/c1-sweep/c1-sweep.log" empty/c1.log
# Files beside it that no verb reads, and that come before it by name.
mkdir unread
for folder in empty unread; do
  printf 'Language: Cpp\nColumnLimit: 100\n' >$folder/.clang-format
  printf '{"name": "page", "version": 3}\n' >$folder/a.json
  printf '# Notes, and more\n' >$folder/a.md
  printf 'epoch,loss\n1,0.5\n' >$folder/a.csv
done
printf 'executable = a\nlog = not-yet.log\nqueue\n' >unread/.job.sub
printf 'executable = a\nlog = not-yet.log\nqueue\n' >new.sub
cp "$GRIDCAST_SOURCE/calibration/data/metl-campaign/attempts-to-september.csv" attempts.csv
cp "$table" table.csv
cp scenarios/teaching/03-shared-link.yaml scenarios/one.yaml
sed -i 's|pool: pools|pool: teaching/pools|; s|calibration: calib|calibration: teaching/calib|' scenarios/one.yaml
printf 'JOB A job.sub\n' >work.dag
gridcast export platform scenarios/one.yaml -o grid.xml
cp grid.xml packed.xml
gzip packed.xml
calibration=calibration/fitted/osg-imagenet.yaml

declare -A ran=()
# names VERB FILE COMMAND: refused, and the message has the command, which runs.
names() {
  local command=$3
  [[ $1 == open ]] && ! has_page && return
  # shellcheck disable=SC2086
  run gridcast $1 "$2"
  expect 2 "$1 $2"
  [[ -s out ]] && complain "$1 $2: something on standard output"
  grep -qF -- "$command" err || {
    complain "$1 $2: no '$command':"
    cat err
    return
  }
  [[ -n ${ran[$command]:-} ]] && return
  ran[$command]=1
  run bash -c "$command"
  expect 0 "$1 $2, then: $command"
  rm -f campaign.yaml job.yaml page.html map.yaml
}

for verb in ledger watch profile 'calibrate -o made.yaml' 'export platform'; do
  # A platform is made from a scenario.
  [[ $verb == export* ]] || names "$verb" scenarios/one.yaml 'gridcast forecast scenarios/one.yaml'
  names "$verb" $calibration "gridcast init $calibration --yes -o campaign.yaml"
  names "$verb" scenarios/pools/ospool-2024.yaml 'gridcast help pool'
  names "$verb" grid.xml 'gridcast help pool'
done
for verb in forecast compare optimize init; do
  names "$verb" grid.xml 'gridcast help pool'
  names "$verb" packed.xml.gz 'gunzip -k packed.xml.gz'
  names "$verb" simulated 'gridcast ledger simulated/events.log'
done
for verb in ledger watch 'calibrate -o made.yaml'; do
  names "$verb" job.sub 'gridcast forecast job.sub'
  [[ $verb == calibrate* ]] || names "$verb" job.sub "gridcast $verb c1-sweep.log"
  names "$verb" new.sub "gridcast forecast new.sub"
  # shellcheck disable=SC2086
  run gridcast $verb new.sub
  says err "When its jobs have run, gridcast ${verb%% *} takes their log" "$verb new.sub"
  names "$verb" work.dag 'gridcast forecast work.dag'
done
names 'calibrate -o made.yaml' job.sub 'gridcast calibrate c1-sweep.log -o calibration.yaml'
run gridcast optimize c1-sweep.log
says err 'gridcast optimize job.sub c1-sweep.log' "optimize LOG, whose submit file is there"
run gridcast optimize empty/c1.log
says err 'gridcast ledger empty/c1.log' "optimize LOG alone"
names profile table.csv 'gridcast ledger table.csv'
names forecast table.csv 'gridcast ledger table.csv'
names optimize c1-sweep.log 'gridcast ledger c1-sweep.log'
names profile c1-sweep.log 'gridcast ledger c1-sweep.log'
names 'export html' table.csv 'gridcast ledger table.csv'
names ledger attempts.csv "gridcast init 'attempts.csv'"

names open scenarios/profiles/dlio-bert.yaml 'gridcast profile scenarios/profiles/dlio-bert.yaml'
run gridcast profile c1-sweep.lgo
expect 2 "profile, a slip"
says err "c1-sweep.lgo: no such file. Did you mean 'c1-sweep.log'" "profile, a slip"
echo hello >notes.txt
names profile notes.txt 'gridcast profile --list'
run gridcast profile dlio-brt
says err "unknown profile 'dlio-brt'. Did you mean 'dlio-bert'" "profile, a slip of a name"

# Folders and slips have a name instead of a command.
run gridcast calibrate --check c1-sweep.lgo
expect 2 "calibrate --check, a slip"
says err "Did you mean 'c1-sweep.log'" "calibrate --check, a slip"
run gridcast calibrate table.csv -o made.yaml
says err '--pool scenarios/pools/ospool-2024.yaml' "calibrate TABLE without a pool"
for verb in forecast ledger compare watch; do
  run gridcast "$verb" empty
  expect 2 "$verb FOLDER"
  says err "is a folder. Name a file in it: gridcast $verb empty/c1.log" "$verb FOLDER"
  run gridcast "$verb" unread
  expect 2 "$verb FOLDER without a record"
  says err "is a folder. gridcast $verb reads no file in it" "$verb FOLDER without a record"
  run gridcast "$verb" study
  expect 2 "$verb STUDY"
  says err 'is the folder of a study. gridcast compare status study' "$verb STUDY"
  run gridcast "$verb" c1-sweep.lgo
  expect 2 "$verb, a slip"
  says err "Did you mean 'c1-sweep.log'" "$verb, a slip"
done

# A lesson is named by its number.
run gridcast lesson start scenarios/teaching/03-shared-link.yaml
expect 2 "lesson start FILE"
says err 'gridcast lesson start 3' "lesson start FILE"
run gridcast lesson check job.sub 5
expect 2 "lesson check FILE"
says err 'gridcast lesson list shows them' "lesson check FILE"

# A second work is no record; the DAG of both that the message describes is one work.
for verb in forecast compare optimize open; do
  for second in work.dag new.sub; do
    [[ $verb == open ]] && ! has_page && continue
    run gridcast "$verb" job.sub "$second"
    expect 2 "$verb job.sub $second"
    says err "^$second: is a second (DAG|submit file)" "$verb job.sub $second"
    (($(wc -l <err) == 1)) || complain "$verb job.sub $second: $(<err)"
    sed -n 's/.* the lines \(.*\) and \(.*\)\.$/\1\n\2/p' err >both.dag
    [[ $verb == forecast ]] || continue
    run gridcast forecast both.dag -n 4 --details
    expect 0 "the DAG of job.sub and $second"
    says out '2 nodes of both.dag' "the DAG of job.sub and $second"
  done
done
run gridcast forecast c1-sweep.log job.sub
says err 'takes one work, and records of jobs behind it' "a submit file behind its record"

exit $exit_status
