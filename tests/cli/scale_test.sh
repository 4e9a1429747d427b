#!/usr/bin/env bash
# Large campaigns meet the limits of a machine: a full disk, little memory, an owner who has seen enough.
source "$(dirname -- "$0")/check.sh"

"$GRIDCAST_SOURCE/tests/bench/scale_scenario.py" --jobs 10000 --slots 500 --sites 5 --caches 3 "$work/small"
"$GRIDCAST_SOURCE/tests/bench/scale_scenario.py" --jobs 400000 --slots 5000 "$work/large"
small=$work/small/scenario.yaml large=$work/large/scenario.yaml

# The campaigns that come with gridcast are those of the script.
for load in 0.5 1 2; do
  "$GRIDCAST_SOURCE/tests/bench/scale_scenario.py" --load $load --name million-jobs-load-$load "$work/scale"
done
diff -r "$work/scale" "$GRIDCAST_SOURCE/scenarios/scale" || complain "scenarios/scale differs from the output of scale_scenario.py"

# The event log is 19 MB, all others are less than 2: it is given up, and they with it.
run bash -c 'ulimit -f 6000; exec "$@"' - "$GRIDCAST" forecast --once "$small" --json --out "$work/full"
expect 1 "a file over its limit"
says err "full/events.log: cannot be written \(File too large\)" "a file over its limit"
(($(grep -c "cannot be written" "$work/err") == 1)) || complain "a file over its limit: others are named too"
[[ $(ls -A "$work/full") ]] && complain "a file over its limit: left $(ls -A "$work/full")"

# The next try, with room, is not refused for what the first one left.
run "$GRIDCAST" forecast --once "$small" --json --out "$work/full"
expect 0 "with room"
cmp -s "$work/out" "$work/full/ledger.json" || complain "with room: ledger.json is not the ledger"
(($(grep -c '^000 ' "$work/full/events.log") == 10000)) || complain "events.log lacks submissions"

# A device that is always full.
mkdir "$work/device"
ln -s /dev/full "$work/device/attempts.csv"
run "$GRIDCAST" forecast --once "$small" --force --out "$work/device"
expect 1 "a full device"
says err "attempts.csv: cannot be written \(No space left on device\)" "a full device"
[[ $(ls -A "$work/device") == attempts.csv ]] || complain "a full device: left $(ls -A "$work/device")"

# Memory: a message, whatever the limit is, and no crash. Below the first of these limits the libraries
# do not get through their own start.
limited() { run bash -c "ulimit -v $1"'; shift; exec "$@"' - "$@"; }
# Below the limit with which the program begins there is a message of its own, once its libraries are there. The
# loader itself ends with 127.
for kilobytes in 66000 68000 70000 72000 74000 76000 78000; do
  limited "$kilobytes" "$GRIDCAST" --version
  ((status == 127)) && continue
  ((status == 0)) && continue
  expect 1 "--version with $kilobytes kB of memory"
  says err "gridcast: out of memory" "--version with $kilobytes kB of memory"
done
libc=$(ldd "$GRIDCAST" | awk '$1 == "libc.so.6" { print $3 }')
run env LD_PRELOAD="$libc" "$GRIDCAST" --version
expect 1 "a preloaded libc"
says err "LD_PRELOAD contains libc" "a preloaded libc"
least=56000
for ((status = 1; status != 0 && least < 1000000; least += 4000)); do limited "$least" "$GRIDCAST" --version; done
for kilobytes in "$least" $((least + 8000)) $((least + 20000)) $((least + 40000)); do
  rm -rf "$work/memory"
  limited "$kilobytes" "$GRIDCAST" forecast --once "$large" --out "$work/memory"
  expect 1 "with $kilobytes kB of memory"
  says err "gridcast: out of memory" "with $kilobytes kB of memory"
  [[ $(ls -A "$work/memory") ]] && complain "with $kilobytes kB of memory: left $(ls -A "$work/memory")"
done

# Memory and time that grow with the square of the number of sites, hosts and users would show here.
awk 'BEGIN { print "job,submitted,started,ended,outcome,site,host,gpus,user"
  for (i = 0; i < 30000; ++i) printf "%d,0,%d,%d,succeeded,site%d,h%d,1,u%d\n", i, i, i + 50, i, i, i }' >"$work/many.csv"
for answer in '' '--by user' '--by host' '--json' '--details'; do
  # shellcheck disable=SC2086
  run bash -c 'ulimit -v 1500000 -t 20; exec "$@"' - "$GRIDCAST" ledger "$work/many.csv" $answer
  expect 0 "ledger $answer of 30,000 sites, hosts and users"
done

# So would time that grows with the square of the number of a job's events in one second.
{
  printf '000 (1.000.000) 2026-01-01 00:00:00 Job submitted from host: <192.0.2.1:9618>\n...\n'
  printf '001 (1.000.000) 2026-01-01 00:00:00 Job executing on host: <192.0.2.2:9618>\n...\n'
  yes $'006 (1.000.000) 2026-01-01 00:00:00 Image size of job updated: 1\n...' | head -n 1000000
} >"$work/second.log"
run bash -c 'ulimit -t 20; exec "$@"' - "$GRIDCAST" ledger --json "$work/second.log"
expect 0 "500,000 events of a job in one second"
json "d['metrics']['jobs'] == 1" "500,000 events of a job in one second"

# Memory that grows with the number of rows that are left out; and a small file that gets long when it is unpacked.
{
  echo job,submitted,started,ended,outcome,site
  echo 1,0,1,2,succeeded,s
  yes a | head -c 50000000
} >"$work/rows.csv"
run bash -c 'ulimit -v 1500000 -t 30; exec "$@"' - "$GRIDCAST" ledger --json "$work/rows.csv"
expect 0 "25 million rows of one cell"
says err "25000000 rows left out" "25 million rows of one cell"
{
  printf '000 (1.000.000) 2026-01-01 00:00:00 Job submitted from host: <192.0.2.1:9618>\n'
  head -c 100000000 /dev/zero | tr '\0' '\n'
} | gzip >"$work/lines.log.gz"
cat "$work/rows.csv" "$work/rows.csv" | gzip >"$work/rows.csv.gz"
for packed in lines.log rows.csv; do
  run "$GRIDCAST" ledger "$work/$packed.gz"
  expect 2 "a packed $packed"
  says err "more than 200 times as long as its compressed form" "a packed $packed"
done

{
  echo job,submitted,started,ended,outcome
  yes 1,0,1,2,succeeded | head -c 100000000
} | gzip >"$work/attempts.csv.gz"
run bash -c 'ulimit -v 1500000; exec "$@"' - "$GRIDCAST" ledger "$work/attempts.csv.gz"
expect 2 "packed attempts"
says err "more than 200 times as long as its compressed form" "packed attempts"

# Or with the square of a name's length.
{
  echo job,attempt,submitted,started,ended,outcome,site
  printf '%d,1,0,1,9,succeeded,%03000000d\n' 1 0
} >"$work/name.csv"
run bash -c 'ulimit -t 20; exec "$@"' - "$GRIDCAST" calibrate "$work/name.csv" -o "$work/name.yaml"
((status == 0 || status == 2)) || complain "a site's name of 3 MB: status $status"

# Ctrl-C: within a second, and no file is half-written; with a page as well, where there can be one.
pages=("")
"$GRIDCAST" forecast --once "$small" --report "$work/small.html" >/dev/null 2>&1 && pages+=("--report=$work/large.html")
for page in "${pages[@]}"; do
  rm -rf "$work/stopped"
  "$GRIDCAST" forecast --once "$large" --out "$work/stopped" $page >"$work/out" 2>"$work/err" &
  campaign=$!
  sleep 1.5  # its files have no names before they are whole, and it takes several times as long
  kill -INT "$campaign"
  start=$(date +%s%N)
  wait "$campaign"
  status=$?
  ((($(date +%s%N) - start) / 1000000 < 1000)) || complain "Ctrl-C $page: took longer than a second"
  expect 130 "Ctrl-C $page"
  says err "interrupted" "Ctrl-C $page"
  [[ $(ls -A "$work/stopped") ]] && complain "Ctrl-C $page: left $(ls -A "$work/stopped")"
  [[ -e $work/large.html ]] && complain "Ctrl-C $page: left a page"
done

# Progress: nothing where there is no terminal, unless asked for.
run "$GRIDCAST" forecast --once "$large" --json --verbose
expect 0 "progress"
says err '^20[0-9]{2}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}, [0-9]+ of 400000 jobs done, [0-9]+/s, .* left$' progress
run "$GRIDCAST" forecast --once "$small" --json
[[ -s $work/err ]] && complain "progress without --verbose"

exit $exit_status
