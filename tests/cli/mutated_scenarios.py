"""Random changes of a scenario: each is refused with reasons and no answer, or gives a ledger whose sums agree.

    python3 mutated_scenarios.py PROGRAM SCENARIO NUMBER
"""
import json
import random
import re
import subprocess
import sys
from pathlib import Path

program, scenario, number = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
original = scenario.read_text()
value = re.compile(r"(?<=[ {\[])(\d+(?:\.\d+)?)(?= |,|}|\]|\n)")
numbers = ["0", "1", "-1", "0.5", "3", "1000", "1e7", "1e300", "nan", "", "1..2", "x"]


def changed(random):
    """The text with one to three changes of a value, a line or a key."""
    text = original
    for _ in range(random.randint(1, 3)):
        lines = text.splitlines(keepends=True)
        at = random.choice([i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")])
        kind = random.randrange(6)
        if kind < 4:
            found = list(value.finditer(lines[at]))
            if found:
                place = random.choice(found)
                new = random.choice(numbers) if kind > 1 else f"{float(place[0]) * 10 ** random.uniform(-2, 2):.4g}"
                lines[at] = lines[at][:place.start()] + new + lines[at][place.end():]
        elif kind == 4:
            del lines[at]
        else:
            lines.insert(at, random.choice(lines))
        text = "".join(lines)
    return text


def faults(metrics):
    """What does not add up."""
    of = metrics.__getitem__
    ends = sum(map(of, ("succeeded", "wrong_output", "held", "removed", "unfinished")))
    time = sum(map(of, ("compute_success_s", "transfer_success_s", "badput_s")))
    if ends != of("jobs"):
        yield f"{ends} ends of {of('jobs')} jobs"
    if abs(time - of("wallclock_s")) > 1e-6 * (of("wallclock_s") + 1):
        yield f"{time} s of {of('wallclock_s')} s of slot time"
    yield from (f"{name} is {number}" for name, number in metrics.items() if number is not None and not 0 <= number < 1e12)
    if of("executions") > of("attempts") or of("succeeded") > of("executions"):
        yield "more executions than attempts, or more successes than executions"


def run_one(seed):
    mutant = scenario.with_name("mutant.yaml")
    mutant.write_text(changed(random.Random(seed)))
    answer = subprocess.run([program, "forecast", str(mutant), "--once", "--json", "--quiet", "--horizon", "30 d"],
                            capture_output=True, text=True, timeout=300)
    if answer.returncode == 2:
        return ["refused without a reason, or with an answer"] if answer.stdout or not answer.stderr else []
    if answer.returncode != 0:
        return [f"exit status {answer.returncode}: {answer.stderr[-200:]}"]
    return list(faults(json.loads(answer.stdout)["metrics"]))


bad = 0
for seed in range(number):
    try:
        found = run_one(seed)
    except subprocess.TimeoutExpired:
        found = ["no answer within 300 s"]
    for fault in found:
        print(f"mutant {seed}: {fault}")
    bad += bool(found)
sys.exit(bad > 0)
