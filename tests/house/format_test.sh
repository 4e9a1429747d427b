#!/usr/bin/env bash
# Every source is as clang-format writes it.
source "$(dirname -- "$0")/files.sh"

# Another version formats differently, and its complaints would be about itself.
clang-format --version | grep -q 'version 14\.' || { echo "needs clang-format 14"; exit 77; }

none_found "not as clang-format writes it (clang-format -i FILE mends it)" "$(
  ours '*.cpp' '*.hpp' | xargs -r -d '\n' clang-format --dry-run 2>&1 |
    sed -n 's/:.*\[-Wclang-format-violations\]$//p' | uniq)"

# clang-format does not wrap comments.
none_found "comments beyond 100 columns" "$(
  ours '*.cpp' '*.hpp' | LC_ALL=C.UTF-8 xargs -r -d '\n' grep -HnP '^(?=.{101})\s*//')"

exit $exit_status
