#!/usr/bin/env bash
# A log with ads of cold caches: `gridcast calibrate` finds what a cache's fetch takes, and forecasts of more work on
# the same files have as many fetches as there are files and caches. Truth: tests/cli/cold_caches.py.
source "$(dirname -- "$0")/check.sh"

made() { python3 "$GRIDCAST_SOURCE/tests/cli/cold_caches.py" "$work/$1" "$2"; }
mkdir "$work/record" "$work/more"
made record 96 >/dev/null
truth=$(made more 960) # mean seconds of an input transfer: 20 s, and 16 fetches of 200 s
cd "$work" || exit 1

run "$GRIDCAST" calibrate --details record/cold.log record/cold.json --draws 100 -o cold.yaml
expect 0 "calibrate"
says out "^origin_stream_limit_Bps " "the origin's rate is printed"
# 5 MB/s, of which 16 fetches with a standard deviation of 10 % tell 2.5 %.
python3 - cold.pool.yaml <<'END' || complain "the pool has the origin's rate"
import re, sys
number, unit = re.search(r"stream_limit: ([0-9.]+) ([a-zA-Z/]+)", open(sys.argv[1]).read()).groups()
rate = float(number) * {"k": 1e3, "M": 1e6, "G": 1e9}.get(unit[0], 1) / (8 if unit.endswith("bps") else 1)
print(rate, "B/s")
sys.exit(not 0.85 < rate / 5e6 < 1.15)
END

sizes=()
for part in {0..7}; do sizes+=(--size "osdf:///data/part.$part=1GB"); done
run "$GRIDCAST" init more/job.sub --calibration cold.yaml "${sizes[@]}" -o more.yaml
expect 0 "init"
run "$GRIDCAST" forecast more.yaml -n 40 --json
expect 0 "forecast"
python3 - out "$truth" <<'END' || complain "the forecast's input time is the record's"
import json, re, sys
text = open(sys.argv[1]).read()
mean = float(re.search(r'"transfer_success_s": *\{[^}]*"mean": *([0-9.]+)', text)[1])
print(mean / 960, "s, truth", sys.argv[2])
sys.exit(not 0.75 < mean / 960 / float(sys.argv[2]) < 1.25)
END

exit $exit_status
