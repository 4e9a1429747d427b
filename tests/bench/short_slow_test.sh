#!/usr/bin/env bash
# Every benchmark but the largest runs to its end. No second of it is judged: CI machines differ. That the
# simulator does not cost more than it did is what instructions_slow_test.sh counts.
source "$(dirname -- "$0")/../cli/check.sh"

bench=$(dirname -- "$GRIDCAST")/tests/gridcast_bench
[[ -x $bench ]] || { echo "no benchmarks in this build"; exit 77; }

short=(--benchmark_filter='-MB:1000/|jobs:1000000/|jobs:100000/' --benchmark_min_time=0.01)
run "$bench" "${short[@]}" --benchmark_out="$work/result.json" --benchmark_out_format=json
expect 0 "the benchmarks"
cp "$work/result.json" "$work/out"
wanted=$("$bench" --benchmark_list_tests "${short[0]}" | wc -l)
json "len(d['benchmarks']) == $wanted" "each benchmark has a result"
json 'not any(b.get("error_occurred") for b in d["benchmarks"])' "no benchmark complains"
json 'any(b["times_floor"] > 1 for b in d["benchmarks"] if b["name"].startswith("larger_campaign"))' \
  "campaigns are measured beside their floor"

run python3 "$GRIDCAST_SOURCE/tests/bench/compare.py" "$work/result.json" "$work/result.json"
expect 0 "a run beside itself"
(($(grep -c '1\.00' "$work/out") >= wanted)) || complain "a run beside itself: not every ratio is 1"

exit $exit_status
