#!/usr/bin/env bash
# docs says where the documentation is, opens it where there is a screen, and its links lead somewhere.
source "$(dirname -- "$0")/check.sh"
unset DISPLAY WAYLAND_DISPLAY

run "$GRIDCAST" help docs
expect 0 "help docs"
front=$(cat "$work/out")
[[ -s $front ]] || complain "help docs: there is no $front"
[[ -s $work/err ]] && complain "docs: something is opened without a screen"
run "$GRIDCAST" help docs first-forecast
expect 0 "help docs PAGE"
grep -q 'init' "$(cat "$work/out")" || complain "help docs PAGE: another page"
run "$GRIDCAST" help docs first-forecast.md
expect 0 "help docs PAGE.md"
run "$GRIDCAST" help docs --list
expect 0 "help docs --list"
for page in architecture first-forecast gallery install model; do
  grep -qx "$page" "$work/out" || complain "help docs --list: no $page"
done
run "$GRIDCAST" help docs first-forecats
expect 2 "a page that is not there"
says err "no page 'first-forecats'" "a page that is not there"
says err 'first-forecast' "a page that is not there: the nearest"

mkdir "$work/bin"
printf '#!/bin/sh\necho "$1" >"%s/opened"\n' "$work" >"$work/bin/xdg-open"
chmod +x "$work/bin/xdg-open"
DISPLAY=:9 PATH=$work/bin:$PATH run "$GRIDCAST" help docs
expect 0 "help docs with a screen"
for _ in 1 2 3 4 5 6 7 8 9 10; do
  [[ -s $work/opened ]] && break
  sleep 0.1
done
[[ $(cat "$work/opened" 2>/dev/null) == "$front" ]] || complain "help docs with a screen: it is not opened"
rm -f "$work/opened"
DISPLAY=:9 PATH=$work/bin:$PATH run "$GRIDCAST" help docs --no-browser
sleep 0.2
[[ -e $work/opened ]] && complain "docs --no-browser opens it"

mkdir "$work/alone"
cp "$GRIDCAST" "$work/alone/gridcast"
run "$work/alone/gridcast" docs
expect 2 "a program that was copied alone"
says err 'not beside this gridcast' "a program that was copied alone"

# Every link between the pages leads to a page and a heading.
if [[ $front == *.html ]]; then
  python3 - "$(dirname "$front")" <<'PYTHON' || complain "links between the pages"
import os, re, sys
folder = sys.argv[1]
pages = {name: open(os.path.join(folder, name), encoding="utf-8").read()
         for name in os.listdir(folder) if name.endswith(".html")}
ids = {name: set(re.findall(r' id="([^"]+)"', text)) for name, text in pages.items()}
broken = []
for name, text in pages.items():
    for link in re.findall(r'(?:href|src)="([^"]+)"', text):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, part = link.partition("#")
        to = file or name
        if not os.path.exists(os.path.join(folder, to)):
            broken.append(f"{name}: {link}: no such file")
        elif part and to in ids and part not in ids[to]:
            broken.append(f"{name}: {link}: no such heading")
print("\n".join(broken))
sys.exit(1 if broken or len(pages) < 15 else 0)
PYTHON
fi
exit $exit_status
