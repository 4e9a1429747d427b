"""For each setting of a strategy, a small world in which it is the remedy: does `gridcast optimize` find it?

    optimize_knobs.py FOLDER [KEY...]

With another seed, the recommended strategy is as good as the remedy within the margin, and its gain is the one
that `optimize` has reported. A setting that is no remedy by itself has the reason instead of a world.
"""
import json
import math
import os
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

GRIDCAST = os.environ["GRIDCAST"]

# Worlds. Jobs of an hour on thirteen slots, a number that jobs_in_one does not divide, unless a row says otherwise.
SLOTS = "{name: a, slots: 13, caches: [c1, c2, c3]}"
GPUS = "{name: a, gpus: 8, gpus_per_node: 8, gpu: A100, gpu_capability: 8.0, gpu_memory: 40 GB, disk: 500 GB, uplink: 1 Gbps, caches: [c1]}"
HALF_HOUR = {"stream_limit_Bps.a": 1e7}  # for the input of 18 GB
RESNET = "resnet50-imagenet-osg"
CUT = HALF_HOUR | {"pause": 0.5, "pause_duration_s": 1e7}  # half of the transfers stop on their way
THREE_SITES = ", ".join(f"{{name: {site}, slots: 8}}" for site in "abc")


def one_bad_site(**bad):
    """Draws in which a, b or c is bad: no site is to be avoided in all of them."""
    return [{f"{key}.{site}": value for key, value in bad.items()} for site in "abc"]


LATE_FAILURES = [bad | {"url_failed_after": 0.99, "stream_limit_Bps.a": 1e6, "stream_limit_Bps.b": 1e6,
                        "stream_limit_Bps.c": 1e6} for bad in one_bad_site(url_failure=1)]


def world(now, remedy, goal="gpu-hours", party="owner", draws=({},), sites=SLOTS, jobs=13, hours=1, input="18 GB",
          campaign="", work="epochs: 1", profile="p", record=False, budget=4000):
    return locals()


ROWS = {
    "transfer.protocol": "the input would have other URLs",
    "transfer.stall_timer": world(
        "transfer: {stall_timer: whole_transfer, stall_timeout: 25 min, check_interval: 1 min}",
        "transfer.stall_timer=never", party="site", draws=[HALF_HOUR | {"rate_sigma.a": 0.2}]),
    "transfer.stall_timeout": world(
        "transfer: {stall_timeout: 8 h, check_interval: 1 min}", "transfer.stall_timeout=30 min", party="site",
        draws=[HALF_HOUR | {"outage_scope": 1, "stall_when_quiet": 0.15, "pause": 0.9, "pause_duration_s": 600}]),
    "transfer.first_check": "the starter's code has it, and no configuration",
    "transfer.check_interval": "it moves the end of a stall as stall_timeout does",
    "transfer.on_stall": world(
        "transfer: {stall_timeout: 1 h}", "transfer.on_stall=next_cache,transfer.client_timeout=2 min",
        draws=[HALF_HOUR | {"outage_scope": 1, "stall_when_quiet": 0.3}]),
    "transfer.client_timeout": world(
        "transfer: {stall_timer: never, on_stall: next_cache, client_timeout: 1 h}", "transfer.client_timeout=2 min",
        draws=[HALF_HOUR | {"outage_scope": 1, "stall_when_quiet": 0.3}]),
    "transfer.slow_after": "at its default a slow connection costs two minutes",
    "transfer.resume": world(
        "transfer: {stall_timer: never, on_stall: next_cache, client_timeout: 2 min}", "transfer.resume=true",
        draws=[CUT]),
    "transfer.max_shadow_exceptions": world(
        "transfer: {max_shadow_exceptions: 10, stall_timeout: 1 h}", "transfer.max_shadow_exceptions=1",
        party="access-point", sites=SLOTS.replace("13", "26"),
        draws=[{"outage_scope": 2, "stall_bad_fraction": 0.5, "stall_bad_duration_s": 1e7, "stall_when_bad": 1}]),
    "transfer.most_at_a_time": world(
        "", "transfer.most_at_a_time=1", party="site",
        draws=[{"stream_limit_Bps.a": 1e8, "link_capacity_Bps.a": 1e8}], hours=0.1),
    "transfer.plugin_lifetime": world(
        "transfer: {stall_timer: never}, release: {transfer_holds_after: 1 min}", "transfer.plugin_lifetime=1 h",
        party="site", draws=[HALF_HOUR | {"url_hang.a": 0.2}]),
    "retry.on_transfer_failure": world(
        "retry: {on_transfer_failure: hold}",
        "retry.on_transfer_failure=cool_down,retry.delay=5 min..10 min,retry.times=8", goal="successes",
        party="access-point", draws=[{"url_failure.a": 0.4}]),
    "retry.delay": world(
        "retry: {on_transfer_failure: cool_down, delay: 2 h..4 h, times: 20}", "retry.delay=1 min..2 min",
        goal="makespan", party="access-point", draws=[{"url_failure.a": 0.5}]),
    "retry.times": world(
        "retry: {on_transfer_failure: cool_down, delay: 5 min..10 min, times: 1}", "retry.times=10", goal="successes",
        party="access-point", draws=[{"url_failure.a": 0.5}]),
    "retry.max_retries": world("", "retry.max_retries=10", goal="successes", draws=[{"crash.a": 0.4}]),
    "retry.success_exit_code": "the program decides it",
    "retry.retry_until": "max_retries limits the retries",
    "retry.on_exit_hold": "an expression of the owner",
    "retry.on_exit_hold_subcode": "a mark for expressions of the owner",
    "retry.on_exit_remove": "an expression of the owner",
    "retry.crash_holds": "the list of output files decides it",
    "retry.outputs_unlisted": "the list of output files decides it",
    "retry.periodic_hold": "an expression of the owner",
    "retry.periodic_hold_subcode": "a mark for expressions of the owner",
    "retry.periodic_release": "an expression of the owner; release.transfer_holds_after is its searched form",
    "retry.periodic_remove": "an expression of the owner",
    "retry.periodic_vacate": "an expression of the owner",
    "retry.request_memory": world(
        "", "retry.request_memory=3000", goal="makespan",
        sites="{name: a, slots: 4, memory: 4 GB}, {name: b, slots: 12, memory: 4 GB}, {name: c, slots: 4, memory: 16 GB}",
        campaign="request: {gpus: 0, memory: 8 GB}", work="epochs: 1, memory: [1 GB, 2 GB]"),
    "retry.request_disk": world(
        "", "retry.request_disk=30000000", goal="makespan",
        sites="{name: a, slots: 4, disk: 40 GB}, {name: b, slots: 12, disk: 40 GB}, {name: c, slots: 4, disk: 100 GB}",
        campaign="request: {gpus: 0, disk: 80 GB}", work="epochs: 1, disk: [20 GB, 25 GB]"),
    "retry.retry_request_memory": world(
        "", "retry.retry_request_memory=2 * RequestMemory", goal="successes",
        campaign="request: {gpus: 0, memory: 2 GB}", work="epochs: 1, memory: [1 GB, 1 GB, 1 GB, 3 GB]",
        sites="{name: a, slots: 13, memory: 2.2 GB}, {name: b, slots: 2, memory: 8 GB}"),
    "retry.retry_request_disk": world(
        "", "retry.retry_request_disk=2 * RequestDisk", goal="successes",
        campaign="request: {gpus: 0, disk: 30 GB}", work="epochs: 1, disk: [20 GB, 20 GB, 20 GB, 45 GB]",
        sites="{name: a, slots: 13, disk: 31 GB}, {name: b, slots: 2, disk: 100 GB}"),
    "release.transfer_holds_after": world(
        "retry: {on_transfer_failure: hold}", "release.transfer_holds_after=20 min", goal="successes",
        draws=[{"url_failure.a": 0.4}]),
    "release.times": world(
        "retry: {on_transfer_failure: hold}, release: {transfer_holds_after: 20 min, times: 1}", "release.times=10",
        goal="successes", draws=[{"url_failure.a": 0.6}]),
    "match.avoid_hosts": world("", "match.avoid_hosts=[hole.edu]", goal="makespan", record=True),
    "match.avoid_site.after_stalls": world(
        "transfer: {stall_timeout: 1 h}", "match.avoid_site.after_stalls=1,match.avoid_site.for=1 d",
        draws=one_bad_site(url_hang=1), sites=THREE_SITES),
    "match.avoid_site.after_failures": world(
        "", "match.avoid_site.after_failures=1,match.avoid_site.for=1 d", input="1.8 GB", draws=LATE_FAILURES,
        sites=THREE_SITES),
    "match.avoid_site.for": world(
        "match: {avoid_site: {after_failures: 1, for: 1 min}}", "match.avoid_site.for=1 d", input="1.8 GB",
        draws=LATE_FAILURES, sites=THREE_SITES.replace("8", "5")),
    "match.requirements": world(
        "", 'match.requirements=GLIDEIN_ResourceName =!= "b"', goal="successes", draws=[{"crash.b": 0.9}],
        sites=THREE_SITES),
    "match.rank": world(
        "", 'match.rank=GLIDEIN_ResourceName =?= "a"', goal="makespan", draws=[{"evict_per_s.b": 1e-4}],
        sites="{name: a, slots: 12}, {name: b, slots: 13}"),
    "limits.allowed_execute_duration": "it holds jobs for good",
    "limits.allowed_job_duration": "it holds jobs for good",
    "limits.job_lease_duration": world(
        "limits: {job_lease_duration: 1 d}", "limits.job_lease_duration=10 min",
        draws=[{"disconnect_per_s.a": 1e-4, "reconnect.a": 0.2, "reconnect_delay_family": 3,
                "reconnect_delay_shape": 1e-9, "reconnect_delay_scale_s": 60, "reconnect_delay_shift_s": 0}]),
    "checkpoint.every_epochs": world(
        "checkpoint: {every_epochs: 48}", "checkpoint.every_epochs=5", hours=24, work="epochs: 96",
        draws=[{"evict_per_s.a": 1 / 36000, "checkpoint_family": 3, "checkpoint_shape": 1e-9,
                "checkpoint_scale_s": 300, "checkpoint_shift_s": 0}]),
    "checkpoint.exit_code": "the program decides it",
    "checkpoint.every_steps": world(
        "checkpoint: {every_steps: 40000}", "checkpoint.every_steps=2500", sites=GPUS, profile=RESNET,
        work="epochs: 10", draws=[{"evict_per_s.a": 1 / 18000}], jobs=4),
    "checkpoint.every": world(
        "checkpoint: {every: 6 h}", "checkpoint.every=20 min", sites=GPUS, profile=RESNET, work="epochs: 10",
        draws=[{"evict_per_s.a": 1 / 18000}], jobs=4),
    "training.data": world("", "training.data=stream", sites=GPUS, profile=RESNET, input="137 GB"),
    "training.profile": "another workload",
    "submit.max_materialize": world(
        "submit: {max_materialize: 2}", "submit.max_materialize=0", goal="makespan"),
    "submit.jobs_at_a_time": world(
        "transfer: {stall_timer: whole_transfer, stall_timeout: 1 h}",
        "submit.jobs_at_a_time=3,submit.every=45 min", goal="makespan",
        draws=[{"stream_limit_Bps.a": 2e7, "link_capacity_Bps.a": 2e7}], hours=10),
    "submit.every": world(
        "submit: {jobs_at_a_time: 3, every: 1 d}", "submit.every=10 min", goal="makespan"),
    "submit.gpus": world("", "submit.gpus=4", goal="makespan", sites=GPUS, profile=RESNET, work="epochs: 5", jobs=2),
    "submit.jobs_in_one": world("", "submit.jobs_in_one=4", draws=[HALF_HOUR], hours=0.1, jobs=12),
    "submit.input_parts": world(
        "", "submit.input_parts=20", draws=[HALF_HOUR | {"url_failure.a": 0.5, "url_failed_after": 0.99}]),
    "submit.second_copy_after": world(
        "", "submit.second_copy_after=3 h", goal="makespan", draws=[{"execution_sigma": 1.2}], jobs=6),
}


def calibration(row):
    """Draws with the same columns; a process without a column does not happen."""
    names = [site.split(",")[0] for site in row["sites"].split("name: ")[1:]]
    usual = {"work_s": 3600 * row["hours"]}
    for name in names:
        usual |= {f"{'gpus' if 'gpus:' in row['sites'] else 'slots'}.{name}": 1000, f"speed.{name}": 1, f"stream_limit_Bps.{name}": 1e8}
    draws = [usual | draw for draw in row["draws"]]
    columns = sorted(set().union(*draws))
    rows = "".join(f"    - {[draw.get(key, 0) for key in columns]}\n" for draw in draws)
    return f"schema: gridcast.calibration/1\nprofile: p\nparameters: {{}}\ndraws:\n  columns: {json.dumps(columns)}\n  rows:\n{rows}"


def write_world(row, folder):
    (folder / "calibration.yaml").write_text(calibration(row))
    caches = ", ".join(f"{{name: c{k}, disk: 10 TB}}" for k in (1, 2, 3))
    (folder / "pool.yaml").write_text(
        f"schema: gridcast.pool/1\nsites: [{row['sites']}]\ncaches: [{caches}]\n"
        "origin: {name: o, bandwidth: 100 Gbps, stream_limit: 100 Gbps}\n"
        "access_point: {shadow_start_interval: 0 s, max_execution: 1000 h}\n")
    request = row["campaign"] or f"request: {{gpus: {int('gpus:' in row['sites'])}}}"
    (folder / "world.yaml").write_text(
        "schema: gridcast.scenario/1\ntitle: A remedy\npool: pool.yaml\ncalibration: calibration.yaml\n"
        f"campaign: {{submit: [{{jobs: {row['jobs']}}}], {request}, work: {{profile: {row['profile']}, {row['work']}}},"
        f" input: [{{url: 'osdf:///x', size: {row['input']}}}]}}\n"
        f"strategies: {{now: {{{row['now']}}}}}\nbaseline: now\nstudy: {{goal: {row['goal']}}}\n")


def write_record(folder):
    """A log of 24 jobs on two hosts; every second one was first evicted by the host `hole`."""
    usage = "".join(f"\t\tUsr 0 00:00:00, Sys 0 00:00:00  -  {of} {what}\n"
                    for of in ("Run Remote", "Run Local", "Total Remote", "Total Local") for what in ["Usage"])
    events = []
    for job in range(24):
        at = 60
        events.append((0, job, "000", "Job submitted from host: <10.1.1.1:9618>"))
        for host, address, seconds in [("hole", 2, 1800), ("good", 1, 600)][1 - job % 2:]:
            events.append((at, job, "001", f"Job executing on host: <10.0.0.{address}:9618>\n"
                           f'\tSlotName: slot1_1@{host}.edu\n\tGLIDEIN_ResourceName = "A"'))
            at += seconds
            events.append((at, job, "004", "Job was evicted.\n\t(0) CPU times") if host == "hole" else
                          (at, job, "005", "Job terminated.\n\t(1) Normal termination (return value 0)\n" + usage[:-1]))
            at += 60
    start = datetime(2024, 8, 12, 9)
    (folder / "record.log").write_text("".join(
        f"{number} (001.{job:03d}.000) {start + timedelta(seconds=at):%Y-%m-%d %H:%M:%S} {text}\n...\n"
        for at, job, number, text in sorted(events)))
    (folder / "job.sub").write_text("executable = a\nqueue 24\n")


def gridcast(*arguments):
    done = subprocess.run([GRIDCAST, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"gridcast {' '.join(arguments)}\n{done.stderr}")
    return json.loads(done.stdout)


def lead(one, other, margin):
    """Of one strategy's figures over another's, in the first goal in which they differ: above 0 if it is better.
    The later goals weigh less in the search, so that they differ later."""
    for place, (goal, value) in enumerate(one.items()):
        sign = 1 if goal in ("successes", "deadline") else -1
        a, b = (sign * (math.inf if figure is None else figure) for figure in (value, other[goal]))
        if a != b and abs(a - b) > margin * (3 if place else 1) * min(abs(a), abs(b)):
            return a - b
    return 0


def gain_faults(found, compared, campaigns):
    gain, figures = found["gain"], {name: each["figures"] for name, each in compared["choice"]["strategies"].items()}
    before, after = (figures[name][gain["goal"]] for name in (compared["baseline"], "optimized"))
    if None in (before, after, gain["difference"]):
        return [] if (before, after) == (gain["before"], gain["after"]) or before is gain["before"] is None else ["never"]
    low, high = gain["ci95"]
    error = (high - low) * (1 + math.sqrt(found["measured"] / campaigns)) + compared["choice"]["margin"] * abs(before)
    same = gain["difference"] * (after - before) > 0 and abs(gain["difference"] - (after - before)) <= error
    return [] if same else [f"the gain is {gain}, and with another seed {after - before}"]


def faults_of(row, folder):
    """The faults of the answer to one world."""
    folder.mkdir(parents=True, exist_ok=True)
    if row["record"]:
        write_record(folder)
        work = [str(folder / "job.sub"), str(folder / "record.log"), "--set", "campaign.work.from=record"]
    else:
        write_world(row, folder)
        work = [str(folder / "world.yaml")]
    campaigns, new = 200, str(folder / "new.yaml")
    found = gridcast("optimize", *work, "--as", row["party"], "--budget", f"{row['budget']} campaigns", "-j", "1",
                     "--json", "--force", "-o", new)
    compared = gridcast("compare", new, "--with", f"remedy:{row['remedy']}", "-n", str(campaigns), "--seed", "991",
                        "--all", "-j", "1", "--json")
    figures = {name: each["figures"] for name, each in compared["choice"]["strategies"].items()}
    margin, now = compared["choice"]["margin"], figures[compared["baseline"]]
    faults = [] if lead(figures["remedy"], now, margin) > 0 else ["the world does not need the remedy"]
    if lead(figures["optimized"], figures["remedy"], margin) < 0:
        changes = {change["key"]: change["to"] for change in found["changes"]}
        faults.append(f"the recommendation {changes} is worse than the remedy")
    faults += gain_faults(found, compared, campaigns)
    return [f"{fault}: {figures}" for fault in faults]


def keys_of(section):
    """The rows of the strategy table, by the JSON Schema: all but the words for people and the versions."""
    for name, part in section["properties"].items():
        if "properties" in part:
            yield from (f"{name}.{key}" for key in keys_of(part))
        else:
            yield name


def main():
    folder, only = Path(sys.argv[1]), sys.argv[2:]
    schema = gridcast("help", "schema")["definitions"]["scenario"]["properties"]["strategies"]
    keys = [key for key in keys_of(schema["additionalProperties"])
            if key not in ("about", "work") and not key.startswith("software.")]
    faults = [f"{key}: a row of the strategy table without a world or a reason here" for key in keys if not ROWS.get(key)]
    faults += [f"{key}: no row of the strategy table" for key in ROWS if key not in keys]
    for key in only or ROWS:
        if isinstance(ROWS[key], dict):
            faults += [f"{key}: {fault}" for fault in faults_of(ROWS[key], folder / key)]
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
