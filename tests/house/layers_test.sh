#!/usr/bin/env bash
# A layer can include only what it links (cmake/Layer.cmake), and SimGrid is known to the engine only.
source "$(dirname -- "$0")/files.sh"

# compiles FOLDER LINE: whether a file that consists of that line compiles as one of FOLDER's would.
build=$OLDPWD
compiles() {
  local command
  command=$(cd "$build" && ninja -t commands gridcast |
    grep -m 1 -E " -c [^ ]*(/$1/[^ ]*\.cpp|/unity_${1//\//-}[^ ]*\.cxx)$") ||
    { echo "no command compiles $1"; exit 1; }
  (cd "$build" && ${command%% -MD *} -fsyntax-only -x c++ - <<<"$2" >/dev/null 2>&1)
}

compiles sim/history '#include "sim/base/units.hpp"' ||
  none_found "history does not compile with base" "sim/base/units.hpp"
while read -r folder header; do
  compiles "$folder" "#include \"$header\"" && none_found "$folder can include what is above it" "$header"
done <<'END'
sim/base sim/history/job_history.hpp
sim/ledger sim/scenario/scenario.hpp
sim/engine sim/study/comparison.hpp
sim/study sim/report/text/layout.hpp
sim/report sim/cli/command_line.hpp
calibration sim/report/text/layout.hpp
END

# The raw floor is SimGrid without a model of ours.
offences=$(ours '*.cpp' '*.hpp' | grep -vE '^(sim|tests)/engine/|^tests/(bench/raw_floor|model/clock_test)\.cpp$' |
  xargs -r -d '\n' grep -HnE '^\s*#\s*include\s*[<"](simgrid|xbt)/')
none_found "SimGrid outside sim/engine" "$offences"

exit $exit_status
