# To be sourced by the tests of the program, $GRIDCAST: a folder to work in, and what to expect of it.

: "${GRIDCAST:?the program to test}" "${GRIDCAST_SOURCE:?the checkout}"

# Messages and plots are the same whatever the machine's language.
export LC_ALL=C.UTF-8

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scenario=$GRIDCAST_SOURCE/scenarios/osg-imagenet.yaml
data=$GRIDCAST_SOURCE/calibration/data/osg-imagenet
table=$data/imagenet-5epoch-100jobs.csv

exit_status=0
# complain WHAT: the test fails, and goes on.
complain() {
  printf 'FAILED: %s\n' "$1"
  exit_status=1
}

# Whether the program can write pages: a build without npm's registry has none.
has_page() { [[ -e $(dirname -- "$GRIDCAST")/page/report.html ]]; }

# widest FILE: columns of its widest line. (mawk, which a bare Debian has, counts bytes.)
widest() { wc -L <"$1"; }

# run COMMAND...: its output goes to $work/out and $work/err, its exit status to $status.
run() {
  status=0
  timeout 600 "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# limit_memory KIB: of what this shell starts from here on. A sanitizer reserves terabytes of addresses; there
# the limit is of what is asked for at once.
limit_memory() {
  if ldd "$GRIDCAST" 2>/dev/null | grep -q 'lib[at]san'; then
    export ASAN_OPTIONS=max_allocation_size_mb=$(($1 / 1024)) TSAN_OPTIONS=max_allocation_size_mb=$(($1 / 1024))
  else
    ulimit -v "$1"
  fi
}

# says FILE PATTERN WHAT: the output matches; a note that goes on in the next line is one line.
says() {
  grep -qE -e "$2" "$work/$1" && return
  [[ $1 == err ]] && sed ':all; N; $!b all; s/\n  \+/ /g' "$work/err" | grep -qE -e "$2" && return
  complain "$3: no '$2' on std$1:"
  head -n 20 "$work/$1"
}

# expect STATUS WHAT
expect() {
  ((status == $1)) && return
  complain "$2: exit status $status instead of $1"
  head -n 20 "$work/err"
}

# json EXPRESSION WHAT: the result is one JSON object d, and the Python expression is true of it.
json() {
  python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
sys.exit(0 if eval("(" + sys.argv[2] + ")") else 1)' "$work/out" "$1" 2>"$work/python" && return
  complain "$2: not true of the JSON: $1"
  tail -n 1 "$work/python"
}
