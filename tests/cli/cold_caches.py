"""A made-up record of cold caches: log, INPUT ads and submit file of so many jobs into the folder that is given.

Two sites of four slots with a cache each, eight files of 1 GB, jobs that want one of them each. A transfer takes 20 s
at 50 MB/s, and not less than the cache's own fetch at 5 MB/s, which the first to ask for a file there begins and
the others wait for. It prints the mean seconds of an input transfer.
"""

import json
import math
import pathlib
import random
import sys
import time

folder = pathlib.Path(sys.argv[1])
jobs = int(sys.argv[2])
luck = random.Random(7)
start = 1767225600  # 2026-01-01, UTC
slots = [(0.0, site, slot) for site in range(2) for slot in range(4)]
there, events, ads, inputs, files = {}, [], [], [], []


def stamp(at):
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(start + int(at)))


for job in range(jobs):
    begin, site, slot = min(slots)
    slots.remove((begin, site, slot))
    file = luck.randrange(8)
    asked = begin + 3 + luck.random()
    flow = 20 * math.exp(0.1 * luck.gauss(0, 1))
    filled = there.setdefault((site, file), asked + 200 * math.exp(0.1 * luck.gauss(0, 1)))
    arrived = max(asked + flow, filled)
    done = arrived + 1 + 120 * math.exp(0.1 * luck.gauss(0, 1))
    slots.append((done + 2, site, slot))
    inputs.append(arrived - asked)
    name = f"001.{job:03}.000"
    host = f"<192.0.2.{site + 1}:9618?sock=slot{slot}>"
    events += [
        (0, f"000 ({name}) {stamp(0)} Job submitted from host: <192.0.2.9:9618>"),
        (asked, f"040 ({name}) {stamp(asked)} Started transferring input files\n\tTransferring to host: {host}"),
        (arrived, f"040 ({name}) {stamp(arrived)} Finished transferring input files"),
        (arrived + 1, f"001 ({name}) {stamp(arrived + 1)} Job executing on host: {host}\n"
                      f"\tSlotName: slot1_{slot + 1}@glidein_{site}_1@host{site}\n"
                      f"\tGLIDEIN_ResourceName = \"SITE-{'AB'[site]}\""),
        (done, f"005 ({name}) {stamp(done)} Job terminated.\n\t(1) Normal termination (return value 0)\n"
               "\t1000000000  -  Run Bytes Received By Job"),
    ]
    url = {"TransferUrl": f"osdf:///data/part.{file}", "TransferType": "download", "TransferSuccess": True,
           "TransferStartTime": int(start + asked), "TransferEndTime": int(start + arrived),
           "TransferFileBytes": 1000000000, "TransferTotalBytes": 1000000000,
           "ConnectionTimeSeconds": round(arrived - asked, 3),
           "DeveloperData": {"Attempts": 1, "Endpoint0": f"cache-{site + 1}.example:8443",
                             "TransferTime0": round(arrived - asked, 3), "TransferFileBytes0": 1000000000,
                             "TransferEndTime0": int(start + arrived)}}
    ads.append({"ClusterID": 1, "ProcID": job, "NumShadowStarts": 1, "EpochWriteDate": int(start + arrived),
                "InputPluginResultList": [url]})
    files.append(f"osdf:///data/part.{file}\n")

events.sort(key=lambda event: event[0])
(folder / "cold.log").write_text("".join(text + "\n...\n" for _, text in events))
(folder / "cold.json").write_text(json.dumps(ads))
(folder / "job.sub").write_text("executable = train.sh\ntransfer_input_files = $(file)\nqueue file from (\n"
                                + "".join(files) + ")\n")
print(sum(inputs) / len(inputs))
