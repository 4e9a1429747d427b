#!/usr/bin/env python3
"""Writes a scenario of any size, for benchmarks and tests of large campaigns.

  scale_scenario.py [--jobs N] [--slots N] [--sites N] [--caches N] [--load RHO] [--name NAME] DIR

DIR receives scenario.yaml, pool.yaml and calibration.yaml; with --name NAME.yaml and its pool and
calibration in DIR/parts.

The job model is the one with which other simulators were measured (docs/performance.md): 1 GB over
the link of its site, 10,000 s of work on average, one slot. The capacity of the links follows from
the offered load rho = arrival of bytes at full occupation / capacity:

  capacity of a site = slots of the site / 10,000 s * 1 GB / rho

All processes are on: caches that are overloaded at times, stalls, 404 shocks, sites that lose their
network, holds and releases, pilots that come, retire and are killed.
"""
import argparse
import math
import pathlib

INPUT_BYTES = 1e9
MEAN_WORK_S = 1e4
# The work is lognormal with the standard deviation of U(0.5, 1.5), 1 / sqrt(12).
WORK_SIGMA = 0.28
PILOT_KILL_PER_S = 1.0 / (5 * 86400)

# Rates of failure of the order of those that were fitted to the published campaign, in a pool whose
# caches are bad for a fiftieth of the time (assumption A-SCALE).
DRAW = {
    "outage_scope": 1,  # caches
    "stall_bad_fraction": 0.02,
    "stall_bad_duration_s": 4 * 3600,
    "stall_when_bad": 0.5,
    "stall_when_quiet": 0.002,
    "slow_before_stall": 0.1,
    "slow_duration_s": 600,
    "rate_noise": 0.2,
    "hold_on_failure": 0.1,
    "spurious_404": 1e-3,
    "not_found_per_start": 1e-5,
    "not_found_mean_hits": 15,
    "network_down_per_start": 1e-5,
    "network_down_mean_hits": 2,
    "corrupt_input": 1e-3,
    "corrupt_execution_s": 30,
    "release_transfer_hold": 0.9,
    "release_other_hold": 0.5,
    "release_delay_mean_s": 6 * 3600,
    "overhead_shape": 2,
    "overhead_scale_s": 30,
    "http_abort": 0.1,
}


def number(value):
    """The shortest decimal that reads back as the same double."""
    return str(int(value)) if value == int(value) else repr(float(value))


def slots_of(scale, site):
    """Shared out evenly, the first sites one more."""
    return scale.slots // scale.sites + (1 if site < scale.slots % scale.sites else 0)


def scenario_text(scale, pool, calibration):
    return f"""\
# How long does a campaign of {scale.jobs} jobs take on {scale.slots} slots, and how fast is it simulated?
# Look at makespan_s and badput_s, and at the time that the program itself takes.
schema: gridcast.scenario/1
title: {scale.jobs} jobs on {scale.slots} slots of {scale.sites} sites, load {scale.load:g}
question: How long does it take, and how much is lost?
pool: {pool}
calibration: {calibration}
campaign:
  submit: [{{at: 0 s, jobs: {scale.jobs}}}]
  request: {{gpus: 1, disk: 10 GB}}
  input: [{{url: "osdf:///gridcast/scale/input.tar", size: 1 GB}}]
  work: {{profile: scale, epochs: 1}}
strategies:
  usual: {{release: {{transfer_holds_after: 20 min}}}}
baseline: usual
study: {{replicas: 1, seed: 1}}
"""


def pool_text(scale):
    lines = ["# A pool of equal sites, each with the three next caches; made from parameters.",
             "schema: gridcast.pool/1", "sites:"]
    for site in range(scale.sites):
        offered = (f"cache-{(site + i) % scale.caches + 1:03}" for i in range(min(scale.caches, 3)))
        lines.append(f"  - {{name: SITE-{site + 1:04}, gpus: {slots_of(scale, site)}, gpu: V100, "
                     "gpu_capability: 7.0, gpu_memory: 16 GB, disk: 500 GB, uplink: 10 Gbps, "
                     f"caches: [{', '.join(offered)}]}}")
    lines.append("caches:")
    lines += (f"  - {{name: cache-{cache + 1:03}, disk: 50 TB}}" for cache in range(scale.caches))
    lines.append("origin: {name: origin, bandwidth: 100 Gbps, stream_limit: 10 Gbps}")
    return "\n".join(lines) + "\n"


def calibration_text(scale):
    columns, row = [], []
    for site in range(scale.sites):
        capacity = slots_of(scale, site) / MEAN_WORK_S * INPUT_BYTES / scale.load
        values = {
            "gpus": slots_of(scale, site),
            "unpack_s": 0,
            "epoch_family": 3,  # lognormal
            "epoch_shape": WORK_SIGMA,
            "epoch_scale_s": MEAN_WORK_S / math.exp(WORK_SIGMA * WORK_SIGMA / 2),
            "epoch_shift_s": 0,
            "stream_limit_Bps": capacity,
            "link_capacity_Bps": capacity,
            "pilot_kill_per_s": PILOT_KILL_PER_S,
        }
        columns += (f"{name}.SITE-{site + 1:04}" for name in values)
        row += values.values()
    columns += DRAW
    row += DRAW.values()
    lines = ["# Parameters that were made up, not fitted: one world for each seed.",
             "schema: gridcast.calibration/1", "profile: scale", "parameters: {}", "draws:",
             "  columns:", *(f"    - {name}" for name in columns), "  rows:",
             f"    - [{', '.join(map(number, row))}]"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="A scenario of any size.")
    parser.add_argument("--jobs", type=int, default=1_000_000)
    parser.add_argument("--slots", type=int, default=5_000)
    parser.add_argument("--sites", type=int, default=50)
    parser.add_argument("--caches", type=int, default=20)
    parser.add_argument("--load", type=float, default=0.5)
    parser.add_argument("--name", default="")
    parser.add_argument("folder", type=pathlib.Path)
    scale = parser.parse_args()
    if min(scale.jobs, scale.sites, scale.caches, scale.load) <= 0 or scale.slots < scale.sites:
        parser.error("jobs, caches and load have to be positive, and each site needs a slot")
    part = f"parts/{scale.name}-" if scale.name else ""
    pool, calibration = f"{part}pool.yaml", f"{part}calibration.yaml"
    (scale.folder / pool).parent.mkdir(parents=True, exist_ok=True)
    (scale.folder / f"{scale.name or 'scenario'}.yaml").write_text(
        scenario_text(scale, pool, calibration))
    (scale.folder / pool).write_text(pool_text(scale))
    (scale.folder / calibration).write_text(calibration_text(scale))


if __name__ == "__main__":
    main()
