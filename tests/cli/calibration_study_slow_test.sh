#!/usr/bin/env bash
# `calibrate --on`: rounds of simulations in shards fit the same bytes as one process, whatever the number
# and order of shards; shards that are lost or damaged; a part; a frozen file that was changed.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

cp "$GRIDCAST_SOURCE/calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv" jobs.csv
cp "$GRIDCAST_SOURCE/scenarios/pools/ospool-2024.yaml" pool.yaml
fit=(calibrate jobs.csv --pool pool.yaml --simulations 400 --quiet)
run "$GRIDCAST" "${fit[@]}" -o out.yaml
expect 0 "calibrate"
mv out.yaml plain.yaml
same() { cmp -s "$1" plain.yaml || complain "$2: other bytes"; }

# 400 simulations are ten rounds, of 12, 12, 1 (a rough fit of 100), 36, 36, 1, 4, 1, 40 and 40 tasks.
for size in 12 5; do
  run "$GRIDCAST" "${fit[@]}" -o out.yaml --on local --study "by-$size" --shard-size $size
  expect 0 "shards of $size"
  same out.yaml "shards of $size"
  mv out.yaml kept.yaml
done
(($(ls by-12/results | wc -l) == 20 && $(ls by-5/results | wc -l) == 42)) ||
  complain "the ten rounds are 20 shards of 12 tasks or 42 of 5"

# Rounds by hand, on a folder that lacks all but the first, and one shard of that: each shard by the frozen
# program, the last one first, and `resume` on no batch system tells which round is next.
cp -r by-5 hurt
rm hurt/rounds.json
find hurt/results -name '*.round-*' -delete
printf 'x' | dd of="$(echo hurt/results/0-5.*)" bs=1 seek=900 conv=notrunc 2>/dev/null
run "$GRIDCAST" study gather hurt
expect 3 "gather of a part"
says err 'no calibration is written before all rounds of simulations are there; round 1 ' "gather of a part"
says err '1 of 3 shards have no result yet \(1 are damaged\)' "gather of a part"
[[ -e out.yaml ]] && complain "gather of a part wrote a calibration"
run env -i PATH=/usr/bin:/bin hurt/frozen/program/run study shard hurt/frozen 3-4.round-1 --out hurt/results
expect 2 "a shard of a round that does not follow yet"
says err 'the results of round 0 are not all there' "a shard of a round that does not follow yet"
run env -i PATH=/usr/bin:/bin hurt/frozen/program/run study shard hurt/frozen 0-5 --out hurt/results
expect 0 "a shard of the first round"
for shard in 5-12 0-5; do
  run env -i PATH=/usr/bin:/bin hurt/frozen/program/run study shard hurt/frozen $shard.round-1 --out hurt/results
  expect 0 "shard $shard of the second round"
done
run env -i PATH=/usr/bin:/bin hurt/frozen/program/run study shard hurt/frozen 10-13.round-1 --out elsewhere
expect 2 "a shard that goes beyond its round"
says err 'round 1 has 12 tasks' "a shard that goes beyond its round"
run "$GRIDCAST" study status hurt
expect 0 "status between rounds"
says out 'next +gridcast study resume hurt, for the next round' "status between rounds"
run "$GRIDCAST" study resume hurt --quiet
expect 0 "resume"
same out.yaml "resume"

# Results whose checksum is right and whose records are shorter than the round's.
cp -r by-12 forged
python3 - forged/results/0-12.*.shard <<'END'
import hashlib, json, struct, sys

name = next(name for name in sys.argv[1:] if '.round-' not in name)
first, head, body = open(name, 'rb').read().split(b'\n', 2)
shorter, at = b'', 0
while at < len(body):
    number, n = struct.unpack_from('<II', body, at)
    shorter += struct.pack('<II', number, n - 1) + body[at + 8:at + 8 * n]
    at += 8 + 8 * n
body = shorter
told = json.loads(head)
told['bytes'] = len(body)
head = json.dumps(told, separators=(',', ':')).encode()
digest = hashlib.sha256(head + b'\n' + body).hexdigest().encode()
open(name, 'wb').write(b' '.join(first.split(b' ')[:2] + [digest]) + b'\n' + head + b'\n' + body)
END
rm -f out.yaml
run "$GRIDCAST" study gather forged
expect 2 "gather of forged rounds"
says err "the results of round 1 are damaged" "gather of forged rounds"
says err "files without 'round-' in their names" "gather of forged rounds"
[[ -e out.yaml ]] && complain "gather of forged rounds wrote a calibration"
run "$GRIDCAST" study gather by-12
expect 0 "gather after that"

# Made of what is frozen, and never over a file unasked.
rm jobs.csv pool.yaml
run "$GRIDCAST" study gather by-12
expect 2 "gather over a calibration"
says err 'out.yaml: .*(is|already) there' "gather over a calibration"
run "$GRIDCAST" study gather by-12 --force
expect 0 "gather --force"
same out.yaml "gather --force"
run "$GRIDCAST" study gather by-12 --force --json
expect 2 "gather --json of a calibration"

for file in calibration.json records/1-jobs.csv; do
  rm -rf changed
  cp -r by-12 changed
  echo "# more" >>"changed/frozen/$file"
  run "$GRIDCAST" study gather changed --force
  expect 2 "gather with another $file"
  says err "changed/frozen/$file: was changed since the study was begun" "gather with another $file"
done
rm -rf changed
cp -r by-12 changed
echo '[{"tasks":12}]' >changed/rounds.json
run "$GRIDCAST" study resume changed
expect 2 "rounds that were changed by hand"
says err 'changed/rounds.json: does not tell what the study wants' "rounds that were changed by hand"

# As the message says, whichever results are there.
for round in 8 none; do
  rm -rf changed
  cp -r by-5 changed
  rm -f changed/results/*.round-$round.*
  echo 'spoilt' >changed/rounds.json
  run "$GRIDCAST" study resume changed
  expect 2 "rounds that were spoilt"
  says err 'changed/rounds.json: .*Remove it: gridcast study resume writes it anew' "rounds that were spoilt"
  rm changed/rounds.json
  run "$GRIDCAST" study resume changed --force --quiet
  expect 0 "resume without rounds.json"
  same out.yaml "resume without rounds.json"
  cmp -s changed/rounds.json by-5/rounds.json || complain "resume writes other rounds"
done
# Nor is a number of tasks believed that the rounds before do not lead to.
echo '[{"tasks":40,"shard_size":5}]' >changed/rounds.json
rm -f changed/results/*.round-8.*
run "$GRIDCAST" study resume changed --force --quiet
expect 0 "resume with rounds of another fit"
same out.yaml "resume with rounds of another fit"

log=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c5-json/c5-json.log
run "$GRIDCAST" calibrate "$log" --on local -o log.yaml
expect 2 "--on of a log"
says err 'on without a job table' "--on of a log"
exit $exit_status
