#!/usr/bin/env bash
# `validate --against` and `--leave-one` in shards: the same bytes as one process gives, whatever their number
# and order; shards that were lost or damaged; a frozen file that was changed.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
run "$GRIDCAST" calibrate "$pool"/c5-json/{c5-json.log,history.json} --draws 30 --quiet -o c5.yaml
expect 0 "calibrate"
against=(validate c5.yaml --against "$pool/c6-xml" "$pool/c4-retry" --work-word 1 -n 10)
run "$GRIDCAST" "${against[@]}" --json --csv csv
expect 0 "scores of one process"
cp out scores.json

# Twenty replicas, of two forecasts; shards of 7 and 3 cross from one to the other.
for size in 20 7 3; do
  run "$GRIDCAST" "${against[@]}" --on local --study "by-$size" --shard-size $size --json --csv "csv-$size"
  expect 0 "scores in shards of $size"
  cmp -s out scores.json || complain "scores in shards of $size: other bytes"
  diff -r csv "csv-$size" >/dev/null || complain "scores in shards of $size: other tables"
done
(($(ls by-20/results | wc -l) == 1 && $(ls by-7/results | wc -l) == 3 && $(ls by-3/results | wc -l) == 7)) ||
  complain "20 replicas in shards of 20, 7 and 3 are 1, 3 and 7 shards"

# Lost and damaged: no scores, and the same ones once they were played again. Other replicas are not
# needed in order: each shard is played by itself, the last one first, by a frozen copy elsewhere.
cp -r by-3 hurt
rm hurt/results/9-12.*
printf 'x' | dd of="$(echo hurt/results/0-3.*)" bs=1 seek=900 conv=notrunc 2>/dev/null
run "$GRIDCAST" study gather hurt --json
expect 3 "gather of a part"
[[ -s out ]] && complain "a part of the forecasts was scored"
says err 'nothing is scored before all forecasts are there' "gather of a part"
says err '2 of 7 shards have no result yet \(1 are damaged\)' "gather of a part"
cp -r hurt moved
for shard in 9-12 0-3; do
  run env -i PATH=/usr/bin:/bin moved/frozen/program/run study shard moved/frozen $shard --out moved/results
  expect 0 "shard $shard by the frozen program"
done
run "$GRIDCAST" study gather moved --json
expect 0 "gather of shards that came out of order"
cmp -s out scores.json || complain "gather of shards that came out of order: other bytes"
run "$GRIDCAST" study resume hurt --json
expect 0 "resume"
cmp -s out scores.json || complain "resume: other bytes"

# A study does not depend on what it was made of.
mv c5.yaml gone.yaml
run "$GRIDCAST" study gather by-7 --json
expect 0 "gather without the calibration"
cmp -s out scores.json || complain "gather without the calibration: other bytes"

for file in scores.json "$(cd by-7/frozen && find tree -name c6-xml.yaml)"; do
  rm -rf changed
  cp -r by-7 changed
  echo "# more" >>"changed/frozen/$file"
  for verb in status gather resume; do
    run "$GRIDCAST" study $verb changed
    expect 2 "$verb with another $file"
    says err "changed/frozen/$file: was changed since the study was begun" "$verb with another $file"
  done
done

# What is left out is as well planned, frozen and scored (sites and campaigns: validate_slow_test.sh).
part=(validate "$pool/c6-xml" --leave-one part -n 10 --json)
run "$GRIDCAST" "${part[@]}"
expect 0 "a part in one process"
cp out part.json
run "$GRIDCAST" "${part[@]}" --on local --study part --shard-size 7
expect 0 "a part in shards"
cmp -s out part.json || complain "a part in shards: other bytes"

run "$GRIDCAST" validate gone.yaml --truth "$pool/c1-sweep" --on local
expect 2 "--on of what plays nothing"
says err 'on without --recover, --against or --leave-one' "--on of what plays nothing"
exit $exit_status
