#!/usr/bin/env bash
# Studies in shards: the same bytes as one process gives, whatever their number; shards that were lost,
# damaged, or ran twice; batch systems that are not there, refuse or lose jobs (stand-ins for them, which
# run what they are handed at once; tests/slurm/run and tests/htcondor/run have the real ones).
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

# A campaign of ten jobs, whose replicas take little time.
mkdir -p campaign/pools
cp -r "$GRIDCAST_SOURCE/calibration/fitted" "$GRIDCAST_SOURCE/scenarios/pools" campaign/
sed 's|\.\./calibration/fitted/|fitted/|' "$scenario" >campaign/campaign.yaml
set_few=(--set "campaign.submit=[{at: 0 s, jobs: 10}]")
compare=(compare campaign/campaign.yaml "${set_few[@]}" -n 24 --seed 2)
predict=(forecast campaign/campaign.yaml "${set_few[@]}" -n 60 --seed 5)
"$GRIDCAST" "${compare[@]}" --json >compare.json 2>err || complain "compare: $(head -n 2 err)"
"$GRIDCAST" "${predict[@]}" --json --csv csv >predict.json 2>err || complain "forecast: $(head -n 2 err)"

for size in 24 8 4; do
  run "$GRIDCAST" "${compare[@]}" --on local --study "compare-$size" --shard-size $size --json
  expect 0 "compare in shards of $size"
  cmp -s out compare.json || complain "compare in shards of $size: other bytes"
done
for size in 60 20 9; do
  run "$GRIDCAST" "${predict[@]}" --on local --study "predict-$size" --shard-size $size --json --csv "csv-$size"
  expect 0 "forecast in shards of $size"
  cmp -s out predict.json || complain "forecast in shards of $size: other bytes"
  diff -r csv "csv-$size" >/dev/null || complain "forecast in shards of $size: other tables"
done
(($(ls predict-9/results | wc -l) == 7)) || complain "60 replicas in shards of 9 are seven shards"

run "$GRIDCAST" compare status predict-9
expect 0 "status"
says out '^done +7 of 7 shards, 60 of 60 simulated campaigns' "status"
run "$GRIDCAST" compare status predict-9 --json
json 'd["schema"] == "gridcast.study-status/1" and d["done"] == 7 and d["queue"]["lost"] == 0 and sum(d["hosts"].values()) == 7' "status"
head -n 2 predict-9/results/0-9.*.shard | tail -n 1 >out
json 'd["host"] and d["version"] and "revision" in d and d["seed"] == 5 and d["started"] > 1e9 and d["took_s"] > 0' "the record of a shard"

# Its shards are a campaign of their own.
run "$GRIDCAST" ledger predict-9/attempts.csv --json
expect 0 "the ledger of the study's own shards"
json 'd["metrics"]["jobs"] == 7 and d["metrics"]["succeeded"] == 7' "the ledger of the study's own shards"
run "$GRIDCAST" calibrate predict-9/attempts.csv --draws 20 --quiet -o shards.yaml
expect 0 "a calibration from the study's own shards"

# A shard that is lost, one that is damaged, one cut off.
cp -r predict-9 hurt
shards=(hurt/results/*)
rm "${shards[0]}"
printf 'x' | dd of="${shards[1]}" bs=1 seek=2000 conv=notrunc 2>/dev/null
truncate -s -5 "${shards[2]}"
run "$GRIDCAST" compare gather hurt --json
expect 3 "gather of a part"
json 'd["partial"] and d["replicas"] < 60 and d["requested"] == 60' "gather of a part"
says err '3 of 7 shards have no result yet \(2 are damaged\)' "gather of a part"
(($(ls hurt/results | wc -l) == 6)) || complain "gather of a part has removed a result"
run "$GRIDCAST" compare resume hurt --json
expect 0 "resume"
cmp -s out predict.json || complain "resume: other bytes"
run "$GRIDCAST" compare gather hurt --json
cmp -s out predict.json || complain "gather after resume: other bytes"

# Results whose hashes are right and whose replicas are not: too few numbers, one that no campaign has,
# another shard's replica, one replica less.
cp -r predict-9 forged
python3 - forged/results/* <<'END'
import hashlib, json, struct, sys

def forge(file, change):
    first, head, body = open(file, "rb").read().split(b"\n", 2)
    replicas, at = [], 0
    while at < len(body):
        number, n = struct.unpack_from("<II", body, at)
        replicas.append([number, list(struct.unpack_from(f"<{n}d", body, at + 8))])
        at += 8 + 8 * n
    change(replicas)
    body = b"".join(struct.pack(f"<II{len(r)}d", number, len(r), *r) for number, r in replicas)
    head = json.dumps({**json.loads(head), "bytes": len(body)}).encode()
    digest = hashlib.sha256(head + b"\n" + body).hexdigest().encode()
    open(file, "wb").write(b" ".join(first.split()[:2] + [digest]) + b"\n" + head + b"\n" + body)

def large(replicas): replicas[2][1][0] = 1e300
def foreign(replicas): replicas[0][0] = 4_000_000_000
for file, change in zip(sys.argv[1:], [lambda r: r[1][1].pop(), large, foreign, lambda r: r.pop()]):
    forge(file, change)
END
run "$GRIDCAST" compare gather forged --json
expect 3 "gather of what was forged"
says err '4 of 7 shards have no result yet \(4 are damaged\)' "gather of what was forged"
run "$GRIDCAST" compare resume forged --json
expect 0 "resume of what was forged"
cmp -s out predict.json || complain "resume of a forged study: other bytes"

# One that ran twice does no harm; it gives the same numbers each time.
run "$GRIDCAST" compare shard predict-9/frozen 0-9 --out again
expect 0 "a shard that runs again"
tail -n +3 again/0-9.*.shard | cmp -s - <(tail -n +3 predict-9/results/0-9.*.shard) || complain "a shard that ran again gives other numbers"
cp again/0-9.*.shard predict-9/results/
run "$GRIDCAST" compare gather predict-9 --json
cmp -s out predict.json || complain "a shard that ran twice: other bytes"
run "$GRIDCAST" compare shard predict-9/frozen 50-70 --out again
expect 2 "a shard that the study does not have"
run "$GRIDCAST" compare shard predict-9/frozen ../x --out again
expect 2 "no shard"

# By the frozen program, elsewhere: nothing else is needed, and the machine's own libraries are not.
mkdir elsewhere
(cd elsewhere && env -i PATH=/usr/bin:/bin ../predict-20/frozen/program/run study shard ../predict-20/frozen 20-40 --out .) >out 2>err ||
  complain "the frozen program: $(head -n 2 err)"
tail -n +3 elsewhere/20-40.*.shard | cmp -s - <(tail -n +3 predict-20/results/20-40.*.shard) || complain "the frozen program gives other numbers"

# It freezes itself as well.
run predict-20/frozen/program/run "${predict[@]}" --on local --study frozen-again --shard-size 20 --json
expect 0 "a study begun by a frozen program"
cmp -s out predict.json || complain "a study begun by a frozen program: other bytes"
cmp -s frozen-again/frozen/program/gridcast predict-20/frozen/program/gridcast || complain "a frozen program freezes another"
run frozen-again/frozen/program/run study status frozen-again
expect 0 "status by a program that was frozen twice"

# Options that do not belong together are refused.
cp -r predict-9 mixed
cp compare-4/results/0-4.????????????????.shard mixed/results/
run "$GRIDCAST" compare gather mixed
expect 2 "results of another study"
says err 'mixed/results/0-4\..*\.shard: is the result of another study .*Move it' "results of another study"
cp -r predict-9 changed
sed -i 's/title:/title: not/' changed/frozen/tree/campaign.yaml
for verb in status gather resume; do
  run "$GRIDCAST" compare $verb changed
  expect 2 "$verb of a bundle that was changed"
  says err 'changed/frozen/tree/campaign.yaml: was changed since the study was begun' "$verb of a bundle that was changed"
done
cp -r predict-9 edited
sed -i 's/"replicas": 60/"replicas": 70/' edited/frozen/study.json
run "$GRIDCAST" compare gather edited
expect 2 "a description that was changed"
says err 'study.json: was changed since' "a description that was changed"
run "$GRIDCAST" compare gather "$GRIDCAST_SOURCE/scenarios"
expect 2 "no study"
says err 'holds no study' "no study"
run "$GRIDCAST" "${predict[@]}" --on local --study predict-9
expect 2 "a study in its folder"
says err 'predict-9: already holds a study .*gridcast compare resume predict-9' "a study in its folder"
run "$GRIDCAST" "${predict[@]}" --on local --study campaign
expect 2 "a folder of other things"
run "$GRIDCAST" "${predict[@]}" --on slurm --json --csv x --study none
expect 2 "an answer that is not there yet"
says err 'json, --csv cannot be given with --on' "an answer that is not there yet"

# Another build, as in resume_test.sh.
python3 - "$(readlink -f "$GRIDCAST")" other-build <<'END'
import sys
program = bytearray(open(sys.argv[1], 'rb').read())
note = program.find(b'GNU\0', program.find(b'\x04\0\0\0\x14\0\0\0\x03\0\0\0'))
program[note + 4] ^= 0xff
open(sys.argv[2], 'wb').write(program)
END
chmod +x other-build
for verb in "study gather predict-9" "study shard predict-9/frozen 0-9 --out again"; do
  run ./other-build $verb
  expect 2 "another build: $verb"
  says err 'predict-9/frozen: was begun with another build .*program/run instead of gridcast' "another build: $verb"
done

# No batch system.
mkdir no-bin
for system in slurm htcondor; do
  status=0
  PATH=$work/no-bin "$GRIDCAST" "${predict[@]}" --on $system --study none-$system >out 2>err || status=$?
  expect 2 "without $system"
  says err 'it is not here .*--on local' "without $system"
  [[ -e none-$system ]] && complain "without $system: a folder is left"
done

# Stand-ins. Slurm's runs a task as soon as it is submitted, but loses those whose numbers are in $LOSE.
mkdir bin
cat >bin/sbatch <<'END'
#!/usr/bin/env bash
[[ $REFUSE ]] && { echo "sbatch: error: Invalid account" >&2; exit 1; }
for word; do [[ $word == --array=* ]] && range=${word#--array=0-}; script=$word; done
echo "$range" >>"$CALLS"
for ((i = 0; i <= range; ++i)); do
  [[ " $LOSE " == *" $i "* ]] || SLURM_ARRAY_TASK_ID=$i SLURM_RESTART_COUNT=3 sh "$script"
done
echo 17
END
printf '#!/bin/sh\necho "MaxArraySize            = 4"\n' >bin/scontrol
printf '#!/bin/sh\n[ -n "$SILENT" ] && { echo "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1; }\necho "$QUEUE"\n' >bin/squeue
printf '#!/bin/sh\necho slurm 22.05\n' >bin/sinfo
printf '#!/bin/sh\nexit 1\n' >bin/sacct
printf '#!/bin/sh\necho "$@" >>"$CALLS"\n' >bin/scancel
chmod +x bin/*
export CALLS=$work/calls PATH=$work/bin:$PATH
LOSE="1 3" run "$GRIDCAST" "${predict[@]}" --on slurm --study lost --shard-size 9 --submit-option=--partition=short
expect 0 "handed to Slurm"
says out '^Slurm has 7 shards of the study in lost \(jobs 17, 17\)' "handed to Slurm"
[[ $(cat calls) == 3$'\n'2 ]] || complain "seven shards are arrays of four and three tasks: $(tr '\n' ' ' <calls)"
grep -qx '#SBATCH --partition=short' lost/submissions/0001.sbatch || complain "--submit-option"
name=$(grep -oP '"job_name": "\K[^"]*' lost/frozen/study.json)
QUEUE="$name-0001|1|RUNNING|None" run "$GRIDCAST" compare status lost --json
json 'd["done"] == 4 and d["queue"] == {"running": 1, "waiting": 0, "held": 0, "lost": 2} and d["left_s"] > 0' "status of a queue"
SILENT=1 run "$GRIDCAST" compare resume lost
expect 2 "a queue that does not answer"
says err 'squeue does not show the queue \(slurm_load_jobs error' "a queue that does not answer"
SILENT=1 run "$GRIDCAST" compare status lost
expect 0 "status without the queue"
says out '^not known .*squeue' "status without the queue"
# The rows in its accounts are counted; one row is enough, and a heading alone is not.
accounts() { printf '#!/bin/sh\nprintf "%s"\n' "$1" >bin/sacct; }
heading='JobID|JobName|User|Cluster|Partition|Submit|Start|End|State|ExitCode|NodeList|AllocTRES\\n'
accounts "$heading"
run "$GRIDCAST" compare status lost
[[ -e lost/sacct.txt ]] && complain "accounts without a row are kept"
at='2026-03-02T10:00:00|2026-03-02T10:01:00|2026-03-02T10:02:00'
accounts "${heading}17_1|$name-0001|ada|c|p|$at|NODE_FAIL|0:0|n1|cpu=1\\n"
run "$GRIDCAST" compare status lost --json
json 'sum(d["failures"].values()) == 1' "accounts of one row"
accounts "${heading}17_1|$name-0001|ada|c|p|$at|COMPLETED|0:0|n1|cpu=1\\n"
run "$GRIDCAST" compare status lost --json
json 'd["failures"] == {}' "an account of what went well"
accounts ""
rm calls
QUEUE="$name-0001|1|PENDING|Priority" REFUSE=1 run "$GRIDCAST" compare resume lost
expect 2 "Slurm refuses"
says err 'sbatch refuses .*Invalid account.*gridcast compare resume lost' "Slurm refuses"
QUEUE="$name-0001|1|PENDING|Priority" run "$GRIDCAST" compare resume lost
expect 0 "resume by Slurm"
[[ $(cat calls) == 1 ]] || complain "two shards are missing and in no queue: $(tr '\n' ' ' <calls)"
grep -qx '#SBATCH --partition=short' lost/submissions/0003.sbatch || complain "resume without --submit-option: not as begun"
# Killed before anything was handed over: for Slurm all the same.
cp -r lost begun
rm -rf begun/submissions begun/results
run "$GRIDCAST" compare resume begun
expect 0 "resume of what was never handed over"
says out '^Slurm has 7 shards of the study in begun' "resume of what was never handed over"
run "$GRIDCAST" compare cancel lost
expect 0 "cancel"
grep -q -- "--name $name-0001" calls || complain "cancel: $(cat calls)"
run "$GRIDCAST" compare resume lost
expect 0 "resume by Slurm of what was cancelled"
run "$GRIDCAST" compare gather lost --json
expect 0 "gather from Slurm"
cmp -s out predict.json || complain "gather from Slurm: other bytes"

# HTCondor's: what comes back is put into incoming/ while someone may look.
cat >bin/condor_submit <<'END'
#!/usr/bin/env bash
value() { sed -n "s/^$1 = //p" "$2"; }
file=$(readlink -f "${!#}") sandbox=$(mktemp -d)
cp -r "$(value transfer_input_files "$file")" "$sandbox/frozen"
cp "$(value executable "$file")" "$sandbox/condor_exec.exe"
while read -r shard; do
  (cd "$sandbox" && ./condor_exec.exe study shard frozen "$shard" --out . && cp ./*.shard "$(value initialdir "$file")/" && rm ./*.shard) >/dev/null
done <"$(sed -n 's/^queue shard from //p' "$file")"
rm -rf "$sandbox"
echo "1.0 - 1.6"
END
printf '#!/bin/sh\necho 23.9.6\n' >bin/condor_version
printf '#!/bin/sh\necho "$QUEUE"\n' >bin/condor_q
chmod +x bin/*
run "$GRIDCAST" "${predict[@]}" --on htcondor --study pool --shard-size 9 --submit-option='+ProjectName = "x"'
expect 0 "handed to HTCondor"
grep -qx 'job_lease_duration = 600' pool/submissions/0001.sub || complain "a lost machine is waited for longer than a shard takes"
grep -qx '+ProjectName = "x"' pool/submissions/0001.sub || complain "--submit-option of HTCondor"
QUEUE="0-9, 5, The disk is full, sorry" run "$GRIDCAST" compare status pool
says out 'held: The disk is full, sorry' "why a shard is held"
truncate -s -1 pool/results/9-18.*
rm pool/results/9-18.*
# JobStatus: 1 idle, 2 running, 7 suspended, 5 held; 3 and 4 are about to leave.
QUEUE=$'0-9, 2, undefined\n9-18, 1, undefined\n18-27, 7, undefined\n27-36, 5, full, sorry\n36-45, 3, undefined\n45-54, 4, undefined' run "$GRIDCAST" compare status pool --json
json 'd["queue"]["running"] == 2 and d["queue"]["waiting"] == 1 and d["queue"]["held"] == 1' "status of HTCondor's queue"
run "$GRIDCAST" compare resume pool
expect 0 "resume by HTCondor"
[[ $(cat pool/submissions/0002.list) == 9-18 ]] || complain "one shard is missing"
run "$GRIDCAST" compare gather pool --json
expect 0 "gather from HTCondor"
cmp -s out predict.json || complain "gather from HTCondor: other bytes"

exit $exit_status
