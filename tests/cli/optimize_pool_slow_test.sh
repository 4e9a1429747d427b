#!/usr/bin/env bash
# optimize on campaigns of a real pool whose better strategy is known.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

# After w1 the next cache won: w3 repeated it so, and all jobs finished earlier.
w1=$GRIDCAST_SOURCE/calibration/data/htcondor-transfer/w1.r1
run "$GRIDCAST" optimize "$w1/job.sub" "$w1/w1.r1.log" "$w1/epochs.INPUT.json" --budget '8000 campaigns' --json
expect 0 "w1"
json '{"transfer.on_stall": "next_cache"}.items() <= {c["key"]: c["to"] for c in d["changes"]}.items()' "w1: the next cache"
json 'd["gain"]["goal"] == "makespan" and d["gain"]["difference"] < 0' "w1: earlier"

# In g1 the timer of 20 s ended 138 transfers, nearly all of them healthy: a shorter one is no answer.
g1=$GRIDCAST_SOURCE/calibration/data/htcondor-transfer/g1.r1
run "$GRIDCAST" optimize "$g1/job.sub" "$g1/g1.r1.log" "$g1/epochs.INPUT.json" --as site --budget '1500 campaigns' --json
expect 0 "g1"
json '{c["key"] for c in d["changes"]} & {"transfer.stall_timeout", "transfer.stall_timer", "transfer.most_at_a_time"}' \
  "g1: fewer transfers at a time, or another timer"
json 'all(float(c["to"].split()[0]) * {"s": 1, "min": 60, "h": 3600}[c["to"].split()[1]] > 20 for c in d["changes"] if c["key"] == "transfer.stall_timeout")' \
  "g1: no shorter timer"
json '(d["gain"]["difference"] > 0) == (d["gain"]["goal"] == "successes")' "g1: a gain, in jobs that finish or in time"

exit $exit_status
