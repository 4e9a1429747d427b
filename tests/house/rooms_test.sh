#!/usr/bin/env bash
# A layer's files are in its namespace, and nothing is written twice.
source "$(dirname -- "$0")/files.sh"

none_found "not in the namespace of its layer (gridcast::<folder>)" "$(
  ours '*.cpp' '*.hpp' | grep -E '^(sim|calibration)/' | xargs -r -d '\n' awk '
    FNR == 1 { split(FILENAME, part, "/"); layer = part[1] == "sim" ? part[2] : part[1] }
    # CLI11 is declared ahead, to be included in one file only.
    /^namespace [^={]/ && !/=/ && !/^namespace CLI / && $0 !~ "^namespace gridcast::" (layer == "base" ? "inline base" : layer) "(::| )" {
      print FILENAME ":" FNR ": " $0
    }')"

# Eight equal lines of code in two places; comments, includes, blank lines and lone brackets do not count.
none_found "the same eight lines in two places" "$(
  ours '*.cpp' '*.hpp' | grep -E '^(sim|calibration)/' | xargs -r -d '\n' awk '
    function flush_window(i, key) {
      key = ""
      for (i = count - 7; i <= count; ++i) key = key "\n" line[i % 8]
      if (key in seen && !(seen[key] == FILENAME && count - 8 < last[key])) {
        if (quiet < FNR) print FILENAME ":" at[(count - 7) % 8] " and " seen[key] ":" where[key]
        quiet = FNR + 1
      } else { seen[key] = FILENAME; where[key] = at[(count - 7) % 8]; last[key] = count }
    }
    FNR == 1 { count = 0; quiet = 0 }
    { sub(/[ \t]*\/\/.*/, ""); gsub(/^[ \t]+|[ \t]+$/, "") }
    $0 == "" || /^#/ || /^[][(){};,]+$/ || /^namespace / { next }
    { ++count; line[count % 8] = $0; at[count % 8] = FNR; if (count >= 8) flush_window() }')"

# Files of a folder are compiled together: a function in one's unnamed namespace that is called as one of
# base would be taken for it in the others.
of_base=$(grep -hoP '^(?:inline |constexpr )*[\w:<>]+ \K[a-z_0-9]+(?=\()' sim/base/*.hpp | sort -u | paste -sd '|')
none_found "in an unnamed namespace, the name of a function of sim/base" "$(
  ours '*.cpp' | grep -E '^(sim|calibration)/' | grep -v '^sim/base/' | xargs -r -d '\n' awk -v names="^[A-Za-z_][A-Za-z_:<>, *&]* (${of_base})\\\\(" '
    FNR == 1 { unnamed = 0 }
    /^namespace \{/ { unnamed = 1 }
    /^}  \/\/ namespace$/ { unnamed = 0 }
    unnamed && $0 ~ names { print FILENAME ":" FNR ": " $0 }')"

exit $exit_status
