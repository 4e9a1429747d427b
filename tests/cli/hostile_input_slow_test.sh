#!/usr/bin/env bash
# Input that was made to do harm: each is refused soon, with little memory, in few lines, and none of
# it reaches the terminal as orders.
source "$(dirname -- "$0")/check.sh"

cd "$work" || exit 1
mkdir -p calibration
cp -r "$GRIDCAST_SOURCE/scenarios" scenarios
cp -r "$GRIDCAST_SOURCE/calibration/fitted" calibration/fitted
mine=scenarios/mine.yaml

# within SECONDS STATUS ARGUMENT...: ends in time and in 4 GB, with few lines that are all printable.
within() {
  local seconds=$1 wanted=$2
  shift 2
  status=0
  (
    limit_memory 4000000
    exec timeout "$seconds" "$GRIDCAST" "$@" >"$work/out" 2>"$work/err" </dev/null
  ) || status=$?
  expect "$wanted" "$*"
  (($(wc -l <"$work/err") <= 60)) || complain "$*: $(wc -l <"$work/err") lines of complaint"
  (($(wc -c <"$work/err") <= 65536)) || complain "$*: $(wc -c <"$work/err") bytes of complaint"
  LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$work/out" "$work/err" &&
    complain "$*: control characters reach the terminal"
}

# Requirements that backtrack for ever: those that ask the slot alone are asked once a site; with others in
# each cycle, the program ends on the signal.
backtracks="\"$(printf 'a%.0s' {1..46})b\""
within 120 2 forecast --once "$scenario" --set "strategies.published.match.requirements=regexp(\"(a+)+\$\", $backtracks)"
"$GRIDCAST" forecast --once "$scenario" --set "strategies.published.match.requirements=regexp(\"(a+)+\$\", strcat(string(NumHolds), $backtracks))" \
  >out 2>err </dev/null &
sleep 3
begun=$SECONDS
kill -TERM $! || complain "a campaign whose requirements take for ever is under way"
wait $!
((SECONDS - begun <= 5)) || complain "SIGTERM while requirements are evaluated: ended after $((SECONDS - begun)) s"

# YAML without an end.
printf ',\n' >comma.yaml
cp "$table" table.yaml
printf 'a: 1\n, b: 2\n' >later.yaml
printf '%s' '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[' >deep.yaml
python3 -c 'print("[" * 1000000)' >deeper.yaml
python3 - >laughs.yaml <<'END'
print('a0: &a0 [x, x, x, x, x, x, x, x, x, x]')
for i in range(1, 10):
    print(f'a{i}: &a{i} [' + ', '.join([f'*a{i - 1}'] * 10) + ']')
END
python3 -c 'print("\n".join(f"key{i}: 1" for i in range(100000)))' | cat - "$scenario" >many.yaml
for file in comma table later deep deeper laughs many; do
  for verb in "forecast --once" "forecast" "lesson run 1 --folder" "profile" "init" "calibrate --check --leave-one part"; do
    read -ra words <<<"$verb"
    within 60 2 "${words[@]}" "$file.yaml"
  done
done
within 60 2 forecast --once many.yaml
says err '^and [0-9]+ more problems$' "100,000 unknown keys"
printf 'a: &a [*a]\n' >self.yaml
within 60 2 forecast --once self.yaml
says err 'self.yaml:1:[0-9]+: an alias is within its own value$' "an alias that holds itself"
within 60 2 forecast --once laughs.yaml
says err 'more than 30000000 values, with all that its aliases stand for$' "aliases of aliases"
within 60 2 forecast --once deeper.yaml
says err 'deeper.yaml:[0-9]+:[0-9]+: lists and groups are nested too deeply$' "a million brackets"
within 60 2 forecast --once "$scenario" --set "campaign.work.epochs=$(printf '[%.0s' {1..2000})"
says err 'nested too deeply$' "brackets in a value"

# A message quotes its input in short.
python3 - <<'END'
long = "x" * 20_000_000
open("long.yaml", "w").write(long + "\n")
open("long-value.yaml", "w").write(f"schema: {long}\n")
open("long.csv", "w").write(",".join(f"column{i}" for i in range(1_000_000)) + "\n1\n")
open("long.dag", "w").write(long + "\n")
END
for verb in "forecast --once long.yaml" "forecast --once long-value.yaml" "profile long.yaml" "profile long-value.yaml" \
  "profile --fit long.csv" "init long.dag -o dag-out.yaml"; do
  read -ra words <<<"$verb"
  within 60 2 "${words[@]}"
done
within 60 2 forecast --once long-value.yaml
says err "x\.\.\.'" "a value of 20 MB"
within 60 2 forecast --once "$scenario" --set "campaign.work.epochs=$(head -c 100000 /dev/zero | tr '\0' x)"
within 60 2 "$(head -c 100000 /dev/zero | tr '\0' x)"
for key in pool calibration; do
  for file in comma table laughs; do
    sed -E "s|^$key: .*|$key: ../$file.yaml|" "$scenario" >"$mine"
    within 60 2 forecast --once "$mine"
  done
  sed -E "s|^$key: .*|$key: /dev/zero|" "$scenario" >"$mine"
  within 60 2 forecast --once "$mine"
done
within 60 2 forecast --once "$scenario" --set 'campaign.work.epochs=,'

# Times and rates that let a simulation go round for ever.
for set in campaign.submit='[{at: 1e17 s, jobs: 1}]' \
  strategies.published.interval='1e308 s' strategies.published.stall_timeout='1e308 s' \
  campaign.input='[{url: "osdf:///x", size: 1e300 B}]'; do
  within 60 2 forecast --once "$scenario" --set "$set"
done

# The content of a file is shown, not obeyed.
printf 'title: x\n"k\\e]0;owned\\a\\e[2J": 1\n' >escape.yaml
within 60 2 forecast --once escape.yaml
says err '\\x1b\]0;owned\\x07' "an escape sequence in a key"
"$GRIDCAST" export events "$scenario" -o in.log
printf '000 (001.000.000) 2024-01-01 00:00:00 Job submitted from host: <\033[2J>\n...\n001 (001.000.000) 2024-01-01 00:01:00 Job executing on host: <a\033[31m>\n\tSlotName: slot1@\033]0;x\007\n\tGLIDEIN_Site = "\033[2Jsite"\n...\n005 (001.000.000) 2024-01-01 00:02:00 Job terminated.\n\t(1) Normal termination (return value 0)\n...\n' >escape.log
within 60 0 ledger escape.log --verbose --jobs
sed '1,2s/[a-zA-Z]*/\x1b[2J/' "$table" >escape.csv
within 60 2 ledger escape.csv
printf 'x\033[2J = $(\033[2J)\nexecutable = a\nqueue 1 \033[2J\n' >escape.sub
within 60 2 init escape.sub -o escape-out.yaml
printf '{"schema": "gridcast.ledger/1\033[2J"}' >escape.json
within 60 2 export html escape.json
within 60 2 $'\033[2J'
within 60 2 forecast --once $'\033[2J'

# Numbers and texts that other readers stumble over.
echo '{"schema": "gridcast.ledger/1", "makespan_s": 1e999}' >large.json
within 60 2 export html large.json -o large.html
has_page && says err 'holds a number that is too large' "1e999"
python3 -c 'print("[" * 200000)' >deep.json
within 60 2 export html deep.json -o deep.html

# Inputs that take longer than their length.
python3 -c 'print("executable = a\nx = " + "$F(" * 50000 + "\narguments = $(x)\nqueue")' >open.sub
within 20 0 init open.sub -o open-out.yaml --size x=1GB
python3 -c 'print("executable = a\nx = " + "$F(" * 50000 + ")" * 50000 + "\narguments = $(x)\nqueue")' >nested.sub
within 20 2 init nested.sub -o nested-out.yaml
says err 'macros within macros' "50,000 macros within each other"
python3 -c '
print("executable = a\nx = 1")
print("x = " + "$(x)" * 50000)
print("queue")' >itself.sub
within 20 2 init itself.sub -o itself-out.yaml --calibration nowhere.yaml
says err 'nowhere.yaml' "a macro that names itself 50,000 times"
{
  printf 'executable = a\nrequest_disk = 1 GB\narguments = $(Item)\nqueue 1 in ('
  python3 -c 'print(", ".join(f"item-number-{i}" for i in range(110000)))'
  printf ')\n'
} >items.sub
(($(stat -c %s items.sub) > 2000000)) || complain "the list of items is no 2 MB"
within 60 0 init items.sub -o items-out.yaml
says out '^110000 jobs' "a list of 2 MB"
{
  printf 'executable = a\n'
  for i in {1..2000}; do printf '+attribute%d = 1\n' "$i"; done
  printf 'queue\n'
} >notes.sub
within 20 0 init notes.sub -o notes-out.yaml
says err '^and 19[0-9]+ more notes$' "2,000 notes"
printf 'executable = a\ninclude : /dev/zero\nqueue\n' >zero.sub
within 20 2 init zero.sub -o zero-out.yaml
printf 'executable = a\nqueue x from /dev/zero\n' >zero-items.sub
# Pipes into which nobody writes, that a file or a folder names.
mkfifo pipe pipe.yaml
printf 'executable = a\ninclude : pipe\nqueue\n' >pipe.sub
printf 'executable = a\nqueue x from pipe\n' >pipe-items.sub
printf 'JOB a pipe\n' >pipe.dag
printf 'INCLUDE pipe\n' >pipe-include.dag
mkdir lessons
cp "$GRIDCAST_SOURCE"/scenarios/teaching/01-*.yaml lessons
mkfifo lessons/02-pipe.yaml
cp "$scenario" "$mine"
for verb in "init pipe.sub -o pipe-out.yaml" "init pipe-items.sub -o pipe-out.yaml" \
  "init pipe.dag -o pipe-out.yaml" "init pipe-include.dag -o pipe-out.yaml" \
  "run $mine --set pool=$work/pipe" "run $mine --set calibration=$work/pipe" \
  "run $mine --set campaign.work.profile=$work/pipe.yaml" \
  "lesson list --folder lessons"; do
  read -ra words <<<"$verb"
  within 20 2 "${words[@]}"
  says err 'is no ordinary file' "$verb"
done
within 20 2 init zero-items.sub -o zero-out.yaml
# DAGs that are short, and large.
echo '# no node' >empty-0.spl
echo 'JOB a items.sub' >node-0.spl
for i in {1..40}; do
  for kind in empty node; do
    printf 'SPLICE l %s-%d.spl\nSPLICE r %s-%d.spl\n' $kind $((i - 1)) $kind $((i - 1)) >$kind-$i.spl
  done
done
for kind in empty node; do
  echo "SPLICE s $kind-40.spl" >$kind.dag
  within 60 2 init $kind.dag -o dag-out.yaml
  says err "$kind-[0-9]+.spl:[12]: the DAG is too large: more than a (million nodes|hundred thousand files)" "2^40 splices"
  says err 'forecast its inner DAGs and splices one by one' "2^40 splices"
done
# Inner DAGs in a folder with many files, and inner DAGs that each read the next one twice.
mkdir inner
printf 'executable = a.sh\nqueue\n' >inner/one.sub
(cd inner && touch file-{1..8000} && for i in {1..8000}; do echo "JOB a one.sub" >i$i.dag && echo "SUBDAG EXTERNAL s$i i$i.dag"; done >many.dag)
within 30 0 init inner/many.dag -o inner.yaml
(cd inner && echo 'JOB a one.sub' >t0.dag && for i in {1..40}; do printf 'SUBDAG EXTERNAL %s t%d.dag\n' l $((i - 1)) r $((i - 1)) >t$i.dag; done)
within 60 2 init inner/t40.dag -o t40.yaml
says err 'the DAG is too large: more than a hundred thousand files' "2^40 inner DAGs"
python3 - >pairs.dag <<'END'
names = [f"n{i}" for i in range(10000)]
for name in names: print(f"JOB {name} items.sub")
print("PARENT", *names[:5000], "CHILD", *names[5000:])
END
within 60 2 init pairs.dag -o dag-out.yaml
says err 'too large: more than ten million pairs' "25 million pairs of nodes"
python3 - >layers.json <<'END'
import json
layers, width = 80, 20
names = [[f't{l}_{i}' for i in range(width)] for l in range(layers)]
tasks = [{'name': n, 'id': n, 'parents': names[l - 1] if l else [],
          'children': names[l + 1] if l + 1 < layers else []}
         for l, layer in enumerate(names) for n in layer]
ran = [{'id': n, 'runtimeInSeconds': 1} for n in names[0]]  # the others were not executed
print(json.dumps({'name': 'x', 'schemaVersion': '1.5', 'workflow': {
    'specification': {'tasks': tasks, 'files': []},
    'execution': {'makespanInSeconds': 1, 'executedAt': 'now', 'tasks': ran}}}))
END
within 20 0 init layers.json -o layers
within 60 2 ledger /dev/zero
within 60 2 init /dev/zero -o zero
within 60 2 init /dev/zero -o zero
within 60 2 export html /dev/zero -o zero.html

exit $exit_status
