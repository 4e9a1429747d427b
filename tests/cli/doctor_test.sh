#!/usr/bin/env bash
# doctor says what there is, and notices what is wrong.
source "$(dirname -- "$0")/check.sh"
cd "$GRIDCAST_SOURCE" || exit 1

run "$GRIDCAST" help doctor
expect 0 doctor
for fact in 'SimGrid +[0-9]' 'compiler +(GCC|Clang)' 'cores +[1-9]' 'memory +[0-9.]+ [GT]B' \
  'locale +LC_ALL=C.UTF-8' 'characters +UTF-8' 'width +80' 'colour +no' \
  'scenario .*osg-imagenet.yaml' 'report page +(yes|no)' 'Self-test: [0-9]+ replicas' 'All is well'; do
  says out "$fact" doctor
done
grep -q FAILED "$work/out" && complain "doctor: something failed"
# About a second; ten times as long only if the machine has other things to do.
seconds=$(sed -n 's/^Self-test: .* in \([0-9.]*\) s$/\1/p' "$work/out")
awk -v s="$seconds" 'BEGIN { exit !(s != "" && s < 10) }' || complain "help doctor took '$seconds' s"

run env LC_ALL=C COLUMNS=100 CLICOLOR_FORCE=1 "$GRIDCAST" help doctor
says out 'characters +ASCII' "help doctor in C"
says out 'width +100' "help doctor with COLUMNS"
says out 'colour +yes' "help doctor with CLICOLOR_FORCE"
run env NO_COLOR=1 CLICOLOR_FORCE=1 "$GRIDCAST" help doctor
says out 'colour +no' "help doctor with NO_COLOR"

run "$GRIDCAST" help doctor --json
expect 0 "help doctor --json"
json "d['schema'] == 'gridcast.doctor/1' and d['self_test']['passed'] is True" "help doctor --json"
json "d['machine']['cores'] >= 1 and d['machine']['memory_bytes'] > 1e8" "help doctor --json"
json "len(d['self_test']['checks']) >= 8 and d['built_with']['SimGrid']" "help doctor --json"

# broken SED-SCRIPT FILE: a copy of the shipped files, with one of them changed, is not sound.
broken() {
  rm -rf "$work/copy"
  mkdir -p "$work/copy/calibration"
  cp -r scenarios "$work/copy/"
  cp -r calibration/fitted calibration/data "$work/copy/calibration/"
  sed -i -E "$1" "$work/copy/$2"
  cmp -s "$2" "$work/copy/$2" && complain "sed '$1' changes nothing"
  (cd "$work/copy" && run "$GRIDCAST" help doctor && exit "$status")
  local found=$?
  ((found == 1)) || complain "help doctor with '$1': exit status $found instead of 1"
  says out 'FAILED' "help doctor with '$1'"
  says out 'Something is wrong' "help doctor with '$1'"
}
broken 's/at: 0 s, jobs: 50/at: 0 s, jobs: 40/' scenarios/osg-imagenet.yaml
says out 'FAILED.*100 jobs, each with one outcome' "40 jobs"
broken '5s/success/held_404/' calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv
says out 'FAILED.*the record' "a changed record"
broken 's/^pool: .*/pool: nowhere.yaml/' scenarios/osg-imagenet.yaml
says out 'FAILED.*the self-test runs' "no pool"

exit $exit_status
