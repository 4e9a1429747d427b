# What ./gridcast and tests/run have in common: install what is missing, configure, build.
# To be sourced by bash with $root set to the checkout. Everything is said on stderr.

say() { echo "gridcast: $*" >&2; }

# wanted KIND...: the packages of those kinds.
wanted() {
  local kind package kinds=" $* "
  while read -r kind package; do
    [[ $kind != '#'* && $kinds == *" $kind "* ]] && echo "$package"
  done <"$root/cmake/debian-packages.txt"
}

# run_quietly LOG COMMAND...: what the command prints goes to LOG, and to stderr only if it fails.
run_quietly() {
  local log=$1 status=0
  shift
  "$@" >"$log" 2>&1 </dev/null || status=$?
  ((status == 0)) || tell_failure "$log" "$@"
  return "$status"
}

# tell_failure LOG COMMAND...
tell_failure() {
  cat "$1" >&2
  say "failed: ${*:2}"
}

# install_packages KIND...: brings in the Debian packages of those kinds that are missing.
install_packages() {
  local packages missing
  mapfile -t packages < <(wanted "$@")
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    [[ -e $root/build/release/build.ninja ]] ||
      say "no apt-get here; needed are the counterparts of Debian's ${packages[*]}"
    return
  fi
  mapfile -t missing < <(
    { printf 'absent %s\n' "${packages[@]}"
      dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null
    } | awk '$1 == "installed" { have[$2] } $1 == "absent" { want[$2] }
             END { for (p in want) if (!(p in have)) print p }' | sort)
  ((${#missing[@]})) || return 0

  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    say "needs these Debian packages, and there is neither root nor sudo to install them:"
    say "  apt-get install --no-install-recommends ${missing[*]}"
    return 1
  fi
  say "installing Debian packages: ${missing[*]}"
  run_quietly "$root/build/apt.log" apt_install "${missing[@]}"
}

# install_page_packages: Node.js and npm, which make the HTML reports; a Node.js that is not Debian's
# is left alone. They are tried once: without them all else works.
install_page_packages() {
  local node tried=$root/build/page-packages-tried
  command -v node >/dev/null && command -v npm >/dev/null && return
  if node=$(command -v node) && ! dpkg-query -S "$(readlink -f "$node")" >/dev/null 2>&1; then
    [[ -e $tried ]] || say "there is a Node.js, but no npm: no HTML reports until there is"
  elif [[ ! -e $tried ]]; then
    install_packages page || say "no HTML reports without Node.js and npm; all else works"
  fi
  mkdir -p "$root/build" && touch "$tried"
}

# An update that fails for one source is no reason to stop: the others may have all we want.
apt_install() {
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600)
  ((EUID == 0)) || apt=(sudo "${apt[@]}")
  "${apt[@]}" update
  "${apt[@]}" install --no-install-recommends "$@"
}

# configure PRESET TARGET [OPTION...]: writes build/PRESET, unless it already knows how to make TARGET.
configure() {
  local preset=$1 target=$2 folder=$root/build/$1
  shift 2
  grep -qs "^build $target:" "$folder/build.ninja" && return
  say "configuring build/$preset"
  mkdir -p "$folder"
  (cd "$root" && run_quietly "$folder/configure.log" cmake --preset "$preset" "$@")
}

# build PRESET TARGET: silent while it takes no more than a second, as when there is nothing to do;
# then it tells how far it is. ninja writes to a file, which is watched, and not to a pipe: a Ctrl-C
# that ends the watcher must not keep ninja from removing what is half done.
build() {
  local log=$root/build/$1/build.log command=(ninja -C "$root/build/$1" "$2") status
  {
    NINJA_STATUS='[%f/%t] ' "${command[@]}" >"$log" 2>&1 </dev/null
    echo $? 2>/dev/null
  } | {
    read -r -t 1 status || status+=$(watch_build "$1" "$log")
    [[ $status == 0 ]] || tell_failure "$log" "${command[@]}"
    exit "${status:-1}"
  }
}

# watch_build PRESET LOG: shows each second how far LOG is, until there is a line on stdin, which goes
# to stdout. On a terminal one line, rewritten and wiped at the end; elsewhere a line for each tenth
# of the way, and after half a minute without one.
watch_build() {
  local one_line= status= part waited shown=$SECONDS tenths=0
  [[ -t 2 && ${TERM:-dumb} != dumb ]] && one_line=yes
  if [[ $one_line ]]; then printf 'gridcast: building' >&2; else say "building build/$1"; fi
  # Above 128: no line in this second, but perhaps its beginning.
  while read -r -t 1 part; waited=$?; status+=$part; ((waited > 128)); do
    [[ $(grep -aoE '^\[[1-9][0-9]*/[0-9]+\]' "$2" | tail -n 1) =~ ([0-9]+)/([0-9]+) ]] || continue
    local finished=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    if [[ $one_line ]]; then
      printf '\r\e[Kgridcast: building %s of %s' "$finished" "$all" >&2
    elif ((10 * finished / all != tenths || SECONDS - shown >= 30)); then
      tenths=$((10 * finished / all)) shown=$SECONDS
      say "building $finished of $all"
    fi
  done
  [[ ! $one_line ]] || printf '\r\e[K' >&2
  echo "$status"
}

# alone COMMAND...: only one at a time in this checkout. The command does not inherit the lock, so
# that nothing it leaves running can hold it.
alone() {
  mkdir -p "$root/build"
  (
    if ! flock -n 9; then
      say "waiting for another build of this checkout"
      flock 9
    fi
    "$@" 9>&-
  ) 9>"$root/build/lock"
}
