#!/usr/bin/env bash
# gridcast profile and gridcast init: tables, JSON, and what is refused.
source "$(dirname -- "$0")/check.sh"

cd "$GRIDCAST_SOURCE" || exit 1
dlio=$GRIDCAST_SOURCE/tests/training/data

run "$GRIDCAST" profile resnet50-imagenet-kempner --gpus 64 --json
expect 0 "profile --json"
json 'abs(d["total_s"] / 2640 - 1) < 0.015 and d["measured"]["accuracy_top1_percent"] == 64.208' \
  "64 GPUs"

run "$GRIDCAST" profile --details resnet50-imagenet-kempner --scaling 1..128
expect 0 "profile --scaling"
says out '^ *128 ' "profile --scaling"
for words in "resnet50-imagenet-kempner --scaling 1..128" "dlio-unet3d --gpus 8" --list \
  "--fit calibration/data/mlperf/storage.csv"; do
  # shellcheck disable=SC2086
  run env LC_ALL=C "$GRIDCAST" profile --details $words
  (($(widest "$work/out") <= 80)) || complain "profile $words: wider than 80 columns"
done

# Four nodes of four: the table ends there, and says so.
run "$GRIDCAST" profile resnet18-cifar10-hpml --scaling 1..128 --json
expect 0 "profile --scaling beyond the machine"
json '[row["gpus"] for row in d["rows"]] == [1, 2, 4, 8, 16]' "profile --scaling beyond the machine"
says err '1\.\.128 ends at 16 GPUs: .*it has 4 nodes of 4 GPUs' "profile --scaling beyond the machine"

run "$GRIDCAST" profile resnet50-imagenet-kempner --epochs 5 --json
json 'd["measured"] is None' "profile: 90 epochs were measured, not 5"

run "$GRIDCAST" profile --list --json
expect 0 "profile --list --json"
json '"dlio-unet3d" in d["profiles"] and "H100" in d["gpus"]' "profile --list --json"

run "$GRIDCAST" profile --list
expect 0 "profile --list"
says out '^darshan-imagenet ' "profile --list"

# Options without an effect are refused.
fit=calibration/data/mlperf/storage.csv
for words in "--fit $fit --list" "--list --gpus 5 --storage nope" "--fit $fit --gpus 4" \
  "dlio-unet3d --list" "dlio-unet3d --seed -1" "--list --seed 1"; do
  # shellcheck disable=SC2086
  run "$GRIDCAST" profile $words
  expect 2 "profile $words"
  [[ -s $work/out ]] && complain "train $words: something on standard output"
done
for option in --scaling --fit --storage; do
  run "$GRIDCAST" profile dlio-unet3d "$option" ''
  expect 2 "profile $option ''"
  says err "$option is empty" "profile $option ''"
done

# A time that no number can hold, or that is too long.
sed 's/^storage: .*/storage: crawls/; s/^sources:$/&\n  hardware: a test/' \
  scenarios/profiles/dlio-unet3d.yaml >"$work/slow.yaml"
printf 'hardware: {storage: {crawls: {stream_bandwidth: 1e-300 B/s, write_bandwidth: 1 B/s, sources: {write_bandwidth: x}}}}\n' >>"$work/slow.yaml"
run "$GRIDCAST" profile "$work/slow.yaml"
expect 2 "profile: 1e-300 B/s"
says err "slow\.yaml:[0-9]+:[0-9]+: hardware\.storage\.crawls\.stream_bandwidth: '1e-300 B/s' is out of range" \
  "train: 1e-300 B/s"
sed -i 's|1e-300 B/s|1 B/s|' "$work/slow.yaml"
run "$GRIDCAST" profile "$work/slow.yaml"
expect 2 "profile: 1 B/s"
says err 'slow.*more than a hundred years' "profile: 1 B/s"

run "$GRIDCAST" init "$dlio/unet3d_a100.yaml" --out "$work/unet3d.yaml"
expect 0 "init"
says err 'unet3d_a100\.yaml:5: ignored dataset\.data_folder' "init"
[[ -s $work/out ]] && complain "import dlio --out: something on standard output"
run "$GRIDCAST" profile "$work/unet3d.yaml" --json
expect 0 "profile of the imported profile"
json 'd["au"] > 0.9 and d["steps_per_epoch"] == 24' "profile of the imported profile"

# A profile of one's own from three runs, and what is asked of it.
cat >"$work/runs.csv" <<'END'
gpus,nodes,batch,samples,epoch_s,gpu
4,1,256,1281167,360,A100-80GB
8,2,256,1281167,188,A100-80GB
16,4,256,1281167,97,A100-80GB
END
run "$GRIDCAST" profile --details --fit "$work/runs.csv" --out "$work/mine.yaml"
expect 0 "profile --fit"
says out '^ *loss a doubling .* to ' "profile --fit: parameters with intervals"
says out '^ *line .*weight' "profile --fit: the rows and their weights"
run "$GRIDCAST" profile --fit "$work/runs.csv"
says out '^Fitted to 3 rows of' "profile --fit: the answer first"
run "$GRIDCAST" profile "$work/mine.yaml" --gpus 16 --json
expect 0 "profile of a fitted profile"
json 'd["interval90"]["epoch_s"][0] < 97 < d["interval90"]["epoch_s"][1]' "profile of a fitted profile"
run "$GRIDCAST" profile --details "$work/mine.yaml" --gpus 256
expect 0 "profile of a fitted profile, far beyond what was measured"
says out '^interval90 ' "profile of a fitted profile, far beyond what was measured"
run "$GRIDCAST" profile --fit "$work/runs.csv" --most-nodes 1 --json
expect 0 "profile --fit --most-nodes"
json 'd["predicted"]["rows"] == 2' "profile --fit --most-nodes"
# A profile says of a run far from those measured what the fit says, not what one of its draws does.
cat >"$work/far.csv" <<'END'
family,gpus,nodes,batch,samples,epoch_s,gpu
a,8,1,400,1281167,23,H100
a,512,64,40,1281167,0.6,H100
b,512,64,40,1281167,0.6,H100
END
run "$GRIDCAST" profile --fit "$work/far.csv" --most-nodes 4 --out "$work/far.yaml" --json
expect 0 "profile --fit of one row, to be asked far beyond it"
json 'sum("'"'b' has no run on 4 nodes or fewer"'" in n for n in d["notes"]) == 1' \
  "train --fit: a family of large runs alone"
json 'd["predicted"]["rows"] == 1' "profile --fit: a family of large runs alone"
cp "$work/out" "$work/far.json"
run "$GRIDCAST" profile "$work/far.yaml" --gpus 512 --nodes 64 --batch 40 --json
expect 0 "profile far beyond one row"
FAR=$(<"$work/far.json") json 'abs(d["epoch_s"] / [r for f in
  json.loads(__import__("os").environ["FAR"])["families"] for r in f["rows"]
  if not r["fitted"]][0]["forecast_s"] - 1) < 0.05' "train and --fit say the same of a run"
# refused PATTERN ARGUMENT...
refused() {
  local pattern=$1
  shift
  run "$GRIDCAST" "$@"
  expect 2 "$*"
  says err "$pattern" "$*"
  [[ -s $work/out ]] && complain "$*: something on standard output"
}

refused "--gpus: '0' is not a whole number" profile resnet50-imagenet-kempner --gpus 0
refused "Did you mean 'resnet50-imagenet-kempner'" profile resnet50-imagenet-kempnr
refused "Did you mean 'A100-80GB'" profile resnet50-imagenet-kempner --gpu a100
refused "Did you mean 'nvme'" profile resnet50-imagenet-kempner --storage nvm
refused "a batch of 2000000 is larger than the data set, 1281167" \
  train resnet50-imagenet-kempner --batch 2000000
refused "it has 4 nodes of 4 GPUs" profile resnet18-cifar10-hpml --scaling 1,2,64
refused "do not fit on 'slot-disk'" profile darshan-cosmoflow --gpus 1 --storage slot-disk
refused "Did you mean 'dlio-unet3d'" profile unet3d
refused "unknown machine 'kempner'. Did you mean 'kempner-a100'" \
  train resnet50-imagenet-kempner --machine kempner
for pair in '--scaling 1..4 --gpus 2' '--list'; do
  # shellcheck disable=SC2086
  refused "excludes" profile resnet50-imagenet-kempner $pair
done
refused "larger than the data set" profile resnet18-cifar10-hpml --batch 60000
refused "do not fit on 'memory'" profile resnet50-imagenet-kempner --stage memory
refused "none in the catalogue more than 8" profile resnet50-imagenet-kempner --gpus 16 --nodes 1
refused "no cluster" profile resnet50-imagenet-osg --gpus 8
refused "not a range" profile resnet50-imagenet-kempner --scaling 4..
refused "no profile is given" train
printf 'dataset: {record_length_bytes: -5}\nreader: {data_loader: tensorflw}\n' >"$work/bad.yaml"
refused "bad\.yaml:1:32: .*-5 is out of range" init "$work/bad.yaml"
refused "bad\.yaml:2:23: .*Did you mean 'tensorflow'" init "$work/bad.yaml"
refused "unet3d_a100\.yaml: is a workload of DLIO.*gridcast init" \
  profile "$dlio/unet3d_a100.yaml"
(($(wc -l <"$work/err") == 1)) || complain "profile of a DLIO file: more than one line"
refused "no such file" profile nowhere.yml
printf 'gpus,nodes,batch,samples,epoch_s\n4,8,10,1000,5\n4,1,10,1000,0\n' >"$work/bad.csv"
refused "bad\.csv:2:3: 8 nodes for 4 GPUs" profile --fit "$work/bad.csv"
refused "bad\.csv:3:13: epoch_s: '0'" profile --fit "$work/bad.csv"
printf 'gpus,batch,samples,epoch_s,gpu\n4,10,1000,5,A99\n' >"$work/odd.csv"
refused "unknown GPU 'A99'.*A profile can describe another" profile --fit "$work/odd.csv" --out "$work/odd.yaml"
[[ -e $work/odd.yaml ]] && complain "a profile of an unknown GPU was written"

# Impossible and unknown values are reported, and fitted with a wide error.
printf 'gpus,batch,samples,epoch_s,samples_per_s,gpu\n1,64,100000,100,,A99\n4,64,100000,10,,A99\n8,64,100000,20,500,A99\n' \
  >"$work/odd.csv"
run "$GRIDCAST" profile --fit "$work/odd.csv" --json
expect 0 "profile --fit of rows that contradict each other"
json 'sum("unknown GPU" in n for n in d["notes"]) == 1' "profile --fit: a GPU that nobody knows"
json 'sum("contradicts line 2" in n for n in d["notes"]) == 1' "profile --fit: too fast a row"
json 'sum("samples_per_s 200 s: both are kept" in n for n in d["notes"]) == 1' "profile --fit: seconds and a rate"
json 'all(r["interval90_s"][0] < r["epoch_s"] < r["interval90_s"][1] for r in d["families"][0]["rows"])' \
  "train --fit: intervals as wide as the contradiction"
head -2 "$work/odd.csv" >"$work/one.csv"
run "$GRIDCAST" profile --details --fit "$work/one.csv"
expect 0 "profile --fit of one row"
says out 'one row: it scales as other systems do' "profile --fit of one row"
refused "no rows of 'x'" profile --fit "$work/odd.csv" --family x
refused "which workload is it" profile --fit calibration/data/mlperf/storage.csv --out "$work/odd.yaml"
refused "requires --fit" profile resnet50-imagenet-kempner --out "$work/odd.yaml"
refused "no such file" init "$work/nowhere.json"
refused "unknown GPU" init "$dlio/unet3d_a100.yaml" --gpu Z9

exit $exit_status
