#!/usr/bin/env python3
"""The unavoidable forecast error of springs: the exact dynamics without the walls of the box.

    experiments/springs_floor.py --lgode build/release/bin/lgode --out experiments/paper/springs-floor.json

No training system touches a wall, but test systems do while they are forecast. This simulates the data set of the paper's
tables twice, with and without walls, and compares the test systems over the forecast range as `lgode evaluate` does:
features in units of their largest training value, mean over an object's targets, then over objects. Needs numpy.
"""
import argparse
import json
import struct
import subprocess
import tempfile
from pathlib import Path

import numpy as np


def arrays(path):
    """The tensors of a .safetensors file, mapped."""
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
    kinds = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "U8": "u1", "I8": "i1"}
    whole = np.memmap(path, np.uint8, "r")
    out = {}
    for name, about in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + size + x for x in about["data_offsets"])
        out[name] = whole[begin:end].view(kinds[about["dtype"]]).reshape(about["shape"])
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lgode", default="build/release/bin/lgode")
    parser.add_argument("--train", type=int, default=20000)
    parser.add_argument("--test", type=int, default=5000)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    start = 6.0  # end of the first range, where the forecast starts; it lasts as long again
    with tempfile.TemporaryDirectory(prefix="lgode-floor-") as folder:
        sets = []
        for name, flags in (("walls", []), ("none", ["--no-walls"])):
            path = f"{folder}/{name}.safetensors"
            subprocess.run([given.lgode, "simulate", "springs", "--train", str(given.train), "--test", str(given.test),
                            *flags, "--out", path], check=True, stdout=subprocess.DEVNULL)
            sets.append(arrays(path))
        walls, free = sets
        objects, observations = walls["object_offsets"], walls["observation_offsets"]
        times, values, other = walls["times"], walls["values"], free["values"]
        test = np.flatnonzero(walls["parts"] == 1)
        assert len(test) == given.test and np.array_equal(times, free["times"])
        first = observations[objects[test[0]]]
        train = np.abs(values[:first])
        scale = np.array([train[:, :2].max()] * 2 + [train[:, 2:].max()] * 2)
        wrong = ((values[first:] - other[first:]) / scale) ** 2
        t, x = times[first:], np.abs(values[first:, :2]).max(axis=1)
        ends = observations[objects[test[0]]:] - first
        late = t >= start - 1e-9
        per_row = wrong.mean(axis=1)

        def mean(rows, systems=None):
            """Over the targets of an object, then over objects."""
            count = np.add.reduceat(rows.astype(float), ends[:-1])
            total = np.add.reduceat(np.where(rows, per_row, 0.0), ends[:-1])
            keep = count > 0 if systems is None else (count > 0) & systems
            return float((total[keep] / count[keep]).mean())

        farthest = np.maximum.reduceat(x, ends[:-1]).reshape(given.test, -1).max(axis=1)
        clear = np.repeat(farthest < 4.95, len(ends[:-1]) // given.test)
        bins = [late & (t >= start + k) & (t < start + k + 1) for k in range(6)]
        found = {
            "what": "exact dynamics without walls, mean squared error on the test part",
            "version": subprocess.run([given.lgode, "--version"], check=True, capture_output=True, text=True).stdout.strip(),
            "train_systems": given.train, "test_systems": given.test, "clear_of_walls": int((farthest < 4.95).sum()),
            "mse": mean(late), "mse_first_half": mean(late & (t < start + 3)),
            "mse_clear": mean(late, clear), "horizon": [mean(b) for b in bins], "horizon_clear": [mean(b, clear) for b in bins],
        }
    given.out.write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
