#!/usr/bin/env bash
# `gridcast calibrate` of logs in which transfers stall or are cut: links, the rival explanations with
# their Bayes factors, the rule that was in force; and what it says where nothing ever stalled.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200

pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
transfers=$GRIDCAST_SOURCE/calibration/data/htcondor-transfer

# calibrate CAMPAIGN OPTION...: into $work/CAMPAIGN.yaml
calibrate() {
  local campaign=$transfers/$1
  run "$GRIDCAST" calibrate --details "$campaign/$1.log" "$campaign/epochs.INPUT.json" --draws 100 \
    "${@:2}" -o "$work/$1.yaml"
  expect 0 "calibrate $1"
}

calibrate g1.r1
says out "^none \(congestion where links are narrow\) +0.333 +0\.[5-9]" "congestion leads"
says out "^stall_timer_s +21 +20 to 22 " "the rule is inferred"
grep -q "method: \"when the stall timer acts, inferred: 138 transfers" "$work/g1.r1.yaml" ||
  complain "the file says that the rule is inferred"
says out "scope of outages: path, node" "what coincides is said"
grep -qE "name: \"dead, cache\", prior: 0.0666667, log_bayes_factor: -[0-9.]+, weight: " \
  "$work/g1.r1.yaml" || complain "prior, Bayes factor and posterior of each are in the file"
grep -q 'origin: "*fitted' "$work/g1.r1.yaml" || complain "where values come from"

calibrate w1.r1 --caches SITE-A=cache-1,cache-2 --caches SITE-B=cache-2 --stall-timer '21 s'
says out "^dead, cache +0.067 +0\.[4-9]" "a cache that is dead"
grep -q "caches SITE-A=cache-1,cache-2" "$work/w1.r1.yaml" || complain "the command can be repeated"
grep -q "when the stall timer acts, as stated" "$work/w1.r1.yaml" || complain "a stated rule"

run "$GRIDCAST" calibrate --details "$pool/c4-retry/c4-retry.log" --year 2026 --draws 50 -o "$work/c4.yaml"
expect 0 "calibrate without a stall"
says out "no stall was seen: with 0 of [0-9]+ attempts the rate is below [0-9.]+ %" "no stall"

# A pool's version states the rule that it has: the timer of 3,600 s acts at 3,620 s, by its looks.
run "$GRIDCAST" calibrate "$pool/c5-json/c5-json.log" --draws 10 -o "$work/c5.yaml"
for version in 23.9.6 25.2.1; do
  { cat "$work/c5.pool.yaml"; echo "software: {htcondor: $version}"; } >"$work/stated.yaml"
  run "$GRIDCAST" calibrate --details "$pool/c5-json/c5-json.log" --draws 10 --pool "$work/stated.yaml" \
    -o "$work/c5.yaml" --force
  expect 0 "calibrate with a stated version"
  [[ $version == 25.2.1 ]] || says out "^stall_timer_s +3620 +3620 to 3620 " "the version's rule"
done
grep -q "^stall_timer_s" "$work/out" && complain "there is no timer to be stated"

log=$transfers/w5.r1/w5.r1.log
run "$GRIDCAST" calibrate "$log" --profile '' -o "$work/no.yaml"
expect 2 "a profile without a name"
says err "\\-\\-profile is empty" "a profile without a name"

run "$GRIDCAST" calibrate "$log" --caches SITE-Z=cache-1 -o "$work/no.yaml"
expect 2 "a list of a site that is not there"
says err "the log has no site 'SITE-Z'" "a list of a site that is not there"
run "$GRIDCAST" calibrate "$log" --caches SITE-A -o "$work/no.yaml"
expect 2 "no list"
says err "'SITE-A' is no list of caches" "no list"
run "$GRIDCAST" calibrate "$log" --stall-timer soon -o "$work/no.yaml"
expect 2 "no time"
says err "'soon' is no time" "no time"
[[ ! -e $work/no.yaml ]] || complain "a refused record leaves a file"

exit $exit_status
