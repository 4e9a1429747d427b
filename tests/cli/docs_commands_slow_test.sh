#!/usr/bin/env bash
# Every command in the documentation that can run here runs, page by page, on small files with the
# names that the pages use.
source "$(dirname -- "$0")/check.sh"
source "$(dirname -- "$0")/example_files.sh"
P=calibration/data/htcondor-pool
F=calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv
cp "$GRIDCAST_SOURCE/$F" table.csv
cp "$GRIDCAST_SOURCE/calibration/data/mlperf/storage.csv" .
cp "$GRIDCAST_SOURCE/tests/training/data/unet3d_a100.yaml" .
cp scenarios/profiles/resnet50-imagenet-kempner.yaml my-profile.yaml
sed "s|: pools/|: scenarios/pools/|; s|\.\./calibration|calibration|" scenarios/four-gpu-jobs.yaml >scenario.yaml
"$GRIDCAST" forecast scenario.yaml -n 8 --json >result.json 2>command.err || complain "result.json"
for name in my.log other.log WORK.dag.nodes.log; do cp job.log $name; done
cp pretraining.dag.nodes.log WORK.dag.nodes.log
cp pretraining.dag WORK.dag
cp job.sub JOB.sub
"$GRIDCAST" init job.sub -o my-scenario.yaml >command.out 2>command.err || complain "my-scenario.yaml"
python3 - "$GRIDCAST_SOURCE" >commands <<'PYTHON'
import glob, re, sys

for page in [f"{sys.argv[1]}/README.md"] + sorted(glob.glob(f"{sys.argv[1]}/docs/*.md")):
    text = re.sub(r"\\\n\s*", "", open(page, encoding="utf-8").read())
    for block in re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S):
        for line in re.findall(r"^(?:\./)?(gridcast .*)$", block, re.M):
            print(page.rsplit("/", 1)[1], re.sub(r"\s+# .*", "", line).replace("&& ./gridcast", "&& gridcast"), sep="\t")
PYTHON
count=0
while IFS=$'\t' read -r page command; do
  case $command in
    *'['*) continue ;;                      # a form with optional parts
    *"calibrate table.csv"*) continue ;;    # the fit of a table simulates for more than a minute
    *"calibrate --check w1.yaml"*) continue ;;  # its record is fitted on the page before
  esac
  has_page || [[ $command != *" html "* && $command != *--report* && $command != *"gridcast open"* ]] || continue
  ((++count))
  # Questions need a terminal. The pages mean a scenario by my.yaml, and one a calibration.
  [[ $command != "gridcast init -o my.yaml" ]] || command+=" --yes"
  [[ $page != model.md ]] || cp my-scenario.yaml my.yaml
  (set -o pipefail && eval "$command") >command.out 2>command.err </dev/null
  code=$?
  # 4: the answer of a lesson is wrong.
  [[ $code == 0 || ($code == 4 && $command == *"lesson check"*) ]] || {
    complain "$page: '$command' ends with $code"
    tail -n 4 command.err
  }
done <commands
((count >= 60)) || complain "only $count commands were found"

exit $exit_status
