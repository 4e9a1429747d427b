#!/usr/bin/env bash
# A study that was killed goes on where it stood, with the same bytes as one that was not.
source "$(dirname -- "$0")/check.sh"

for verb in predict compare; do
  count=300
  [[ $verb == compare ]] && count=40
  "$GRIDCAST" "$verb" "$scenario" -n $count --json >"$work/unbroken" 2>/dev/null
  "$GRIDCAST" "$verb" "$scenario" -n 100000 --json --resume "$work/$verb" >"$work/out" 2>/dev/null &
  study=$!
  for _ in {1..200}; do
    [[ -s $work/$verb/study.journal ]] && (($(stat -c %s "$work/$verb/study.journal") > 20000)) && break
    sleep 0.02
  done
  kill -KILL "$study"
  wait "$study" 2>/dev/null
  "$GRIDCAST" "$verb" "$scenario" -n $count --json --resume "$work/$verb" >"$work/resumed" 2>/dev/null
  cmp -s "$work/unbroken" "$work/resumed" || complain "$verb: a resumed study differs from an unbroken one"
done

run "$GRIDCAST" forecast "$scenario" -n 5 --seed 9 --resume "$work/predict"
expect 2 "predict, resuming another study"
says err "study.journal: is the journal of another study" "resuming another study"

# Two at once.
"$GRIDCAST" forecast "$scenario" -n 100000 --resume "$work/shared" >"$work/first" 2>/dev/null &
study=$!
for _ in {1..200}; do
  [[ -s $work/shared/study.journal ]] && break
  sleep 0.02
done
run "$GRIDCAST" forecast "$scenario" -n 5 --resume "$work/shared"
expect 2 "a second study in the folder"
says err "study.journal: is in use by process $study " "a second study in the folder"
kill -KILL "$study"
wait "$study" 2>/dev/null
run "$GRIDCAST" forecast "$scenario" -n 5 --resume "$work/shared"
expect 0 "after the first was killed"

# Another build, as the linker distinguishes builds: the first byte of the program's build ID is another.
python3 - "$(readlink -f "$GRIDCAST")" "$work/other-build" <<'END'
import sys
program = bytearray(open(sys.argv[1], 'rb').read())
note = program.find(b'GNU\0', program.find(b'\x04\0\0\0\x14\0\0\0\x03\0\0\0'))
program[note + 4] ^= 0xff
open(sys.argv[2], 'wb').write(program)
END
chmod +x "$work/other-build"
cp -r "$work/shared" "$work/before"
(cd "$GRIDCAST_SOURCE" && "$work/other-build" predict "$scenario" -n 5 --resume "$work/shared") >"$work/out" 2>"$work/err"
status=$?
expect 2 "the journal of another build"
says err "study.journal: is the journal of another study .*build" "the journal of another build"
cmp -s "$work/shared/study.journal" "$work/before/study.journal" || complain "the journal is not as it was"

exit $exit_status
