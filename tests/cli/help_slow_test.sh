#!/usr/bin/env bash
# The help of each verb, the topics, the manual page, versions, and the nearest word for a
# wrong one.
source "$(dirname -- "$0")/check.sh"

# Every verb, "lesson run" among them.
verbs() {
  "$GRIDCAST" $1 --help </dev/null | sed -n '/^Verbs:/,/^$/s/^  \([a-z-][a-z-]*\).*/\1/p' |
    while read -r verb; do
      echo "$1 $verb"
      verbs "$1 $verb"
    done
}
mapfile -t all < <(verbs "" | sed 's/^ *//')
((${#all[@]} >= 15)) || complain "only these verbs are found: ${all[*]}"

for verb in "" "${all[@]}"; do
  for columns in 60 80 200; do
    run env COLUMNS=$columns "$GRIDCAST" $verb --help
    expect 0 "$verb --help"
    [[ -s $work/err ]] && complain "$verb --help: something on stderr"
    # A path in an example cannot be broken.
    grep -v '^  gridcast .*/\|^      .*/' "$work/out" >"$work/lines"
    (($(widest "$work/lines") <= columns)) || {
      complain "$verb --help is wider than $columns:"
      awk -v n=$columns 'length > n' "$work/lines"
    }
  done
  run env COLUMNS=80 "$GRIDCAST" $verb --help
  (($(wc -l <"$work/out") <= 64)) || complain "$verb --help is longer than a screen"
  (($(sed -n '/^Examples:/,/^$/p' "$work/out" | grep -c '^  [a-z]') >= 2)) ||
    complain "$verb --help: not two examples"
  says out '^Usage: gridcast' "$verb --help"
  cp "$work/out" "$work/long"
  run env COLUMNS=80 "$GRIDCAST" $verb -h
  cmp -s "$work/out" "$work/long" || complain "$verb: -h and --help differ"
  run env COLUMNS=80 "$GRIDCAST" help ${verb/ --/ }
  [[ -z $verb || $verb == help* ]] || cmp -s "$work/out" "$work/long" || complain "help $verb and $verb --help differ"
done

# Files that examples name from the checkout's folder are there.
for verb in "" "${all[@]}"; do
  COLUMNS=200 "$GRIDCAST" $verb --help | sed -n '/^Examples:/,/^$/p' |
    grep -oE '(scenarios|calibration|docs)/[A-Za-z0-9_./-]+' | while read -r file; do
    [[ -e $GRIDCAST_SOURCE/$file ]] || echo "$verb --help: no $file"
  done
done >"$work/missing"
[[ -s $work/missing ]] && complain "$(cat "$work/missing")"

for topic in units metrics strategies scenario pool exit-codes environment; do
  for columns in 60 80 200; do
    run env COLUMNS=$columns "$GRIDCAST" help $topic
    expect 0 "help $topic"
    (($(wc -l <"$work/out") >= 2)) || complain "help $topic says little"
    (($(widest "$work/out") <= columns)) || complain "help $topic is wider than $columns"
  done
done
run "$GRIDCAST" help strategies
says out 'STARTER_FILE_XFER_STALL_TIMEOUT; with on_stall' "help strategies"
# Answers recommend settings by these names.
mapfile -t keys < <(sed -nE 's/^  ([a-z_]+\.[][a-z_.]+).*/\1/p' "$work/out")
((${#keys[@]} > 40)) || complain "help strategies lists ${#keys[@]} keys"
for key in "${keys[@]}"; do
  run "$GRIDCAST" help "$key"
  expect 0 "help $key"
  says out "^  ${key//[][]/.}( |$)" "help $key"
done
run "$GRIDCAST" help on_stall
says out 'transfer.on_stall' "the last part of a setting's name"
run "$GRIDCAST" help metrics
says out '^  goodput_fraction ' "help metrics"
run "$GRIDCAST" help exit-codes
says out '^  130 ' "help exit-codes"

# refused PATTERN ARGUMENT...: the program exits with 2 and one line on stderr.
refused() {
  run "$GRIDCAST" "${@:2}"
  expect 2 "${*:2}"
  says err "$1" "${*:2}"
  (($(wc -l <"$work/err") == 1)) || complain "${*:2}: not one line"
  [[ -s $work/out ]] && complain "${*:2}: something on stdout"
}
refused "no verb, topic or term 'untis'. Did you mean 'units'" help untis
refused "no verb, topic or term 'stratgies'. Did you mean 'strategies'" help stratgies
refused "no verb, topic or term 'forcast'. Did you mean 'forecast'" help forcast
refused "no verb, topic or term 'predict'. It is now forecast" help predict
refused "gridcast export: there is no verb 'evnts'. Did you mean 'events'" help export evnts
refused "unknown verb 'evnts'. Did you mean 'events'" export evnts
refused "gridcast init: unknown option '--sizee'. Did you mean '--size'" init job.sub --sizee 1
refused "gridcast export events: unknown option '--sede'. Did you mean '--seed'" export events --sede
refused "gridcast export: which verb\? events" export
refused "'bahs' is none of its values. Did you mean 'bash'\? See gridcast" help completion bahs
refused "none of its values" forecast --once "$scenario" --network sometimes

# The manual page in docs/ is the program's, and roff has nothing to say against it.
"$GRIDCAST" help --man >"$work/gridcast.1" || complain "help --man"
cmp "$work/gridcast.1" "$GRIDCAST_SOURCE/docs/gridcast.1" ||
  complain "docs/gridcast.1 has drifted: gridcast help --man > docs/gridcast.1 mends it"
if command -v man >/dev/null; then
  man --warnings -l "$work/gridcast.1" >"$work/out" 2>"$work/err" </dev/null || complain "man -l"
  [[ -s $work/err ]] && complain "man warns: $(head -n 3 "$work/err")"
  says out '^NAME' "man -l"
  says out 'gridcast lesson run' "man -l"
else
  echo "man is not installed: the page was not rendered"
fi

run "$GRIDCAST" --version
says out '^gridcast [0-9]+\.[0-9]+\.[0-9]+' "--version"
(($(wc -l <"$work/out") == 1)) || complain "--version: more than a line"
run "$GRIDCAST" --version --verbose
says out 'SimGrid +[0-9]+\.[0-9]+' "--version --verbose"
says out 'How to cite' "--version --verbose"
# It and CITATION.cff name the same.
doi=$(sed -n 's/^ *doi: //p' "$GRIDCAST_SOURCE/CITATION.cff")
number=$(sed -n 's/^version: //p' "$GRIDCAST_SOURCE/CITATION.cff")
says out "doi:$doi" "--version --verbose"
says out "gridcast, version $number\." "--version --verbose"

exit $exit_status
