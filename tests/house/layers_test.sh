#!/usr/bin/env bash
# Includes run one way, and SimGrid is known to the engine only.
source "$(dirname -- "$0")/files.sh"

# The rank of each folder of sim/: a file may include its own folder and those of a lower rank.
# calibration/ stands beside them with its own list; of sim/, the cli alone includes it.
offences=$(ours '*.cpp' '*.hpp' | grep -E '^(sim|calibration)/' | xargs -r -d '\n' awk '
  BEGIN {
    split("base 0 classad 1 history 1 condor 2 ledger 3 scenario 3 strategy 4 import 4 training 4 engine 5 study 6 report 7 cli 8", t)
    for (i = 1; i in t; i += 2) rank[t[i]] = t[i + 1]
    split("base classad history condor ledger scenario strategy study", t)
    for (i in t) calibration_may[t[i]] = 1
  }
  function folder(path, part) { split(path, part, "/"); return part[1] == "sim" ? part[2] : part[1] }
  function allowed(from, to) {
    if (from == to) return 1
    if (from == "calibration") return to in calibration_may
    if (to == "calibration") return from == "cli"
    return from in rank && to in rank && rank[to] < rank[from]
  }
  /^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    to = quoted[2]
    if (to == "gridcast_version.hpp") next
    if (to !~ /^(sim|calibration)\//) print FILENAME ":" FNR ": not from the root: " to
    else if (!allowed(folder(FILENAME), folder(to))) print FILENAME ":" FNR ": " to
  }')
none_found "includes against the order of the layers" "$offences"

offences=$(ours '*.cpp' '*.hpp' | grep -vE '^(sim|tests)/engine/' |
  xargs -r -d '\n' grep -HnE '^\s*#\s*include\s*[<"](simgrid|xbt)/')
none_found "SimGrid outside sim/engine" "$offences"

exit $exit_status
