#!/usr/bin/env bash
# Results are on standard output and nowhere else, the files are there whole, and the same seed gives
# the same bytes.
source "$(dirname -- "$0")/check.sh"

# silent WHAT: nothing was said on stderr.
silent() { [[ -s $work/err ]] && complain "$1: something on standard error: $(head -n 3 "$work/err")"; }

# same_bytes VERB ARGUMENT...: with one process and with two.
same_bytes() {
  run "$GRIDCAST" "$@" -n 20 -j 1 --json
  expect 0 "$*"
  silent "$*"
  cp "$work/out" "$work/first"
  run "$GRIDCAST" "$@" -n 20 -j 2 --json
  cmp -s "$work/out" "$work/first" || complain "$*: -j 1 and -j 2 differ"
}

same_bytes forecast "$scenario" --against "$table"
json 'd["schema"] == "gridcast.prediction/1" and d["replicas"] == 20 and not d["partial"]' predict
json 'd["metrics"]["jobs"]["p50"] == 100' predict
json 'd["against"]["metrics"]["succeeded"]["observed"] == 79' predict
json 'abs(sum(e["weight"] for e in d["explanations"].values()) - 1) < 1e-9' predict

same_bytes compare "$scenario"
json 'd["schema"] == "gridcast.comparison/1" and d["replicas"] == 20' compare
json 'd["baseline"] in d["strategies"] and len(d["strategies"]) >= 9' compare
json 'all(e is None or e[0] is None or e[0] <= e[1]
          for e in (s["versus_baseline"]["badput_s"]["ci95"] for s in d["strategies"].values()))' compare
json 'abs(sum(s["probability_best"].get("badput_s") or 0 for s in d["strategies"].values()) - 1) < 1e-9' compare

same_bytes compare "$table"
json 'd["schema"] == "gridcast.replay/1" and d["deterministic"]' replay
json 'all(abs(m["relative_difference"] or 0) <= 1e-3 for m in d["metrics"].values())' replay

for verb in forecast compare; do
  run "$GRIDCAST" $verb "$scenario" -n 5 --csv "$work/$verb"
  expect 0 "$verb --csv"
  silent "$verb --csv"
  [[ -s $work/$verb/metrics.csv && -s $work/$verb/replicas.csv ]] || complain "$verb --csv: no tables"
  run "$GRIDCAST" $verb "$scenario" -n 5 --csv "$work/$verb"
  expect 2 "$verb --csv a second time"
  run "$GRIDCAST" $verb "$scenario" -n 5 --csv "$work/$verb" --force
  expect 0 "$verb --csv --force"
done

run "$GRIDCAST" forecast --once "$scenario" --seed 3 --out "$work/one"
expect 0 run
silent run
says out "h of slot time" run
for file in events.log jobs.csv attempts.csv transfers.csv ledger.json; do
  [[ -s $work/one/$file ]] || complain "forecast --once --out: no $file"
done
(($(ls -A "$work/one" | wc -l) == 5)) || complain "forecast --once --out: left something else behind"
run "$GRIDCAST" forecast --once "$scenario" --seed 3 --json
cmp -s "$work/out" "$work/one/ledger.json" || complain "forecast --once --json is not ledger.json"
run "$GRIDCAST" forecast --once "$scenario" --seed 3 --out "$work/two"
diff -r "$work/one" "$work/two" >/dev/null || complain "forecast --once: the same seed gives other files"
# A job of 24 h without a checkpoint never ends if an eviction comes every 83 minutes.
stuck=("$GRIDCAST_SOURCE/scenarios/teaching/07-checkpoint-interval.yaml"
  --set strategies.self.checkpoint.every_epochs=96 --set calibration.evict_per_s.campus=0.0002)
run "$GRIDCAST" forecast --once "${stuck[@]}"
says err "^The campaign lasted 9.* in the queue for 90 d is removed" "forecast --once of what ends in 90 days"
run "$GRIDCAST" forecast "${stuck[@]}" -n 5
says err "^5 of 5 campaigns lasted 90 d or longer: a job .* is removed" "forecast of what ends in 90 days"
run "$GRIDCAST" forecast "${stuck[@]}" -n 5 --horizon '30 d'
says err "^5 of 5 campaigns were not done at the horizon, 30 d after" "forecast of what ends in 30 days"
# Why transfers stall is said where they do, and where the calibration has rival explanations.
run "$GRIDCAST" forecast --once "$scenario" --replica 5 --details
says out "^Transfers stall here because" "one of several explanations"
run "$GRIDCAST" forecast --once "$GRIDCAST_SOURCE/scenarios/teaching/05-stall-timeout.yaml" --details
says out "^Transfers stall here because" "stalls with one explanation"
run "$GRIDCAST" forecast --once "$GRIDCAST_SOURCE/scenarios/teaching/03-shared-link.yaml" --set calibration.outage_scope=5 --details
says out "^0 transfers ended by the stall timer" "a link that all share"
grep -q "stall here" "$work/out" && complain "an explanation of stalls that did not happen"
# No site has a slot: after three months as well, and what is said holds for jobs that want no GPU.
none=("$GRIDCAST_SOURCE/scenarios/teaching/01-waiting-and-matching.yaml" --set calibration.gpus.campus=0)
run "$GRIDCAST" forecast --once "${none[@]}"
says err "^The campaign lasted 90 d: " "forecast --once without a slot"
says err "^No job was ever matched: no site had a slot for a job, or none with as many GPUs" "forecast --once without a slot"
run "$GRIDCAST" forecast "${none[@]}" -n 5
says err "^5 of 5 campaigns lasted 90 d or longer" "forecast without a slot"
# A simulated campaign is read like a real one; the map of its attempts' table needs two words.
run "$GRIDCAST" ledger "$work/one/attempts.csv"
expect 2 "ledger of attempts.csv"
says err "started = 'execute_started_s'.* ended = 'ended_s', outcome = 'end'" "ledger of attempts.csv"
run "$GRIDCAST" init "$work/one/attempts.csv" -o "$work/map.yaml"
sed -i "s/^  # 'success':.*/  'success': succeeded/; s/^  # 'wrong_output':.*/  'wrong_output': failed/" "$work/map.yaml"
run "$GRIDCAST" ledger "$work/one/attempts.csv" --columns "$work/map.yaml" --json
expect 0 "ledger of attempts.csv by the map of recognised columns"
cp "$work/out" "$work/by-map.json"
run "$GRIDCAST" ledger "$work/one/events.log" --json
python3 - "$work/by-map.json" "$work/out" <<'END' || complain "another ledger of attempts.csv than of events.log"
import json, sys
of_map, of_log = (json.load(open(name))["metrics"] for name in sys.argv[1:])
names = ("jobs", "succeeded", "attempts", "executions", "compute_success_s", "transfer_success_s")
sys.exit([f"{n}: {of_map[n]}, {of_log[n]}" for n in names if abs(of_map[n] - of_log[n]) > 1e-3 * of_log[n]] or 0)
END
run "$GRIDCAST" ledger "$work/one/jobs.csv" --json
expect 0 "ledger of a simulated campaign"
json 'd["metrics"]["jobs"] == 100' "ledger of a simulated campaign"

"$GRIDCAST" compare "$scenario" -n 5 2>"$work/err" | head -n 1 >/dev/null
silent "compare | head"

for verb in run predict compare replay; do
  run "$GRIDCAST" $verb --help
  expect 0 "$verb --help"
  says out "Examples:" "$verb --help"
done
run "$GRIDCAST" --version
says out '^gridcast [0-9]+\.[0-9]+\.[0-9]+' version

exit $exit_status
