#!/usr/bin/env python3
"""Trains on the rebounds of SocialVAE (NBA, SportVU), forecasts the test part, and records ADE and FDE of players in feet.

  nba_rebounds.py --scenes REBOUND --lgode build/release/bin/lgode --out RECORD.json [--seeds 1]
                  [--options "--model frames --minutes 10"]

REBOUND is a folder with train/ and test/, text files with rows "frame id x y KIND", 12 frames of 0.01 s apart. The
protocol is the usual one: windows of 20 rows that start at every row, 8 seen and 12 forecast, the players who are there in
all 20. The ball is an object like the players, and nothing tells it from them; it is in no error. Files of test/ take part
in no choice. A record that exists is extended, and an entry with the same seed and options is replaced.
"""
import argparse
import collections
import csv
import json
import math
import shlex
import tempfile
from pathlib import Path

import ade_fde
import eth_ucy

SEEN, FRAMES, STEP = 8, 20, 12  # STEP: frames of 0.01 s


def windows(path):
    """(number of the window, player, the 20 positions) of all players."""
    frames = collections.OrderedDict()
    with open(path) as table:
        for line in table:
            fields = line.split()
            if fields:
                frames.setdefault(int(fields[0]), {})[fields[1]] = (float(fields[2]), float(fields[3]), fields[4])
    keys = sorted(frames)
    for begin in range(len(keys) - FRAMES + 1):
        used = keys[begin:begin + FRAMES]
        if used[-1] - used[0] != STEP * (FRAMES - 1):
            continue
        for player, (_, _, kind) in frames[used[0]].items():
            if kind == "PLAYER" and all(player in frames[key] for key in used):
                yield (used[0] - keys[0]) // STEP, player, [frames[key][player][:2] for key in used]


def read_forecast(path):
    paths = collections.defaultdict(dict)
    with open(path, newline="") as table:
        for row in csv.DictReader(table):
            if row["feature"] in ("x", "y"):
                name, number = row["system"].rsplit("/", 1)
                step = round(float(row["time"]) / 0.12) - SEEN
                paths[name, int(number), row["object"]][row["feature"], step] = float(row["mean"])
    return paths


def measure(given, seed, folder):
    lgode, data, trained = Path(given.lgode).resolve(), folder / "set.safetensors", folder / "run"
    tables = folder / "tables"
    tables.mkdir()
    test = sorted(Path(given.scenes, "test").glob("*.txt"))
    for part in ("train", "test"):
        for source in sorted(Path(given.scenes, part).glob("*.txt")):
            fields = (line.split() for line in source.read_text().splitlines())
            (tables / f"{part}-{source.name}").write_text("".join("\t".join(f) + "\n" for f in fields if f))
    eth_ucy.run(lgode, "import", "csv", "--observations", f"{tables}/*.txt", "--columns", "time,object,x,y,_",
                "--time-unit", "frame", "--rate", 100, "--units", "x=ft,y=ft", "--velocities", "difference", "--window", 2.4,
                "--stride", 0.12, "--edges", "all", "--test-systems", "test-*", "--out", data)
    eth_ucy.run(lgode, "train", data, "--task", "extrapolate", "--observed", 1, "--seed", seed, "--no-report", "--quiet",
                "--out", trained, *shlex.split(given.options))
    forecast = folder / "forecast.csv"
    eth_ucy.run(lgode, "predict", trained, "--data", data, "--part", "test", "--relative", "--start", 0.84,
                "--include-start", "--times", "0.96:0.12:2.28", "--samples", 0, "--out", forecast)
    paths = read_forecast(forecast)
    errors, lines = [], []
    for source in test:
        for number, player, truth in windows(source):
            path = paths[f"test-{source.stem}", number, player]
            errors.append([math.hypot(path["x", k] - x, path["y", k] - y) for k, (x, y) in enumerate(truth[SEEN:])])
            lines.append(ade_fde.errors(truth, ade_fde.constant_velocity(truth)))
    return {"seed": seed, "options": given.options, "model": ade_fde.score(errors),
            "constant_velocity": ade_fde.score(lines), **eth_ucy.about(lgode, trained)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", required=True, help="folder with train/ and test/")
    parser.add_argument("--lgode", default="lgode", help="the command")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--options", default="--model frames --minutes 10", help="options of lgode train")
    parser.add_argument("--out", required=True, help="the record, JSON")
    given = parser.parse_args()
    for seed in map(int, given.seeds.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            entry = measure(given, seed, Path(folder))
        eth_ucy.add(Path(given.out), entry, "ft", ("seed", "options"))


if __name__ == "__main__":
    main()
