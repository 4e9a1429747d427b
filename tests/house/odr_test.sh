#!/usr/bin/env bash
# The step `tests/run odr` can fail: a type that two layers define differently does not link.
set -u
command -v g++ >/dev/null || { echo "needs GCC"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# links NAME OPTION...: builds tests/house/odr; what the compiler says goes to NAME.log.
links() {
  local name=$1
  shift
  cmake -G Ninja -S "$GRIDCAST_SOURCE/tests/house/odr" -B "$work/$name" \
    -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Release "$@" >"$work/$name.log" 2>&1 &&
    cmake --build "$work/$name" --target linked >>"$work/$name.log" 2>&1
}

links same -DSAME=ON || { cat "$work/same.log"; echo "equal definitions do not link"; exit 1; }
links planted && { echo "a planted second definition of a type was not noticed"; exit 1; }
grep -q "violates the C++ One Definition Rule" "$work/planted.log" || {
  cat "$work/planted.log"
  echo "it failed for another reason"
  exit 1
}
