"""Ratios of processor time between two results of Google Benchmark (JSON): compare.py BASE NEW.

Of a benchmark with repetitions the fastest counts: noise only adds time. Those that count their own
time (manual_time) are compared by it.
"""
import json
import sys


def fastest(path):
    """{name: nanoseconds an iteration}"""
    scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    times = {}
    with open(path, encoding="utf-8") as file:
        for run in json.load(file)["benchmarks"]:
            if run.get("run_type") == "aggregate" or "error_occurred" in run:
                continue
            name = run["run_name"]
            kind = "real_time" if name.endswith("/manual_time") else "cpu_time"
            time = run[kind] * scale[run["time_unit"]]
            times[name] = min(time, times.get(name, time))
    return times


def main(base_file, new_file):
    base, new = fastest(base_file), fastest(new_file)
    width = max(map(len, base.keys() | new.keys()), default=0)
    for name in sorted(base.keys() | new.keys()):
        ratio = f"{new[name] / base[name]:7.2f}" if name in base and name in new else (
            "    new" if name in new else "   gone")
        print(f"{name:{width}} {ratio}")


main(*sys.argv[1:])
