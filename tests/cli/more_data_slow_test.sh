#!/usr/bin/env bash
# "N more logged jobs would narrow the intervals by about a fifth": held against a real log, of which
# 36 of 80 jobs are fitted (three choices of them), and then as many as that sentence asks for.
source "$(dirname -- "$0")/check.sh"
export COLUMNS=200
campaign=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep

# fit NAME EXPRESSION: $work/NAME.yaml of the jobs that it holds for; how campaigns differ is no
# business of the number of jobs.
fit() {
  run "$GRIDCAST" calibrate --details "$campaign/c1-sweep.log" "$campaign/history.json" --draws 100 \
    --between-campaigns 0 --where "$2" -o "$work/$1.yaml"
  expect 0 "calibrate $1"
}

for shift in 0 3 6; do
  fit "few-$shift" "(ProcId + $shift) % 9 < 4"
  says out "^20 more logged jobs beside the (35|36) would narrow|^21 more logged jobs beside the (36|37) would" \
    "how many more"
  fit "more-$shift" "(ProcId + $shift) % 14 < 10"
  says out "logged jobs beside the (5[5-9]|60) would narrow" "as many as it asks for"
done

# The median over the parameters that both have events of, in width of the logarithm (a latency and a
# rate that stand for each other can be the wider for more data). By the formula 0.8; one parameter's
# ratio has a standard deviation of about a quarter, and there are some sixty of about twenty independent
# ones, so that a right formula fails once in some hundred choices; these three are fixed.
python3 - "$work" <<'P' || complain "as much narrower as it says"
import math, pathlib, re, statistics, sys

def parameters(file):
    found, name = {}, None
    for line in open(file):
        if line.startswith('draws:'):
            return found
        if match := re.match(r'  "?([\w.-]+)"?:$', line):
            name = match[1]
            found[name] = {}
        elif name and (match := re.match(r'    (interval90|events|origin): "?([^"\n]*)"?$', line)):
            found[name][match[1]] = match[2]

def log_width(parameter):
    low, high = map(float, parameter['interval90'].strip('[]').split(','))
    return math.log(high / low) if 0 < low < high else None

ratios = []
for shift in (0, 3, 6):
    few, more = (parameters(pathlib.Path(sys.argv[1], f'{kind}-{shift}.yaml')) for kind in ('few', 'more'))
    for name in few.keys() & more.keys():
        if few[name].get('origin') != 'fitted' or int(few[name]['events']) < 5 or name.startswith('slots'):
            continue
        widths = log_width(few[name]), log_width(more[name])
        if None not in widths:
            ratios.append(widths[1] / widths[0])
middle = statistics.median(ratios)
print(f'{len(ratios)} parameters, {middle:.3f} times as wide')
assert len(ratios) >= 40 and 0.68 < middle < 0.92, (len(ratios), middle)
P
exit $exit_status
