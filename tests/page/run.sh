#!/usr/bin/env bash
# run.sh NAME: runs NAME.test.mjs. Exit status 77: skipped, for want of what it needs.
set -u

skip() {
  echo "skipped: $*"
  exit 77
}

node=$(command -v node || command -v nodejs) || skip "no Node.js"
[[ -e $GRIDCAST_PAGE_TESTS/$1.test.mjs ]] || skip "not prepared"
if [[ $1 != unit ]]; then
  [[ -d $GRIDCAST_PAGE_TESTS/node_modules/playwright-core ]] || skip "no playwright-core"
  [[ -e $GRIDCAST_PAGE ]] || skip "the page could not be made"
  GRIDCAST_CHROMIUM=${GRIDCAST_CHROMIUM:-$(command -v chromium)} || skip "no chromium"
  export GRIDCAST_CHROMIUM
fi
cd "$GRIDCAST_PAGE_TESTS" && exec "$node" --test "$1.test.mjs" </dev/null
