#!/usr/bin/env python3
"""Makes the tables of docs/scaling.md from the records of benchmarks/scaling.py.

    experiments/scaling_table.py experiments/benchmarks            writes scaling.md there
    experiments/scaling_table.py experiments/benchmarks --check    exits with 1 if it is not up to date

The tables of a record that does not exist yet are skipped.
"""
import json
import sys

from table_files import arguments, write_or_check

RANKS = (10, 100, 1000)
# Networks that nothing was measured on: nominal bytes per second in each direction.
NETWORKS = {"10 Gbit/s": 10e9 / 8, "100 Gbit/s": 100e9 / 8}
TAIL = 8  # numbers behind the gradient


def ring(bytes_, ranks, latency, bandwidth):
    """Seconds of a ring: 2 (N - 1) messages in turn, each of B / N bytes."""
    return 2 * (ranks - 1) * (latency + bytes_ / ranks / bandwidth)


def dominates(step, bytes_, latency, bandwidth):
    """Ranks from which on a ring takes longer than the step; None: it always does."""
    low, high = 1, 10**9
    if ring(bytes_, 2, latency, bandwidth) > step:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if ring(bytes_, middle, latency, bandwidth) <= step else (low, middle)
    return high


def time_text(seconds):
    for unit, scale in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1 or unit == "µs":
            return f"{seconds * scale:.3g} {unit}"


def count(number):
    return f"{number:,}"


def steps_table(record):
    lines = [f"Seed {record['seed']}, {record['systems']:,} training systems, {record['batch']} per step over all ranks, "
             f"{record['version']}; {record['gpu'] + ' beside ' if record['gpu'] else ''}{record['machine']}, "
             f"{record['cores']} cores; median of {record['rounds']} rounds.", "",
             "| model | how | step | against the first | loss of the last epoch |", "|---|---|---|---|---|"]
    for model in record["config"]["models"]:
        rows = [r for r in record["steps"] if r["model"] == model]
        for row in rows:
            lines.append(f"| {model} | {row['case']} | {time_text(row['step_ms'] / 1e3)} | "
                         f"{rows[0]['step_ms'] / row['step_ms']:.2f} times as fast | {row['loss']:.7g} |")
    return lines


def sums_table(records):
    lines = ["| ranks | by | of tensors in | bytes | time | bytes per second |", "|---|---|---|---|---|---|"]
    for record in records:
        for group in record["sums"]:
            where = "memory" if group["device"] == "cpu" else "a GPU"
            for row in group["sums"]:
                lines.append(f"| {group['ranks']} | {group['backend']} | {where} | {count(row['bytes'])} | "
                             f"{time_text(row['us'] / 1e6)} | {row['bytes'] / row['us'] / 1e3:.3g} GB/s |")
    return lines


def link(group):
    """Latency and bandwidth of a link, from a ring of two ranks: 2 latencies and the bytes once."""
    small, large = min(group["sums"][:2], key=lambda row: row["us"]), group["sums"][-1]
    slope = (large["us"] - small["us"]) / (large["bytes"] - small["bytes"]) / 1e6
    return small["us"] / 1e6 / 2, 1 / slope


def model_table(record, latency, bandwidth):
    lines = ["| model | bytes per step | steps per second | network | " +
             " | ".join(f"{n:,} ranks" for n in RANKS) + " | network dominates from |",
             "|---|---|---|---|" + "---|" * len(RANKS) + "---|"]
    for model in record["config"]["models"]:
        step = next(r["step_ms"] for r in record["steps"] if r["model"] == model) / 1e3
        bytes_ = 4 * (record["parameters"][model] + TAIL)
        for name, speed in {"as measured between two processes": bandwidth, **NETWORKS}.items():
            shares = []
            for ranks in RANKS:
                seconds = ring(bytes_, ranks, latency, speed)
                shares.append(f"{time_text(seconds)}, {100 * seconds / (seconds + step):.0f} % of a step")
            from_ = dominates(step, bytes_, latency, speed)
            lines.append(f"| {model} | {count(bytes_)} | {1 / step:.3g} | {name} | " + " | ".join(shares) +
                         f" | {'2 ranks' if from_ is None else count(from_) + ' ranks'} |")
    return lines


def text_of(folder):
    cpu, gpu = (json.loads(p.read_text()) if p.exists() else None
                for p in (folder / "scaling.json", folder / "scaling-gpu.json"))
    records = [r for r in (cpu, gpu) if r]
    lines = ["# Scaling", ""]
    if cpu:
        lines += ["## Two processes on two cores", "", *steps_table(cpu), ""]
    if gpu:
        lines += ["## Ranks on one GPU", "", *steps_table(gpu), ""]
    if records:
        lines += ["## The sum over ranks", "", *sums_table(records), ""]
    if cpu:
        latency, bandwidth = link(cpu["sums"][0])
        for record, name in ((cpu, "ranks of one thread each"), (gpu, "ranks of one GPU each")):
            if record:
                lines += [f"## Cost model: {name}", "",
                          f"Latency of a message {time_text(latency)} and {bandwidth / 1e9:.3g} GB/s, from Gloo's sums "
                          f"between two processes; every rank takes as many systems as the measured step has.", "",
                          *model_table(record, latency, bandwidth), ""]
    return "\n".join(lines).rstrip() + "\n"


def main():
    given = arguments(__doc__)
    return write_or_check({given.folder / "scaling.md": text_of(given.folder)}, given.check)


if __name__ == "__main__":
    sys.exit(main())
