#!/usr/bin/env bash
# The same bytes in each environment: language, time zone, terminal, folders, limits, number of processors.
source "$(dirname -- "$0")/check.sh"
log=$GRIDCAST_SOURCE/calibration/data/htcondor-pool/c1-sweep/c1-sweep.log
mkdir "$work/elsewhere"

# answers FILE COMMAND...: what three verbs print behind a command that changes the environment.
answers() {
  local file=$1
  shift
  {
    "$@" "$GRIDCAST" forecast "$scenario" --once --set 'campaign.submit=[{at: 0 s, jobs: 20}]' --json
    "$@" "$GRIDCAST" forecast "$scenario" -n 4 --set 'campaign.submit=[{at: 0 s, jobs: 5}]' --json --quiet
    "$@" "$GRIDCAST" ledger "$log" --json
  } >"$work/$file" 2>"$work/err" </dev/null || complain "$*: exit status $?"
}

limit() { (ulimit "$1" "$2" && shift 2 && "$@"); }
within() { (cd "$work/elsewhere" && "$@"); }
masked() { (umask 077 && "$@"); }
closed() { "$@" <&-; }

answers usual env
environments=('LC_ALL=C' 'LC_ALL=de_DE.UTF-8' 'LC_ALL=tr_TR.UTF-8' 'LC_ALL=none' 'LANG=hi_IN' 'LC_NUMERIC=de_DE.UTF-8' 'TZ=Asia/Kathmandu'
  'TZ=America/St_Johns' 'TZ=none' 'COLUMNS=20' 'COLUMNS=400' 'TERM=dumb' 'NO_COLOR=1' 'CLICOLOR_FORCE=1' 'HOME=/none' 'HOME='
  "TMPDIR=$work/elsewhere" 'OMP_NUM_THREADS=1' 'MALLOC_PERTURB_=85' 'POSIXLY_CORRECT=1')
for environment in "${environments[@]}"; do
  answers here env "$environment"
  cmp -s "$work/usual" "$work/here" || complain "$environment: other bytes"
done
for change in 'env -i' 'limit -s 1024' 'limit -n 40' 'within' 'masked' 'closed' 'nice' 'setsid -w' 'taskset 1'; do
  command -v "${change%% *}" >/dev/null || continue
  # shellcheck disable=SC2086
  answers here $change
  cmp -s "$work/usual" "$work/here" || complain "$change: other bytes"
done
exit $exit_status
