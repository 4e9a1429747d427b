#!/usr/bin/env bash
# A job table and an event log of one pool in one calibration: what is from which, forecasts of both programs,
# and what is refused before anything is simulated.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1

cp "$table" jobs.csv
cp "$GRIDCAST_SOURCE/scenarios/pools/ospool-2024.yaml" pool.yaml
run "$GRIDCAST" run "$scenario" --seed 7 --out seven --quiet
expect 0 "the log's campaign"
cp seven/events.log campaign.log
fit=(--pool pool.yaml --simulations 400 --quiet)

run "$GRIDCAST" calibrate jobs.csv campaign.log -o both.yaml
expect 2 "no pool"
says err '\-\-pool is missing' "no pool"
run "$GRIDCAST" calibrate jobs.csv campaign.log "${fit[@]}" --profile resnet50-imagenet -o both.yaml
expect 2 "one name for two programs"
says err "is the name of the table's program" "one name for two programs"
run "$GRIDCAST" forecast job.sub jobs.csv campaign.log
expect 2 "forecast from both"
says err 'jobs.csv: a job table among event logs' "forecast from both"
sed -E 's/PDX-Coeus-CE1|CHTC-Spark-CE1|GP-ARGO-ksu-backfill/Elsewhere/g' jobs.csv >other.csv
run "$GRIDCAST" calibrate other.csv campaign.log "${fit[@]}" -o both.yaml
expect 2 "no common site"
says err 'the table and the log have no site in common' "no common site"
sed '/GP-ARGO-ksu-backfill/,$d' pool.yaml >small.yaml
run "$GRIDCAST" calibrate jobs.csv campaign.log "${fit[@]}" --pool small.yaml -o both.yaml
expect 2 "a pool that lacks a site"
[[ -e both.yaml ]] && complain "what is refused is not written"

run "$GRIDCAST" calibrate --details jobs.csv campaign.log "${fit[@]}" -o both.yaml
expect 0 "both"
says out 'Told by both records: [0-9]+ parameters; by the log alone [0-9]+, by the table alone [0-9]+' "both"
says out "Programs: 'campaign' is the log's, 'resnet50-imagenet' the table's" "both"
run python3 - both.yaml <<'END'
import sys
lines = open(sys.argv[1]).read().split('\n')
record, name, of = None, None, {}
for line in lines:
    if line.startswith('  ') and not line.startswith('   ') and line.endswith(':'):
        name = line.strip()[:-1].strip('"')
    if line.startswith('    record: '):
        of[name] = line.split()[1].strip('"')
site = 'PDX-Coeus-CE1'
wanted = {f'stream_limit_Bps.{site}': 'both', f'link_capacity_Bps.{site}': 'both', f'rate_sigma.{site}': 'log',
          'not_found_per_start': 'table', f'epoch_scale_s.{site}': 'table', 'work_s': 'log', f'slots.{site}': 'log',
          'outage_scope': 'both', 'http_abort': 'table'}
wrong = {name: of.get(name) for name, record in wanted.items() if of.get(name) != record}
weights = [line for line in lines if 'by_table: ' in line and 'by_log: ' in line]
print(wrong, len(weights))
sys.exit(1 if wrong or len(weights) < 9 else 0)
END
expect 0 "what is from which: $(cat out)"

for profile in resnet50-imagenet campaign; do
  sed -e "s|^pool: .*|pool: pool.yaml|; s|^calibration: .*|calibration: both.yaml|; s|profile: [a-z0-9-]*|profile: $profile|" \
    "$scenario" >"$profile.yaml"
  run "$GRIDCAST" predict "$profile.yaml" --replicas 40 --quiet --json
  expect 0 "a forecast of $profile"
  says err "is of two programs, .*: the jobs run '$profile'" "a forecast of $profile"
done
sed -i 's/profile: campaign/profile: campagne/' campaign.yaml
run "$GRIDCAST" predict campaign.yaml --replicas 40 --quiet
expect 2 "a program that neither ran"
says err "is of 'campaign' and 'resnet50-imagenet'" "a program that neither ran"

exit $exit_status
