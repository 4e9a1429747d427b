"""User logs of HTCondor counted by hand, as one campaign: what `gridcast ledger` is held against.

    python3 count_log.py LOG...      one JSON object

A slot is a job's from its "Started transferring input files" (040) or, without one, its 001 (or a 022 or 024: the log
begins within), until its next 004, 005, 007, 009 or 012, or the end of the log. Where the log has no 040, it began so
long before that end as TimeSlotBusy says, but not before the job's event before. A 001 within two seconds after an end
is late, and of that run. What stands there twice counts once; a block without its "..." is cut and counts not at all.

GPUs of a slot: those of its 001, else of the table in its 004 or 005 ("Allocated", else "Request"), else of the job's slot
before, else as most tables that request some do, else 1. A 001 that lists Cpus and no GPUs says 0; so does a table, but of a
job that had none before, and where no 001 lists them: both only if the logs contain a number above 0.
"""
import json
import re
import sys
import xml.etree.ElementTree
from collections import Counter
from datetime import datetime

HEAD = re.compile(r"(\d{3}) \((\d+)\.(\d+)\.\d+\) (\d{4}-\d\d-\d\d|\d\d/\d\d)[ T](\d\d:\d\d:\d\d)")
INPUT_STARTED = 2  # Type of a FileTransferEvent


def gpus_of(block):
    """(GPUs, requested): None where not known, 0 where resources are listed without."""
    row = re.search(r'^\t   GPUs +: +([^"\r\n]*)', block, re.M)
    line = re.search(r"^\tGPUs = (\d+)", block, re.M)
    request, have = [0, 0, *map(float, row[1].split())][-2:] if row else (0, int(line[1]) if line else 0)
    lists = re.search(r"^\t(?:Cpus =|   Cpus +:) ", block, re.M)
    return int(have or request) or (0 if lists else None), int(request)


def gpus_of_ad(ad):
    if isinstance(ad.get("ExecuteProps"), dict):
        ad = ad | ad["ExecuteProps"]
    have, request = int(ad.get("GPUs") or 0), int(ad.get("RequestGPUs") or 0)
    return have or request or (0 if "Cpus" in ad else None), request


def text_blocks(text):
    for block in re.split(r"^\.\.\.(?:\r?\n|\Z)", text, flags=re.M)[:-1]:
        head = HEAD.match(block)
        if not head:
            continue
        day = head[4] if "-" in head[4] else "2026-" + head[4].replace("/", "-")
        try:
            at = datetime.fromisoformat(f"{day}T{head[5]}+00:00").timestamp()
        except ValueError:
            continue
        busy = re.search(r"TimeSlotBusy \(s\) +: +(\d+)", block)
        yield {"at": at, "number": int(head[1]), "job": (int(head[2]), int(head[3])), "text": block,
               "input": "Started transferring input" in block, "good": "(return value 0)" in block,
               "busy": int(busy[1]) if busy else None, "gpus": gpus_of(block)}


def objects(text):
    if text.lstrip().startswith("{"):
        decoder, at = json.JSONDecoder(), 0
        while (at := text.find("{", at)) >= 0:
            found, at = decoder.raw_decode(text, at)
            yield found
    else:
        body = re.sub(r"<\?.*?\?>|<!.*?>|</?(?:classads|eventlog)>", "", text, flags=re.S)
        for ad in xml.etree.ElementTree.fromstring(f"<log>{body}</log>"):
            yield {a.get("n"): a[0].get("v") == "t" if a[0].tag == "b" else a[0].text for a in ad}


def object_blocks(text):
    for ad in objects(text):
        yield {"at": datetime.fromisoformat(ad["EventTime"].rstrip("Z") + "+00:00").timestamp(),
               "number": int(ad["EventTypeNumber"]), "job": (int(ad["Cluster"]), int(ad["Proc"])),
               "text": json.dumps(ad, sort_keys=True), "input": int(ad.get("Type", 0)) == INPUT_STARTED,
               "good": int(ad.get("ReturnValue", 1)) == 0 and bool(ad.get("TerminatedNormally")), "busy": None,
               "gpus": gpus_of_ad(ad)}


def events(texts):
    seen = {}
    for text in texts:
        blocks = text_blocks if HEAD.search(text) else object_blocks
        for event in blocks(text):
            seen.setdefault((event["at"], event["text"]), event)
    return sorted(seen.values(), key=lambda event: event["at"])


def gpu_hours(found, slots):
    """`slots`: of each job, in order: [seconds, number in its 001, number in its table]."""
    reported = [event["gpus"] for event in found if event["number"] in (1, 4, 5)]
    some = any(gpus for gpus, _ in reported)
    requests = Counter(request for _, request in reported if request)
    usual = min(requests, key=lambda request: (-requests[request], request), default=1)
    seconds = 0
    for of_job in slots.values():
        before, had = None, False
        for busy, first, table in of_job:
            if table == 0 and had:
                table = None
            gpus = first or table or (0 if some and 0 in (first, table) else None)
            before = before if gpus is None else gpus
            had = had or bool(gpus)
            seconds += busy * (usual if before is None else before)
    return seconds / 3600


def count(texts):
    found = events(texts)
    tells_transfers = any(event["number"] == 40 for event in found)
    begun, last, ended, slots, first = {}, {}, {}, {}, {}
    jobs, good, held = set(), set(), set()
    sums = {"executions": 0, "holds": 0, "releases": 0, "wallclock_s": 0}
    for event in found:
        at, number, job = event["at"], event["number"], event["job"]
        jobs.add(job)
        late = number == 1 and tells_transfers and job not in begun and at - ended.get(job, 0) <= 2
        if (number == 40 and event["input"] or number in (1, 22, 24)) and not late:
            begun.setdefault(job, (at, last.get(job, at)))
        if number == 1:
            sums["executions"] += 1
            if late:
                slots[job][-1][1] = event["gpus"][0]
            else:
                first[job] = event["gpus"][0]
        if number in (4, 5, 7, 9, 12) and job in begun:
            start, before = begun.pop(job)
            if event["busy"] and not tells_transfers:
                start = min(start, max(at - event["busy"], before))
            sums["wallclock_s"] += at - start
            slots.setdefault(job, []).append([at - start, first.pop(job, None), event["gpus"][0] if number in (4, 5) else None])
            ended[job] = at
        elif number in (4, 5) and at - ended.get(job, -9) <= 1:
            slots[job][-1][2] = event["gpus"][0]
        if number == 5 and event["good"]:
            good.add(job)
        if number == 12:
            sums["holds"] += 1
            held.add(job)
        if number == 13 and job in held:
            sums["releases"] += 1
            held.discard(job)
        last[job] = at
    # That a job runs (006) prolongs the record of one that does.
    end = max(event["at"] for event in found if begun or event["number"] != 6)
    for job, (since, _) in begun.items():
        sums["wallclock_s"] += end - since
        slots.setdefault(job, []).append([end - since, first.pop(job, None), None])
    sums["gpu_hours"] = gpu_hours(found, slots)
    return {"jobs": len(jobs), "succeeded": len(good), "makespan_s": end - found[0]["at"], **sums}


def bytes_by_site(text):
    """What 004 and 005 of a text log sum up, at the site of the job's last 001: of runs that had one."""
    site, sums = {}, {}
    for event in sorted(text_blocks(text), key=lambda event: event["at"]):
        named = re.search(r'GLIDEIN_ResourceName = "([^"]+)"', event["text"])
        if event["number"] == 1:
            site[event["job"]] = named[1] if named else ""
        if event["number"] in (4, 5):
            moved = sums.setdefault(site.pop(event["job"], ""), {"received": 0, "sent": 0})
            for way in moved:
                reported = re.search(rf"(\d+)  -  Run Bytes {way.capitalize()} By Job", event["text"])
                moved[way] += int(reported[1]) if reported else 0
    return sums


def read(name):
    with open(name, encoding="utf-8", errors="replace", newline="") as log:
        return log.read()


if __name__ == "__main__":
    print(json.dumps(count([read(name) for name in sys.argv[1:]])))
