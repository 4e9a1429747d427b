"""Is `gridcast ledger --requests` of real logs what is counted here from their lines?

    python3 ledger_requests.py GRIDCAST LOG...      (each an argument: the logs of one campaign, with ':' between)
"""
import json
import re
import subprocess
import sys
from collections import defaultdict

HEAD = re.compile(r"(\d{3}) \((\d+)\.(\d+)\.\d+\) ")
UNITS = {"Memory": 1 << 20, "Disk": 1 << 10}


def count(logs):
    """Of each job and resource: the highest use, and the last request; jobs that executed."""
    used, requested, executed, running = defaultdict(dict), defaultdict(dict), set(), set()
    for log in logs:
        for block in open(log, errors="replace").read().split("\n...\n"):
            head = HEAD.match(block.lstrip("\n"))
            if not head:
                continue
            number, job = int(head.group(1)), (int(head.group(2)), int(head.group(3)))
            if number == 1:
                executed.add(job)
                running.add(job)

            def use(resource, amount):
                if job in running:
                    used[job][resource] = max(used[job].get(resource, 0), amount)

            if number == 6:
                for amount, what in re.findall(r"^\t(\d+)  -  (MemoryUsage|ResidentSetSize) of job", block, re.M):
                    use("Memory", int(amount) * (1 << 20 if what == "MemoryUsage" else 1 << 10))
            if number in (4, 5):
                title = re.search(r"^\tPartitionable Resources : .*$", block, re.M)
                for resource, unit in UNITS.items():
                    row = re.search(rf"^\t   {resource} \(.*$", block, re.M)
                    if not (title and row):
                        continue
                    begin = row.group().index(":") + 1
                    for word, keep in (("Usage", use), ("Request", requested[job].__setitem__)):
                        end = title.group().index(word) + len(word)
                        cell = row.group()[begin:end].strip()
                        begin = end
                        if cell:
                            keep(resource, int(cell) * unit)
            if number in (4, 5, 7, 9, 12):
                running.discard(job)
    return used, requested, executed


wrong = 0
for campaign in sys.argv[2:]:
    logs = campaign.split(":")
    done = subprocess.run([sys.argv[1], "ledger", "--requests", "--json", *logs], capture_output=True, text=True)
    reported = json.loads(done.stdout)["programs"]
    used, requested, executed = count(logs)
    if len(reported) != 1 or reported[0]["executed"] != len(executed):
        print(f"FAILED: {logs[0]}: {len(executed)} jobs executed, reported {[p['executed'] for p in reported]}")
        wrong = 1
        continue
    for resource in UNITS:
        needs = sorted(used[job][resource] for job in executed if resource in used[job])
        of = reported[0]["resources"].get(resource.lower())
        if not needs or of is None:
            if bool(needs) != (of is not None):
                print(f"FAILED: {logs[0]}: {resource}: counted {len(needs)} jobs, reported {of}")
                wrong = 1
            continue
        asked = [requested[job][resource] for job in requested if resource in requested[job]]
        counted = {"jobs": len(needs), "most": needs[-1], "requested": (min(asked), max(asked)),
                   "held": [sum(need > each["request"] for need in needs) for each in of["possible"]]}
        said = {"jobs": of["jobs"], "most": of["used"]["most"], "requested": (of["requested_least"], of["requested_most"]),
                "held": [each["held"] for each in of["possible"]]}
        # A job that a limit stopped needs more than its limit, which the lines do not contain.
        more = [0 <= b - a <= of["exceeded"] for a, b in zip(counted.pop("held"), said.pop("held"))]
        if counted != said or not all(more):
            print(f"FAILED: {logs[0]}: {resource}: counted {counted}, reported {said}")
            wrong = 1
        print(f"{logs[0]}: {resource}: {counted}")
sys.exit(wrong)
