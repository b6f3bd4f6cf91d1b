#!/usr/bin/env python3
"""ADE and FDE of forecasts, by the protocol of the pedestrian benchmarks (ETH/UCY).

  ade_fde.py TABLE FORECAST.csv [FORECAST.csv ...]

TABLE has rows "frame person x y", one scene. A forecast is what

  lgode predict RUN --data DATA --part test --relative --start 3.2 --times 3.2:0.4:7.6 --samples 0 --out FORECAST.csv

writes for windows of 8 s that start at every frame (`lgode import csv ... --rate 25 --window 8 --stride 0.4`). A window
counts if all of its 20 frames are in the table; its people are those with all 20 positions, and there are at least two
of them (--least 1: all people). 8 frames are seen, 12 forecast. ADE is the mean distance over the 12, FDE the last one,
both averaged over people. Forecasts must have everybody who counts; a person without a forecast is an error.
"""
import argparse
import collections
import csv
import json
import math
import sys

SEEN, FRAMES, STEP = 8, 20, 10


def read_table(path):
    frames = collections.defaultdict(dict)
    with open(path) as table:
        for line in table:
            frame, person, x, y = line.split()[:4]
            frames[round(float(frame))][float(person)] = (float(x), float(y))
    return frames


def windows(frames, least):
    """(number of the window, person, the 20 positions) of everybody who counts."""
    first = min(frames)
    for begin in sorted(frames):
        keys = [begin + STEP * k for k in range(FRAMES)]
        if not all(key in frames for key in keys):
            continue
        people = [p for p in frames[begin] if all(p in frames[key] for key in keys)]
        if len(people) >= least:
            for person in people:
                yield (begin - first) // STEP, person, [frames[key][person] for key in keys]


def read_forecast(path):
    paths = collections.defaultdict(dict)
    with open(path, newline="") as table:
        for row in csv.DictReader(table):
            number = int(row["system"].rsplit("/", 1)[1])
            step = round(float(row["time"]) / 0.4) - SEEN
            paths[number, float(row["object"])][row["feature"], step] = float(row["mean"])
    return paths


def errors(truth, path):
    return [math.hypot(path(k)[0] - x, path(k)[1] - y) for k, (x, y) in enumerate(truth[SEEN:])]


def constant_velocity(truth):
    (x0, y0), (x1, y1) = truth[SEEN - 2], truth[SEEN - 1]
    return lambda k: (x1 + (k + 1) * (x1 - x0), y1 + (k + 1) * (y1 - y0))


def score(all_errors):
    count = len(all_errors)
    return {"people": count, "ade": sum(sum(e) / len(e) for e in all_errors) / count,
            "fde": sum(e[-1] for e in all_errors) / count}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("table")
    arguments.add_argument("forecasts", nargs="*")
    arguments.add_argument("--least", type=int, default=2, help="people that a window must have")
    given = arguments.parse_args()
    asked = list(windows(read_table(given.table), given.least))
    if not asked:
        sys.exit(f"{given.table}: no window of {FRAMES} frames has {given.least} people")
    out = {"constant velocity": score([errors(truth, constant_velocity(truth)) for _, _, truth in asked])}
    for name in given.forecasts:
        paths = read_forecast(name)
        found = []
        for number, person, truth in asked:
            path = paths.get((number, person))
            if path is None:
                sys.exit(f"{name}: no forecast of person {person:g} in window {number}")
            found.append(errors(truth, lambda k: (path["x", k], path["y", k])))
        out[name] = score(found)
    print(json.dumps(out, indent=2))


if __name__ == "__main__":
    main()
