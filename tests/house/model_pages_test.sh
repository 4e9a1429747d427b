#!/usr/bin/env bash
# The pages of the model: each process that can be switched off has one, which names its parameters;
# every page has the fixed headings; an assumption (A-...) that is named anywhere is stated on one page.
source "$(dirname -- "$0")/files.sh"

# assumptions PATTERN...: the names of assumptions in our files.
assumptions() { ours "$@" | xargs -r -d '\n' grep -ohE '\bA-[A-Z]{2,}(-[A-Z]+)*' | sort -u; }

# stated FOLDER: the assumptions that its pages state, one a line for each time.
stated() { grep -ohE '^\* \*\*A-[A-Z-]+' "$1"/*.md | tr -d '* ' | sort; }

none_found "assumptions that no page of docs/model states" \
  "$(comm -23 <(assumptions 'sim/*' 'calibration/*' 'scenarios/*' 'docs/*') <(stated docs/model | uniq))"
none_found "assumptions that are stated twice" "$(stated docs/model | uniq -d)"

# switches: lines of NAME COLUMN of calibration/processes/*.cpp.
switches() {
  python3 - <<'PYTHON'
import glob, re
for path in sorted(glob.glob("calibration/processes/*.cpp")):
    text = open(path, encoding="utf-8").read()
    for name, columns in re.findall(r'\.name = "([a-z-]+)".*?\.zero_is_off = \{([^}]*)\}', text, re.S):
        for column in re.findall(r'"(\w+)"', columns):
            print(name, column)
PYTHON
}
(($(switches | wc -l) > 20)) || none_found "processes in calibration/processes" "fewer than 20 columns"
none_found "processes without a page that names their parameters" "$(
  switches | while read -r name column; do
    grep -qsE "\`$column\`" "docs/model/$name.md" || echo "docs/model/$name.md: $column"
  done)"

none_found "names of --without that the pages do not explain" "$(
  { grep -oE '\{"[a-z-]+", "[a-z]+ .*\},? repeated' sim/scenario/draw_columns.cpp | cut -d'"' -f2; switches | cut -d' ' -f1 | sort -u; } | while read -r name; do
    grep -qsE "\`$name\`" docs/model.md docs/model/*.md || echo "$name"
  done)"

headings=$'## In the real grid\n## Law\n## Parameters\n## Estimation\n## Left out\n## Contribution'
none_found "pages with other headings" "$(
  for page in docs/model/*.md; do
    [[ $(grep -E '^## ' "$page") == "$headings" ]] || echo "$page"
  done)"

# Would it notice?
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '* **A-AP**: x\n* **A-AP**: y\n' >"$folder/page.md"
[[ $(stated "$folder" | uniq -d) == A-AP ]] || none_found "not noticed" A-AP

exit $exit_status
