#!/usr/bin/env bash
# cmake --install into a folder, which is then moved: all that the program looks for it finds
# relative to itself, with no checkout around and nothing that it may write in.
source "$(dirname -- "$0")/check.sh"

build=$(dirname -- "$(readlink -f -- "$GRIDCAST")")
# Files that an older program has left there, newer than this one.
mkdir -p "$build/completions"
for shell in bash zsh; do echo "# of another program" >"$build/completions/$shell"; done
cmake --install "$build" --prefix "$work/first" >"$work/log" 2>&1 || {
  complain "cmake --install failed"
  tail -n 20 "$work/log"
  exit 1
}
mv "$work/first" "$work/prefix"
prefix=$work/prefix
gridcast=$prefix/bin/gridcast
share=$prefix/share/gridcast

for file in bin/gridcast share/man/man1/gridcast.1 share/bash-completion/completions/gridcast \
  share/zsh/vendor-completions/_gridcast \
  share/gridcast/scenarios/osg-imagenet.yaml share/gridcast/scenarios/teaching/01-waiting-and-matching.yaml \
  share/gridcast/scenarios/profiles/hardware.yaml share/gridcast/calibration/fitted/osg-imagenet.yaml \
  share/gridcast/docs/scenario.schema.json share/doc/gridcast/README.md \
  share/doc/gridcast/CHANGELOG.md share/doc/gridcast/copyright share/doc/gridcast/docs/model.md; do
  [[ -s $prefix/$file ]] || complain "$file is not installed"
done
for file in bash:bash-completion/completions/gridcast zsh:zsh/vendor-completions/_gridcast; do
  cmp -s <("$GRIDCAST" help completion "${file%%:*}") "$prefix/share/${file#*:}" ||
    complain "the completion of ${file%%:*} is another program's"
done
grep -rqF "$GRIDCAST_SOURCE" "$share" "$prefix/share/man" && complain "an installed file names the checkout"

mkdir "$work/elsewhere"
cd "$work/elsewhere" || exit 1
chmod -R a-w "$prefix"
installed() {
  run "$gridcast" "$@"
  expect 0 "installed: $*"
}
installed --version
says out '^gridcast [0-9]+\.[0-9]+\.[0-9]+' "--version"
installed run "$share/scenarios/osg-imagenet.yaml" --out run
installed predict "$share/scenarios/osg-imagenet.yaml" -n 3 --json
json 'd["replicas"] == 3' "forecast"
installed replay "$share/calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv" -n 2
installed ledger run/events.log
installed train resnet50-imagenet-kempner --gpus 4
installed lesson list
installed lesson start 1
installed docs
[[ -s $(cat "$work/out") ]] || complain "help docs: not found in the installation"
installed doctor
says out "$share/scenarios" "help doctor finds the installed scenarios"
installed init mine.yaml --yes
installed run mine.yaml
grep -q 'scenario.schema.json' mine.yaml || complain "init names no schema"
schema=$(sed -n 's/.*\$schema=//p' mine.yaml)
[[ -z $schema || -e $schema ]] || complain "init names a schema that is not there: $schema"
if [[ -e $share/report.html ]]; then
  installed run "$share/scenarios/osg-imagenet.yaml" --report page.html
  [[ -s page.html ]] || complain "no page"
fi
chmod -R u+w "$prefix"

# A program that was copied alone says so, and names no option that its verb does not have.
mkdir "$work/alone"
cp "$gridcast" "$work/alone/"
cd "$work/alone" || exit 1
for words in "train --list" "lesson list"; do
  # shellcheck disable=SC2086
  run ./gridcast $words
  expect 2 "copied alone: $words"
  says err 'copied alone has none: copy its folder too' "copied alone: $words"
done
run ./gridcast help doctor
says out 'report page +no' "help doctor of a program that was copied alone"

exit $exit_status
