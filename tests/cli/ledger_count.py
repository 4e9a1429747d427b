"""Is `gridcast ledger` of every real log what count_log.py counts, in any order, twice, and cut anywhere?

    python3 ledger_count.py GRIDCAST CALIBRATION_DATA FOLDER
"""
import json
import random
import subprocess
import sys
from pathlib import Path

import count_log

gridcast, data, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
wrong = 0


def complain(what):
    global wrong
    wrong += 1
    print("FAILED:", what)


def ledger(*files):
    done = subprocess.run([gridcast, "ledger", "--json", *map(str, files)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def metrics_in(out):
    reported = json.loads(out)
    return reported["metrics"] | {"gpu_hours": reported["gpu_hours"]["all"]}


def same(what, logs):
    """The program's figures of these files are those that were counted."""
    counted = count_log.count([count_log.read(log) for log in logs])
    status, out, err = ledger(*logs)
    if status != 0:
        return complain(f"{what}: exit status {status}: {err[:300]}")
    metrics = metrics_in(out)
    differ = {k: (v, metrics[k]) for k, v in counted.items() if abs(v - metrics[k]) > 1e-3}
    if differ:
        complain(f"{what}: counted, and printed: {differ}")


def campaigns():
    for log in sorted(data.glob("htcondor-pool/c*/*.log")) + sorted(data.glob("htcondor-transfer/*/*.log")):
        if log.parent.name != "check":
            yield log.parent.name, [log]
    for log in sorted(data.glob("metl-ospool/*.log")) + sorted(data.glob("metl-campaign/*.log")):
        yield log.stem, [log]
    yield "all of METL", sorted(data.glob("metl-ospool/*.log"))
    # Slots without GPUs beside slots with some: the hours of the latter alone.
    yield "a pool without GPUs, and AWS", [data / "htcondor-pool/c1-sweep/c1-sweep.log", data / "metl-campaign/aws-jobs-1-57.log"]


for name, logs in campaigns():
    same(name, logs)

# In any order, and with copies, byte for byte.
draw = random.Random(1)
metl = sorted(data.glob("metl-ospool/*.log"))
_, first, _ = ledger(*metl)
for turn in range(3):
    mixed = metl + draw.sample(metl, 5) if turn == 2 else list(metl)
    draw.shuffle(mixed)
    if ledger(*mixed)[1] != first:
        complain(f"METL's logs in another order ({turn}) give other figures")

# A log of each job, in any order; an older copy beside the newer one; a log without its transfers (as DAGMan's nodes
# log) beside the user log; a piece of a log beside the whole: each is the log itself.
def of_jobs(log):
    jobs = {}
    for block in log.read_text().split("...\n")[:-1]:
        jobs.setdefault(count_log.HEAD.match(block).group(2, 3), []).append(block + "...\n")
    return jobs


def written(name, text):
    (folder / name).write_text(text)
    return folder / name


def figures(*files):
    return json.loads(ledger(*files)[1] or "{}")


for log in sorted(data.glob("htcondor-transfer/*/*.log")) + [data / "htcondor-pool/c1-sweep/c1-sweep.log",
                                                             data / "htcondor-pool/c3-ckpt/c3-ckpt.log"]:
    whole = figures(log)
    parts = [written(f"{i}.job.log", "".join(blocks)) for i, blocks in enumerate(of_jobs(log).values())]
    for turn in range(2):
        draw.shuffle(parts)
        if figures(*parts) != whole:
            complain(f"{log.stem}: a log of each job, in some order ({turn}), gives other figures")

for log in (data / "metl-campaign/aws-jobs-1-57.log", data / "htcondor-transfer/g1.r1/g1.r1.log",
            data / "htcondor-pool/c1-sweep/c1-sweep.log"):
    whole, text = figures(log), log.read_text()
    blocks = text.split("...\n")
    others = {"an older copy": text[:draw.randrange(len(text) // 4, len(text))],
              "a piece": "...\n".join(blocks[len(blocks) // 3:len(blocks) // 2]) + "...\n",
              "no transfers": "".join(b + "...\n" for b in blocks[:-1] if not b.startswith(("040", "006")))}
    for what, other in others.items():
        beside = written("beside.log", other)
        for files in ([log, beside], [beside, log], [beside, log, beside]):
            if figures(*files) != whole:
                complain(f"{log.stem} and {what}: other figures ({[f.name for f in files]})")

# Attempts by site, as the pool's own epoch ads have them (SITE-A to SITE-D): also those that never executed, of which the
# log names no site. And bytes by site.
for name, attempts in {"g1.r1": (88, 49, 69, 26), "w1.r1": (40, 30, 34, 18), "w3.r1": (27, 22, 25, 12),
                       "w5.r1": (32, 27, 21, 13)}.items():
    sites = figures(data / f"htcondor-transfer/{name}/{name}.log")["sites"]
    reported = {site: figures_of["attempts"] for site, figures_of in sites.items()}
    if reported != dict(zip(("SITE-A", "SITE-B", "SITE-C", "SITE-D"), attempts)):
        complain(f"{name}: attempts by site: {reported}")
for log in sorted(data.glob("metl-*/*.log")):
    counted = {site: moved for site, moved in count_log.bytes_by_site(count_log.read(log)).items() if any(moved.values())}
    reported = {site: moved for site, moved in figures(log).get("bytes", {"sites": {}})["sites"].items() if any(moved.values())}
    if "" not in counted and reported != counted:
        complain(f"{log.stem}: bytes by site: counted {counted}, reported {reported}")

# Cut anywhere: what is whole counts.
for source in (data / "htcondor-pool/c1-sweep/c1-sweep.log", data / "metl-ospool/metl_12637470.log",
               data / "htcondor-transfer/w5.r1/w5.r1.log", data / "metl-campaign/aws-jobs-1-57.log",
               data / "metl-campaign/pretraining-jobs-1-25.nodes.log"):
    text = source.read_bytes()
    for _ in range(6):
        cut = folder / "cut.log"
        at = draw.randrange(2000, len(text))
        cut.write_bytes(text[:at])
        same(f"{source.name} cut at byte {at}", [cut])

# With the ads of transfers, which date these to the millisecond: the same but for a second at each end.
for log in sorted(data.glob("htcondor-transfer/*/*.log")):
    counted = count_log.count([count_log.read(log)])
    for turn in ([log, log.parent / "epochs.INPUT.json"], [log.parent / "epochs.INPUT.json", log]):
        status, out, err = ledger(*turn)
        if status != 0:
            complain(f"{log.stem} with ads: exit status {status}: {err[:300]}")
            continue
        metrics = metrics_in(out)
        slack = {"wallclock_s": metrics["attempts"], "makespan_s": 1, "gpu_hours": metrics["attempts"] / 3600}
        differ = {k: (v, metrics[k]) for k, v in counted.items() if abs(v - metrics[k]) > slack.get(k, 0)}
        if differ:
            complain(f"{log.stem} with ads: counted, and printed: {differ}")

# With ads: what the jobs' own ads sum up, of each pool campaign; and from those ads alone.
for campaign in sorted(data.glob("htcondor-pool/c*")):
    ads = campaign / "history.json"
    # Where the access point died under its running jobs (c3), its ads forget when those had begun.
    if not ads.exists() or campaign.name == "c3-ckpt":
        continue
    jobs = json.loads(ads.read_text())
    sums = {"jobs": len(jobs), "executions": sum(job["NumJobStarts"] for job in jobs),
            "attempts": sum(job["NumShadowStarts"] for job in jobs),
            "wallclock_s": sum(job["RemoteWallClockTime"] for job in jobs)}
    files = {"ads alone": [ads], "log and ads": [campaign / f"{campaign.name}.log", *sorted(campaign.glob("*.json"))]}
    files["log and ads"] = [f for f in files["log and ads"] if f.name.startswith(("history", "epochs", campaign.name))]
    for what, records in files.items():
        for turn in (records, records[::-1]):
            status, out, err = ledger(*turn)
            if status != 0:
                complain(f"{campaign.name}, {what}: exit status {status}: {err[:300]}")
                continue
            metrics = json.loads(out)["metrics"]
            # Stamps of whole seconds: a second of doubt at each end of an attempt.
            slack = {"wallclock_s": 0 if what == "ads alone" else sums["attempts"]}
            differ = {k: (v, metrics[k]) for k, v in sums.items() if abs(v - metrics[k]) > slack.get(k, 0)}
            if differ:
                complain(f"{campaign.name}, {what}: summed, and printed: {differ}")

sys.exit(wrong > 0)
