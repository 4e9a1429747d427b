"""Records for tests/bench/records: an event log and a table of attempts of made-up campaigns.

    python3 make_records.py FOLDER MEGABYTES ATTEMPTS     large.log of that size, large.csv with so many rows

Jobs of two attempts on average at 20 sites with 200 slots each; executions of about an hour.
"""
import random
import sys
from datetime import datetime, timedelta
from pathlib import Path

folder, megabytes, attempts = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
draw = random.Random(1)
start = datetime(2026, 1, 1)
sites = [f"SITE-{i:02}" for i in range(20)]


def job(number):
    """Submission, and attempts: (begin, executing, end, site, slot, succeeded)."""
    submitted = number * 2
    at, tries = submitted + draw.randrange(60, 600), []
    while True:
        site, slot = draw.randrange(20), draw.randrange(200)
        executing = at + draw.randrange(20, 120)
        end = executing + int(draw.lognormvariate(8.2, 0.2))
        good = draw.random() < 0.5
        if not good:
            end = executing + draw.randrange(10, 4000)
        tries.append((at, executing, end, site, slot, good))
        if good:
            return submitted, tries
        at = end + draw.randrange(30, 300)


def stamp(seconds):
    return (start + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S")


def event(number, name, at, words):
    return at, f"{number:03} ({name:07}.000.000) {stamp(at)} {words}\n...\n"


def events(number):
    submitted, tries = job(number)
    yield event(0, number, submitted, "Job submitted from host: <192.0.2.1:9618?addrs=192.0.2.1-9618&alias=ap.example.org>")
    for begin, executing, end, site, slot, good in tries:
        host = f"<192.0.{site}.{slot}:9618?addrs=192.0.{site}.{slot}-9618&alias=node{slot}.{sites[site].lower()}.example.org>"
        yield event(40, number, begin, "Started transferring input files\n\tTransferring to host: " + host)
        yield event(40, number, executing, "Finished transferring input files")
        yield event(1, number, executing,
                    f"Job executing on host: {host}\n\tSlotName: slot1_1@glidein_{slot}@node{slot}\n"
                    f"\tGLIDEIN_ResourceName = \"{sites[site]}\"\n\tGPUs = 1\n\tMemory = 32768")
        for alive in range(executing + 300, end, 1200):
            yield event(6, number, alive, "Image size of job updated: 4096000\n\t1234  -  MemoryUsage of job (MB)")
        if good:
            yield event(5, number, end, "Job terminated.\n\t(1) Normal termination (return value 0)\n"
                        "\t100000  -  Run Bytes Sent By Job\n\t13000000000  -  Run Bytes Received By Job")
        else:
            yield event(4, number, end, "Job was evicted. Code 1013 Subcode 0\n\t(0) CPU times\n"
                        "\t0  -  Run Bytes Sent By Job\n\t13000000000  -  Run Bytes Received By Job\n"
                        "\tReason: Startd was shutdown")


def write_log():
    written, number, open_events = 0, 0, []
    with (folder / "large.log").open("w") as log:
        while written < megabytes * 1_000_000:
            for _ in range(2000):
                number += 1
                open_events.extend(events(number))
            open_events.sort(key=lambda one: one[0])
            until = (number + 1) * 2
            ready = [one for one in open_events if one[0] < until]
            open_events = open_events[len(ready):]
            text = "".join(text for _, text in ready)
            written += len(text)
            log.write(text)


def write_table():
    rows, number = 0, 0
    with (folder / "large.csv").open("w") as table:
        table.write("job,attempt,submitted,matched,transfer_started,transfer_ended,started,ended,outcome,exit_code,site,slot,gpus,gpu_model\n")
        while rows < attempts:
            number += 1
            submitted, tries = job(number)
            for i, (begin, executing, end, site, slot, good) in enumerate(tries, 1):
                times = [stamp(t).replace(" ", "T") + "Z" for t in (submitted, begin, begin, executing, executing, end)]
                table.write(f"{number}.0,{i},{','.join(times)},{'succeeded,0' if good else 'evicted,'},{sites[site]},slot1@{slot},1,NVIDIA A100\n")
                rows += 1


write_log()
write_table()
