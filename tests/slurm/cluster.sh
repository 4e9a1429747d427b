# To be sourced by tests/slurm/run: a Slurm with its accounts in $root, of one node with two slots; `start`,
# `until_true`.
install_missing() {
  local missing=()
  for package in slurmctld slurmd slurmdbd slurm-client mariadb-server; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  rm -f /usr/sbin/policy-rc.d
}
install_missing

root=$(mktemp -d /tmp/gridcast-slurm.XXXXXX)
chmod 755 "$root"
pids=()
stop() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$root"
}
trap stop EXIT
# start NAME COMMAND...: its process is then ${pid_of[NAME]}.
declare -A pid_of
start() {
  "${@:2}" >>"$root/daemons.log" 2>&1 &
  pids+=($!)
  pid_of[$1]=$!
}
# until SECONDS COMMAND...: waits for it to succeed.
until_true() {
  local limit=$1 i
  shift
  for ((i = 0; i < limit * 5; ++i)); do "$@" >/dev/null 2>&1 && return 0; sleep 0.2; done
  echo "gave up waiting for: $*" >&2
  tail -20 "$root/daemons.log" >&2
  return 1
}

mkdir -p "$root"/{db,run,state,spool}
chown mysql "$root/db"
mariadb-install-db --user=mysql --datadir="$root/db" --skip-test-db >>"$root/daemons.log" 2>&1
start mariadbd mariadbd --no-defaults --user=mysql --datadir="$root/db" --socket="$root/db/socket" --skip-networking \
  --pid-file="$root/db/pid" --innodb-buffer-pool-size=64M
until_true 60 mariadb -S "$root/db/socket" -e 'select 1'
mariadb -S "$root/db/socket" -e "create database slurm; create user 'slurm'@'localhost' identified by 'slurm'; grant all on slurm.* to 'slurm'@'localhost'"

host=$(hostname -s)
touch "$root/gpu0" "$root/gpu1"
cat >"$root/slurmdbd.conf" <<EOF
AuthType=auth/none
DbdHost=localhost
DbdPort=17819
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm
PidFile=$root/run/slurmdbd.pid
EOF
chmod 600 "$root/slurmdbd.conf"
cat >"$root/gres.conf" <<EOF
NodeName=$host Name=gpu Type=a100 File=$root/gpu0
NodeName=$host Name=gpu Type=a100 File=$root/gpu1
EOF
cat >"$root/slurm.conf" <<EOF
ClusterName=testbed
SlurmctldHost=$host
SlurmUser=root
AuthType=auth/none
CredType=cred/none
SlurmctldPort=17817
SlurmdPort=17818
StateSaveLocation=$root/state
SlurmdSpoolDir=$root/spool
SlurmctldPidFile=$root/run/slurmctld.pid
SlurmdPidFile=$root/run/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
MaxArraySize=11
ReturnToService=2
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=localhost
AccountingStoragePort=17819
AccountingStorageTRES=gres/gpu,gres/gpu:a100
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=30
JobRequeue=1
KillWait=2
OverTimeLimit=0
NodeName=$host CPUs=2 RealMemory=1000 Gres=gpu:a100:2 State=UNKNOWN
PartitionName=gpu Nodes=$host Default=YES MaxTime=60 State=UP
EOF
export SLURM_CONF=$root/slurm.conf
export MYSQL_UNIX_PORT=$root/db/socket
start slurmdbd slurmdbd -D
until_true 60 sacctmgr -n -i add cluster testbed
start slurmctld slurmctld -D
start slurmd slurmd -D -N "$host"
until_true 60 sh -c 'sinfo -h -o %T | grep -q idle'
