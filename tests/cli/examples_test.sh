#!/usr/bin/env bash
# Every example of every --help runs, on small files with the names that the examples use. Studies get
# few replicas, so that all examples together take less than two minutes.
source "$(dirname -- "$0")/check.sh"
source "$(dirname -- "$0")/example_files.sh"

verbs() {
  "$GRIDCAST" $1 --help </dev/null | sed -n '/^Verbs:/,/^$/s/^  \([a-z-][a-z-]*\).*/\1/p' |
    while read -r verb; do
      echo "$1 $verb"
      verbs "$1 $verb"
    done
}
mapfile -t all < <(echo && verbs "")
count=0
declare -A done_before
for verb in "${all[@]}"; do
  # An example that is broken after a backslash is one command.
  while IFS= read -r example; do
    [[ -n ${done_before[$example]-} ]] && continue
    done_before[$example]=1
    # Left out: the fit of a table simulates for more than a minute.
    [[ $example == "gridcast calibrate "*.csv* ]] && continue
    # A page needs a build with one.
    has_page || [[ $example != *" html "* && $example != *--report* && $example != *"gridcast open"* ]] || continue
    ((++count))
    # A campaign is forecast while it runs, and watched until it is over.
    cp job.log campaign.log
    [[ $example != *--running* ]] || head -n 200 job.log >campaign.log
    (set -o pipefail && eval "$example") >example.out 2>example.err
    code=$?
    # 4: the answer of a lesson is wrong.
    [[ $code == 0 || ($code == 4 && $example == *"lesson check"*) ]] || {
      complain "gridcast $verb --help: '$example' ends with $code"
      tail -n 4 example.err
    }
  done < <(COLUMNS=300 "$GRIDCAST" $verb --help </dev/null | sed -n '/^Examples:/,/^$/p' |
    sed -e ':a' -e '/\\$/N; s/\\\n//; ta' | sed -n 's/^  \([a-z]\)/\1/p')
done
((count >= 50)) || complain "only $count examples were found"

exit $exit_status
