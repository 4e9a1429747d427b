#!/usr/bin/env bash
# A log is replayed with what it says of why each attempt ended: its ledger's counts and times as it was,
# and under another stall timer other stalls but the same evictions and failed plugins.
source "$(dirname -- "$0")/check.sh"

logs=$GRIDCAST_SOURCE/calibration/data

# One job: its transfer stalls for 100 s, it is evicted 300 s into its execution, held for 300 s when the
# plugin fails after 10 s, and succeeds after 900 s of computing.
cat >"$work/one.log" <<'EOF'
000 (001.000.000) 2026-03-01 12:00:00 Job submitted from host: <10.0.0.1:9618>
...
040 (001.000.000) 2026-03-01 12:01:00 Started transferring input files
	Transferring to host: <10.0.0.2:9618>
...
021 (001.000.000) 2026-03-01 12:02:40 Error from starter on slot1_1@host:
	Input File transfer stalled for 100 seconds
...
004 (001.000.000) 2026-03-01 12:02:40 Job was evicted.
	(0) CPU times
...
040 (001.000.000) 2026-03-01 12:03:40 Started transferring input files
	Transferring to host: <10.0.0.2:9618>
...
040 (001.000.000) 2026-03-01 12:04:00 Finished transferring input files
...
001 (001.000.000) 2026-03-01 12:04:01 Job executing on host: <10.0.0.2:9618>
...
004 (001.000.000) 2026-03-01 12:09:01 Job was evicted.
	(0) CPU times
...
040 (001.000.000) 2026-03-01 12:10:00 Started transferring input files
	Transferring to host: <10.0.0.2:9618>
...
012 (001.000.000) 2026-03-01 12:10:10 Job was held.
	Transfer input files failure at execution point slot1_1@host using protocol osdf. Details: Pelican Client Error: cache: connection timed out
	Code 13 Subcode 256
...
013 (001.000.000) 2026-03-01 12:15:10 Job was released.
	via condor_release (by user alice)
...
040 (001.000.000) 2026-03-01 12:16:10 Started transferring input files
	Transferring to host: <10.0.0.2:9618>
...
040 (001.000.000) 2026-03-01 12:16:40 Finished transferring input files
...
001 (001.000.000) 2026-03-01 12:16:41 Job executing on host: <10.0.0.2:9618>
...
005 (001.000.000) 2026-03-01 12:31:41 Job terminated.
	(1) Normal termination (return value 0)
...
EOF

# One job: contact is lost before its transfer (20 s), in it (30 s), and is lost and found in the third (8 s).
cat >"$work/contact.log" <<'EOF'
000 (001.000.000) 2026-03-01 12:00:00 Job submitted from host: <10.0.0.1:9618>
...
022 (001.000.000) 2026-03-01 12:00:03 Job disconnected, attempting to reconnect
    Socket between submit and execute hosts closed unexpectedly
    Trying to reconnect to slot1@host <10.0.0.2:9618>
...
024 (001.000.000) 2026-03-01 12:00:23 Job reconnection failed
    Job not found at execution machine
    Can not reconnect to slot1@host, rescheduling job
...
040 (001.000.000) 2026-03-01 12:01:00 Started transferring input files
	Transferring to host: <10.0.0.2:9618>
...
022 (001.000.000) 2026-03-01 12:01:05 Job disconnected, attempting to reconnect
    Socket between submit and execute hosts closed unexpectedly
    Trying to reconnect to slot1@host <10.0.0.2:9618>
...
024 (001.000.000) 2026-03-01 12:01:35 Job reconnection failed
    Job not found at execution machine
    Can not reconnect to slot1@host, rescheduling job
...
040 (001.000.000) 2026-03-01 12:02:00 Started transferring input files
	Transferring to host: <10.0.0.2:9618>
...
022 (001.000.000) 2026-03-01 12:02:02 Job disconnected, attempting to reconnect
    Socket between submit and execute hosts closed unexpectedly
    Trying to reconnect to slot1@host <10.0.0.2:9618>
...
023 (001.000.000) 2026-03-01 12:02:10 Job reconnected to slot1@host
    startd address: <10.0.0.2:9618>
    starter address: <10.0.0.2:9618>
...
040 (001.000.000) 2026-03-01 12:02:30 Finished transferring input files
...
001 (001.000.000) 2026-03-01 12:02:30 Job executing on host: <10.0.0.2:9618>
...
005 (001.000.000) 2026-03-01 12:12:30 Job terminated.
	(1) Normal termination (return value 0)
...
EOF

# same_as_ledger LOG: every figure of the replay is that of the log's ledger.
same_as_ledger() {
  local name
  name=$(basename "$1")
  run "$GRIDCAST" ledger "$1" --json
  expect 0 "ledger $name"
  mv "$work/out" "$work/ledger"
  run "$GRIDCAST" compare "$1" -n 2 -j 1 --json
  expect 0 "compare $name"
  json 'd["deterministic"]' "compare $name"
  python3 - "$work/ledger" "$work/out" <<'END' || complain "compare $name is not its ledger"
import json, sys
ledger, replay = (json.load(open(name))["metrics"] for name in sys.argv[1:])
for name in ("stalls", "evictions", "holds", "releases", "attempts", "badput_s", "wallclock_s",
             "succeeded", "match_to_done_mean_s"):
    assert name in replay, name
for name, row in replay.items():
    recorded = ledger.get(name)
    if recorded is not None and abs(row["replay"]["p50"] - recorded) > 1e-6 * max(1, abs(recorded)):
        sys.exit(f"{name}: {recorded} in the ledger, {row['replay']['p50']} in the replay")
END
}

same_as_ledger "$work/one.log"
json 'all(d["metrics"][name]["replay"]["p50"] == value for name, value in
          {"stalls": 1, "evictions": 1, "holds": 1, "releases": 1, "attempts": 4,
           "compute_success_s": 900, "compute_evicted_s": 300, "transfer_success_s": 30,
           "transfer_retried_s": 130, "overhead_s": 2, "match_to_done_mean_s": 1841}.items())' \
  "one log, by hand"

same_as_ledger "$work/contact.log"
json 'all(d["metrics"][name]["replay"]["p50"] == value for name, value in
          {"disconnects": 3, "contact_lost_s": 50, "transfer_retried_s": 5, "transfer_success_s": 30,
           "compute_success_s": 600, "overhead_s": 0}.items())' \
  "contact lost, by hand"

same_as_ledger "$logs/htcondor-transfer/w1.r1/w1.r1.log"
json 'd["metrics"]["stalls"]["replay"]["p50"] == 41 and d["metrics"]["evictions"]["replay"]["p50"] == 8' w1.r1
same_as_ledger "$logs/htcondor-transfer/g1.r1/g1.r1.log"
same_as_ledger "$logs/htcondor-pool/c1-sweep/c1-sweep.log"

# The sweep has no stall: its plugins failed, and its programs left no output, whatever the timer.
run "$GRIDCAST" compare "$logs/htcondor-pool/c1-sweep/c1-sweep.log" --strategy stall-timeout-2h -n 5 --json
json 'all(d["metrics"]["holds"]["replay"][each] == 33 for each in ("p05", "p95"))' "holds of c1-sweep"
json 'all(abs(row["relative_difference"] or 0) < 1e-6 for row in d["metrics"].values())' "nothing stalled"

# All 28 of its failed plugins have 13/256, which FEATURE:PelicanRetryPolicy leaves to be held.
run "$GRIDCAST" compare "$logs/htcondor-pool/c1-sweep/c1-sweep.log" --strategy upgrade -n 5 --json
json 'all(d["metrics"]["holds"]["replay"][each] == 33 for each in ("p05", "p95"))' "holds of an upgrade"

run "$GRIDCAST" compare "$logs/htcondor-transfer/w1.r1/w1.r1.log" --strategy stall-timeout-2h -n 5 --json
json 'd["metrics"]["stalls"]["replay"]["p95"] < 41' "stall-timeout-2h: stalls"
json 'all(d["metrics"]["evictions"]["replay"][each] == 8 for each in ("p05", "p95"))' "stall-timeout-2h"

run "$GRIDCAST" compare "$table" --strategy one-at-a-time -n 2 --json
expect 0 one-at-a-time
[[ $(grep -c 'jobs do not meet in a replay' "$work/err") == 1 ]] || complain "one-at-a-time: not reported once"
run "$GRIDCAST" compare "$table" -n 2 --json
[[ -s $work/err ]] && complain "replay: something on standard error"

exit $exit_status
