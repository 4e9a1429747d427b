#!/usr/bin/env bash
# The lists of CONTRIBUTING.md are complete: each names the files that mention an example which is
# there, all of them and no other; and the files that it and docs/architecture.md name exist.
source "$(dirname -- "$0")/files.sh"

# paths_of FILE: what stands in backticks there and looks like a file or folder of ours.
paths_of() {
  grep -oE '`[^` ]+`' "$1" | tr -d '`' |
    grep -E '^(\.ci|\.github|calibration|cmake|docs|scenarios|sim|tests|web)/|^[A-Z]+\.md$'
}

# exists PATH: as a file or folder, with or without its ending.
exists() { compgen -G "$1" >/dev/null || compgen -G "$1.*" >/dev/null; }

# missing FILE: the paths that it names and that are not there.
missing() {
  local path
  while read -r path; do
    exists "$path" || echo "$1: $path"
  done < <(paths_of "$1" | sort -u)
}

# listed GUIDE EXAMPLE: the files (or patterns) in the first column of the table that follows it.
listed() {
  EXAMPLE="<!-- example: $2 -->" awk '
    /^<!-- example: / { here = $0 == ENVIRON["EXAMPLE"] }
    /^#/ { here = 0 }
    here && /^\| `/' "$1" | cut -d'|' -f2 | grep -oE '`[^`]+`' | tr -d '`'
}

# mentioning EXAMPLE: the sources, tests and documents that do; not data, and not what explains them.
declare -A mentions
mentioning() {
  [[ -v mentions[$1] ]] || mentions[$1]=$(
    ours | grep -E '^(sim|calibration|tests|docs|web)/|^(README|CHANGELOG)\.md$' |
      grep -vE '^calibration/(data|fitted)/|^docs/architecture\.md$|/contributing_test\.sh$' |
      xargs -r -d '\n' grep -lE -e "$1")
}

# differences GUIDE: what its lists leave out, and what they name that does not mention the example.
differences() {
  local example pattern patterns file covered
  while IFS= read -r example; do
    mentioning "$example"
    mapfile -t patterns < <(listed "$1" "$example")
    while IFS= read -r file; do
      covered=
      for pattern in "${patterns[@]}"; do
        [[ $file == $pattern ]] && covered=yes
      done
      [[ $covered ]] || echo "$example: left out: $file"
    done <<<"${mentions[$example]}"
    for pattern in "${patterns[@]}"; do
      [[ $pattern == *'*'* ]] || grep -qxF -e "$pattern" <<<"${mentions[$example]}" ||
        echo "$example: does not mention it: $pattern"
    done
  done < <(sed -n 's/^<!-- example: \(.*\) -->$/\1/p' "$1")
}

none_found "files that are not there" "$(missing CONTRIBUTING.md; missing docs/architecture.md)"
guide=$(mktemp)
trap 'rm -f "$guide"' EXIT
differences CONTRIBUTING.md >"$guide"  # in this shell, so that what was found is kept
none_found "lists of CONTRIBUTING.md that are not complete" "$(<"$guide")"
((${#mentions[@]} == 4)) || none_found "lists" "${#mentions[@]} in place of 4"
# What it costs to add one has a limit: files that mention the example, of a knob and of a process.
declare -A most=(['\bslow_after\b']=8 ['\boutput_failure\b']=9)
for example in "${!most[@]}"; do
  touched=$(wc -l <<<"${mentions[$example]}")
  ((touched <= most[$example])) || none_found "files for $example, ${most[$example]} at most" "$touched"
done

# Would it notice? A guide that lacks a row, and one with a row too many.
grep -v 'sim/scenario/draw_columns.cpp' CONTRIBUTING.md >"$guide"
[[ $(differences "$guide") == *'left out: sim/scenario/draw_columns.cpp'* ]] ||
  none_found "a row was taken out and not missed" "sim/scenario/draw_columns.cpp"
sed 's,`sim/ledger/metrics.cpp`,& `sim/base/units.hpp`,' CONTRIBUTING.md >"$guide"
[[ $(differences "$guide") == *'does not mention it: sim/base/units.hpp'* ]] ||
  none_found "a row was added and not found" "sim/base/units.hpp"

exit $exit_status
