# To be sourced by tests/htcondor/run: studies of gridcast on an HTCondor of its own in $root, of one
# machine with two slots. Only HTCondor is installed there: the study brings its frozen program.
#
# SIGKILL ends these at random moments: shards, their starters and shadows, the schedd, the startd, and the
# gridcast that submits the shards. Nothing is lost, and the bytes are the same as in one process.

RANDOM=${SEED:-7}
cat >"$root/etc/condor/config.d/99-gridcast-test" <<END
NUM_CPUS = 2
USE_PROCD = False
START = True
SUSPEND = False
PREEMPT = False
KILL = False
WANT_SUSPEND = False
MASTER_BACKOFF_CONSTANT = 1
MASTER_BACKOFF_CEILING = 5
END
rm -rf "$root"/var/spool/condor/* "$root"/var/lib/condor/execute/* "$root"/var/log/condor/* "$root"/run/condor/*
home=$root/home/alice
chroot "$root" id alice >/dev/null 2>&1 || chroot "$root" useradd --create-home alice
rm -rf "$home/campaign" "$home/studies" "$root/opt/gridcast"
mkdir -p "$home/campaign" "$home/studies"
cp -r "$source/scenarios" "$home/campaign/"
mkdir "$home/campaign/calibration"
cp -r "$source/calibration/fitted" "$home/campaign/calibration/"
scenario=../campaign/scenarios/osg-imagenet.yaml

# A starter mounts below its root, which has to be a mount itself.
mountpoint -q "$root" || mount --bind --make-private "$root" "$root"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev/shm" || mount --bind /dev/shm "$root/dev/shm"
master=
# The test does not judge how HTCondor's master ends, or whether a folder is still in use.
stop_condor() {
  if [[ $master ]]; then
    kill -QUIT "$master" 2>/dev/null || true
    wait "$master" 2>/dev/null || true
  fi
  umount -l "$root/dev/shm" "$root/proc" "$root" 2>/dev/null || true
  rm -rf "$work"
}
trap stop_condor EXIT

cd "$home/studies"
count=${COUNT:-4000}
study=(forecast "$scenario" -n "$count" --seed 3)
"$gridcast" "${study[@]}" --json >unbroken.json 2>/dev/null
"$gridcast" forecast "$scenario" -n 10 --on local --study program --quiet >/dev/null
cp -r program/frozen "$root/opt/gridcast"
rm -rf program
chroot "$root" chown -R alice: /home/alice

chroot "$root" /usr/sbin/condor_master -f >"$work/master.log" 2>&1 </dev/null &
master=$!
# as_alice COMMAND...: in the other Debian, in the folder of the studies.
alice=(chroot --userspec=alice:alice "$root" /usr/bin/env -C /home/alice/studies HOME=/home/alice USER=alice LC_ALL=C.UTF-8)
as_alice() { "${alice[@]}" "$@"; }
inside=/opt/gridcast/program/run
until_true() {
  local limit=$1 i
  shift
  for ((i = 0; i < limit; ++i)); do "$@" >/dev/null 2>&1 && return 0; sleep 1; done
  echo "gave up waiting for: $*" >&2
  return 1
}
until_true 90 sh -c "chroot '$root' condor_status -af Name | grep -q slot"
queue_is_empty() { [[ -z $(as_alice condor_q -allusers -af ClusterId 2>&1) ]]; }

# running PATTERN: the processes of that command line that this HTCondor has started: they have its root, or
# are of its user.
alice_id=$(chroot "$root" id -u alice)
running() {
  local pid
  for pid in $(pgrep -f -- "$1"); do
    [[ $(readlink "/proc/$pid/root") == "$root" || $(stat -c %u "/proc/$pid" 2>/dev/null) == "$alice_id" ]] &&
      echo "$pid"
  done
  return 0
}

kills=0
for ((round = 0; round < 3; ++round)); do
  "${alice[@]}" "$inside" "${study[@]}" --on htcondor --study killed --shard-size $((count / 20)) >out 2>err &
  submitter=$!
  sleep "0.$((RANDOM % 10))"
  kill -KILL "$submitter" 2>/dev/null && kills=$((kills + 1))
  wait "$submitter" 2>/dev/null || true
  [[ -e killed/frozen/study.json ]] && break
done
[[ -e killed/frozen/study.json ]] || as_alice "$inside" "${study[@]}" --on htcondor --study killed --shard-size $((count / 20))
as_alice "$inside" compare resume killed
for ((round = 0; round < ${ROUNDS:-20}; ++round)); do
  sleep "$((1 + RANDOM % 3)).$((RANDOM % 10))"
  case $((RANDOM % 6)) in
    0 | 1) pattern='gridcast compare shard frozen' ;;
    2) pattern='^condor_starter' ;;
    3) pattern='^condor_shadow' ;;
    4) pattern='^condor_schedd' ;;
    5) pattern='^condor_startd' ;;
  esac
  victims=($(running "$pattern"))
  ((${#victims[@]})) && kill -KILL "${victims[RANDOM % ${#victims[@]}]}" 2>/dev/null && kills=$((kills + 1))
done
for ((round = 0; round < 10; ++round)); do
  for ((i = 0; i < 90; ++i)); do queue_is_empty && break; sleep 2; done
  as_alice "$inside" compare status killed --json >status.json
  python3 -c 'import json, sys; d = json.load(open("status.json")); sys.exit(d["simulated"]["done"] != d["simulated"]["wanted"])' && break
  as_alice "$inside" compare resume killed
done
as_alice "$inside" compare status killed
as_alice "$inside" compare gather killed --json >gathered.json
cmp unbroken.json gathered.json || status=1
echo "20 shards, $kills kills: the bytes of one process"

# Its own jobs are a campaign: the ledger and the forecast read them.
"$gridcast" ledger killed/jobs.log --json --quiet >ledger.json
python3 - <<'END' || status=1
import json
metrics = json.load(open("ledger.json"))["metrics"]
print(f"its own jobs: {metrics['jobs']:.0f}, {metrics['succeeded']:.0f} succeeded, {metrics['evictions']:.0f} evictions, {metrics['wallclock_s']:.0f} slot seconds")
assert metrics["succeeded"] >= 20, metrics
END
as_alice "$inside" forecast killed/submissions/0001.sub killed/jobs.log -n 50 --seed 1 --json >forecast.json 2>err ||
  { cat err; status=1; }

# The cost. HTCondor counts no processor time of jobs without cgroups, so a shard costs the time that its output
# states. On a machine with other work this is too much, and the test does not judge it. There is one shard for
# each slot. Shards are made for ten minutes, so there are enough replicas, at a millisecond each, that starting
# a program and gathering count little.
replicas=${REPLICAS:-30000}
# cost_of COMMAND...: processor seconds of it and its children, and seconds by the clock.
cost_of() {
  python3 -c '
import resource, subprocess, sys, time
start = time.monotonic()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
clock = time.monotonic() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{used.ru_utime + used.ru_stime:.2f} {clock:.2f}")' "$@"
}
read -r here_s here_clock_s < <(cost_of "$gridcast" forecast "$scenario" -n "$replicas" -j 2 --json --quiet)
as_alice "$inside" forecast "$scenario" -n "$replicas" --on htcondor --study cost --shard-size $((replicas / 2)) >out
until_true 900 queue_is_empty
condor_s=$(sed -n 's/.* 0 failed, //p' cost/logs/*.out | awk '
  { unit["ms"] = 0.001; unit["s"] = 1; unit["min"] = 60 }
  !($2 in unit) { exit 1 }
  { sum += $1 * unit[$2] }
  END { if (NR != 2) exit 1; print sum }')
read -r gather_s _ < <(cost_of "$gridcast" compare gather cost --json)
# Two processes that have two processors to themselves take half of their processor time.
awk -v here="$here_s" -v clock="$here_clock_s" -v condor="$condor_s" -v gather="$gather_s" -v n="$replicas" '
  BEGIN {
    more = 100 * ((condor + gather) / here - 1)
    printf "%d replicas in 2 shards: %.1f s of processors here, %.1f + %.1f s to simulate and gather: %+.1f %%\n", n, here, condor, gather, more
    if (clock > 0.6 * here) {
      printf "not judged: the machine has other work, %.1f s by the clock here\n", clock
      exit 0
    }
    exit more > 10
  }' || status=1
cd "$source"
