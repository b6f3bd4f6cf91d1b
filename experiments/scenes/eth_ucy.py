#!/usr/bin/env python3
"""Trains on all pedestrian scenes but one and forecasts that one, for each of the five of ETH/UCY, and records ADE and FDE.

  eth_ucy.py --scenes PEDESTRIANS --lgode build/release/bin/lgode --out RECORD.json [--only hotel,zara1] [--seeds 1]
             [--options "--model frames --minutes 6 --threads 1"]
  eth_ucy.py --out RECORD.json --table            # prints the record as a table

PEDESTRIANS is a folder with the text files of docs/real-scenes.md. The protocol is the benchmarks': windows of 20 frames
of 0.4 s that start at every frame, 8 seen and 12 forecast, people who are there in all 20, windows with at least two of
them (ade_fde.py). The held-out scene takes part in no choice: validation is `lgode train`'s, on training scenes. A record
that exists is extended, and an entry with the same scene, seed and options is replaced.
"""
import argparse
import fcntl
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import ade_fde

HELD_OUT = {"eth": ["biwi_eth"], "hotel": ["biwi_hotel"], "univ": ["students001", "students003"],
            "zara1": ["crowds_zara01"], "zara2": ["crowds_zara02"]}
NAMES = {"biwi_eth", "biwi_hotel", "crowds_zara01", "crowds_zara02", "crowds_zara03", "students001", "students003",
         "uni_examples"}


def run(*command):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"eth_ucy: {' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    return done.stdout


def errors_of(truth, paths):
    """Distances per person of windows (number, person, positions); every one has a forecast."""
    found = []
    for number, person, positions in truth:
        path = paths.get((number, person))
        if path is None:
            sys.exit(f"eth_ucy: no forecast of person {person:g} in window {number}")
        found.append(ade_fde.errors(positions, lambda k: (path["x", k], path["y", k])))
    return found


def about(lgode, trained):
    """How a run was trained."""
    info = json.loads(run(lgode, "info", "--json", trained))
    curve = [json.loads(line) for line in (trained / "metrics.jsonl").read_text().splitlines()]
    curve = [e for e in curve if "seconds" in e]
    return {"epochs": curve[-1]["epoch"], "steps": curve[-1]["steps"],
            "seconds": round(sum(e["seconds"] for e in curve), 1),
            "config": json.loads((trained / "config.json").read_text()),
            **{key: info[key] for key in ("commit", "version", "machine") if key in info}}


def add(out, entry, unit, same):
    """Adds an entry to the record in place of one with the `same` fields."""
    with open(out.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        record = json.loads(out.read_text()) if out.exists() else {"unit": unit, "runs": []}
        record["runs"] = [r for r in record["runs"] if any(r[k] != entry[k] for k in same)] + [entry]
        temporary = out.with_suffix(".tmp")
        temporary.write_text(json.dumps(record, indent=1) + "\n")
        os.replace(temporary, out)
    shown = (*same, "model", "constant_velocity", "epochs", "seconds")
    print(json.dumps({k: entry[k] for k in shown}), flush=True)


def measure(given, scene, seed, folder):
    lgode = Path(given.lgode).resolve()
    files = sorted(str(p.resolve()) for p in Path(given.scenes).glob("*.txt") if p.stem in NAMES)
    data, trained = folder / "set.safetensors", folder / "run"
    run(lgode, "import", "csv", "--observations", *files, "--columns", "time,object,x,y", "--time-unit", "frame", "--rate",
        25, "--units", "x=m,y=m", "--velocities", "difference", "--window", 8, "--stride", 0.4, "--test-systems",
        ",".join(HELD_OUT[scene]), "--out", data)
    run(lgode, "train", data, "--task", "extrapolate", "--observed", 1, "--seed", seed, "--no-report", "--quiet", "--out",
        trained, *shlex.split(given.options))
    errors, lines, everybody = [], [], []
    for name in HELD_OUT[scene]:
        forecast = folder / f"{name}.csv"
        run(lgode, "predict", trained, "--data", data, "--systems", name, "--relative", "--start", 2.8,
            "--include-start", "--times", "3.2:0.4:7.6", "--samples", 0, "--out", forecast)
        paths = ade_fde.read_forecast(forecast)
        frames = ade_fde.read_table(Path(given.scenes) / f"{name}.txt")
        truth = list(ade_fde.windows(frames, 2))
        errors += errors_of(truth, paths)
        lines += [ade_fde.errors(t, ade_fde.constant_velocity(t)) for _, _, t in truth]
        everybody += errors_of(ade_fde.windows(frames, 1), paths)
    return {"scene": scene, "seed": seed, "options": given.options, "model": ade_fde.score(errors),
            "constant_velocity": ade_fde.score(lines), "model_everybody": ade_fde.score(everybody), **about(lgode, trained)}


def table(record):
    """A row per set of options, and constant velocity: ADE/FDE per scene, mean over seeds, and the mean of the scenes."""
    rows = {}
    for entry in record["runs"]:
        rows.setdefault(entry["options"], {}).setdefault(entry["scene"], []).append(entry)
    lines = ["| ADE/FDE, m | " + " | ".join(HELD_OUT) + " | mean |", "|---" * (len(HELD_OUT) + 2) + "|"]

    def line(name, of):
        cells = []
        for scene in HELD_OUT:
            found = of.get(scene, [])
            cells.append([sum(f[key] for f in found) / len(found) for key in ("ade", "fde")] if found else None)
        whole = [sum(c[k] for c in cells) / len(cells) for k in (0, 1)] if all(cells) else None
        lines.append(f"| {name} | " + " | ".join("–" if c is None else f"{c[0]:.3f}/{c[1]:.3f}"
                                                 for c in [*cells, whole]) + " |")

    first = {scene: [entry["constant_velocity"]] for of in rows.values() for scene, (entry, *_) in of.items()}
    line("constant velocity", first)
    for options, of in rows.items():
        seeds = sorted({entry["seed"] for entries in of.values() for entry in entries})
        line(f"`{options}`, seeds {', '.join(map(str, seeds))}", {s: [e["model"] for e in es] for s, es in of.items()})
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", help="folder of the text files")
    parser.add_argument("--lgode", default="lgode", help="the command")
    parser.add_argument("--only", default=",".join(HELD_OUT), help="scenes to hold out")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--options", default="--model frames --minutes 6 --threads 1", help="options of lgode train")
    parser.add_argument("--out", required=True, help="the record, JSON")
    parser.add_argument("--table", action="store_true", help="print the record as a table, train nothing")
    given = parser.parse_args()
    out = Path(given.out)
    if given.table:
        print(table(json.loads(out.read_text())))
        return
    for scene in given.only.split(","):
        for seed in map(int, given.seeds.split(",")):
            with tempfile.TemporaryDirectory() as folder:
                entry = measure(given, scene, seed, Path(folder))
            add(out, entry, "m", ("scene", "seed", "options"))


if __name__ == "__main__":
    main()
