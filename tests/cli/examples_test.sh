#!/usr/bin/env bash
# Every example of every --help runs, on small files with the names that the examples use. Studies get
# few replicas, so that all examples together take less than two minutes.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1
pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool

# The folder that the examples are typed in.
mkdir -p calibration/data docs
cp -r "$GRIDCAST_SOURCE/scenarios" scenarios
cp -r "$GRIDCAST_SOURCE/calibration/fitted" calibration/fitted
for part in osg-imagenet htcondor-pool; do ln -s "$GRIDCAST_SOURCE/calibration/data/$part" calibration/data/$part; done
cp "$pool/c1-sweep/job.sub" job.sub
for name in campaign.log job.log my-old-campaign.log; do cp "$pool/c1-sweep/c1-sweep.log" $name; done
cp "$pool/c1-sweep/history.json" "$pool/c1-sweep/epochs.INPUT.json" .
cp "$GRIDCAST_SOURCE/calibration/data/metl-campaign/attempts-to-september.csv" .
printf 'gpus,nodes,batch,samples,epoch_s,gpu\n4,1,256,1281167,360,A100-80GB\n8,2,256,1281167,188,A100-80GB\n' >runs.csv
printf 'JOB first job.sub\nJOB second job.sub\nPARENT first CHILD second\n' >pretraining.dag
sed 's|^\(000 .*\)$|\1\n    DAG Node: first|' job.log >pretraining.dag.nodes.log
cp -r scenarios/teaching my-lessons
"$GRIDCAST" calibrate "$pool/c1-sweep/c1-sweep.log" --draws 20 -o c1.yaml >/dev/null 2>&1 || complain "c1.yaml"
sed 's/c1\.pool/my-pool.pool/' c1.yaml >my-pool.yaml
cp c1.pool.yaml my-pool.pool.yaml
cat >montage.json <<'END'
{"name": "two", "schemaVersion": "1.5", "workflow": {
 "specification": {"tasks": [{"name": "a", "id": "a", "parents": [], "children": ["b"]},
                             {"name": "b", "id": "b", "parents": ["a"], "children": []}]},
 "execution": {"makespanInSeconds": 30, "executedAt": "2026-01-02T03:04:05+00:00",
               "tasks": [{"id": "a", "runtimeInSeconds": 20}, {"id": "b", "runtimeInSeconds": 10}]}}}
END
"$GRIDCAST" compare scenarios/osg-imagenet.yaml -n 4 --on local --study osg-imagenet.study >/dev/null 2>&1 ||
  complain "osg-imagenet.study"
cp -r osg-imagenet.study/frozen frozen
export HOME=$work GRIDCAST_LESSONS=

# small ARGUMENT...: the arguments with few replicas, and without a browser.
small() {
  local verb=$1 argument list=()
  while (($# > 0)); do
    argument=$1
    shift
    case $argument in
      -n | --budget) list+=("$argument" 8) && shift ;;
      slurm) list+=(local --study "study$RANDOM") ;;
      0-500) list+=(0-2) ;;
      500-1000) list+=(2-4) ;;
      *) list+=("$argument") ;;
    esac
  done
  local words=" ${list[*]} "
  case $verb in
    forecast) [[ $words == *" -n "* || $words == *" --once "* || $words == *" --running "* ]] || list+=(-n 8) ;;
    compare) [[ $words =~ " "(-n|status|gather|resume|cancel|shard)" " ]] || list+=(-n 4) ;;
    optimize) [[ $words == *" --budget "* ]] || list+=(--budget 8) ;;
    calibrate)
      case $words in
        *" --check "*) list+=(-n 10) ;;
        *) list+=(--draws 20 --force) ;;
      esac
      ;;
    open) [[ $words == *" --stream "* ]] || list+=(--no-browser --idle '1 s') ;;
    help) [[ $words == *" docs "* ]] && list+=(--no-browser) ;;
    export | init) list+=(--force) ;;
  esac
  [[ $words == *" --table "* ]] && list=("${list[@]/--force/}")
  arguments=()
  for argument in "${list[@]}"; do [[ -n $argument ]] && arguments+=("$argument"); done
}
gridcast() {
  small "$@"
  timeout 60 "$GRIDCAST" "${arguments[@]}" </dev/null
}
# Other programs of the examples.
man() { grep -c '^\.TH' >/dev/null; }
condor_wait() { [[ -s $2 ]]; }

verbs() {
  "$GRIDCAST" $1 --help </dev/null | sed -n '/^Verbs:/,/^$/s/^  \([a-z-][a-z-]*\).*/\1/p' |
    while read -r verb; do
      echo "$1 $verb"
      verbs "$1 $verb"
    done
}
mapfile -t all < <(echo && verbs "")
count=0
declare -A done_before
for verb in "${all[@]}"; do
  # An example that is broken after a backslash is one command.
  while IFS= read -r example; do
    [[ -n ${done_before[$example]-} ]] && continue
    done_before[$example]=1
    # Left out: the fit of a table simulates for more than a minute.
    [[ $example == "gridcast calibrate "*.csv* ]] && continue
    # A page needs a build with one.
    has_page || [[ $example != *" html "* && $example != *--report* && $example != *"gridcast open"* ]] || continue
    ((++count))
    # A campaign is forecast while it runs, and watched until it is over.
    cp job.log campaign.log
    [[ $example != *--running* ]] || head -n 200 job.log >campaign.log
    (set -o pipefail && eval "$example") >example.out 2>example.err
    code=$?
    # 4: the answer of a lesson is wrong.
    [[ $code == 0 || ($code == 4 && $example == *"lesson check"*) ]] || {
      complain "gridcast $verb --help: '$example' ends with $code"
      tail -n 4 example.err
    }
  done < <(COLUMNS=300 "$GRIDCAST" $verb --help </dev/null | sed -n '/^Examples:/,/^$/p' |
    sed -e ':a' -e '/\\$/N; s/\\\n//; ta' | sed -n 's/^  \([a-z]\)/\1/p')
done
((count >= 50)) || complain "only $count examples were found"

exit $exit_status
