#!/usr/bin/env bash
# The folder of a study: no answer is written over what it holds or was begun with; what is damaged, made by
# hand, gone or no file in it; names that its files have to quote; batch systems that are no longer there.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

mkdir -p campaign/pools
cp -r "$GRIDCAST_SOURCE/calibration/fitted" "$GRIDCAST_SOURCE/scenarios/pools" campaign/
sed 's|\.\./calibration/fitted/|fitted/|' "$scenario" >campaign/campaign.yaml
predict=(forecast campaign/campaign.yaml --set "campaign.submit=[{at: 0 s, jobs: 10}]" -n 20 --seed 5)
run "$GRIDCAST" "${predict[@]}" --on local --study st --shard-size 5 --json
expect 0 "a study"
mv out answer.json
all_files() { (cd "$work" && find campaign st -type f ! -name lock -exec sha256sum {} + | sort); }
all_files >before

# Nothing that the study is made of is written over, wherever gather is called.
mkdir elsewhere
original=$(sed -n 's/^ *calibration: *//p' campaign/campaign.yaml | head -n 1)
for output in st/results/0-5.*.shard st/frozen/study.json st/frozen/program/gridcast st/frozen/tree/campaign.yaml \
  st/attempts.csv campaign/campaign.yaml "campaign/$original" campaign/pools/ospool-2024.yaml; do
  [[ -e $output ]] || complain "no $output to test with"
  for folder in . elsewhere; do
    status=0
    (cd $folder && "$GRIDCAST" compare gather "$work/st" --csv csv --report "$work/$output" --force) >out 2>err || status=$?
    if has_page; then
      expect 2 "gather over $output"
      says err 'is one of the inputs .*it would be written over' "gather over $output"
    fi
  done
done
mkdir tables
ln -s "$work/campaign/campaign.yaml" tables/metrics.csv
run "$GRIDCAST" compare gather st --csv tables --force
expect 2 "gather by a link over the scenario"
all_files | cmp -s - before || complain "gather has changed its inputs"

# Nor is a journal.
run "$GRIDCAST" "${predict[@]}" --resume journal --json
expect 0 "a journal"
if has_page; then
  sha256sum journal/study.journal >journal.sha
  run "$GRIDCAST" "${predict[@]}" --resume journal --report journal/study.journal --force
  expect 2 "a report over the journal"
  says err 'study.journal: is one of the inputs' "a report over the journal"
  [[ -s out ]] && complain "a report over the journal is refused after the work"
  sha256sum --quiet -c journal.sha || complain "the journal is gone"
fi

# copy NAME: the study in a folder of its own.
copy() { rm -rf "$1"; cp -r st "$1"; }

# The program that simulates the shards is frozen too; a file that is gone makes the study a damaged one.
for file in program/gridcast program/run; do
  copy changed
  echo "# more" >>changed/frozen/$file
  run "$GRIDCAST" compare status changed
  expect 2 "another $file"
  says err "changed/frozen/$file: was changed since the study was begun" "another $file"
  copy changed
  rm changed/frozen/$file
  run "$GRIDCAST" compare gather changed
  expect 2 "without $file"
  says err "changed/frozen/$file: is missing.*the study is damaged.*Put it back" "without $file"
done

# A body that is damaged counts before it is said that all is done.
copy hurt
printf 'x' | dd of="$(echo hurt/results/5-10.*)" bs=1 seek=2000 conv=notrunc 2>/dev/null
run "$GRIDCAST" compare status hurt --json
json 'd["done"] == 3 and d["damaged"] == 1' "status of a damaged body"

# No file where a result should be.
copy pipe
mv pipe/results/0-5.*.shard .
mkfifo "pipe/results/$(basename 0-5.*.shard)"
for verb in status gather resume; do
  status=0
  timeout 20 "$GRIDCAST" compare $verb pipe >out 2>err || status=$?
  expect 2 "$verb of a pipe"
  says err '0-5\..*\.shard: is no ordinary file .*Remove it' "$verb of a pipe"
done

# Nor one where the study's own files are.
for file in frozen/study.json; do
  copy piped
  rm -f "piped/$file"
  mkfifo "piped/$file"
  status=0
  timeout 20 "$GRIDCAST" compare status piped >out 2>err || status=$?
  expect 2 "a pipe for $file"
  says err "$file: is no ordinary file" "a pipe for $file"
done

# Numbers by which nothing, or everything, would be simulated, with a digest that is right.
for change in 's/"shard_size": 5/"shard_size": 0/' 's/"replicas": 20/"replicas": 0/' 's/"replicas": 20/"replicas": 4000000000/; s/"shard_size": 5/"shard_size": 1/'; do
  copy numbers
  sed -i "$change" numbers/frozen/study.json
  python3 - numbers/frozen/study.json <<'END'
import hashlib, json, re, sys
text = open(sys.argv[1]).read()
sha = json.loads(text)["sha256"]
without = re.sub(r',\s*"sha256": "%s"' % sha, "", text)
compact = re.sub(r'("(?:[^"\\]|\\.)*")|\s+', lambda m: m.group(1) or "", without)
open(sys.argv[1], "w").write(text.replace(sha, hashlib.sha256(compact.encode()).hexdigest()))
END
  status=0
  (limit_memory 4000000; timeout 20 "$GRIDCAST" compare status numbers) >out 2>err || status=$?
  expect 2 "$change"
  says err 'study.json: was changed .*nothing could be simulated by its numbers' "$change"
done

# A file that cannot be written does not stop the answer.
copy full
rm full/attempts.csv
mkdir full/attempts.csv
run "$GRIDCAST" compare gather full --json
expect 2 "gather without room for attempts.csv"
cmp -s out answer.json || complain "gather without room for attempts.csv gives no answer"
if ((EUID != 0)); then
  chmod -w full
  run "$GRIDCAST" compare resume full
  expect 2 "resume in a folder of others"
  says err 'full: cannot be written in \(Permission denied\)' "resume in a folder of others"
  chmod +w full
fi

# A process that simulates shards has the lock.
copy played
rm played/results/0-5.*
python3 -c '
import fcntl, time
file = open("played/lock", "r+")
fcntl.flock(file, fcntl.LOCK_EX)
print("locked", flush=True)
time.sleep(600)' >locked &
holder=$!
for ((i = 0; i < 100; ++i)); do
  [[ -s locked ]] && break
  sleep 0.1
done
run "$GRIDCAST" compare status played
says out '^next +another process is simulating' "status of what is being played"
run "$GRIDCAST" compare status played --json
json 'd["in_use"] and d["queue"]["lost"] == 0' "status of what is being played"
kill $holder
wait $holder 2>/dev/null
run "$GRIDCAST" compare status played
says out '^next +gridcast compare resume played' "status of what is no longer played"

# Names. study.json is UTF-8; a submit file of HTCondor's has no quotes; a script of Slurm's has the shell's.
mkdir bin
cat >bin/sbatch <<'END'
#!/usr/bin/env bash
[[ $REFUSE ]] && { echo "sbatch: error: Invalid account" >&2; exit 1; }
for word; do [[ $word == --array=* ]] && range=${word#--array=0-}; script=$word; done
for ((i = 0; i <= range; ++i)); do
  [[ $LOSE ]] || SLURM_ARRAY_TASK_ID=$i SLURM_RESTART_COUNT=3 sh "$script"
done
printf '17\033[31m\n'
END
printf '#!/bin/sh\necho slurm 22.05\n' >bin/sinfo
printf '#!/bin/sh\n[ -n "$QUEUED" ] && echo "$QUEUED"\nexit 0\n' >bin/squeue
printf '#!/bin/sh\necho 23.9.6\n' >bin/condor_version
printf '#!/bin/sh\nexit 1\n' | tee bin/sacct >bin/scontrol
chmod +x bin/*
with_slurm() { PATH=$work/bin:$PATH run "$@"; }

cp campaign/campaign.yaml $'campaign/c\xff.yaml'
run "$GRIDCAST" forecast $'campaign/c\xff.yaml' -n 2 --on local --study bytes
expect 2 "a scenario that is not UTF-8"
says err "c\\\\xff.yaml.* is not UTF-8 .*another name" "a scenario that is not UTF-8"
[[ -e bytes ]] && complain "a scenario that is not UTF-8: a folder is left"
run "$GRIDCAST" "${predict[@]}" --on local --study $'b\xff'
expect 2 "a folder that is not UTF-8"
for name in 'a,b' '$(HOME)' $'a\nb'; do
  with_slurm "$GRIDCAST" "${predict[@]}" --on htcondor --study "$name"
  expect 2 "HTCondor with '$name'"
  says err 'cannot be named to HTCondor .*--study DIR' "HTCondor with '$name'"
  [[ -e $name ]] && complain "HTCondor with '$name': a folder is left"
done
run "$GRIDCAST" "${predict[@]}" --on local --study two-lines --submit-option=$'--account=abc\ntouch HACKED'
expect 2 "an option of two lines"
says err 'submit-option.*write one line' "an option of two lines"
odd=$'new\nline; touch HACKED; $(touch HACKED) \'\e[31m'
with_slurm "$GRIDCAST" "${predict[@]}" --on slurm --study "$odd" --shard-size 5
expect 0 "Slurm with an odd name"
find . -name HACKED | grep -q . && complain "Slurm with an odd name: its name is obeyed"
grep -q $'\e' out && complain "Slurm with an odd name: escape sequences"
again=$(sed -n 's/^  gridcast \(compare gather .*[^ ]\)    the answer.*/\1/p' out)
eval "with_slurm \"\$GRIDCAST\" $again --json"
expect 0 "gather as it was printed: $again"
cmp -s out answer.json || complain "Slurm with an odd name: other bytes"
with_slurm "$GRIDCAST" compare status "$odd"
grep -q $'\e' out && complain "status: escape sequences"
with_slurm "$GRIDCAST" "${predict[@]}" --on slurm --study=-dash --shard-size 5
says out 'compare status \./-dash ' "a name that looks like an option"

# Two studies of one question: results of the same names, jobs of other names.
LOSE=1 with_slurm "$GRIDCAST" "${predict[@]}" --on slurm --study one --shard-size 5
LOSE=1 with_slurm "$GRIDCAST" "${predict[@]}" --on slurm --study two --shard-size 5
job_name() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["job_name"])' "$1/frozen/study.json"; }
[[ $(job_name one) == $(job_name two) ]] && complain "two studies have one name in the queue"
[[ $(grep fingerprint one/frozen/study.json) == $(grep fingerprint two/frozen/study.json) ]] || complain "one question has two fingerprints"
QUEUED="$(job_name one)-0001|0|RUNNING|None" with_slurm "$GRIDCAST" compare status one --json
json 'd["queue"]["running"] == 1 and d["queue"]["lost"] == 3' "the queue of the one"
QUEUED="$(job_name one)-0001|0|RUNNING|None" with_slurm "$GRIDCAST" compare status two --json
json 'd["queue"]["running"] == 0 and d["queue"]["lost"] == 4' "the queue of the other"
mv one moved
QUEUED="$(job_name moved)-0001|0|RUNNING|None" with_slurm "$GRIDCAST" compare status moved --json
json 'd["queue"]["running"] == 1' "the queue of a folder that was moved"

# Slurm is not here any more: on as one says, with a note; where it had taken nothing, nothing is to be asked.
run "$GRIDCAST" compare resume moved --json
expect 2 "resume without Slurm"
run "$GRIDCAST" compare cancel moved
expect 2 "cancel without Slurm"
run "$GRIDCAST" compare resume moved --on local --json
expect 0 "resume here without Slurm"
says err 'The number of jobs still queued there is not known. A shard may run twice without harm' "resume here without Slurm"
cmp -s out answer.json || complain "resume here without Slurm: other bytes"
REFUSE=1 with_slurm "$GRIDCAST" "${predict[@]}" --on slurm --study refused --shard-size 5
expect 2 "Slurm refuses"
run "$GRIDCAST" compare cancel refused
expect 0 "cancel of what was refused"
says out '^No batch system has shards of it' "cancel of what was refused"
run "$GRIDCAST" compare status refused
grep -q '^not known' out && complain "status of a refused study asks Slurm"
run "$GRIDCAST" compare resume refused --on local --json
expect 0 "resume here of what was refused"
cmp -s out answer.json || complain "resume here of a refused study: other bytes"
grep -q 'not known' err && complain "resume here of a refused study: something may be queued"

exit $exit_status
