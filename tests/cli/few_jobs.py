"""Event logs of jobs without GPUs, two slots at a time, and tables of such, to forecast from small or odd records.

    python3 few_jobs.py FOLDER
"""
import sys
from datetime import datetime, timedelta
from pathlib import Path

folder = Path(sys.argv[1])
usage = "".join(f"\t\tUsr 0 00:00:00, Sys 0 00:00:00  -  {of} Usage\n" for of in ("Run Remote", "Run Local"))


def events(proc, begin, site, seconds, end):
    """Time and text of each event of a job that fetches its input for 5 s and then computes."""
    host = f"10.0.0.{ord(site) - 64}"
    slot = f"slot1_1@glidein_{site}@node.site-{site.lower()}.edu"
    reported = [(0, 0, "Job submitted from host: <10.1.1.1:9618>"),
            (begin, 40, f"Started transferring input files\n\tTransferring to host: <{host}:9618?sock=s{proc}>")]
    if end == "no input":
        return reported + [(begin + 5, 12, f"Job was held.\n\tTransfer input files failure at execution point {slot} using "
                        "protocol osdf. Details: none\n\tCode 13 Subcode 256")]
    reported += [(begin + 5, 40, "Finished transferring input files"),
             (begin + 5, 1, f"Job executing on host: <{host}:9618>\n\tSlotName: {slot}\n"
              f'\tGLIDEIN_ResourceName = "SITE-{site}"')]
    done = begin + 5 + seconds
    if end == "evicted":
        return reported + [(done, 4, "Job was evicted.\n\t(0) CPU times\n" + usage.rstrip("\n"))]
    exit_code = 0 if end == "done" else 1
    return reported + [(done, 40, "Started transferring output files"), (done + 1, 40, "Finished transferring output files"),
                   (done + 1, 5, f"Job terminated.\n\t(1) Normal termination (return value {exit_code})\n" +
                    usage + usage.replace("Run", "Total").rstrip("\n"))]


def log(name, jobs, sites="AB", seconds=lambda i: 600, end=lambda i: "done"):
    start = datetime(2024, 8, 12, 9)
    all_events = []
    for i in range(jobs):
        begin = 10 + (i // 2) * (seconds(i) + 20)
        for at, number, text in events(i, begin, sites[i % len(sites)], seconds(i), end(i)):
            date = (start + timedelta(seconds=at)).strftime("%Y-%m-%d %H:%M:%S")
            all_events.append((at, f"{number:03d} (001.{i:03d}.000) {date} {text}\n...\n"))
    all_events.sort(key=lambda event: event[0])
    (folder / name).mkdir(exist_ok=True)
    (folder / name / "jobs.log").write_text("".join(text for _, text in all_events))


def differs(i):
    return 600 + 37 * i % 100


log("alike", 30)
log("five", 5, seconds=differs)
log("one-site", 30, "A", differs, lambda i: "done" if i % 4 else "crashed")
log("nothing-failed", 30, seconds=differs)
log("all-crashed", 30, seconds=differs, end=lambda i: "crashed")
log("all-evicted", 30, seconds=differs, end=lambda i: "evicted")
log("no-input", 30, end=lambda i: "no input")
log("short", 30, seconds=lambda i: 60)

head = "cluster,proc,sites,outcome,execute_s,slot_busy_s,input_transfer_total_s,input_transfer_last_s,stalls," \
       "holds_released,evictions,note\n"
for name, jobs, row in (("held", 30, "CHTC-Spark-CE1,held_transfer,,,11280,3760,3,0,0,"),
                        ("not-found", 30, "CHTC-Spark-CE1,held_404,,,,,0,0,0,"),
                        ("unfinished", 30, ",unfinished,,,,,0,0,0,"),
                        ("four", 4, "CHTC-Spark-CE1,success,11000,13120,2100,2100,0,0,0,")):
    (folder / f"{name}.csv").write_text(head + "".join(f"1,{i},{row}\n" for i in range(jobs)))
