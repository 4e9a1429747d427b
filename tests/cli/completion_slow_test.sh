#!/usr/bin/env bash
# The shells themselves complete by the script of `gridcast help completion SHELL`. bash is always there;
# zsh is asked where it is installed.
source "$(dirname -- "$0")/check.sh"

mkdir "$work/bin" "$work/here"
ln -s "$(readlink -f "$GRIDCAST")" "$work/bin/gridcast"
export PATH=$work/bin:$PATH
cd "$work/here" || exit 1
touch campaign.yaml
mkdir results

for shell in bash zsh; do gridcast help completion "$shell" >"$work/$shell" || complain "$shell"; done

# complete_in_SHELL WORD...: what the shell offers for the last word, one a line.
complete_in_bash() {
  bash --norc -c '
    source "$1" || exit 1
    COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2)) COMPREPLY=()
    _gridcast 2>/dev/null
    printf "%s\n" "${COMPREPLY[@]}"' bash "$work/bash" "$@"
}
# zsh completes in a terminal only: one of its own (zpty), where a tab is typed and the list that
# appears is read.
complete_in_zsh() {
  zsh -f -c '
    zmodload zsh/zpty
    zpty -b z zsh -f -i
    zpty -w z "PS1=; autoload -Uz compinit; compinit -D -u; source $1; LISTMAX=0; stty columns 300"
    zpty -w z "zstyle \":completion:*\" list-separator \"##\"; unsetopt auto_menu; print READY-ONE"
    zpty -r z got "*READY-ONE*READY-ONE*"
    zpty -w -n z "$2"$'"'\\t\\t'"'
    sleep 1.5
    all=
    while zpty -r -t z got; do all+=$got; done
    print -r -- "$all"' zsh "$work/zsh" "$*" | tr -d '\r' | sed -E 's/\x1b\[[0-9;?]*[a-zA-Z]/ /g'
}

# offers SHELL WANTED WORD...: among other things; refuses SHELL UNWANTED WORD...
offers() {
  local got
  got=$("complete_in_$1" "${@:3}")
  grep -qE -e "(^|[[:space:]])$2($|[[:space:]/#])" <<<"$got" ||
    complain "$1 does not offer '$2' for '${*:3}', but: $(head -n 5 <<<"$got")"
}
refuses() {
  local got
  got=$("complete_in_$1" "${@:3}")
  ! grep -qE -e "^$2($|[[:space:]])" <<<"$got" || complain "$1 offers '$2' for '${*:3}'"
}

syntax=$(bash -n "$work/bash" 2>&1) || complain "bash: $syntax"
offers bash forecast gridcast fore
offers bash compare gridcast ''
offers bash status gridcast compare ''
offers bash events gridcast export ''
refuses bash forecast gridcast export ''
offers bash --replicas gridcast forecast --rep
offers bash --replicas gridcast compare campaign.yaml --rep
refuses bash --replicas gridcast ledger --rep
offers bash --condor-version gridcast export events --con
offers bash maxmin gridcast forecast --once --network ''
offers bash strategies gridcast help str
offers bash zsh gridcast help completion ''
offers bash campaign.yaml gridcast forecast cam
offers bash results gridcast forecast campaign.yaml --once --out re
refuses bash campaign.yaml gridcast forecast campaign.yaml --once --out ''
# "--network=ma" is three words to bash.
offers bash maxmin gridcast forecast --once --network = ma

if command -v zsh >/dev/null; then
  offers zsh calibrate gridcast ''
  offers zsh status gridcast compare ''
  offers zsh --replica gridcast forecast --once --re
  offers zsh maxmin gridcast forecast --once --network ''
else
  echo "zsh is not installed: not asked"
fi

exit $exit_status
