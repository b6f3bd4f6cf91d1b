#!/usr/bin/python3
"""Measures the memory of a training over many epochs, or on a large data set.

usage: tests/reliability/memory_test.py flat  [--epochs 2000] [--warm-up 200] [--most 1.0] [--record FILE]
       tests/reliability/memory_test.py large [--systems 100000] [--most-share 0.5] [--record FILE]
       tests/reliability/memory_test.py systems [--systems 9000] [--most-share 0.25]

flat: a tiny training; its own memory (RssAnon) at the end may differ by --most percent from that after --warm-up epochs.
large: one epoch on simulated springs; its own memory may never be more than --most-share of the data set's file.
systems: the same in small: what three times the systems add to it, as a share of what they add to the file.
All: --lgode PROGRAM, --folder FOLDER (work there, and leave the files; the data set is used again).
Exits with 1 if it is more.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from watched import commit, machine, watch

TINY = "--encoder-width 8 --sequence-width 8 --latent 4 --augment 4 --hidden 8 --step 0.05 --dropout 0.2".split()


def simulate(a, folder, systems, test):
    data = folder / "springs.safetensors"
    if not data.exists():
        subprocess.run([a.lgode, "simulate", "springs", "--train", str(systems), "--test", str(test),
                        "--out", str(data)], check=True)
    return data


def train(a, folder, options, every, look):
    words = [a.lgode, "train", "springs.safetensors", "--task", "extrapolate", *options, "--out", "run", "--quiet"]
    begin = time.monotonic()
    process = subprocess.Popen(words, cwd=folder)
    if watch(process, every, look) != 0:
        sys.exit("memory_test: the training failed")
    return time.monotonic() - begin


def flat(a, folder):
    simulate(a, folder, 48, 4)
    options = ["--epochs", str(a.epochs), "--batch", "8", *TINY, "--threads", "2", "--seed", "3", "--no-report"]
    metrics = folder / "run" / "metrics.jsonl"
    samples = []  # (epochs done, bytes)
    state = {"read": 0, "epoch": -1}  # a line is there before the first epoch

    def look(memory):
        if metrics.exists():
            with metrics.open("rb") as file:
                file.seek(state["read"])
                new = file.read()
            state["read"] += len(new)
            state["epoch"] += new.count(b"\n")
        if state["epoch"] >= 1:
            samples.append((state["epoch"], memory["RssAnon"]))

    seconds = train(a, folder, options, 0.02, look)
    last = (folder / "run" / "metrics.jsonl").read_bytes().count(b"\n") - 1
    span = max((last - a.warm_up) // 20, 1)
    early = [m for e, m in samples if a.warm_up <= e < a.warm_up + span]
    late = [m for e, m in samples if last - span <= e < last]  # the last epoch's samples include what comes after it
    if not early or not late:
        sys.exit("memory_test: too few samples; more --epochs are needed")
    after = [m for e, m in samples if a.warm_up <= e < last]
    begin, end = statistics.median(early), statistics.median(late)
    percent = 100 * (end / begin - 1)
    curve = {}
    for epoch, m in samples:
        curve.setdefault(epoch * 20 // (last + 1), []).append(m)
    record = {"epochs": last, "warm_up": a.warm_up, "samples": len(samples), "bytes_after_warm_up": int(begin),
              "bytes_at_the_end": int(end), "bytes_lowest": min(after), "bytes_highest": max(after),
              "change_percent": round(percent, 3), "most_percent": a.most, "seconds": round(seconds, 1),
              "median_bytes_per_twentieth": [int(statistics.median(v)) for _, v in sorted(curve.items())],
              "options": options}
    print(f"memory_test: {last} epochs: {begin / 2**20:.2f} MiB after {a.warm_up}, {end / 2**20:.2f} MiB at the end, "
          f"{percent:+.3f} % (at most {a.most} %)")
    return record, abs(percent) <= a.most


def large(a, folder):
    data = simulate(a, folder, a.systems, 0)
    size = data.stat().st_size
    options = ["--epochs", "1", "--threads", str(a.threads), "--seed", "3"]
    peak = {"RssAnon": 0, "RssFile": 0}
    count = [0]

    def look(memory):
        count[0] += 1
        for key in peak:
            peak[key] = max(peak[key], memory[key])

    seconds = train(a, folder, options, 0.02, look)
    share = peak["RssAnon"] / size
    last = json.loads((folder / "run" / "metrics.jsonl").read_text().splitlines()[-1])
    record = {"systems": a.systems, "file_bytes": size, "peak_own_bytes": peak["RssAnon"],
              "peak_mapped_bytes": peak["RssFile"], "share_of_file": round(share, 4), "most_share": a.most_share,
              "samples": count[0], "steps": last["steps"], "epochs": last["epoch"], "seconds": round(seconds, 1),
              "options": options}
    print(f"memory_test: {a.systems} systems, file {size / 2**20:.0f} MiB: own memory at most "
          f"{peak['RssAnon'] / 2**20:.0f} MiB, {100 * share:.1f} % of the file (at most {100 * a.most_share:.0f} %)")
    return record, share <= a.most_share


def systems(a, folder):
    found = []
    for count in (a.systems // 3, a.systems):  # both validate and calibrate on whole batches
        part = folder / str(count)
        part.mkdir()
        size = simulate(a, part, count, 0).stat().st_size
        peak = [0]

        def look(memory, peak=peak):
            peak[0] = max(peak[0], memory["RssAnon"])

        options = ["--epochs", "1", "--threads", "1", "--seed", "3", *TINY, "--batch", "64", "--no-report"]
        train(a, part, options, 0.005, look)
        found.append((size, peak[0]))
    share = (found[1][1] - found[0][1]) / (found[1][0] - found[0][0])
    record = {"systems": a.systems, "file_bytes": [f[0] for f in found], "peak_own_bytes": [f[1] for f in found],
              "share_of_file": round(share, 4), "most_share": a.most_share}
    print(f"memory_test: {a.systems} instead of {a.systems // 3} systems: the file grows by "
          f"{(found[1][0] - found[0][0]) / 2**20:.1f} MiB, own memory by {(found[1][1] - found[0][1]) / 2**20:.1f} MiB, "
          f"{100 * share:.1f} % of it (at most {100 * a.most_share:.0f} %)")
    return record, share <= a.most_share


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("kind", choices=("flat", "large", "systems"))
    parser.add_argument("--lgode", default="build/release/bin/lgode", help="the program")
    parser.add_argument("--epochs", type=int, default=2000)
    parser.add_argument("--warm-up", type=int, default=200)
    parser.add_argument("--most", type=float, default=1.0, help="largest change in percent")
    parser.add_argument("--systems", type=int)
    parser.add_argument("--most-share", type=float)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--record", help="JSON file to write the result to")
    parser.add_argument("--folder", help="work here, and leave the files")
    a = parser.parse_args()
    a.lgode = str(pathlib.Path(a.lgode).resolve())
    measure = {"flat": flat, "large": large, "systems": systems}[a.kind]
    a.systems = a.systems or (9000 if a.kind == "systems" else 100_000)
    a.most_share = a.most_share or (0.25 if a.kind == "systems" else 0.5)
    if a.folder:
        folder = pathlib.Path(a.folder)
        folder.mkdir(parents=True, exist_ok=True)
        record, fits = measure(a, folder)
    else:
        with tempfile.TemporaryDirectory(prefix="lgode-memory-") as folder:
            record, fits = measure(a, pathlib.Path(folder))
    if a.record:
        record |= {"commit": commit(a.lgode), "machine": machine()}
        pathlib.Path(a.record).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(a.record).write_text(json.dumps(record, indent=1) + "\n")
    return 0 if fits else 1


if __name__ == "__main__":
    sys.exit(main())
