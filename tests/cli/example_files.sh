# To be sourced: the folder in which examples of --help and of docs are typed, and `gridcast`, which
# runs them with few replicas.
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
      -n) list+=("$argument" 8) && shift ;;
      --budget) list+=("$argument" '8 campaigns') && shift ;;
      slurm | htcondor) list+=(local --study "study$RANDOM") ;;
      0-500) list+=(0-2) ;;
      500-1000) list+=(2-4) ;;
      *) list+=("$argument") ;;
    esac
  done
  local words=" ${list[*]} "
  case $verb in
    forecast) [[ $words == *" -n "* || $words == *" --once "* || $words == *" --running "* ]] || list+=(-n 8) ;;
    compare) [[ $words =~ " "(-n|status|gather|resume|cancel|shard)" " ]] || list+=(-n 4) ;;
    optimize) [[ $words == *" --budget "* ]] || list+=(--budget '8 campaigns') ;;
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
