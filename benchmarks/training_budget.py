#!/usr/bin/env python3
"""Trains on small sets of pedestrian windows with the default budget and with a fixed one, and records both.

    benchmarks/training_budget.py --scenes PEDESTRIANS --lgode build/release/bin/lgode --out RECORD.json
    benchmarks/training_budget.py --scenes PEDESTRIANS --lgode OLD/lgode --label before --out RECORD.json
    benchmarks/training_budget.py --scenes PEDESTRIANS --lgode OLD/lgode --label "300 epochs" --options "--epochs 300" --out RECORD.json

PEDESTRIANS is a folder with the text files of docs/real-scenes.md. A set has 100 windows of 8 s, drawn with seeds 1 to 3
from all scenes except crowds_zara01 and biwi_hotel, whose windows are the test part. A forecast sees the first 4 s. Every
training uses one thread. A file that exists already is extended, and an entry with the same label and seed is replaced. All
numbers are those that the command wrote: metrics.jsonl and `lgode evaluate --json`; seconds of the processor are the
system's. Training and selection do not see the test part.
"""
import argparse
import json
import os
import random
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HELD_OUT = ("crowds_zara01", "biwi_hotel")
SECONDS, RATE, WINDOWS = 8, 25, 100


def windows_of(path):
    """The rows of a scene by window: lists of (frame within the scene, person, x, y)."""
    windows = {}
    rows = [line.split() for line in path.read_text().splitlines() if line.strip()]
    first = min(float(row[0]) for row in rows)
    for frame, person, x, y in rows:
        windows.setdefault(int((float(frame) - first) // (SECONDS * RATE)), []).append((frame, person, x, y))
    return windows


def write_set(scenes, seed, folder):
    """Writes the table of one drawn set; the names of its test systems."""
    drawn, held_out = [], []
    for path in sorted(scenes.glob("*.txt")):
        if path.stem.lower() == "readme":
            continue
        for number, rows in sorted(windows_of(path).items()):
            (held_out if path.stem in HELD_OUT else drawn).append((f"{path.stem}-{number}", rows))
    drawn = random.Random(seed).sample(drawn, WINDOWS)
    with open(folder / "table.csv", "w", encoding="utf-8") as table:
        table.write("system,object,time,x,y\n")
        for name, rows in sorted(drawn) + held_out:
            first = min(float(row[0]) for row in rows)
            for frame, person, x, y in rows:
                table.write(f"{name},{person},{(float(frame) - first) / RATE},{x},{y}\n")
    return [name for name, _ in held_out]


def run(command, folder):
    """Runs a command; its output and seconds of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(c) for c in command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"training_budget: {' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(arguments, seed, folder):
    lgode = Path(arguments.lgode).resolve()
    test = write_set(Path(arguments.scenes), seed, folder)
    run([lgode, "import", "csv", "--observations", "table.csv", "--time-unit", "s", "--units", "x=m,y=m",
         "--velocities", "difference", "--first-range", SECONDS, "--test-systems", ",".join(test), "--out",
         "set.safetensors"], folder)
    training = [lgode, "train", "set.safetensors", "--task", "extrapolate", "--observed", "1", "--seed", seed, "--threads",
                1, "--no-report", "--out", "run", *shlex.split(arguments.options)]
    said, seconds = run(training, folder)
    scores = json.loads(run([lgode, "evaluate", "run", "--json", "--threads", 1], folder)[0])
    curve = [json.loads(line) for line in (folder / "run" / "metrics.jsonl").read_text().splitlines()]
    last, best = curve[-1], min((e for e in curve if e["validation_mse"] is not None), key=lambda e: e["validation_mse"])
    return {"seed": seed, "options": arguments.options, "epochs": last["epoch"], "steps": last["steps"],
            "best_epoch": best["epoch"], "best_steps": best["steps"], "cpu_seconds": round(seconds, 1),
            "validation_mse": best["validation_mse"], "test_mse": scores["test_mse"],
            "classical_mse": {name: s["mse"] for name, s in scores["classical"].items()},
            "said": [line for line in said.splitlines() if line.startswith("done")]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", required=True, help="folder of the text files")
    parser.add_argument("--lgode", required=True, help="the command")
    parser.add_argument("--label", default="default", help="name of this measurement in the record")
    parser.add_argument("--options", default="", help="further options of lgode train")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--out", required=True, help="the record, JSON")
    arguments = parser.parse_args()
    out = Path(arguments.out)
    record = json.loads(out.read_text()) if out.exists() else {}
    entry = record.setdefault(arguments.label, {})
    entry["version"] = subprocess.run([arguments.lgode, "--version"], check=True, stdout=subprocess.PIPE,
                                      text=True).stdout.strip()
    runs = {r["seed"]: r for r in entry.get("runs", [])}
    for seed in map(int, arguments.seeds.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            runs[seed] = measure(arguments, seed, Path(folder))
        print(json.dumps({k: v for k, v in runs[seed].items() if k != "classical_mse"}), flush=True)
        entry["runs"] = [runs[s] for s in sorted(runs)]
        temporary = out.with_suffix(".tmp")
        temporary.write_text(json.dumps(record, indent=1) + "\n")
        os.replace(temporary, out)


if __name__ == "__main__":
    main()
