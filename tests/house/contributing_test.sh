#!/usr/bin/env bash
# The files that CONTRIBUTING.md and docs/architecture.md name exist.
source "$(dirname -- "$0")/files.sh"

# paths_of FILE: the words in backticks there that look like a file or folder of ours.
paths_of() {
  grep -oE '`[^` ]+`' "$1" | tr -d '`' |
    grep -E '^(\.ci|\.github|calibration|cmake|docs|scenarios|sim|tests|web)/|^[A-Z]+\.md$'
}

# exists PATH: as a file or folder, with or without its ending.
exists() { compgen -G "$1" >/dev/null || compgen -G "$1.*" >/dev/null; }

# missing FILE: the paths that it names and that do not exist.
missing() {
  local path
  while read -r path; do
    exists "$path" || echo "$1: $path"
  done < <(paths_of "$1" | sort -u)
}

none_found "files that do not exist" "$(missing CONTRIBUTING.md; missing docs/architecture.md)"
(($(paths_of CONTRIBUTING.md | wc -l) > 20)) || none_found "paths in CONTRIBUTING.md" "fewer than 20"

# Would it notice?
guide=$(mktemp)
trap 'rm -f "$guide"' EXIT
sed 's,`sim/ledger/metrics.cpp`,& `sim/ledger/none.cpp`,' CONTRIBUTING.md >"$guide"
[[ $(missing "$guide") == *sim/ledger/none.cpp ]] || none_found "not noticed" sim/ledger/none.cpp

exit $exit_status
