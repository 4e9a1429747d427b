#!/usr/bin/env bash
# "More GPUs or more jobs?" of a real campaign, as docs/training.md asks it: its commands print what stands
# there. A profile is fitted to 139 epochs on the way, in 120 s of processor at most, whatever else the
# machine does.
source "$(dirname -- "$0")/check.sh"

cd "$work" || exit 1
ln -s "$GRIDCAST_SOURCE/calibration" calibration
ln -s "$GRIDCAST" gridcast
python3 - "$GRIDCAST_SOURCE/docs/training.md" <<'P' || complain "docs/training.md has commands, a scenario and an answer"
import pathlib, re, sys
blocks = re.findall(r'```\w*\n(.*?)```', pathlib.Path(sys.argv[1]).read_text(), re.S)
first = next(i for i, block in enumerate(blocks) if '--columns metl' in block)
for name, block in zip(('commands', 'more-gpus.yaml', 'wanted'), blocks[first:]):
    pathlib.Path(name).write_text(block)
P
ulimit -S -t 120
run bash -e commands
expect 0 "the commands of docs/training.md"
grep -q 'GPUs a job' wanted || complain "docs/training.md has an answer"
tail -n "$(wc -l <wanted)" out | diff - wanted >difference ||
  { complain "docs/training.md shows what it prints" && cat difference; }

exit "$exit_status"
