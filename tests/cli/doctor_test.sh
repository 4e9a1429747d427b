#!/usr/bin/env bash
# doctor lists libraries, shipped files and the machine.
source "$(dirname -- "$0")/check.sh"
cd "$GRIDCAST_SOURCE" || exit 1

run "$GRIDCAST" help doctor
expect 0 doctor
for fact in 'SimGrid +[0-9]' 'compiler +(GCC|Clang)' 'cores +[1-9]' 'memory +[0-9.]+ [GT]B' \
  'locale +LC_ALL=C.UTF-8' 'characters +UTF-8' 'width +80' \
  'scenario .*osg-imagenet.yaml' 'report page +(yes|no)'; do
  says out "$fact" doctor
done
run env LC_ALL=C COLUMNS=100 "$GRIDCAST" help doctor
says out 'characters +ASCII' "help doctor in C"
says out 'width +100' "help doctor with COLUMNS"
run "$GRIDCAST" help doctor --json
expect 0 "help doctor --json"
json "d['schema'] == 'gridcast.doctor/1'" "help doctor --json"
json "d['machine']['cores'] >= 1 and d['machine']['memory_bytes'] > 1e8" "help doctor --json"
json "d['built_with']['SimGrid']" "help doctor --json"

exit $exit_status
