#!/usr/bin/env bash
# Words that no source may contain, and the most lines of a source. The brackets in the patterns keep this file
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

none_found "JSON parsed outside of sim/base/json_text.cpp, which limits its depth" "$(
  ours 'sim/*.cpp' 'sim/*.hpp' 'calibration/*.cpp' 'calibration/*.hpp' |
    grep -vFx sim/base/json_text.cpp | containing '\b(jso[n]|Jso[n])::(parse|sax_parse|accept)\(')"

# A signal handler can start one only by itself.
none_found "programs started outside of sim/base/child.cpp" "$(
  ours 'sim/*.cpp' 'sim/*.hpp' 'calibration/*.cpp' 'calibration/*.hpp' |
    grep -vFx -e sim/base/child.cpp -e sim/cli/verb_files.cpp |
    containing '\b(posix_spaw[n]p?|pope[n]|exec[lv]p?e?|std::syste[m])\(')"

# Tables that a command prints are not stored. Not counted: pictures and the two generated files.
none_found "documentation of more than 250,000 bytes" "$(
  ours 'docs/*' | grep -vE '^docs/(images/|scenario\.schema\.json$|gridcast\.1$)' | xargs -d '\n' cat | wc -c |
    awk '$1 > 250000')"

# A path is absolute where nothing that could be the rest of a path or an address stands before it.
none_found "paths of one machine" "$(
  ours | containing '(^|[^][A-Za-z0-9_.~*})/$-])/(wor[k]|roo[t])(/|[^A-Za-z0-9_.-]|$)')"

exit $exit_status
