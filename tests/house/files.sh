# To be sourced by the house tests, which read the sources at $GRIDCAST_SOURCE.

cd "$GRIDCAST_SOURCE" || exit 1

# ours [PATTERN...]: our files, one a line; new ones not yet added count. Without git (an unpacked
# archive), all files that are not built.
ours() {
  local file pattern
  if git rev-parse --git-dir >/dev/null 2>&1; then
    git --no-optional-locks ls-files --cached --others --exclude-standard
  else
    find . \( -name .git -o -path ./build \) -prune -o -type f -printf '%P\n'
  fi | while IFS= read -r file; do
    [[ -f $file ]] || continue  # deleted, and not yet committed
    for pattern in "${@:-*}"; do
      [[ $file == $pattern ]] && echo "$file"
    done
  done
}

# none_found WHAT OFFENCES: shows the offences, one a line, and lets the test fail, if there are any.
exit_status=0
none_found() {
  [[ -z $2 ]] && return
  printf '%s:\n%s\n' "$1" "$2"
  exit_status=1
}
