#!/usr/bin/env bash
# gridcast train --sources: the page of what the source documents say beside what the program predicts.
source "$(dirname -- "$0")/check.sh"

cd "$GRIDCAST_SOURCE" || exit 1

run "$GRIDCAST" train --sources --markdown
expect 0 "train --sources"
cmp -s "$work/out" docs/sources.md ||
  complain "docs/sources.md is not what gridcast train --sources --markdown writes"

exit $exit_status
