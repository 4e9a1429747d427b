#!/usr/bin/env bash
# optimize on campaigns whose better strategy is known: two of a real pool, and the published one.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1
records=$GRIDCAST_SOURCE/calibration/data/htcondor-transfer

# found CAMPAIGN PARTY: the search from the record of a campaign of the pool.
found() {
  local folder=$records/$1.r1
  run "$GRIDCAST" optimize "$folder/job.sub" "$folder/$1.r1.log" "$folder/epochs.INPUT.json" --as "$2" \
    --budget '1500 campaigns' --json
  expect 0 "$1"
}

# w1 had a stall timer of 20 s. Its repeat w3, where the client asked the next cache after 4 s, took less time.
found w1 owner
json '{c["key"]: c["to"] for c in d["changes"]}.get("transfer.on_stall") == "next_cache"' "w1: the next cache"
json 'd["gain"]["ci95"][1] < 0' "w1: a gain"
# In g1 the timer of 20 s ended 138 transfers, nearly all of them healthy: a shorter one is no answer.
found g1 site
json '{c["key"] for c in d["changes"]} & {"transfer.stall_timeout", "transfer.stall_timer", "transfer.most_at_a_time"}' \
  "g1: fewer transfers at a time, or another timer"
json 'all(float(c["to"].split()[0]) * {"s": 1, "min": 60, "h": 3600}[c["to"].split()[1]] > 20 for c in d["changes"] if c["key"] == "transfer.stall_timeout")' \
  "g1: no shorter timer"
json 'd["gain"]["ci95"][1] < 0' "g1: a gain"

# The published campaign: at least as many jobs as under the best strategy of the scenario.
run "$GRIDCAST" optimize "$scenario" --strategy published --budget '4000 campaigns' -o better.yaml
expect 0 "the published campaign"
run "$GRIDCAST" compare better.yaml -n 200 --json
expect 0 "compare of the optimum"
json 'max(d["strategies"], key=lambda s: d["strategies"][s]["metrics"]["succeeded"]["mean"]) == "optimized"' \
  "the published campaign: the most jobs"

exit $exit_status
