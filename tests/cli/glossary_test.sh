#!/usr/bin/env bash
# gridcast help TERM knows every term that the default screens print: each word of a screen is a term
# of the glossary, the name of something (a strategy, a site, a file), or an ordinary word of the list
# below. A new term on a screen fails here until the glossary explains it.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1
pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool
log=$pool/c1-sweep/c1-sweep.log
screen() {
  "$GRIDCAST" "$@" </dev/null >>screens 2>/dev/null || complain "$* fails"
}
few=(-n 40 --quiet)
screen compare "$scenario" "${few[@]}"
screen compare "$scenario" "${few[@]}" --goal "deadline:3 d" --set 'prices={currency: USD, gpu_hour: 2}'
screen compare "$log"
screen forecast "$scenario" "${few[@]}"
screen forecast "$scenario" "${few[@]}" --against "$table"
screen forecast "$scenario" --once
screen forecast "$scenario" --once --details
screen forecast "$pool/c1-sweep/job.sub" "$log" -n 20 --quiet
screen ledger "$table"
screen ledger "$log"
screen calibrate "$log" --draws 20 -o c1.yaml
screen calibrate --check c1.yaml --against "$pool/c4-retry" -n 10
screen profile resnet50-imagenet-kempner --gpus 8
screen profile resnet50-imagenet-kempner --scaling 1..64
screen profile --fit "$GRIDCAST_SOURCE/calibration/data/mlperf/training.csv" --most-nodes 4
screen profile --fit "$GRIDCAST_SOURCE/calibration/data/mlperf/storage.csv" --smallest
screen optimize "$scenario" --budget '40 campaigns' --quiet

# Words of a general dictionary, and units.
ordinary="$(sed 's/#.*//' "$GRIDCAST_SOURCE/tests/cli/ordinary_words.txt")"
python3 - "$GRIDCAST" screens <(echo "$ordinary") "$scenario" "$GRIDCAST_SOURCE" >unknown <<'PYTHON'
import csv, re, subprocess, sys
program, screens, ordinary, scenario, source = sys.argv[1:6]
known = set(open(ordinary).read().split())
text = open(screens).read()
# Commands, options, paths, keys and values are no terms.
text = "\n".join(l for l in text.splitlines() if not l.lstrip().startswith(("Next:", "gridcast ")))
text = re.sub(r"\S*[/=\d@_.:]\S*\w|--\S+|'[^']*'|\"[^\"]*\"", " ", text)
names = set(re.findall(r"^  ([a-z0-9-]+):", open(scenario).read(), re.M))   # strategies
for data in ("training", "storage"):                                         # families of the fits
    with open(f"{source}/calibration/data/mlperf/{data}.csv") as table:
        names |= {row["family"][:24].strip() for row in csv.DictReader(table)}
for name in sorted(names, key=len, reverse=True):
    text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text)
words = set()
for word in re.findall(r"[A-Za-z][A-Za-z-]*[A-Za-z]|[A-Za-z]", text):
    # Capitals inside a word are a name: GP-ARGO, CHTC.
    if len(word) > 1 and not re.search(r"[A-Z]", word[1:]):
        words.add(word.lower())
for word in sorted(words - known):
    found = subprocess.run([program, "help", word], capture_output=True, text=True)
    if found.returncode != 0:
        print(word)
PYTHON
[[ -s unknown ]] && complain "gridcast help knows none of these words of the screens (explain them in
sim/report/text/glossary.cpp, or add ordinary ones to tests/cli/ordinary_words.txt): $(tr '\n' ' ' <unknown)"
# The explanations of stalls, as answers print them, and words with a meaning of their own.
for term in regret badput stall 'slot hours' 'stopped early' 'held for good' 'retried transfers' \
  'computing of removed, unfinished jobs' teardown_mean_s slots.SITE-A makespan_s glidein overload 'bad path' slow congestion never 'Bayes factor' '90 %' evidence \
  as-recorded futures stuck 'beyond the record' 'best or equal' 'no material difference' 'slot hours lost' ClassAd Winkler; do
  "$GRIDCAST" help "$term" >/dev/null 2>&1 || complain "gridcast help does not know '$term'"
done
# The list keeps nothing that the glossary explains.
for term in badput makespan eviction; do
  grep -qw "$term" <<<"$ordinary" && complain "ordinary_words.txt contains the term $term"
done

exit $exit_status
