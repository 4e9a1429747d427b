#!/usr/bin/env python3
"""One job event log, as HTCondor's own readers see it; runs where HTCondor is installed.

check_log.py LOG [--goodput PERCENT | --like ORIGINAL]

What they say has to agree with a plain count of the log's lines, the goodput that condor_userlog
gives with the one of the command line, or with what it gives of ORIGINAL.
"""

import argparse
import collections
import re
import subprocess
import sys
import tempfile

import htcondor

HEADER = re.compile(r"(\d{3}) \((\d+)\.(\d+)\.\d+\) ")
ADDRESS = re.compile(r"(Job executing on host: <)[0-9.]+:")
COUNTED = re.compile(r"(\d+) jobs; (\d+) completed, (\d+) removed, (\d+) idle, (\d+) running, "
                     r"(\d+) held, (\d+) suspended")
problems = []


def expect(what, found, expected):
    same = found == expected
    print(f"  {'ok  ' if same else 'FAIL'} {what}: {found}" + ("" if same else f", not {expected}"))
    if not same:
        problems.append(what)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def count_lines(log):
    """Events by number, and the last of each job that says how it stands."""
    events, status = collections.Counter(), {}
    inside = False
    for line in open(log):
        if line == "...\n":
            inside = False
        elif not inside:
            number, cluster, proc = map(int, HEADER.match(line).groups())
            inside = True
            events[number] += 1
            if number in (0, 1, 4, 5, 9, 12, 13):
                status[cluster, proc] = number
    return events, status


def check_job_event_log(log, events):
    read = collections.Counter(int(event.type) for event in
                               htcondor.JobEventLog(log).events(stop_after=0))
    expect("JobEventLog, events read", sum(read.values()), sum(events.values()))
    expect("JobEventLog, events by number", dict(sorted(read.items())), dict(sorted(events.items())))


def check_userlogs(log, open_jobs):
    status, text = run("condor_check_userlogs", log)
    bad = {tuple(map(int, job)) for job in re.findall(r"BAD EVENT: job \((\d+)\.(\d+)\.\d+\) ended, "
                                                      r"total end count != 1 \(0\)", text)}
    # It breaks off its message after so many.
    expect("condor_check_userlogs, complaints", text.count("BAD EVENT"), len(bad))
    expect("condor_check_userlogs, of other jobs than those without an end", bad - set(open_jobs), set())
    expect("condor_check_userlogs, verdict", "Log(s) are okay" in text and status == 0, not open_jobs)


def check_wait(log, ended, open_jobs):
    if not open_jobs:
        status, text = run("condor_wait", "-wait", "5", log)
        expect("condor_wait", (status, text.strip()), (0, "All jobs done."))
    elif ended:
        status, _ = run("condor_wait", "-wait", "5", "-num", str(len(ended)), log)
        expect(f"condor_wait -num {len(ended)}", status, 0)
        status, _ = run("condor_wait", "-wait", "1", "-num", str(len(ended) + 1), log)
        expect(f"condor_wait -num {len(ended) + 1}", status, 1)


def check_queue(log, status):
    now = collections.Counter(status.values())
    _, text = run("condor_q", "-userlog", log)
    found = COUNTED.search(text)
    expected = (len(status), now[5], now[9], now[0] + now[4] + now[13], now[1], now[12], 0)
    expect("condor_q -userlog", tuple(map(int, found.groups())) if found else None, expected)


def userlog_totals(log):
    """Wall time, good time and goodput of all hosts, which are made one for that."""
    with tempfile.NamedTemporaryFile("w", suffix=".log") as one_host:
        one_host.writelines(ADDRESS.sub(r"\g<1>192.0.2.1:", line) for line in open(log))
        one_host.flush()
        _, text = run("condor_userlog", "-total", one_host.name)
    row = next((line.split() for line in text.splitlines() if line.startswith("192.0.2.1 ")), None)
    return (row[1], row[2], row[6]) if row else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("log")
    parser.add_argument("--goodput")
    parser.add_argument("--like")
    arguments = parser.parse_args()
    print(arguments.log)
    events, status = count_lines(arguments.log)
    ended = [job for job, number in status.items() if number in (5, 9)]
    open_jobs = [job for job in status if job not in set(ended)]
    check_job_event_log(arguments.log, events)
    check_userlogs(arguments.log, open_jobs)
    check_wait(arguments.log, ended, open_jobs)
    check_queue(arguments.log, status)
    totals = userlog_totals(arguments.log)
    if arguments.like:
        expect("condor_userlog, wall, good, goodput", totals, userlog_totals(arguments.like))
    elif arguments.goodput:
        expect("condor_userlog, goodput", totals[2] if totals else None, arguments.goodput + "%")
    return 1 if problems else 0


sys.exit(main())
