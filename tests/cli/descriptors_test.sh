#!/usr/bin/env bash
# Closed and full descriptors: a standard error that cannot be written changes nothing; results that
# cannot be written are a failure (1), with a message; a full disk behind a file is no bad input, and
# comes after the results have been seen.
source "$(dirname -- "$0")/check.sh"

cd "$work" || exit 1
"$GRIDCAST" export events "$scenario" -o in.log
"$GRIDCAST" init --help >/dev/null || complain "help"

# The verbs with their arguments; each prints something.
verbs=(
  "forecast --once $scenario"
  "forecast $scenario -n 3 --verbose"
  "compare $scenario -n 2 --json --verbose"
  "compare $table -n 2"
  "ledger in.log --verbose"
  "export attempts in.log"
  "profile --list"
  "lesson list"
  "help schema"
  "help completion bash"
  "help forecast"
  "--help"
  "forecast --help"
  "--version"
)
for verb in "${verbs[@]}"; do
  read -ra words <<<"$verb"
  "$GRIDCAST" "${words[@]}" >good 2>/dev/null </dev/null || complain "$verb: exit status $?"
  [[ -s good ]] || complain "$verb prints nothing"
  for descriptor in closed full; do
    if [[ $descriptor == closed ]]; then
      status=0
      "$GRIDCAST" "${words[@]}" >out 2>&- </dev/null || status=$?
    else
      status=0
      "$GRIDCAST" "${words[@]}" >out 2>/dev/full </dev/null || status=$?
    fi
    expect 0 "$verb, standard error $descriptor"
    cmp -s <(grep -v ^Next: good) <(grep -v ^Next: out) || complain "$verb, standard error $descriptor: other results"
  done
  status=0
  "$GRIDCAST" "${words[@]}" >/dev/full 2>err </dev/null || status=$?
  expect 1 "$verb > /dev/full"
  says err '^gridcast: the results cannot be written to standard output$' "$verb > /dev/full"
  status=0
  "$GRIDCAST" "${words[@]}" >&- 2>err </dev/null || status=$?
  expect 1 "$verb >&-"
  says err '^gridcast: the results cannot be written to standard output$' "$verb >&-"
  status=0
  "$GRIDCAST" "${words[@]}" <&- >out 2>/dev/null || status=$?
  expect 0 "$verb <&-"
  cmp -s <(grep -v ^Next: good) <(grep -v ^Next: out) || complain "$verb, standard input closed: other results"
done

# No message may go into a file that took the place of a closed descriptor.
status=0
"$GRIDCAST" forecast "$scenario" -n 20 --resume kept --verbose <&- >&- 2>&- || status=$?
expect 1 "predict, all descriptors closed"
"$GRIDCAST" forecast "$scenario" -n 20 --resume kept --json >resumed 2>err || complain "resuming: $?"
"$GRIDCAST" forecast "$scenario" -n 20 --json >unbroken
cmp -s resumed unbroken || complain "a journal of closed descriptors: other results"

# A mistake is printed on standard error alone, and the status is the same without it.
for descriptor in /dev/full /dev/null; do
  status=0
  "$GRIDCAST" forecast nowhere.yaml >out 2>$descriptor || status=$?
  expect 2 "a missing scenario, standard error $descriptor"
  [[ -s out ]] && complain "a missing scenario: something on standard output"
done

# Whoever reads may stop: quietly, and the files are there.
set -o pipefail
"$GRIDCAST" forecast "$scenario" -n 3 --csv tables 2>err | true
[[ -s err ]] && complain "a reader who stops: $(cat err)"
[[ -s tables/metrics.csv ]] || complain "a reader who stops: no tables"

# Limits on the size of files stand for a full disk: the results are seen, then the failure.
"$GRIDCAST" forecast "$scenario" -n 3 >good
full() {
  status=0
  (
    ulimit -f 1
    exec "$GRIDCAST" "$@" 2>"$work/err" </dev/null
  ) | cat >"$work/out"
  status=${PIPESTATUS[0]}
  expect 1 "$*, no room"
  says err 'cannot be written \(File too large\)' "$*, no room"
}
full forecast "$scenario" -n 3 --csv small
cmp -s <(grep -v ^Next: good) <(grep -v ^Next: out) || complain "forecast --csv without room: not the results"
if "$GRIDCAST" forecast --once "$scenario" --report page.html >/dev/null 2>&1; then
  full forecast "$scenario" -n 3 --report small.html
  cmp -s <(grep -v ^Next: good) <(grep -v ^Next: out) || complain "forecast --report without room: not the results"
  full forecast --once "$scenario" --report small.html
  [[ -s out ]] || complain "forecast --once --report without room: no story"
fi
full forecast --once "$scenario" --out small
says out '[0-9]' "forecast --once --out without room"
[[ -z $(ls -A small) ]] || complain "forecast --once --out without room: some files are left"
full export events in.log -o small.log
full calibrate "$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c4-retry/c4-retry.log" -o small.yaml
[[ -e small.html || -e small.log || -n $(ls small.*yaml 2>/dev/null) ]] && complain "half a file is left"

# A journal that cannot grow ends alone: the study goes on, and says so.
status=0
(
  ulimit -f 20
  exec "$GRIDCAST" forecast "$scenario" -n 40 --resume short --json 2>"$work/err" </dev/null
) | cat >out
status=${PIPESTATUS[0]}
expect 1 "a journal without room"
says err 'study.journal: cannot be written: File too large' "a journal without room"
json 'd["replicas"] == 40 and not d["failed"]' "a journal without room"
"$GRIDCAST" forecast "$scenario" -n 40 --resume short --json >resumed 2>err || complain "resuming it: $?"
"$GRIDCAST" forecast "$scenario" -n 40 --json >unbroken
cmp -s resumed unbroken || complain "a journal that was full: other results"

exit $exit_status
