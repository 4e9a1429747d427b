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
  if ((status != 0)); then
    cat "$log" >&2
    say "failed: $*"
  fi
  return "$status"
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

# build PRESET TARGET: silent while it takes no more than a second, as when there is nothing to do.
build() {
  local folder=$root/build/$1
  {
    run_quietly "$folder/build.log" ninja -C "$folder" "$2"
    echo $?
  } | {
    if ! read -r -t 1 status; then
      say "building build/$1"
      read -r status
    fi
    exit "$status"
  }
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
