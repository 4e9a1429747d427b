#!/usr/bin/env bash
# Ctrl-C before a simulation: one sentence, exit code 130, and no file.
source "$(dirname -- "$0")/check.sh"
cd "$work" || exit 1
pool=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep
mkdir tmp
mkfifo pipe
# Its fit takes three times as long as a test waits.
cat "$GRIDCAST_SOURCE"/calibration/data/metl-ospool/*.log > metl.log
export TMPDIR=$work/tmp

# interrupted WHAT WORDS...: while the program waits for a record, or fits.
interrupted() {
  run timeout --preserve-status -s INT 3 "$GRIDCAST" "${@:2}"
  expect 130 "$1"
  [[ $(tail -n 1 err) == 'gridcast: interrupted; nothing was written' ]] || {
    complain "$1: another message"
    cat err
  }
  local left
  left=$(find . -type f ! -name out ! -name err ! -name metl.log)
  [[ -z $left ]] || complain "$1: files are left: $left"
  [[ -z $(ls -A tmp) ]] || complain "$1: a temporary folder is left"
}
interrupted "while a record is read" ledger pipe
interrupted "while a record is read" calibrate pipe -o calibration.yaml
interrupted "in a fit" calibrate "$pool/c1-sweep.log" --draws 100000 -o calibration.yaml
interrupted "in a fit" init metl.log --yes -o campaign.yaml
interrupted "before the simulation" forecast "$pool/job.sub" pipe

# In the background of a script SIGINT is ignored: the program goes on.
(
  trap '' INT
  exec "$GRIDCAST" calibrate "$pool/c1-sweep.log" --draws 600 -o ignored.yaml >out 2>err
) &
sleep 0.5
kill -INT $! || complain "SIGINT is ignored: the program ended before it came"
status=0
wait $! || status=$?
expect 0 "SIGINT is ignored"

exit $exit_status
