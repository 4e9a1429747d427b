# To be sourced by tests/slurm/run: studies of gridcast on the Slurm in $root.
#
# SIGKILL ends these at random moments: shards, slurmd's own processes, slurmd, slurmctld, and the gridcast
# that submits the shards. Nothing is lost, and the bytes are the same as in one process.

scenario=$here/../../scenarios/osg-imagenet.yaml
RANDOM=${SEED:-7}
export LC_ALL=C.UTF-8
mkdir -p "$root/studies"
cd "$root/studies"

queue_is_empty() { [[ -z $(squeue -h -r) ]]; }
one_of() { shift $((RANDOM % $#)); echo "$1"; }
# running PATTERN: processes with that command line in this Slurm's folder, so this Slurm started them.
running() {
  local pid
  for pid in $(pgrep -f -- "$1"); do
    [[ $(readlink "/proc/$pid/cwd") == "$root"/* ]] && echo "$pid"
  done
  return 0
}

# Handed over, killed again and again, resumed until it is done.
count=${COUNT:-4000}
study=(forecast "$scenario" -n "$count" --seed 3)
"$gridcast" "${study[@]}" --json >unbroken.json 2>/dev/null
kills=0
hand_over() { "$gridcast" "$@" >out 2>err; }

for ((round = 0; round < 3; ++round)); do
  "$gridcast" "${study[@]}" --on slurm --study killed --shard-size $((count / 20)) >out 2>err &
  submitter=$!
  sleep "0.$((RANDOM % 10))"
  kill -KILL "$submitter" 2>/dev/null && kills=$((kills + 1))
  wait "$submitter" 2>/dev/null || true
  [[ -e killed/frozen/study.json ]] && break
done
[[ -e killed/frozen/study.json ]] ||
  hand_over "${study[@]}" --on slurm --study killed --shard-size $((count / 20)) || { cat err; exit 1; }
hand_over compare resume killed || { cat err; exit 1; }

for ((round = 0; round < ${ROUNDS:-25}; ++round)); do
  sleep "0.$((RANDOM % 10))"
  case $((RANDOM % 5)) in
    0 | 1) victims=($(running 'gridcast compare shard frozen')) ;;
    2) victims=($(running '^slurmstepd: ')) ;;
    3)
      kill -KILL "${pid_of[slurmctld]}"
      kills=$((kills + 1))
      sleep 0.5
      start slurmctld slurmctld -D
      until_true 60 squeue -h
      continue
      ;;
    4)
      kill -KILL "${pid_of[slurmd]}"
      kills=$((kills + 1))
      sleep 0.5
      start slurmd slurmd -D -N "$host"
      continue
      ;;
  esac
  if ((${#victims[@]} == 0)); then
    # All are done, or wait: Slurm starts a killed job again after two minutes.
    sleep 2
    continue
  fi
  kill -KILL "$(one_of "${victims[@]}")" 2>/dev/null && kills=$((kills + 1))
done

done_shards() { "$gridcast" compare status killed --json >status.json && python3 -c '
import json, sys
simulated = json.load(open("status.json"))["simulated"]
sys.exit(0 if simulated["done"] == simulated["wanted"] else 1)'; }
for ((round = 0; round < 10; ++round)); do
  # slurmctld believes that a shard runs whose processes were killed while a daemon was away. It asks the
  # node by itself only many minutes later.
  scontrol reconfigure
  for ((i = 0; i < 60; ++i)); do queue_is_empty && break; sleep 2; done
  scontrol update "NodeName=$host" State=RESUME 2>/dev/null || true
  done_shards && break
  hand_over compare resume killed || { cat err; exit 1; }
done
"$gridcast" compare status killed
"$gridcast" compare gather killed --json >gathered.json
cmp unbroken.json gathered.json
echo "20 shards in arrays of at most 11, $kills kills: the bytes of one process"

# Its own jobs are a campaign.
"$gridcast" ledger killed/sacct.txt --columns sacct --json --quiet >ledger.json
"$gridcast" calibrate killed/sacct.txt --columns sacct --draws 20 --quiet -o shards.yaml
# Independently: the last row of each job. A shard whose daemon is killed may have left its result, and is no
# success to Slurm.
completed=$(awk -F'|' 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
  $1 !~ /\./ { state[$1] = $column["State"] }
  END { for (job in state) completed += state[job] == "COMPLETED"; print completed + 0 }' killed/sacct.txt)
python3 - "$completed" <<'EOP'
import json, sys
metrics = json.load(open("ledger.json"))["metrics"]
print(f"its own jobs: {metrics['jobs']:.0f}, {metrics['succeeded']:.0f} succeeded, {metrics['wallclock_s']:.0f} slot seconds")
assert metrics["succeeded"] == int(sys.argv[1]) > 0, (metrics, sys.argv)
EOP

# Cancelled, and resumed.
hand_over "${study[@]}" --on slurm --study cancelled --shard-size $((count / 8))
hand_over compare cancel cancelled
until_true 60 queue_is_empty
"$gridcast" compare gather cancelled --json >part.json 2>err || [[ $? == 3 ]]
hand_over compare resume cancelled
until_true 240 queue_is_empty
"$gridcast" compare gather cancelled --json >gathered.json
cmp unbroken.json gathered.json

# The cost: processor time here, of submitting, of all shards (as Slurm counts it, with their scripts) and of
# gathering. There is one shard for each slot. Shards are made for ten minutes, so there are enough replicas, at
# a millisecond each, that starting a program, submitting and gathering count little.
replicas=${REPLICAS:-30000}
cpu_of() { # COMMAND...: user and system seconds of it and its children
  python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{used.ru_utime + used.ru_stime:.2f}")' "$@"
}
here_s=$(cpu_of "$gridcast" forecast "$scenario" -n "$replicas" -j 2 --json)
submit_s=$(cpu_of "$gridcast" forecast "$scenario" -n "$replicas" --on slurm --study cost --shard-size $((replicas / 2)))
until_true 600 queue_is_empty
sleep 3
name=$(basename -- "$(grep -h -o 'gridcast-[0-9a-f]*' <(squeue -h -o %j; sacct -n -X -P --format=JobName) | tail -n 1)")
slurm_s=$(sacct -n -P --name "$name-0001" --format=JobID,TotalCPU | sed -n 's/.*[.]batch|//p' | python3 -c '
import re, sys
total = 0
for line in sys.stdin:
    days, hours, minutes, seconds = re.fullmatch(r"(?:(\d+)-)?(?:(\d+):)?(\d+):([\d.]+)", line.strip()).groups(0)
    total += ((int(days) * 24 + int(hours)) * 60 + int(minutes)) * 60 + float(seconds)
print(f"{total:.2f}")')
gather_s=$(cpu_of "$gridcast" compare gather cost --json)
shards=$(wc -l <cost/submissions/0001.list)
awk -v here="$here_s" -v submit="$submit_s" -v slurm="$slurm_s" -v gather="$gather_s" -v n="$replicas" -v k="$shards" '
  BEGIN {
    more = 100 * ((submit + slurm + gather) / here - 1)
    printf "%d replicas in %d shards: %.1f s of processors here, %.1f + %.1f + %.1f s to submit, simulate and gather: %+.1f %%\n", n, k, here, submit, slurm, gather, more
    exit more > 10
  }'
