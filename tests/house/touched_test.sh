#!/usr/bin/env bash
# A knob or a metric costs six files at most, in the median of the commits that added one. Skipped without
# a history: in an unpacked archive or a shallow clone.
source "$(dirname -- "$0")/files.sh"

# Would it notice? A history in which each knob costs eight files, and one in which it costs two.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# history FILES [split]: three commits, each with a row more and FILES files in all; or each file has a commit.
history() (
  rm -rf "$work/repository"
  mkdir -p "$work/repository/sim/scenario" "$work/repository/tests/house"
  cd "$work/repository" || exit 1
  git init -q && git config user.name test && git config user.email test@example.org
  cp "$GRIDCAST_SOURCE/tests/house/touched" tests/house/
  echo 'Table()' >sim/scenario/strategy.cpp
  git add . && git commit -qm first
  for knob in one two three; do
    echo "  .optional(\"$knob\", &Strategy::$knob, \"Help\")" >>sim/scenario/strategy.cpp
    for ((file = 1; file < $1; ++file)); do
      [[ -z ${2-} ]] || { git add . && git commit -qm "$knob"; }
      echo "the setting release.$knob" >>"file-$file"
    done
    mkdir -p docs && echo "$knob" >docs/scenario.schema.json  # written by a command
    git add . && git commit -qm "$knob"
  done
  # A change of a row that is there adds none.
  sed -i 's/Help/Other help/' sim/scenario/strategy.cpp
  seq 20 | while read -r file; do echo >"other-$file"; done
  git add . && git commit -qm changed
)

# status_of FOLDER: of the measurement there; what it prints goes to $work/said.
status_of() {
  GRIDCAST_SOURCE=$1 python3 tests/house/touched >"$work/said" 2>&1
  echo $?
}

if command -v git >/dev/null; then
  history 8
  [[ $(status_of "$work/repository") == 1 ]] || none_found "eight files for a knob" "$(<"$work/said")"
  grep -q '^knob: 8 files in the median of 3, at most 6' "$work/said" || none_found "eight" "$(<"$work/said")"
  history 8 split
  [[ $(status_of "$work/repository") == 1 ]] || none_found "eight files for a knob, in eight commits" "$(<"$work/said")"
  history 2
  [[ $(status_of "$work/repository") == 0 ]] || none_found "two files for a knob" "$(<"$work/said")"
  git clone -q --depth 1 "file://$work/repository" "$work/shallow"
  [[ $(status_of "$work/shallow") == 77 ]] || none_found "a shallow clone" "$(<"$work/said")"
fi
mkdir "$work/archive"
[[ $(status_of "$work/archive") == 77 ]] || none_found "no history" "$(<"$work/said")"
((exit_status)) && exit "$exit_status"

status=$(status_of "$GRIDCAST_SOURCE")
cat "$work/said"
exit "$status"
