#!/usr/bin/env bash
# No verb writes over one of its inputs, under whichever name and with --force too; none replaces a
# file without --force; what is replaced keeps its permissions.
source "$(dirname -- "$0")/check.sh"

cd "$work" || exit 1
cp -r "$GRIDCAST_SOURCE/scenarios" scenarios
mkdir -p calibration
cp -r "$GRIDCAST_SOURCE/calibration/fitted" calibration/fitted
mine=scenarios/osg-imagenet.yaml
"$GRIDCAST" export events "$mine" -o in.log
"$GRIDCAST" forecast --once "$mine" --json >result.json
cp "$table" in.csv
cp "$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c4-retry/job.sub" job.sub
printf 'executable = a\ninclude : items.sub\nqueue\n' >outer.sub
printf '# nothing\n' >items.sub
cat >in.json <<'END'
{"name": "two", "schemaVersion": "1.5", "workflow": {
 "specification": {"tasks": [{"name": "a", "id": "a", "parents": [], "children": ["b"]},
                             {"name": "b", "id": "b", "parents": ["a"], "children": []}]},
 "execution": {"makespanInSeconds": 30, "executedAt": "2026-01-02T03:04:05+00:00",
               "tasks": [{"id": "a", "runtimeInSeconds": 20}, {"id": "b", "runtimeInSeconds": 10}]}}}
END
printf '1 0 0 100 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n' >in.swf
cat >dlio.yaml <<'END'
model: {name: unet3d}
dataset: {num_files_train: 4, num_samples_per_file: 1, record_length_bytes: 1000}
reader: {batch_size: 1}
train: {epochs: 1, computation_time: 0.1}
END
cat >map.yaml <<'END'
schema: gridcast.columns/1
columns: {job: id, submitted: in, started: on, ended: off, outcome: how}
outcomes: {OK: succeeded}
END
printf 'id,in,on,off,how\n1,2026-01-01T00:00:00,2026-01-01T01:00:00,2026-01-01T02:00:00,OK\n' >mapped.csv
ln in.log hard.log
ln -s in.log soft.log
sums() { find . -type f ! -name out ! -name err -exec sha256sum {} + | sort; }
sums >"$work.sums"

# needs_page ARGUMENT...: of a program that can write none, what becomes of one is not asked.
needs_page() { [[ $1 == report || " $* " == *" --report "* ]] && ! has_page; }

# kept WHAT ARGUMENT...: refused with one line that says so, and every file is as it was.
kept() {
  local what=$1
  shift
  needs_page "$@" && return
  run "$GRIDCAST" "$@"
  expect 2 "$*"
  says err "$what" "$*"
  sums | cmp -s - "$work.sums" || {
    complain "$*: a file is another one now:"
    sums | diff "$work.sums" - | head -n 4
  }
}
input='is one of the inputs'

for force in '' --force; do
  kept "$input" calibrate in.log -o in.log $force
  kept "$input" calibrate in.log -o ./hard.log $force
  kept "$input" calibrate in.log -o soft.log $force
  kept "$input" calibrate in.csv --pool scenarios/pools/ospool-2024.yaml -o scenarios/pools/ospool-2024.yaml $force
  kept "$input" export events in.log -o in.log $force
  kept "$input" export attempts in.log -o "$work/in.log" $force
  kept "$input" export attempts "$mine" -o scenarios/pools/ospool-2024.yaml $force
  kept "$input" export csv in.log --table jobs -o hard.log $force
  kept "$input" import dlio dlio.yaml --out dlio.yaml $force
  kept "$input" import submit job.sub -o job.sub $force
  kept "$input" ledger in.log --report in.log $force
  kept "$input" report result.json -o result.json $force
  kept "$input" run "$mine" --report "$mine" $force
  kept "$input" predict "$mine" -n 1 --report scenarios/pools/ospool-2024.yaml $force
  kept "$input" compare "$mine" -n 1 --report calibration/fitted/osg-imagenet.yaml $force
  kept "$input" predict "$mine" -n 1 --against in.csv --report in.csv $force
  kept "$input" replay in.csv --scenario "$mine" -n 1 --report in.csv $force
done
kept "$input" import submit outer.sub -o items.sub --size x=1GB --force
kept "$input" ledger mapped.csv --columns map.yaml --report map.yaml --force
kept "$input" calibrate mapped.csv --columns map.yaml -o map.yaml --force
kept "$input" export attempts mapped.csv --columns map.yaml -o map.yaml --force
kept "$input" init in.log -o in.log --yes --force
kept "$input" predict "$mine" -n 2 --on local --study of-mine --report "$mine" --force
kept "$input" compare "$mine" -n 2 --on local --study of-mine --report scenarios/pools/ospool-2024.yaml --force
# Files that no verb lists are kept as well.
kept "$input" lesson run 1 --folder scenarios/teaching --report scenarios/teaching/pools/waiting.yaml --force
kept "$input" forecast outer.sub in.log --of 2 --report items.sub --force
cp in.swf scenario.yaml
cp in.json pool.yaml
cp in.csv metrics.csv
sums >"$work.sums"
kept "init does not know its kind" import swf scenario.yaml -o . --force
kept "$input" import wfformat pool.yaml -o . --force
kept "$input" replay metrics.csv --scenario "$mine" -n 1 --csv . --force
kept 'would be written twice' run "$mine" --out . --report ledger.json --force
# Names that cannot be looked for are none of the others.
long=$(printf 'x%.0s' {1..300})
kept "^$long/metrics.csv: cannot be written .*shorter name" predict "$mine" -n 1 --csv "$long"
kept "^$long: cannot be written .*shorter name" export events in.log -o "$long"
kept 'cannot be made a folder .*Not a directory' run "$mine" --out in.log/below
kept 'out is empty' export events in.log -o ''

# Something of value is in the way.
echo value >there
echo value >there.pool.yaml
mkdir -p folder
for name in scenario.yaml pool.yaml metrics.csv events.log jobs.csv; do echo value >folder/$name; done
sums >"$work.sums"
there='is already there'
kept "$there" calibrate in.log -o there
kept "$there" calibrate in.log -o there.yaml
kept "$there" calibrate in.csv --pool scenarios/pools/ospool-2024.yaml -o there
kept "$there" export events in.log -o there
kept "$there" export attempts in.log -o there
kept "$there" import dlio dlio.yaml --out there
kept "$there" import submit job.sub -o there
kept "$there" init -o there --yes
kept "$there" ledger in.log --report there
kept "$there" report result.json -o there
kept "$there" run "$mine" --report there
kept "$there" lesson run 1 --report there
kept 'already holds scenario.yaml, pool.yaml' import swf in.swf -o folder
kept 'already holds events.log, jobs.csv' run "$mine" --out folder
kept 'already holds metrics.csv' predict "$mine" -n 1 --csv folder
kept 'already holds jobs.csv' export csv in.log -o folder
rm -f "$work.sums"

# replaced ARGUMENT...: with --force it is, and who may read it has not changed.
replaced() {
  needs_page "$@" && return
  echo value >there
  chmod 600 there
  run "$GRIDCAST" "$@" --force
  expect 0 "$* --force"
  [[ $(cat there) == value ]] && complain "$*: --force replaces nothing"
  [[ $(stat -c %a there) == 600 ]] || complain "$*: the file has mode $(stat -c %a there)"
}
replaced export events in.log -o there
replaced export csv in.log --table jobs -o there
replaced import dlio dlio.yaml --out there
replaced report result.json -o there

# none_left FILE: a disk that is full (or has no room for a large file) leaves no part of the outputs.
none_left() {
  expect 1 "$1 on a full disk"
  says err "^$1[^ ]*: cannot be written" "$1 on a full disk"
  [[ -z $(find fresh -type f) ]] || complain "$1 on a full disk leaves $(find fresh -type f | xargs)"
}
# in_kilobytes NUMBER ARGUMENT...: runs the program with this limit of a file.
in_kilobytes() {
  mkdir -p fresh
  run bash -c 'ulimit -f "$1"; exec "$0" "${@:2}"' "$GRIDCAST" "$@"
}
in_kilobytes 1 init -o fresh/new.yaml --yes
none_left fresh/new.yaml
in_kilobytes 1 init in.log -o fresh/new.yaml --yes
none_left fresh/new
if has_page; then
  in_kilobytes 99 forecast "$mine" -n 1 --csv fresh/csv --report fresh/page.html
  none_left fresh/page.html
fi
# A mistake leaves none either: the next try is not refused.
for mistake in 'nonsense=1' 'nonsense=1'; do
  run "$GRIDCAST" init in.log -o fresh/new.yaml --yes --set "$mistake"
  expect 2 "init with an unknown key"
  says err nonsense "init with an unknown key"
done
[[ -z $(find fresh -type f) ]] || complain "init with an unknown key leaves $(find fresh -type f | xargs)"

# Jobs that no slot can run are reported with the place of the request.
run "$GRIDCAST" forecast --once "$GRIDCAST_SOURCE/scenarios/osg-imagenet.yaml" --set \
  'strategies.published.match.requirements=NumHolds > 99'
expect 0 "a run in which nothing is matched"
says err "No job was ever matched: no slot met the jobs' requirements" "a run in which nothing is matched"
# One slot that no job may have is not the same as no slot.
few=()
for site in CHTC-Spark-CE1 GP-ARGO-ksu-backfill PDX-Coeus-CE1; do few+=(--set "calibration.gpus.$site=0"); done
few=(forecast "$GRIDCAST_SOURCE/scenarios/osg-imagenet.yaml" -n 2 --strategy published "${few[@]}")
run "$GRIDCAST" "${few[@]}"
says out "no site had a slot" "no slot at all"
run "$GRIDCAST" "${few[@]}" --set calibration.gpus.CHTC-Spark-CE1=1 --set \
  'strategies.published.match.requirements=NumHolds > 99'
says out "no slot met the jobs'" "one slot, which no job may have"

shopt -s nullglob
left=(.gridcast-* */.gridcast-*)
((${#left[@]} == 0)) || complain "left behind: ${left[*]}"

exit $exit_status
