#!/usr/bin/env bash
# Campaigns that train a workload of the catalogue: the shipped scenarios, a profile that was
# imported, and what is refused.
source "$(dirname -- "$0")/check.sh"

cd "$GRIDCAST_SOURCE" || exit 1
[[ -e calibration/fitted/osg-imagenet.yaml ]] || exit 77

for name in stream-or-copy stream-or-copy-20-epochs four-gpu-jobs checkpoints-20-epochs; do
  run "$GRIDCAST" forecast --once "scenarios/$name.yaml" --json
  expect 0 "forecast --once $name"
  json 'd["metrics"]["succeeded"] > 0' "forecast --once $name"
  run "$GRIDCAST" forecast "scenarios/$name.yaml" -n 4 --json
  expect 0 "forecast $name"
  run "$GRIDCAST" compare "scenarios/$name.yaml" -n 4 --json
  expect 0 "compare $name"
done

# The same bytes, whatever the number of processes.
run "$GRIDCAST" compare scenarios/stream-or-copy.yaml -n 8 -j 1 --json
cp "$work/out" "$work/first"
run "$GRIDCAST" compare scenarios/stream-or-copy.yaml -n 8 -j 2 --json
cmp -s "$work/first" "$work/out" || complain "compare: other bytes with two processes"

# scenario FROM TO: four-gpu-jobs with one change, where its files are found.
mkdir -p "$work/scenarios"
ln -s "$PWD/scenarios/pools" "$work/scenarios/pools"
ln -s "$PWD/calibration" "$work/calibration"
scenario() {
  sed "s|$1|$2|" scenarios/four-gpu-jobs.yaml >"$work/scenarios/changed.yaml"
}

run "$GRIDCAST" init tests/training/data/unet3d_a100.yaml --out "$work/scenarios/unet3d.yaml"
expect 0 "init"
scenario 'profile: resnet50-imagenet-osg' 'profile: unet3d.yaml'
run "$GRIDCAST" forecast --once "$work/scenarios/changed.yaml" --json
expect 0 "forecast --once of an imported profile"

# Two nodes of four, at a site that is a cluster.
sed 's/gpus_per_node: 4/gpus_per_node: 4\n    cluster: true\n    machine: kempner-a100/' \
  scenarios/pools/ospool-2024-training.yaml >"$work/scenarios/cluster.yaml"
scenario 'request: {gpus: 4' 'request: {gpus: 8, nodes: 2'
sed -i 's|pool: .*|pool: cluster.yaml|' "$work/scenarios/changed.yaml"
run "$GRIDCAST" forecast "$work/scenarios/changed.yaml" -n 8 --json
expect 0 "jobs of two nodes at a cluster"
json 'd["metrics"]["succeeded"]["p95"] > 0' "jobs of two nodes at a cluster"

# A GPU that only the scenario knows, twice as fast as the one that its sites have.
sed 's/gpu: osg-.*/gpu: Ours/' scenarios/pools/ospool-2024-training.yaml >"$work/scenarios/ours.yaml"
scenario 'pool: .*' 'pool: ours.yaml'
run "$GRIDCAST" forecast --once "$work/scenarios/changed.yaml"
expect 2 "a GPU that nobody knows"
says err "unknown GPU 'Ours'" "a GPU that nobody knows"
for speed in 598 1196; do
  cat >>"$work/scenarios/changed.yaml" <<END
hardware:
  gpus:
    Ours: {memory: 40 GB, images_per_s: $speed, sources: {"memory, images_per_s": measured}}
END
  run "$GRIDCAST" forecast "$work/scenarios/changed.yaml" -n 8 --json
  expect 0 "a GPU of the scenario"
  cp "$work/out" "$work/ours-$speed"
  scenario 'pool: .*' 'pool: ours.yaml'
done
ONE=$(<"$work/ours-598") json 'd["metrics"]["compute_success_s"]["p50"] <
  0.7 * json.loads(__import__("os").environ["ONE"])["metrics"]["compute_success_s"]["p50"]' \
  "a GPU of the scenario that is twice as fast"

# refused PATTERN FROM TO
refused() {
  scenario "$2" "$3"
  run "$GRIDCAST" forecast --once "$work/scenarios/changed.yaml"
  expect 2 "$3"
  says err "$1" "$3"
  [[ -s $work/out ]] && complain "$3: something on standard output"
}

refused "Did you mean 'resnet50-imagenet-osg'" 'resnet50-imagenet-osg' 'resnet50-imagenet-ogs'
refused 'changed\.yaml:[0-9]*:9: campaign\.work: 0 GPUs' 'gpus: 4' 'gpus: 0'
refused 'no site of the pool can ever run these jobs.*4 GPU a node of the 8 wanted' 'gpus: 4' 'gpus: 8'
refused 'no cluster, a job gets one node of the 2' 'gpus: 4' 'gpus: 8, nodes: 2'
refused 'larger than the data set' 'epochs: 20' 'epochs: 20, batch: 400000'
refused "needs 50\.4 GB of a GPU's memory" 'epochs: 20' 'epochs: 20, batch: 500'
refused "do not fit on 'slot-disk'" 'disk: 350 GB' 'disk: 100 GB'
refused "Did you mean 'nvme'" 'epochs: 20' 'epochs: 20, storage: nvm'

# More GPUs, or more jobs? A fitted profile names the work, and each replica lives in one of its worlds.
printf 'gpus,batch,samples,epoch_s,gpu\n1,128,1281167,2200,osg-chtc-spark\n2,128,1281167,1150,osg-chtc-spark\n' \
  >"$work/runs.csv"
run "$GRIDCAST" profile resnet50-imagenet-osg --fit "$work/runs.csv" --out "$work/scenarios/mine.yaml"
expect 0 "a profile fitted to runs on the grid"
scenario 'profile: resnet50-imagenet-osg' 'profile: mine.yaml'
for gpus in 1 4; do
  run "$GRIDCAST" forecast "$work/scenarios/changed.yaml" --set "campaign.request.gpus=$gpus" -n 6 --json
  expect 0 "forecast with $gpus GPUs a job"
  cp "$work/out" "$work/gpus-$gpus.json"
done
json 'd["metrics"]["makespan_s"]["p05"] < d["metrics"]["makespan_s"]["p95"]' "forecast with 4 GPUs a job"
# The two runs say that a job on four GPUs takes less time; its slots are the same.
ONE=$(<"$work/gpus-1.json") json '0 < d["metrics"]["match_to_done_median_s"]["p50"] <
  json.loads(__import__("os").environ["ONE"])["metrics"]["match_to_done_median_s"]["p50"]' "more GPUs, shorter jobs"

exit $exit_status
