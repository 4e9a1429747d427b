#!/usr/bin/env bash
# ledger --requests of real logs agrees with a count in a few lines of another language; --by and
# --where account for the jobs that they name.
source "$(dirname -- "$0")/check.sh"

data=$GRIDCAST_SOURCE/calibration/data
pool=$data/htcondor-pool/c1-sweep/c1-sweep.log
python3 "$GRIDCAST_SOURCE/tests/cli/ledger_requests.py" "$GRIDCAST" \
  "$(printf '%s:' "$data"/metl-ospool/*.log | sed 's/:$//')" "$pool" \
  "$data/htcondor-pool/c3-ckpt/c3-ckpt.log" >"$work/counted" || {
  complain "another count"
  cat "$work/counted"
}

run "$GRIDCAST" ledger --requests "$data"/metl-ospool/*.log
expect 0 "requests in brief"
(($(wc -l <"$work/out") <= 12)) || complain "more than twelve lines: $(cat "$work/out")"
(($(widest "$work/out") <= 80)) || complain "more than 80 columns: $(cat "$work/out")"
says out '^Submit file: request_memory = ' "requests in brief"

# Slots of a pool: 30 of 40 have 4 GB.
printf 'schema: gridcast.pool/1\nsites:\n  - {name: A, slots: 30, memory: 4 GiB}\n  - {name: B, slots: 10, memory: 64 MiB}\n' >"$work/pool.yaml"
run "$GRIDCAST" ledger --requests --pool "$work/pool.yaml" "$data/htcondor-pool/c5-json/c5-json.log"
expect 0 "requests with a pool"
(($(widest "$work/out") <= 80)) || complain "more than 80 columns: $(cat "$work/out")"
says out '^memory .* 40 of 40$' "requests with a pool: the recommended one"
run "$GRIDCAST" ledger --requests --json --pool "$work/pool.yaml" "$data/htcondor-pool/c5-json/c5-json.log"
json "[p['slots'] for p in d['programs'][0]['resources']['memory']['possible'] if p['request'] == 128 * 2**20] == [30]" "128 MB match the larger slots"
run "$GRIDCAST" ledger --pool "$work/pool.yaml" "$pool"
expect 2 "--pool without --requests"

# The same jobs by another form of the log.
for form in c5-json c6-xml; do
  run "$GRIDCAST" ledger --requests --json "$data/htcondor-pool/$form/$form.log"
  expect 0 "$form"
  json "d['programs'][0]['resources']['memory']['requested_most'] == 128 * 2**20" "$form: memory requested"
  json "d['programs'][0]['resources']['memory']['used']['most'] < 64 * 2**20" "$form: memory used"
done

# Ads alone: use of the last execution.
run "$GRIDCAST" ledger --requests --json "$data/htcondor-pool/c5-json/history.json"
expect 0 "ads alone"
json "d['programs'][0]['resources']['disk']['requested_least'] == 10240 * 2**10" "ads alone: disk requested"

# A simulated log has the requests, and no use from which a smaller one could be recommended.
printf 'executable = a.sh\nrequest_cpus = 8\nrequest_memory = 4GB\nqueue 3\n' >"$work/eight.sub"
run "$GRIDCAST" forecast "$work/eight.sub" --once -o "$work/simulated"
expect 0 "a simulated log"
run "$GRIDCAST" ledger --requests "$work/simulated/events.log"
expect 0 "requests of a simulated log"
says out 'does not contain the use of resources' "requests of a simulated log"
grep -qE '^(Hosts|Slots):' "$work/out" && complain 'hosts of a record without use'
grep -q '^CPUs\|request_cpus' "$work/out" && complain "a request of CPUs of a simulated log: $(cat "$work/out")"

# Memory of zero is not measured: no request is recommended.
cat >"$work/short.log" <<'LOG'
000 (1.000.000) 2026-01-01 00:00:00 Job submitted from host: <192.0.2.1:9618>
...
001 (1.000.000) 2026-01-01 00:01:00 Job executing on host: <192.0.2.2:9618>
...
005 (1.000.000) 2026-01-01 00:01:02 Job terminated.
	(1) Normal termination (return value 0)
	Partitionable Resources :    Usage  Request Allocated
	   Cpus                 :        0        1         1
	   Disk (KB)            :       31      100       200
	   Memory (MB)          :        0     4096      4096
...
LOG
run "$GRIDCAST" ledger --requests --quiet "$work/short.log"
expect 0 "a job of two seconds"
says out '^memory +4 GB +0 KB +0 KB +- +- ' "memory of a job of two seconds"

# A job that its limit cut off may need more than any higher request.
cat >"$work/limit.log" <<'LOG'
000 (1.000.000) 2026-01-01 00:00:00 Job submitted from host: <192.0.2.1:9618>
...
001 (1.000.000) 2026-01-01 00:01:00 Job executing on host: <192.0.2.2:9618>
	Memory = 4096
...
006 (1.000.000) 2026-01-01 00:05:00 Image size of job updated: 4194304
	4000  -  MemoryUsage of job (MB)
	4096000  -  ResidentSetSize of job (KB)
...
012 (1.000.000) 2026-01-01 00:10:00 Job was held.
	Error from slot1@n1: Job has gone over cgroup memory limit of 4096 megabytes.
	Code 34 Subcode 102
...
LOG
run "$GRIDCAST" ledger --requests --quiet "$work/limit.log"
expect 0 "a job that its limit cut off"
says out '^memory .* 0\+ of 1 ' "jobs held by a request above the limit: at least"

for by in site host exit; do
  run "$GRIDCAST" ledger --by $by --json "$pool"
  expect 0 "--by $by"
  json "sum(g['jobs'] for g in d['groups'].values()) == d['metrics']['jobs']" "--by $by: jobs"
  json "abs(sum(g['wallclock_s'] for g in d['groups'].values()) - d['metrics']['wallclock_s']) < 1e-6" "--by $by: slot time"
done
printf '000 (2.000.000) 2026-01-01 00:00:00 Job submitted from host: <192.0.2.1:9618>\n...\n009 (2.000.000) 2026-01-01 00:00:09 Job was aborted.\n...\n' |
  cat "$work/short.log" - >"$work/removed.log"
run "$GRIDCAST" ledger --by host --json "$work/removed.log"
json "d['groups']['(no host)']['removed'] == 1 and len(d['groups']) == 2" "--by host: a job that had none"
run "$GRIDCAST" ledger --by user "$pool"
expect 2 "a log names no user"
says err 'the record names no user' "a log names no user"
run "$GRIDCAST" ledger --by program --json "$pool" "$data/htcondor-pool/c1-sweep/history.json"
expect 0 "--by program"
json "'' not in d['groups'] and d['by'] == 'program'" "--by program"

run "$GRIDCAST" ledger --json --where 'ExitCode =?= 0' "$pool"
expect 0 "--where"
json "d['metrics']['jobs'] == d['metrics']['succeeded'] > 0" "--where"
run "$GRIDCAST" ledger --where 'Colour == 1' "$pool"
expect 2 "--where of an unknown attribute"

exit $exit_status
