#!/usr/bin/env python3
"""Compares `lgode predict` of `model` frames with the float64 reference (frames.py) on small trained runs, and checks
that the comparison would notice mutations of the reference, as assimilate_test.py does.

    frames_test.py --lgode build/release/bin/lgode [--case NAME] [--keep FOLDER]

Exit status 77: numpy is absent.
"""

import pathlib
import sys
import types

import assimilate_test as other
import frames
import numpy as np

WALKING = [{**about, "unit": "m" if about["velocity_of"] < 0 and about["name"] != "heat" else ""}
           for about in other.MOVING]
SOLID = [other.feature(name, 0) for name in "xyz"]


def people(path, features=WALKING, standing=2, rule=None):
    """Walkers at times of their own and some who stand; single values are missing."""
    rng = np.random.default_rng(7)
    objects, relations = [], []
    for system in range(8):
        own = []
        for i in range(4 + standing):
            t = np.sort(rng.uniform(0, 6, size=24 if i == 3 else 14))
            t = t[np.concatenate([[True], np.diff(t) > 1e-3])]
            swing = other.Swing(rng)
            place, velocity = swing.position(t), swing.velocity(t)
            if i == 3:  # walks and stops
                place, velocity = swing.position(np.minimum(t, 2.0)), velocity * (t < 2.0)[:, None]
            if i >= 4:
                place, velocity = place[:1] + 0 * place, 0 * velocity
                if i == 5:
                    t, place, velocity = t[:1], place[:1], velocity[:1]
            columns = [place, velocity, np.sin(2 * t)[:, None]]
            if features is SOLID:
                columns = [place, 0.3 * np.cos(t)[:, None]]
            values = np.concatenate(columns, axis=1)
            if features is not SOLID:
                values[rng.random(values.shape) < 0.1] = np.nan
            own.append((t, values))
        objects.append(own)
        relations.append([] if rule else [(0, 1, 0, 0.7), (2, 1, 1, 1.5), (3, 4, 0, 1.0)])
    more = {} if rule is None else {"edges": rule}
    other.save(path, objects, relations, features=features, time_scale=4.0, conditioning_length=4.0, **more)


FRAMES = "--model frames --observed 1 --outliers use "
CASES = {
    "springs": (other.springs, FRAMES + "--centre none", {}),
    "people": (lambda path, _: people(path), FRAMES + "--memory 0.3", {"start": 3.0}),
    "solid": (lambda path, _: people(path, SOLID, rule={"rule": "all"}), FRAMES + "--heads 2", {"start": 2.2}),
    "related": (lambda path, _: other.coming_and_going(path, rule=other.NEAREST), FRAMES + "--memory 0.2",
                {"start": 3.47}),
    "moving": (lambda path, _: people(path), FRAMES + "--neighbours moving --memory 0.3", {"start": 3.0}),
    "moving_solid": (lambda path, _: people(path, SOLID, rule={"rule": "all"}), FRAMES + "--neighbours moving",
                     {"start": 2.2}),
    "placed": (lambda path, _: people(path), FRAMES + "--place on --memory 0.3", {"start": 3.0}),
    "several": (lambda path, _: people(path), FRAMES + "--futures 5 --memory 0.3", {"start": 3.0}),
    "several_moving": (lambda path, _: people(path), FRAMES + "--futures 2 --neighbours moving --memory 0.3",
                       {"start": 3.0}),
    "alone": (lambda path, _: people(path), FRAMES + "--neighbours none", {"start": 3.0, "whole": True}),
}

TOLERANCE = 1e-4  # of a feature's scale: accelerations of random weights carry rounding errors far

MUTATIONS = {
    "rows: memory": ("people", "return rows[c.tau[rows[-1]] - c.tau[rows] <= longest]", "return rows"),
    "frame: displacement": ("people", "s.turn(2, moved[-1])", "s.turn(2, moved[0])"),
    "frame: neighbours": ("people", "s.turn(3, total)", "pass"),
    "frame: velocity of the filter": ("springs", "self.v = filtered[1] - filtered[0]", "self.v = base[1] - base[0] + 0.01"),
    "history: half": ("springs", "0.5 * self.own(cut(place", "0.6 * self.own(cut(place"),
    "history: age": ("people", "min(self.age, 8)]", "0]"),
    "place: where": ("placed", "list(cut(self.away, 5)", "list(cut(0 * self.away, 5)"),
    "place: direction": ("placed", "mirror * self.own(axis)", "mirror * axis"),
    "pairs: time to the closest approach": ("springs", "soon / 4", "soon / 5"),
    "pairs: distance": ("springs", "1 / (d + 0.3)", "1 / (d + 0.4)"),
    "pairs: weights": ("people", "weights[s][type_] += w", "weights[s][type_] += 1"),
    "pairs: related": ("related", 'near = related if kind == "related"', 'near = there if kind == "related"'),
    "attention: empty slot": ("springs", "alpha /= alpha.sum(axis=0)", "alpha /= alpha[1:].sum(axis=0)"),
    "attention: fall": ("springs", "- fall * d)", "- fall)"),
    "attention: listed": ("people", "d = 0.0 if listed else", "d ="),
    "mirror image": ("springs", "[(one + two) / 2 for", "[one for"),
    "dynamics: acceleration": ("springs", "h**2 * a / 2, v + h", "h**2 * a, v + h"),
    "dynamics: velocity": ("springs", "np.concatenate([w, b + v])", "np.concatenate([w, v])"),
    "moving: base path": ("moving", "self.base[i][k] + s.outside", "self.base[i][0] + s.outside"),
    "moving: places": ("moving", "s.outside(self.mirror * state[i][1])", "0 * s.outside(self.mirror * state[i][1])"),
    "moving: velocities": ("moving", "ahead[i] + s.outside", "ahead[i] - s.outside"),
    "reading: step": ("people", "x + s * v + s**2 * a / 2", "x + s * v"),
    "futures: start": ("several", "[pair * width:(pair + 1) * width]", "[:width]"),
    "futures: mirror image": ("several", "values.append(values_of(scene, image.read))",
                              "values.append(values_of(scene, images[0].read))"),
    "futures: scores": ("several", "for z in image.z] for image in images]", "for z in images[0].z] for image in images]"),
    "futures: the last of an odd number": ("several", "values.append(values_of(scene, mean_of(images)))",
                                           "values.append(values_of(scene, images[0].read))"),
    "result: height": ("solid", "s * v[0] + c * v[1], *v[2:]", "s * v[0] + c * v[1], *(0 * v[2:])"),
    "result: other features": ("people", "values[k, run.others] += r", "pass"),
    "result: velocities": ("springs", "about[\"length\"] / (about[\"time\"]", "0 / (about[\"time\"]"),
}


def mutant(text, instead):
    source = pathlib.Path(frames.__file__).read_text()
    if source.count(text) != 1:
        raise SystemExit(f"{source.count(text)} times in the reference: {text}")
    module = types.ModuleType("mutant")
    exec(compile(source.replace(text, instead), "mutant", "exec"), module.__dict__)
    return module


if __name__ == "__main__":
    other.assimilate, other.CASES, other.MUTATIONS, other.mutant = frames, CASES, MUTATIONS, mutant
    other.TOLERANCE = TOLERANCE
    other.Case.difference.__defaults__ = (frames,)
    sys.exit(other.main())
