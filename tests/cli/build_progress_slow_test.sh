#!/usr/bin/env bash
# How the launcher shows a build: a ninja of our own stands in for the real one.
source "$(dirname -- "$0")/check.sh"

root=$work
export TERM=xterm
mkdir -p "$work/bin" "$work/build/release"
PATH=$work/bin:$PATH

# ninja_that COMMANDS: what `ninja` is from now on.
ninja_that() {
  printf '#!/usr/bin/env bash\n%s\n' "$1" >"$work/bin/ninja"
  chmod +x "$work/bin/ninja"
}

cat >"$work/build.sh" <<END
root=$work
source "$GRIDCAST_SOURCE/cmake/prepare.sh"
build release gridcast
END
on_terminal() { script -qec "bash '$work/build.sh'" /dev/null </dev/null >"$work/out" 2>&1; }

ninja_that 'echo "ninja: no work to do."'
run bash "$work/build.sh"
expect 0 "nothing to do"
[[ -s $work/out || -s $work/err ]] && complain "nothing to do: something is said"

ninja_that 'for i in 1 2 3; do echo "[$((40 * i))/190] Building x.o"; sleep 1; done'
run bash "$work/build.sh"
expect 0 "no terminal"
says err '^gridcast: building build/release$' "no terminal"
says err '^gridcast: building [0-9]+ of 190$' "no terminal"
[[ -s $work/out ]] && complain "no terminal: something on stdout"

ninja_that 'echo "[1/2] Building x.o"; sleep 2.5; echo "x.cpp:1: broken"; exit 3'
run bash "$work/build.sh"
expect 3 "a build that fails"
says err '^x.cpp:1: broken$' "a build that fails"
says err '^gridcast: failed: ninja -C .*/build/release gridcast$' "a build that fails"

if ! command -v script >/dev/null; then
  echo "script is not installed: not tried on a terminal"
  exit $exit_status
fi

ninja_that 'for i in 1 2 3; do echo "[$((40 * i))/190] Building x.o"; sleep 1; done'
on_terminal || complain "on a terminal: it fails"
says out $'\r\e\\[Kgridcast: building [0-9]+ of 190' "on a terminal"
tail -c 4 "$work/out" | grep -q $'\r\e\\[K$' || complain "on a terminal: the line stays"
(($(wc -l <"$work/out") == 0)) || complain "on a terminal: several lines"

ninja_that 'echo "[1/2] Building x.o"; sleep 2.5; echo "x.cpp:1: broken"; exit 3'
on_terminal && complain "on a terminal: a build that fails does not"
says out $'\r\e\\[K\\[1/2\\] Building x.o' "on a terminal, a build that fails"
says out '^x.cpp:1: broken' "on a terminal, a build that fails"

exit $exit_status
