"""Records that are cut, or wrong in one way: each problem is one line with its place, ten at most and a count; exit
status 2 and nothing on standard output where nothing can be said, else a result that says what was left out.

    python3 bad_records.py GRIDCAST CALIBRATION_DATA FOLDER
"""
import csv
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

gridcast, data, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
pool = data / "htcondor-pool"
draw = random.Random(14)
wrong = 0


def complain(what, err=""):
    global wrong
    wrong += 1
    print("FAILED:", what, err[:400])


def ledger(*arguments):
    done = subprocess.run([gridcast, "ledger", "--json", *map(str, arguments)], capture_output=True, text=True,
                          timeout=60, errors="replace", env={**os.environ, "COLUMNS": "200"})
    return done.returncode, done.stdout, done.stderr


def reported(what, *arguments):
    """A result, or a refusal; never more than ten lines and a count of one kind. Returns status and messages."""
    status, out, err = ledger(*arguments)
    lines = err.splitlines()
    if status not in (0, 2):
        complain(f"{what}: exit status {status}", err)
    if (status == 0) != bool(out):
        complain(f"{what}: exit status {status} with {len(out)} bytes of result", err)
    if status == 2 and not any(re.match(r".+?:\d+: |.+?: ", line) for line in lines):
        complain(f"{what}: refused without a place", err)
    if len(lines) > 14:
        complain(f"{what}: {len(lines)} lines of messages", err)
    return status, err


# Each kind of file, cut at any byte.
attempts = folder / "c1.csv"
subprocess.run([gridcast, "export", "attempts", pool / "c1-sweep/c1-sweep.log", "-o", attempts], check=True,
               capture_output=True)
ads = json.loads((pool / "c1-sweep/history.json").read_text())
longs = folder / "long.ads"


def classad(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, (str, int, float)) else "undefined"


longs.write_text("\n\n".join("\n".join(f"{k} = {classad(v)}" for k, v in ad.items()) for ad in ads) + "\n")
lines = folder / "lines.jsonl"
lines.write_text("".join(json.dumps(ad) + "\n" for ad in ads))
kinds = [pool / "c1-sweep/c1-sweep.log", pool / "c5-json/c5-json.log", pool / "c6-xml/c6-xml.log",
         pool / "c1-sweep/history.json", pool / "c1-sweep/epochs.json", longs, lines, attempts,
         data / "osg-imagenet/imagenet-5epoch-pilot.csv", data.parent.parent / "tests/slurm/sacct.txt"]
for source in kinds:
    text = source.read_bytes()
    cut = folder / ("cut" + source.suffix)
    more = ["--columns", "sacct"] if source.name == "sacct.txt" else []
    for at in [0, 1, 7] + [draw.randrange(len(text)) for _ in range(7)]:
        cut.write_bytes(text[:at])
        reported(f"{source.name} cut at byte {at}", cut, *more)

# A table of attempts, wrong in one way.
rows = list(csv.reader(attempts.open()))
head, body = rows[0], rows[1:]
column = {name: i for i, name in enumerate(head)}
table = folder / "table.csv"


def written(head, body):
    with table.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(head)
        writer.writerows(body)
    return table


def changed(name, change, count=15):
    some = [list(row) for row in body]
    for row in [row for row in some if row[column[name]]][:count]:
        row[column[name]] = change(row[column[name]])
    return written(head, some)


_, whole, _ = ledger(attempts)
for name in ("job", "started", "ended", "outcome"):
    keep = [i for i, each in enumerate(head) if each != name]
    status, err = reported(f"no column {name}", written([head[i] for i in keep], [[row[i] for i in keep] for row in body]))
    if status != 2 or f"missing: {name}" not in err:
        complain(f"no column {name}: not said", err)
status, err = reported("a column twice", written(head + ["started"], [row + [row[column["started"]]] for row in body]))
if status != 0 or "column 'started' is there twice" not in err:
    complain("a column twice: not said", err)
written(head[::-1], [row[::-1] for row in body])
if ledger(table)[1] != whole:
    complain("columns in another order give other figures")

for what, name, change, words in [
        ("times that run backwards", "ended", lambda t: "2020" + t[4:], "the times run backwards"),
        ("zones mixed", "started", lambda t: t.replace("Z", "+02:00"), "the times run backwards"),
        ("no times", "started", lambda _: "yesterday", "'yesterday' is no time"),
        ("an outcome nobody knows", "outcome", lambda _: "exploded", "unknown value 'exploded'")]:
    status, err = reported(what, changed(name, change))
    places = re.findall(r"table.csv:\d+: " + name, err)
    if status != 0 or words not in err or len(places) != 10 or "and 5 more" not in err:
        complain(f"{what}: not ten lines and a count", err)
    if "15 rows" not in err:
        complain(f"{what}: how many rows are left out is not said", err)
with_gpus = [list(row) for row in body]
for row in with_gpus[:15]:
    row[column["gpus"]] = "1000"
status, err = reported("more GPUs than a host has", written(head, with_gpus))
if status != 0 or "1000 GPUs are more than a host has" not in err or "and 5 more" not in err:
    complain("more GPUs than a host has: not said", err)

# A log whose dates go back, or whose zone changes within.
log = (pool / "c1-sweep/c1-sweep.log").read_text()
back = folder / "back.log"
blocks = log.split("...\n")
back.write_text("...\n".join(blocks[:300] + [b.replace("2026-11-21", "2026-11-20") for b in blocks[300:320]] + blocks[320:]))
status, err = reported("a log that goes back in time", back, "--verbose")
if status != 0 or not re.search(r"back.log:\d+: .*the clock was set back by", err):
    complain("a log that goes back in time: not said with its place", err)

sys.exit(wrong > 0)
