#!/usr/bin/env bash
# Lessons: each solution's commands give figures from which the answer follows, that answer checks as
# right, and every listed wrong answer as wrong, with its hint.
source "$(dirname -- "$0")/check.sh"
cd "$GRIDCAST_SOURCE" || exit 1

# follows ANSWER-FILE FIGURES-FILE: the answer, from the figures of the commands that the program
# printed, worked out here a second time.
cat >"$work/follow.py" <<'PYTHON'
import json, subprocess, shlex, sys
program, solution = sys.argv[1], json.load(open(sys.argv[2]))
rows = []
for run in solution["runs"]:
    words = shlex.split(run["command"])
    assert words[0] == "gridcast"
    played = subprocess.run([program] + words[1:] + ["--json"], capture_output=True, check=True)
    result = json.loads(played.stdout)
    assert result["schema"] == "gridcast.lesson_run/1", result["schema"]
    assert abs(result["value"] - run["value"]) <= 1e-6 * abs(run["value"]), (result["value"], run)
    rows.append((run.get("answer"), result["value"]))
rule, bound = sys.argv[3], float(sys.argv[4])
if rule == "value":
    print("%.6g %s" % (rows[0][1], solution["unit"]))
elif rule == "first_within":
    print(next(name for name, value in rows if value <= bound))
else:
    print((min if rule == "least" else max)(rows, key=lambda row: row[1])[0])
PYTHON

# Text that was wrapped, in one line.
in_a_line() { tr -s '\n ' ' ' | sed 's/ $//'; echo; }

run "$GRIDCAST" lesson list --json
expect 0 "lesson list"
json 'len(d["lessons"]) >= 16' "lesson list"
# With few choices, the wrong answers show the right one.
json 'not any("answer" in key for lesson in d["lessons"] for key in lesson)' "lesson list and answers"
cp "$work/out" "$work/list"
json '".yaml" not in json.dumps(d)' "lesson list sends students to files with answers"
numbers=$(for file in scenarios/teaching/*.yaml; do
  name=${file##*/}
  echo "$((10#${name%%-*})) $file"
done)

while read -r number file; do
  started=$SECONDS
  run "$GRIDCAST" lesson solution "$number" --json
  expect 0 "lesson solution $number"
  cp "$work/out" "$work/solution"
  rule=$(sed -n 's/^ *rule: *//p' "$file")
  bound=$(sed -n 's/^ *bound: *//p' "$file")
  answer=$(python3 "$work/follow.py" "$GRIDCAST" "$work/solution" "${rule:-value}" "${bound:-0}") ||
    complain "lesson $number: the commands of its solution fail"
  ((SECONDS - started < 60)) || complain "lesson $number takes more than a minute"
  run "$GRIDCAST" lesson check "$number" "${answer% }"
  expect 0 "lesson check $number '$answer'"
  says out '^Right\. ' "lesson check $number '$answer'"

  python3 -c 'import json,sys; print("\n".join(json.load(open(sys.argv[1]))["wrong_answers"]))' \
    "$work/solution" >"$work/wrong"
  (($(wc -l <"$work/wrong") >= 2)) || complain "lesson $number: fewer than two wrong answers"
  : >"$work/hints"
  while read -r wrong; do
    run "$GRIDCAST" lesson check "$number" "$wrong"
    expect 4 "lesson check $number '$wrong'"
    says out '^Not right\. .{20}' "lesson check $number '$wrong'"
    in_a_line <"$work/out" | sed 's/^Not right\. //' >>"$work/hints"
  done <"$work/wrong"
  [[ -z $(sort "$work/hints" | uniq -d) ]] || complain "lesson $number: two wrong answers, one hint"

  # The first guess is wrong, and its omission is named: after the run, and at the end.
  run "$GRIDCAST" lesson check "$number" "${answer% }" --json
  json 'len(d["first_guess"]["says"]) > 60' "lesson check $number '$answer' --json"
  guess=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["first_guess"]["answer"])' \
    "$work/out")
  run "$GRIDCAST" lesson check "$number" "$guess"
  expect 4 "the first guess of lesson $number"
  in_a_line <"$work/out" | sed 's/^Not right\. //' >"$work/hint"
  run "$GRIDCAST" lesson run "$number" --guess "$guess"
  expect 0 "lesson run $number --guess '$guess'"
  [[ $(in_a_line <"$work/out") == *" You guessed $guess. $(<"$work/hint")" ]] ||
    complain "lesson run $number --guess '$guess': $(tail -n 5 "$work/out")"

  run "$GRIDCAST" lesson start "$number"
  expect 0 "lesson start $number"
  says out '^Question' "lesson start $number"
  sed -n '/^Look at/,/^First write/ { /=VALUE\|--strategy/d; p }' "$work/out" |
    grep -E '[a-z]_[a-z]|[a-z][.:][a-z0-9]' && complain "lesson start $number: a key instead of words"
  verb=run
  [[ $file == *slow-worker* ]] && verb=train
  run "$GRIDCAST" $verb "$file"
  expect 0 "$verb $file"
done <<<"$numbers"

run "$GRIDCAST" lesson solution 7
says out 'Answer: 75 min' "lesson solution 7"
says out 'A plausible first guess is 5 h' "lesson solution 7"
run "$GRIDCAST" lesson check 1 '4 h'
says out '^A plausible first guess is 3 h. It leaves out ' "lesson check 1"
run "$GRIDCAST" lesson run 1 --guess '5 h'
says out '^You guessed 5 h. Compare it' "a guess that nobody expected"
run "$GRIDCAST" lesson check 1 '240 min'
expect 0 "another unit"
run "$GRIDCAST" lesson check 5 C
expect 0 "a choice in capitals"

# refused PATTERN ARGUMENT...: bad usage, said on stderr alone.
refused() {
  run "$GRIDCAST" lesson "${@:2}"
  expect 2 "lesson ${*:2}"
  says err "$1" "lesson ${*:2}"
  [[ -s $work/out ]] && complain "lesson ${*:2}: something on standard output"
}
refused "no lesson 99" start 99
refused "'3' is no answer.*unit" check 1 3
refused "none of the choices" check 5 e
refused "'3' is no answer.*unit" run 1 --guess 3
refused "unknown key 'epoch'" run 1 --set campaign.work.epoch=3
refused "Did you mean 'cool-down'" run 6 --strategy cooldown
refused "no lessons in it" list --folder "$work"

# Answers stand nowhere where students are sent.
run "$GRIDCAST" lesson --help
says out "check 1 '5 h'" "lesson --help"
run "$GRIDCAST" lesson start 1
grep -q 'yaml' "$work/out" && complain "lesson start sends students to the file with the answer"
for number in 5 9 10; do # of one campaign, of many, of a training
  run "$GRIDCAST" lesson run "$number"
  grep -q 'yaml' "$work/out" && complain "lesson run $number sends students to the file with the answer"
done
run "$GRIDCAST" lesson run 5 --strategy timeout-c
says out '^gridcast lesson run 5 --strategy timeout-c$' "what was run"
if [[ -e $(dirname -- "$GRIDCAST")/page/report.html ]]; then
  run "$GRIDCAST" lesson run 5 --report "$work/page.html"
  expect 0 "lesson run 5 --report"
  grep -q 'stall_timeout: 8 h' "$work/page.html" || complain "the page lacks the run"
  grep -q 'answer: c\|37 % are longer' "$work/page.html" && complain "the answer stands in the page of a run"
fi
# One page for a class, in which no answer, hint or file of a lesson can be read.
if [[ -e $(dirname -- "$GRIDCAST")/page/lessons.html ]]; then
  started=$SECONDS
  run "$GRIDCAST" lesson static "$work/page-of-class"
  expect 0 "lesson static"
  ((SECONDS - started < 300)) || complain "lesson static takes $((SECONDS - started)) s"
  page=$work/page-of-class/index.html
  (($(stat -c %s "$page") < 1000000)) || complain "lesson static: $(stat -c %s "$page") bytes"
  python3 - "$page" "$work/list" scenarios/teaching <<'PYTHON' || complain "lesson static shows an answer"
import glob, json, re, sys
page = open(sys.argv[1]).read()
data = json.loads(re.search(r'id="gridcast-report">(.*?)</script>', page, re.S)[1])
text = " ".join(json.dumps(data).split())
assert "scenarios/" not in text and ".yaml" not in text
assert len(data["lessons"]) == len(json.load(open(sys.argv[2]))["lessons"])
for lesson in data["lessons"]:
    assert len(lesson["runs"]) >= 3 and "goal" not in lesson, lesson["lesson"]
for file in glob.glob(sys.argv[3] + "/*.yaml"):
    for hint in re.findall(r'hint: "?([^"}]{40})', open(file).read().split("\n  wrong:")[1]):
        assert hint not in text, (file, hint)
PYTHON
  run "$GRIDCAST" lesson static "$work/page-of-class"
  expect 2 "lesson static over a page"
fi
for width in 60 80; do
  for command in list 'start 12' 'solution 15' 'check 1 4h' 'check 7 5h' 'run 9 --guess 5h'; do
    # shellcheck disable=SC2086
    COLUMNS=$width run "$GRIDCAST" lesson $command
    (($(widest "$work/out") <= width)) ||
      complain "lesson $command is wider than $width"
  done
done
for number in 2 4; do
  run "$GRIDCAST" lesson run "$number"
  grep -qw nan "$work/out" && complain "lesson run $number: a figure that there is not"
done
run "$GRIDCAST" lesson check 11 150
expect 4 "150 replicas are 6.3 %, not 5 %"
# Jobs that computed and succeeded lost nothing.
run "$GRIDCAST" lesson run 1
says out 'lost \(badput\) +0\.0 ' "lesson run 1"

# Each student has random numbers of their own, the same each time.
for name in ada ada grace; do
  run "$GRIDCAST" lesson run 9 --seed-by-name "$name" --json
  expect 0 "lesson run 9 of $name"
  python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["value"])' "$work/out" >>"$work/values"
done
mapfile -t values <"$work/values"
[[ ${values[0]} == "${values[1]}" && ${values[0]} != "${values[2]}" ]] || complain "random numbers: ${values[*]}"
# The commands of a solution give the figures beside them, with these random numbers too.
run "$GRIDCAST" lesson solution 9 --seed-by-name ada --json
cp "$work/out" "$work/solution"
python3 "$work/follow.py" "$GRIDCAST" "$work/solution" value 0 >"$work/followed" ||
  complain "lesson solution 9 --seed-by-name ada: its commands give other figures"

refused "nothing to check" check 1

exit $exit_status
