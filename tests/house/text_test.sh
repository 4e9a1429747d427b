#!/usr/bin/env bash
# What no source may contain, and how long it may be. The brackets in the patterns keep this file
# from finding itself.
source "$(dirname -- "$0")/files.sh"

# containing PATTERN: reads file names and shows the lines in them that match.
containing() { xargs -r -d '\n' grep -IHnE "$1"; }

none_found "longer than 600 lines" "$(
  ours '*.cpp' '*.hpp' '*.sh' | grep -E '^(sim|calibration|tests)/' |
    xargs -r -d '\n' awk 'FNR == 601 { print FILENAME }')"

none_found "unfinished business" "$(ours | containing '\b(TOD[O]|FIXM[E])\b')"

none_found "distributions that differ between standard libraries (see sim/base/random.hpp)" "$(
  ours '*.cpp' '*.hpp' | containing 'std::[a-z_]+_distributio[n]')"

# A path is absolute where nothing that could be the rest of a path or an address stands before it.
none_found "paths of one machine" "$(
  ours | containing '(^|[^][A-Za-z0-9_.~*})/$-])/(wor[k]|roo[t])(/|[^A-Za-z0-9_.-]|$)')"

exit $exit_status
