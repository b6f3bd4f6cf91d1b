#!/usr/bin/env python3
"""Compares `lgode predict` with the float64 reference (assimilate.py) on small trained runs, and checks that the
comparison would notice: each mutation of the reference, a constant or a rule changed, has to differ somewhere.

    assimilate_test.py --lgode build/release/bin/lgode [--case NAME] [--keep FOLDER]

Exit status 77: numpy is absent.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import types

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is absent")
    sys.exit(77)

import assimilate

TOLERANCE = 1e-5  # of a feature's scale
SHAKE = 0.05  # of the trained weights, see shake()
SMALL = "--encoder-width 8 --sequence-width 6 --hidden 10 --latent 4 --state 5 --layers 2"
TRAINING = "--epochs 3 --batch 2 --lr 0.03 --warmup 2 --clip 1 --kl-weight 0.001 --threads 1 --no-report --quiet"


# Data


def save(path, objects, relations, **about):
    """objects: per system a list of (times, values); relations: per system a list of (source, target, type, weight)."""
    offsets = np.concatenate([[0], np.cumsum([len(o) for o in objects])])
    flat = [o for system in objects for o in system]
    joined = [r for system in relations for r in system]
    arrays = {
        "object_offsets": ("I64", offsets),
        "observation_offsets": ("I64", np.concatenate([[0], np.cumsum([len(times) for times, _ in flat])])),
        "relation_offsets": ("I64", np.concatenate([[0], np.cumsum([len(r) for r in relations])])),
        "times": ("F64", np.concatenate([times for times, _ in flat])),
        "values": ("F64", np.concatenate([values for _, values in flat])),
        "origins": ("F64", about.pop("origins", np.zeros(len(objects)))),
        "relation_sources": ("I32", [r[0] for r in joined]),
        "relation_targets": ("I32", [r[1] for r in joined]),
        "relation_types": ("I32", [r[2] for r in joined]),
        "relation_weights": ("F32", [r[3] for r in joined]),
        "parts": ("U8", [0] * (len(objects) - 2) + [1] * 2),
    }
    description = {"name": path.stem, "source": "assimilate_test.py", "time_unit": "s", "max_length": 20,
                   "min_length": 8, "system_ids": [], "object_ids": [], "relation_types": ["near", "far"], **about}
    layout = {"I64": "<i8", "I32": "<i4", "F64": "<f8", "F32": "<f4", "U8": "u1"}
    header = {"__metadata__": {"lgode.kind": "dataset", "lgode.version": "1",
                               "lgode.description": json.dumps(description)}}
    body = b""
    for name, (dtype, values) in arrays.items():
        array = np.ascontiguousarray(values, dtype=layout[dtype])
        place = [len(body), len(body) + array.nbytes]
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": place}
        body += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)


def feature(name, group, velocity_of=-1, derived=False):
    return {"name": name, "unit": "", "scale_group": group, "velocity_of": velocity_of, "derived": derived}


MOVING = [feature("x", 0), feature("y", 0), feature("vx", 1, 0), feature("vy", 1, 1), feature("heat", 2)]
DERIVED = [feature("x", 0), feature("y", 0), feature("vx", 1, 0, True), feature("vy", 1, 1, True)]


class Swing:
    """A smooth motion in a plane."""

    def __init__(self, rng):
        self.rate, self.phase, self.place = rng.uniform(0.6, 1.6), rng.uniform(0, 6), rng.normal(size=2)

    def position(self, t):
        angle = self.rate * t + self.phase
        return self.place + np.stack([np.sin(angle), 0.7 * np.cos(1.3 * angle)], axis=-1)

    def velocity(self, t):
        angle = self.rate * t + self.phase
        return np.stack([self.rate * np.cos(angle), -0.91 * self.rate * np.sin(1.3 * angle)], axis=-1)


def ragged(path, missing=0.2, end=6.0, origin=0.0):
    """Every object at its own times; some times are shared, exactly or to less than 1e-6 of model time."""
    rng = np.random.default_rng(1)
    objects, relations, origins = [], [], []
    for system in range(8):
        shared = rng.uniform(0, end, size=4)
        own = []
        origins.append(origin + system)
        for i in range(2 + system % 3):
            t = np.concatenate([rng.uniform(0, end, size=9), shared + rng.choice([0.0, 4e-7, -9e-7], size=4) * 4])
            t = np.sort(t)
            t = t[np.concatenate([[True], np.diff(t) > 1e-4])]
            swing = Swing(rng)
            values = np.concatenate([swing.position(t), swing.velocity(t), np.sin(2 * t)[:, None]], axis=1)
            values[rng.random(values.shape) < missing] = np.nan
            values[rng.random(len(t)) < 0.1] = np.nan  # rows to fill
            own.append((t + origins[-1], values))
        objects.append(own)
        relations.append([(a, b, int(rng.integers(2)), float(rng.uniform(0.3, 2))) for a in range(len(own))
                          for b in range(len(own)) if a != b and rng.random() < 0.6])
    relations[-1] += [(0, 1, 0, 0.5), (0, 1, 1, 1.5)]
    save(path, objects, relations, features=MOVING, time_scale=4.0, conditioning_length=4.0, origins=origins)


def coming_and_going(path, features=DERIVED, rule=None):
    """Objects are seen for a while, some leave and come back. Some observations are glitches, and some objects jump."""
    rng = np.random.default_rng(2)
    objects = []
    for system in range(8):
        frames, own = 0.1 * np.arange(60), []
        for i in range(4):
            enter, leave = (0, 60) if i == 0 else (int(rng.integers(0, 25)), int(rng.integers(30, 60)))
            rows = [k for k in range(enter, leave) if rng.random() < 0.7 and not (i == 1 and 12 <= k < 26)]
            swing, t = Swing(rng), frames[rows] if rows else frames[:1]
            values = np.concatenate([10 + swing.position(t), swing.velocity(t)], axis=1)
            for f, about in enumerate(features):
                if about["derived"]:
                    values[:, f] = np.nan
            if i == 0:
                values[(t > 1.95) & (t < 2.05), 0] += 20
            if i == 0 and system >= 6:
                values[t > 2.75, 1] += 6
            if i == 2:
                values[0, 0] -= 25
            own.append((t, values))
        objects.append(own)
    more = {} if rule is None else {"edges": rule}
    save(path, objects, [[(0, 1, 0, 1.0)] if rule is None else [] for _ in objects], features=features,
         relation_types=["near"], time_scale=5.0, conditioning_length=5.0, **more)


def frames(path):
    """Velocities are differences over a frame; not every frame is there."""
    rng = np.random.default_rng(3)
    objects = []
    for system in range(8):
        own = []
        for i in range(3):
            t = 0.1 * np.array([k for k in range(1, 42) if k in (1, 2, 40) or rng.random() < 0.55])
            swing = Swing(rng)
            values = np.concatenate([swing.position(t), (swing.position(t) - swing.position(t - 0.1)) / 0.1], axis=1)
            own.append((t, values))
        objects.append(own)
    save(path, objects, [[(0, 1, 0, 1.0), (1, 2, 0, 1.0)] for _ in objects], features=MOVING[:4],
         relation_types=["bone"], time_scale=4.0, conditioning_length=4.0)


# Cases: data, options of the training, options of the prediction


def springs(path, lgode):
    subprocess.run([lgode, "simulate", "springs", "--train", "8", "--test", "2", "--objects", "3", "--out", path],
                   check=True, stdout=subprocess.DEVNULL)


NEAREST = {"rule": "k-nearest", "neighbours": 2, "positions": [0, 1]}
WITHIN = {"rule": "within", "radius": 2.0, "positions": [0, 1]}
CASES = {
    "springs": (springs, "--task interpolate --base hermite", {}),
    "springs_forecast": (springs, "--task extrapolate --centre none --step 0.3 --base damped", {}),
    "ragged": (lambda path, _: ragged(path),
               "--task interpolate --gain learned --centre none --tie remainder --base hermite", {}),
    "ragged_forecast": (lambda path, _: ragged(path, origin=1.7e6),
                        "--task extrapolate --base kalman --centre system --memory 0.3 --heads 2 --step 0.2",
                        {"start": 3.0}),
    "ragged_unseen": (lambda path, _: ragged(path),
                      "--task interpolate --unseen predict --centre system --interaction neighbours --solver midpoint "
                      "--direction past --base kalman --gain one", {"start": 5.2}),
    "leaving": (lambda path, _: coming_and_going(path, rule=NEAREST),
                "--task extrapolate --centre system --memory 0.15 --start middle --base kalman",
                {"start": 3.5}),
    "leaving_all": (lambda path, _: coming_and_going(path, rule=WITHIN),
                    "--task extrapolate --centre none --memory 0.3 --start random --start-high 0.5 "
                    "--solver rk4-classic --step 0.4 --base damped",
                    {"start": 4.0, "whole": True}),
    "derived": (lambda path, _: coming_and_going(path, rule={"rule": "all"}),
                "--task interpolate --centre system --base own", {}),
    "derived_kalman": (lambda path, _: coming_and_going(path, rule={"rule": "all"}),
                       "--task interpolate --centre system --base kalman", {}),
    "derived_hermite": (lambda path, _: coming_and_going(path, rule={"rule": "all"}),
                        "--task interpolate --centre none --base hermite", {}),
    "given_hold": (lambda path, _: ragged(path), "--task extrapolate --centre none --base hold", {"start": 3.0}),
    "given": (lambda path, _: coming_and_going(path, MOVING[:4]),
              "--task interpolate --centre system --observed 0.7 --base constant-velocity", {}),
    "lag": (lambda path, _: frames(path), "--task interpolate --tie remainder --centre none --base linear", {}),
    "lag_exact": (lambda path, _: frames(path),
                  "--task interpolate --tie exact --centre system --step 0.02 --window 0.5 --base kalman", {}),
}


def shake(trained, to):
    """Writes a checkpoint whose weights are moved a little, so that few steps of training leave nothing at zero."""
    raw = trained.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    header["__metadata__"].pop("lgode.checksum")  # a file without one is read as it is
    body = np.frombuffer(raw[start:], dtype=np.uint8).copy()
    rng = np.random.default_rng(4)
    for name, entry in sorted(header.items()):
        if entry.get("dtype") == "F32" and not name.startswith("optimizer."):
            weights = body[slice(*entry["data_offsets"])].view("<f4")
            weights += (SHAKE * rng.normal(size=weights.shape)).astype(np.float32)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    to.write_bytes(len(text).to_bytes(8, "little") + text + body.tobytes())


class Case:
    """A trained run, the data, and what lgode predicts for some systems."""

    def __init__(self, name, lgode, folder):
        make, training, asked = CASES[name]
        self.name, self.asked = name, asked
        data, run = folder / f"{name}.safetensors", folder / name
        make(data, lgode)
        self.call(lgode, "train", data, "--out", run, *SMALL.split(), *TRAINING.split(), *training.split())
        checkpoint = run / "shaken.safetensors"
        shake(run / "checkpoint.safetensors", checkpoint)
        self.checkpoint, self.file = checkpoint, data
        self.run, self.data = assimilate.Run(checkpoint), assimilate.Dataset(data)
        self.systems = list(range(len(self.data.arrays["parts"])))[-3:]
        origin = asked.get("start", 0.0)
        reach = self.run.conditioning_length
        last = [self.data.rows(thing)[0] for thing in self.data.objects(self.systems[0])]
        seen = np.concatenate([t for t in last]) - self.data.origin(self.systems[0])
        seen = seen[(seen > origin) & (seen < origin + reach)][:12] if not self.run.forecast else seen[:0]
        if self.run.forecast and "start" not in asked:
            times = None
        else:
            spread = origin + reach * np.array([0, 1e-3, 0.11, 0.25, 0.317, 0.5, 0.66, 0.81, 0.97, 1.2])
            times = sorted(set(np.concatenate([spread, seen, seen - 0.1, seen - 2e-7 * self.run.time_scale])))
            times = [float(t) for t in times if t >= origin]
        out = folder / f"{name}.prediction.safetensors"
        options = ["--samples", "0", "--systems", ",".join(str(s) for s in self.systems)]
        self.relative = times is not None
        if self.relative:
            listed = folder / f"{name}.times"
            listed.write_text("\n".join(repr(t) for t in times))
            options += ["--relative", "--times-file", listed]
        if "start" in asked:
            options += ["--start", repr(asked["start"])]
        if asked.get("whole"):
            options += ["--context", "all"]
        if self.run.config.get("futures", 1) > 1:
            options += ["--futures", str(self.run.config["futures"])]
        self.call(lgode, "predict", checkpoint, "--data", data, "--out", out, "--threads", "1", *options)
        self.predicted, about = assimilate.read_safetensors(out)
        names = [about["name"] for about in self.run.features]
        self.columns = [names.index(f["name"]) for f in json.loads(about["lgode.prediction"])["features"]]

    @staticmethod
    def call(*words):
        words = [str(word) for word in words]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(words)}\n{done.stdout}")

    def difference(self, reference=assimilate):
        """The largest one over all values, in units of the feature's scale; infinite where only one has a value."""
        largest = 0.0
        p = self.predicted
        for k, system in enumerate(p["systems"].tolist()):
            times = p["times"][p["time_offsets"][k]:p["time_offsets"][k + 1]]
            if self.relative:
                times = times + self.data.origin(system)
            got = p["mean"][p["row_offsets"][k]:p["row_offsets"][k + 1]]
            start = self.asked.get("start")
            start = None if start is None else start + self.data.origin(system)
            run, data = reference.Run(self.checkpoint), reference.Dataset(self.file)
            expected = reference.predict(run, data, system, times, start, self.asked.get("whole", False))
            expected = expected[:, :, self.columns]
            got = got.reshape(expected.shape)
            if (np.isnan(got) != np.isnan(expected)).any():
                return np.inf
            difference = np.abs(got - expected) / self.run.scale[self.columns]
            largest = max(largest, np.nanmax(difference, initial=0.0))
            if "futures" in p:
                values, probability = reference.futures(run, data, system, times, start, self.asked.get("whole", False))
                got = p["futures"][:, p["row_offsets"][k]:p["row_offsets"][k + 1]]
                values = values[..., self.columns]
                difference = np.abs(got.reshape(values.shape) - values) / self.run.scale[self.columns]
                shares = p["probability"][:, p["object_offsets"][k]:p["object_offsets"][k + 1]].T
                seen = ~np.isnan(shares)
                largest = max(largest, np.nanmax(difference, initial=0.0),
                              np.abs(shares - probability)[seen].max(initial=0.0))
        return largest


# Mutations: what the comparison has to notice. Name: (case, text of the reference, text instead)

MUTATIONS = {
    "context: margin": ("lag", "(tau < length - margin)", "(tau < length + margin)"),
    "context: length": ("leaving", "else 0.5)", "else 0.75)"),
    "context: start_high": ("ragged_forecast", 'run.config["start_high"] if', '0.9 * run.config["start_high"] if'),
    "context: --context all": ("leaving_all", "whole | (tau", "(tau"),
    "context: a start that is given": ("leaving", "(tau < -margin) if given else", "(tau <= margin) if given else"),
    "outliers: flagged": ("given", "            kept[k] = False\n", "            pass\n"),
    "outliers: longer times": ("leaving", 'max(1, elapsed / gate["gap"])', "1"),
    "outliers: the third": ("leaving", "if len(waiting) == 3:", "if len(waiting) == 2:"),
    "outliers: the first": ("given", "kept[first], kept[waiting] = False, True", "pass"),
    "outliers: vindicated": ("given", "elif not self.run.forecast:\n                    kept[waiting]",
                             "elif False:\n                    kept[waiting]"),
    "outliers: velocities": ("leaving", "if self.allows(self.run.features[v]",
                             "if True or self.allows(self.run.features[v]"),
    "derived: parabola": ("derived", "(b * before + a * after) / (a + b)", "(a * before + b * after) / (a + b)"),
    "derived: leave": ("leaving", "t[k] - t[k - 1] <= self.run.leave", "True"),
    "derived: first row": ("leaving", "if before is not None and", "before = after if before is None else before\n"
                           "                    if before is not None and k > 0 or"),
    "centre: first time": ("leaving", "known &= self.times == self.times[known].min()", "pass"),
    "centre: mean": ("given", "if self.run.forecast:\n                known &=", "if True:\n                known &="),
    "rule: last positions": ("leaving", "known[-1] if self.run.forecast else known.mean()", "known.mean()"),
    "rule: neighbours": ("leaving", '[:rule["neighbours"]]', '[:rule["neighbours"] - 1]'),
    "rule: radius": ("leaving_all", '<= rule["radius"]**2', '<= rule["radius"]'),
    "layer norm": ("ragged_forecast", "np.sqrt(variance + 1e-5)", "np.sqrt(variance + 1e-4)"),
    "input: mask": ("ragged", "[c.x, c.mask], axis=1) if", "[c.x, 1 - c.mask], axis=1) if"),
    "input: norm": ("springs", 'run.layer_norm("encoder.input_norm", relu(run.linear("encoder.input", o)))',
                    'relu(run.layer_norm("encoder.input_norm", run.linear("encoder.input", o)))'),
    "encoder: window": ("lag_exact", 'run.shape["window"] + 1e-6', 'run.shape["window"] - 1e-6'),
    "encoder: simultaneous rows": ("leaving_all", "and gap > 0)", "and gap >= 0 and s != t)"),
    "encoder: other objects": ("springs", "out.append((s, 1,", "out.append((s, 0,"),
    "encoder: log w": ("ragged", "math.log(weight)", "0.0"),
    "encoder: heads": ("ragged_forecast", "math.sqrt(d / heads)", "math.sqrt(d)"),
    "encoder: time encoding": ("springs", "10000.0**", "5000.0**"),
    "encoder: pairs of the time encoding": ("springs", "2 * (k // 2)", "k"),
    "summary: gate": ("springs_forecast", "/ math.sqrt(width)", ""),
    "summary: memory": ("ragged_forecast", "<= run.memory + SAME_TIME]", "<= 1]"),
    "summary: borrowing": ("ragged_unseen", "if not seen[i] and lenders:", "if False:"),
    "jump: sigmoid": ("springs", "sigmoid(self.p[m])", "self.p[m]"),
    "jump: gain": ("ragged", '(1 + run.weights["gain"]**2)', '(1 + run.weights["gain"])'),
    "jump: first gain": ("ragged_forecast", "np.where(seen, g[m], c.mask[m])", "g[m]"),
    "entering": ("leaving", "keep[:] = 0", "pass"),
    "entering: memory": ("leaving", "c.tau[m] - c.tau[m - 1] > run.memory", "c.tau[m] - c.tau[m - 1] > 3 * run.memory"),
    "leaving: memory": ("leaving", "<= self.run.memory + SAME_TIME", "<= 0.5 * self.run.memory + SAME_TIME"),
    "leaving: after the start": ("leaving", "min(node, 0.0)", "node"),
    "start: features": ("springs_forecast", "z[i, features:] += self.from_posterior[i, features:]",
                        "z[i] += self.from_posterior[i]"),
    "start: layer": ("ragged", 'run.linear("start", latent)', 'run.linear("start", 1.01 * latent)'),
    "steps: number": ("ragged_forecast", "math.ceil(gap / h - 1e-9)", "math.ceil(gap / h - 1e-9) + 1"),
    "steps: after the last event": ("springs_forecast", "z = self.step(z, node, first + k * h, len(self.events) - 1)\n"
                                    "            node = first + k * h",
                                    "z = self.step(z, node, first + k * h / 2, len(self.events) - 1)\n"
                                    "            node = first + k * h / 2"),
    "steps: rule": ("springs_forecast", '"rk4": three_eighths', '"rk4": classic'),
    "steps: classic": ("leaving_all", '"rk4-classic": classic', '"rk4-classic": three_eighths'),
    "steps: midpoint": ("ragged_unseen", '"midpoint": midpoint', '"midpoint": euler'),
    "reading: slopes": ("springs", "- h * a**2 * (1 - a) * end_slope", "- h * a**2 * (1 - a) * slope"),
    "reading: at a row": ("springs", "else path.after[", "else path.before["),
    "field: unrelated pairs": ("ragged_forecast", "if s != t and (s, t) not in related]", "if s != t]"),
    "field: weights": ("ragged", "(w * present[s])", "(present[s])"),
    "field: absent objects": ("leaving", "(w * present[s])", "(w)"),
    "field: remainder": ("lag", 'if tie["remainder"] else 0', "if False else 0"),
    "field: no remainder": ("lag_exact", 'if tie["remainder"] else 0', "if True else 0"),
    "bridge: linear": ("ragged", "if not both or any(", "if not both or not any("),
    "bridge: before the first": ("ragged", "return self.jump[r][f] + ahead * slope", "return self.jump[r][f]"),
    "bridge: hermite": ("springs", "(u**3 - u**2) * hk * r_v", "(u**2 - u**3) * hk * r_v"),
    "bridge: lag from 1.5": ("lag", "h >= 1.5 * tie", "h >= 2.5 * tie"),
    "bridge: deviation": ("lag", "r_x - step * r_v + at_end", "r_x - step * r_v"),
    "bridge: deviation of the velocity": ("lag", "- lag) + here)", "- lag))"),
    "bridge: deviation before the first": ("lag", "slope -= self.deviation(", "slope -= 0 * self.deviation("),
    "base: share": ("given", 'return 20 * self.run.weights["base"] * value', "return value"),
    "base: idle path": ("given", "- shown(self.path", "- 0 * shown(self.path"),
    "base: rows since entering": ("leaving", "rows[last[-1]:] if last else rows", "rows"),
    "base: unknown features": ("ragged_unseen", "(c.x * c.mask).sum(axis=0) / seen", "0 * c.x.sum(axis=0) / seen"),
    "base: first gains": ("ragged_forecast", "np.sqrt(1 / first - 1), 0.1)", "np.sqrt(1 / first - 1) + 0.1, 0.1)"),
    "shown: centre": ("given", "y * run.scale + c.centre", "y * run.scale"),
}


def mutant(text, instead):
    """The reference with one text replaced."""
    source = pathlib.Path(assimilate.__file__).read_text()
    if source.count(text) != 1:
        raise SystemExit(f"{source.count(text)} times in the reference: {text}")
    module = types.ModuleType("mutant")
    exec(compile(source.replace(text, instead), "mutant", "exec"), module.__dict__)
    return module


def unnoticed(cases):
    """Mutations that the comparison does not notice, of those of the cases."""
    out = []
    for name, (case, text, instead) in MUTATIONS.items():
        if case in cases and cases[case].difference(mutant(text, instead)) <= TOLERANCE:
            out.append(name)
    return out


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--lgode", required=True)
    arguments.add_argument("--case", action="append")
    arguments.add_argument("--keep", type=pathlib.Path)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(exist_ok=True)
        cases, failed = {}, []
        for name in options.case or CASES:
            cases[name] = Case(name, options.lgode, folder)
            difference = cases[name].difference()
            print(f"{name}: largest difference {difference:.1e} of a feature's scale", flush=True)
            if not difference <= TOLERANCE:
                failed.append(name)
        missed = [] if failed else unnoticed(cases)
    if failed:
        print("not as the reference:", ", ".join(failed))
    if missed:
        print("changes of the reference that make no difference:", ", ".join(missed))
    return 1 if failed or missed else 0


if __name__ == "__main__":
    sys.exit(main())
