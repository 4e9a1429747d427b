#!/usr/bin/env bash
# gridcast train and gridcast import dlio: tables, JSON, and what is refused.
source "$(dirname -- "$0")/check.sh"

cd "$GRIDCAST_SOURCE" || exit 1
dlio=$GRIDCAST_SOURCE/tests/training/data

run "$GRIDCAST" train resnet50-imagenet-kempner --gpus 64 --json
expect 0 "train --json"
json 'abs(d["total_s"] / 2640 - 1) < 0.015 and d["measured"]["accuracy_top1_percent"] == 64.208' \
  "64 GPUs"

run "$GRIDCAST" train --details resnet50-imagenet-kempner --scaling 1..128
expect 0 "train --scaling"
says out '^ *128 ' "train --scaling"
says out '█.*100\.0 %' "train --scaling"
for words in "resnet50-imagenet-kempner --scaling 1..128" "dlio-unet3d --gpus 8" --list \
  "--fit calibration/data/mlperf/job_2.csv"; do
  # shellcheck disable=SC2086
  run env LC_ALL=C "$GRIDCAST" train --details $words
  (($(widest "$work/out") <= 80)) || complain "train $words: wider than 80 columns"
done

# Four nodes of four: the table ends there, and says so.
run "$GRIDCAST" train resnet18-cifar10-hpml --scaling 1..128 --json
expect 0 "train --scaling beyond the machine"
json '[row["gpus"] for row in d["rows"]] == [1, 2, 4, 8, 16]' "train --scaling beyond the machine"
says err '1\.\.128 ends at 16 GPUs: .*it has 4 nodes of 4 GPUs' "train --scaling beyond the machine"

run "$GRIDCAST" train resnet50-imagenet-kempner --epochs 5 --json
json 'd["measured"] is None' "train: 90 epochs were measured, not 5"

run "$GRIDCAST" train --list --json
expect 0 "train --list --json"
json '"dlio-unet3d" in d["profiles"] and "H100" in d["gpus"]' "train --list --json"

run "$GRIDCAST" train --details dlio-unet3d --storage slow-store --detail steps
expect 0 "train --detail steps"
says out '^step by step .*closed form' "train --detail steps"

run "$GRIDCAST" train --list
expect 0 "train --list"
says out '^darshan-imagenet ' "train --list"

# What has no effect is refused.
fit=calibration/data/mlperf/job_2.csv
for words in "--fit $fit --report page.html" "--list --report page.html" \
  "--fit $fit --list" "--list --gpus 5 --storage nope" "--fit $fit --gpus 4" \
  "dlio-unet3d --list" "dlio-unet3d --seed -1" "--list --seed 1"; do
  # shellcheck disable=SC2086
  run "$GRIDCAST" train $words
  expect 2 "train $words"
  [[ -s $work/out ]] && complain "train $words: something on standard output"
done
for option in --scaling --fit --storage; do
  run "$GRIDCAST" train dlio-unet3d "$option" ''
  expect 2 "train $option ''"
  says err "$option: .*empty" "train $option ''"
done

# A time that no number can tell, or that nobody lives to see.
sed 's/^storage: .*/storage: crawls/; s/^sources:$/&\n  hardware: a test/' \
  scenarios/profiles/dlio-unet3d.yaml >"$work/slow.yaml"
printf 'hardware: {storage: {crawls: {stream_bandwidth: 1e-300 B/s, write_bandwidth: 1 B/s, sources: {write_bandwidth: x}}}}\n' >>"$work/slow.yaml"
run "$GRIDCAST" train "$work/slow.yaml"
expect 2 "train: 1e-300 B/s"
says err "slow\.yaml:[0-9]+:[0-9]+: hardware\.storage\.crawls\.stream_bandwidth: '1e-300 B/s' is out of range" \
  "train: 1e-300 B/s"
sed -i 's|1e-300 B/s|1 B/s|' "$work/slow.yaml"
run "$GRIDCAST" train "$work/slow.yaml"
expect 2 "train: 1 B/s"
says err 'slow.*more than a hundred years' "train: 1 B/s"

run "$GRIDCAST" import dlio "$dlio/unet3d_a100.yaml" --out "$work/unet3d.yaml"
expect 0 "import dlio"
says err 'unet3d_a100\.yaml:5: ignored dataset\.data_folder' "import dlio"
[[ -s $work/out ]] && complain "import dlio --out: something on standard output"
run "$GRIDCAST" train "$work/unet3d.yaml" --json
expect 0 "train of the imported profile"
json 'd["au"] > 0.9 and d["steps_per_epoch"] == 24' "train of the imported profile"

# A profile of one's own from three runs, and what is asked of it.
cat >"$work/runs.csv" <<'END'
gpus,nodes,batch,samples,epoch_s,gpu
4,1,256,1281167,360,A100-80GB
8,2,256,1281167,188,A100-80GB
16,4,256,1281167,97,A100-80GB
END
run "$GRIDCAST" train --details --fit "$work/runs.csv" --out "$work/mine.yaml"
expect 0 "train --fit"
says out '^ *loss a doubling .* to ' "train --fit: parameters with intervals"
says out '^ *candidate .*refuted by' "train --fit: candidates"
run "$GRIDCAST" train "$work/mine.yaml" --gpus 16 --json
expect 0 "train of a fitted profile"
json 'd["interval90"]["epoch_s"][0] < 97 < d["interval90"]["epoch_s"][1]' "train of a fitted profile"
run "$GRIDCAST" train --details "$work/mine.yaml" --gpus 256
expect 0 "train of a fitted profile, far beyond what was measured"
says out '^90 %: .* an epoch' "train of a fitted profile, far beyond what was measured"
run "$GRIDCAST" train --fit "$work/runs.csv" --most-nodes 1 --json
expect 0 "train --fit --most-nodes"
json 'd["predicted"]["rows"] == 2' "train --fit --most-nodes"
# A profile says of a run far from those measured what the fit says, not what one of its draws does.
cat >"$work/far.csv" <<'END'
family,gpus,nodes,batch,samples,epoch_s,gpu
a,8,1,400,1281167,23,H100
a,512,64,40,1281167,0.6,H100
b,512,64,40,1281167,0.6,H100
END
run "$GRIDCAST" train --fit "$work/far.csv" --most-nodes 4 --out "$work/far.yaml" --json
expect 0 "train --fit of one row, to be asked far beyond it"
json 'sum("'"'b' has no run on 4 nodes or fewer"'" in n for n in d["notes"]) == 1' \
  "train --fit: a family of large runs alone"
json 'd["predicted"]["rows"] == 1' "train --fit: a family of large runs alone"
cp "$work/out" "$work/far.json"
run "$GRIDCAST" train "$work/far.yaml" --gpus 512 --nodes 64 --batch 40 --json
expect 0 "train far beyond one row"
FAR=$(<"$work/far.json") json 'abs(d["epoch_s"] / [r for f in
  json.loads(__import__("os").environ["FAR"])["families"] for r in f["rows"]
  if not r["fitted"]][0]["forecast_s"] - 1) < 0.05' "train and --fit say the same of a run"
run "$GRIDCAST" train --fit calibration/data/mlperf/job_2.csv --json
expect 0 "train --fit of workers"
json 'abs(d["slowest_p99"] / d["slowest_p99_measured"] - 1) < 0.15' "train --fit of workers"

# refused PATTERN ARGUMENT...
refused() {
  local pattern=$1
  shift
  run "$GRIDCAST" "$@"
  expect 2 "$*"
  says err "$pattern" "$*"
  [[ -s $work/out ]] && complain "$*: something on standard output"
}

refused "--gpus: '0' is not a whole number" train resnet50-imagenet-kempner --gpus 0
refused "Did you mean 'resnet50-imagenet-kempner'" train resnet50-imagenet-kempnr
refused "Did you mean 'A100-80GB'" train resnet50-imagenet-kempner --gpu a100
refused "Did you mean 'nvme'" train resnet50-imagenet-kempner --storage nvm
refused "a batch of 2000000 is larger than the data set, 1281167" \
  train resnet50-imagenet-kempner --batch 2000000
refused "it has 4 nodes of 4 GPUs" train resnet18-cifar10-hpml --scaling 1,2,64
refused "do not fit on 'slot-disk'" train darshan-cosmoflow --gpus 1 --storage slot-disk
refused "Did you mean 'dlio-unet3d'" train unet3d
refused "unknown machine 'kempner'. Did you mean 'kempner-a100'" \
  train resnet50-imagenet-kempner --machine kempner
for pair in '--scaling 1..4 --gpus 2' '--scaling 1..4 --detail steps' '--list'; do
  # shellcheck disable=SC2086
  refused "excludes" train resnet50-imagenet-kempner $pair
done
refused "larger than the data set" train resnet18-cifar10-hpml --batch 60000
refused "do not fit on 'memory'" train resnet50-imagenet-kempner --stage memory
refused "none in the catalogue more than 8" train resnet50-imagenet-kempner --gpus 16 --nodes 1
refused "no cluster" train resnet50-imagenet-osg --gpus 8
refused "not a range" train resnet50-imagenet-kempner --scaling 4..
refused "no profile is given" train
printf 'dataset: {record_length_bytes: -5}\nreader: {data_loader: tensorflw}\n' >"$work/bad.yaml"
refused "bad\.yaml:1:32: .*-5 is out of range" import dlio "$work/bad.yaml"
refused "bad\.yaml:2:23: .*Did you mean 'tensorflow'" import dlio "$work/bad.yaml"
refused "unet3d_a100\.yaml:1:1: a workload file of DLIO where a profile is wanted" \
  train "$dlio/unet3d_a100.yaml"
(($(wc -l <"$work/err") == 1)) || complain "train of a DLIO file: more than one line"
refused "no such file" train nowhere.yml
printf 'gpus,nodes,batch,samples,epoch_s\n4,8,10,1000,5\n4,1,10,1000,0\n' >"$work/bad.csv"
refused "bad\.csv:2:3: 8 nodes for 4 GPUs" train --fit "$work/bad.csv"
refused "bad\.csv:3:13: epoch_s: '0'" train --fit "$work/bad.csv"
printf 'gpus,batch,samples,epoch_s,gpu\n4,10,1000,5,A99\n' >"$work/odd.csv"
refused "unknown GPU 'A99'.*A profile can describe another" train --fit "$work/odd.csv" --out "$work/odd.yaml"
[[ -e $work/odd.yaml ]] && complain "a profile of an unknown GPU was written"

# What cannot be true, and what is not known, is told of and fitted to as widely as that.
printf 'gpus,batch,samples,epoch_s,samples_per_s,gpu\n1,64,100000,100,,A99\n4,64,100000,10,,A99\n8,64,100000,20,500,A99\n' \
  >"$work/odd.csv"
run "$GRIDCAST" train --fit "$work/odd.csv" --json
expect 0 "train --fit of rows that contradict each other"
json 'sum("unknown GPU" in n for n in d["notes"]) == 1' "train --fit: a GPU that nobody knows"
json 'sum("contradicts line 2" in n for n in d["notes"]) == 1' "train --fit: too fast a row"
json 'sum("samples_per_s 200 s: both are kept" in n for n in d["notes"]) == 1' "train --fit: seconds and a rate"
json 'all(r["interval90_s"][0] < r["epoch_s"] < r["interval90_s"][1] for r in d["families"][0]["rows"])' \
  "train --fit: intervals as wide as the contradiction"
head -2 "$work/odd.csv" >"$work/one.csv"
run "$GRIDCAST" train --details --fit "$work/one.csv"
expect 0 "train --fit of one row"
says out 'one row: how it scales is what the priors say' "train --fit of one row"
refused "no rows of 'x'" train --fit "$work/odd.csv" --family x
refused "which workload is it" train --fit calibration/data/mlperf/job_2.csv --out "$work/odd.yaml"
refused "requires --fit" train resnet50-imagenet-kempner --out "$work/odd.yaml"
refused "no such file" import dlio "$work/nowhere.yaml"
refused "unknown GPU" import dlio "$dlio/unet3d_a100.yaml" --gpu Z9

exit $exit_status
