"""`model` frames in float64, written from docs/frames.md ("Every number"): predictions of the path.

Sections and symbols are the page's; context and files are the default model's (assimilate.py). Needs numpy alone, and is
made to be read: one object, one pair and one step at a time.

    from frames import Dataset, Run, predict
    values = predict(Run("runs/x/best.safetensors"), Dataset("set.safetensors"), system, times, start)

predict() returns [objects, times, features] in physical units, NaN for what `lgode predict` does not write.
"""

import math

import numpy as np

import assimilate
from assimilate import SAME_TIME, Context, Dataset, read_safetensors  # noqa: F401

FASTEST, FARTHEST = 20, 50
NEIGHBOURS = 16


class Run(assimilate.Run):
    def __init__(self, path):
        super().__init__(path)
        self.frames = self.shape["frames"]
        positions = self.frames["positions"]
        measured = [f for f, about in enumerate(self.features) if not about.get("derived", False)]
        self.positions = positions
        self.velocities = [next((f for f in measured if self.features[f]["velocity_of"] == p), None) for p in positions]
        self.others = [f for f in measured if f not in positions and f not in self.velocities]

    def check(self):
        if self.config["model"] != "frames":
            raise ValueError(f"model is {self.config['model']}, the page describes frames")

    def mlp(self, name, x):
        return self.linear(name + ".layer3", silu(self.linear(name + ".layer2", silu(self.linear(name + ".layer1", x)))))


def silu(x):
    return x / (1 + np.exp(-x))


def cut(v, most):
    size = np.linalg.norm(v)
    return v * (most / size) if size > most else v


# Rows that count


def counting(run, c, i):
    """The rows of object i at most the memory before its last one; none if it has left."""
    rows, longest = c.rows_of(i), run.memory + SAME_TIME
    if len(rows) == 0 or -c.tau[rows[-1]] > longest:
        return rows[:0]
    return rows[c.tau[rows[-1]] - c.tau[rows] <= longest]


# Base path


def kalman(noise, times, x, v, asked):
    """The filter's forecast of a position and its velocity; x, v: NaN where there is none."""
    state, covariance = np.zeros(2), np.diag([100.0, noise["speed"]])
    now = None
    for t, *values in zip(times, x, v):
        if now is not None:
            h = t - now
            step = np.array([[1, h], [0, 1]])
            drive = noise["drive"] * np.array([[h**3 / 3, h**2 / 2], [h**2 / 2, h]])
            state, covariance = step @ state, step @ covariance @ step.T + drive
        now = t
        for part, (value, variance) in enumerate(zip(values, (noise["position"], noise["velocity"]))):
            if not math.isnan(value):
                gain = covariance[:, part] / (covariance[part, part] + variance)
                state = state + gain * (value - state[part])
                covariance = covariance - np.outer(gain, covariance[part])
    return [(state[0] + (t - now) * state[1], state[1]) for t in asked]


class Series:
    """A feature of an object with its measured velocity, in normalised units and model time."""

    def __init__(self, run, c, i, f):
        rows = counting(run, c, i)
        self.velocity = next((v for v in range(len(run.features)) if run.features[v]["velocity_of"] == f
                              and v not in run.derived), None)
        self.tau = c.tau[rows]
        self.x = np.where(c.mask[rows, f] > 0, c.x[rows, f], np.nan)
        self.v = np.full(len(rows), np.nan)
        self.factor = 1.0
        if self.velocity is not None:
            self.factor = run.scale[self.velocity] * run.time_scale / run.scale[f]
            self.v = np.where(c.mask[rows, self.velocity] > 0, c.x[rows, self.velocity] * self.factor, np.nan)

    def slope(self, at):
        known = ~np.isnan(self.v)
        if known.any():
            return np.interp(at, self.tau[known], self.v[known])
        known = np.flatnonzero(~np.isnan(self.x))
        if len(known) < 2:
            return 0.0
        a, b = known[-2:]
        return (self.x[b] - self.x[a]) / (self.tau[b] - self.tau[a])


def classical(run, c, i, method, asked):
    """[asked, D] normalised; 0 for derived features."""
    out = np.zeros((len(asked), len(run.features)))
    fit = run.frames["fit"]
    rows = np.concatenate([counting(run, c, other) for other in range(c.objects)])
    for f, about in enumerate(run.features):
        if about.get("derived", False):
            continue
        known = rows[c.mask[rows, f] > 0]
        mean = c.x[known, f].mean() if len(known) else 0.0
        of = about["velocity_of"]
        series = Series(run, c, i, f if of < 0 else of)
        own = series.x if of < 0 else series.v / series.factor
        seen = np.flatnonzero(~np.isnan(own))
        if method == "kalman":
            if (of < 0 and len(seen) == 0) or np.isnan(np.concatenate([series.x, series.v])).all():
                out[:, f] = mean
                continue
            known = np.flatnonzero(~(np.isnan(series.x) & np.isnan(series.v)))
            states = kalman(fit["kalman_noise"][f if of < 0 else of], series.tau[known], series.x[known],
                            series.v[known], asked)
            out[:, f] = [state[0] if of < 0 else state[1] / series.factor for state in states]
            continue
        if len(seen) == 0:
            out[:, f] = mean
            continue
        last, value = series.tau[seen[-1]], own[seen[-1]]
        damping = fit["damping"][f] if method == "damped_velocity" else 0.0
        for k, tau in enumerate(asked):
            if method == "hold":
                out[k, f] = value
            elif of >= 0:
                out[k, f] = value * math.exp(-damping * (tau - last))
            else:
                far = damping * (tau - last) > 1e-12
                carried = -math.expm1(-damping * (tau - last)) / damping if far else tau - last
                out[k, f] = value + series.slope(last) * carried
    return out


# Rows, frame, history


class Track:
    def __init__(self, tau, values):
        self.tau, self.values = np.asarray(tau), np.asarray(values)

    def at(self, tau):
        """Value and slope; None where there is none."""
        near = np.flatnonzero(np.abs(self.tau - tau) <= SAME_TIME)
        if len(near):
            k, share = near[0], 1.0
        else:
            k = int(np.searchsorted(self.tau, tau))
            if k == 0 or k == len(self.tau):
                return None, None
            share = (tau - self.tau[k - 1]) / (self.tau[k] - self.tau[k - 1])
        if k == 0:
            return self.values[k], None
        slope = (self.values[k] - self.values[k - 1]) / (self.tau[k] - self.tau[k - 1])
        return self.values[k - 1] + share * (self.values[k] - self.values[k - 1]), slope


class Start:
    """An object at the start."""

    def __init__(self, run, c, i):
        self.run, about = run, run.frames
        rows = counting(run, c, i)
        unit = run.scale[run.positions] / about["length"]
        self.d = len(run.positions)
        whole = [m for m in rows if c.mask[m, run.positions].all()]
        self.places = Track(c.tau[whole], c.x[whole][:, run.positions] * unit)
        self.measured = Track([], np.zeros((0, self.d)))
        if None not in run.velocities:
            moving = [m for m in rows if c.mask[m, run.velocities].all()]
            per = run.scale[run.velocities] * run.time_scale * about["time"] / about["length"]
            self.measured = Track(c.tau[moving], c.x[moving][:, run.velocities] * per)
        self.others = [Track(c.tau[own], c.x[own, f]) for f in run.others
                       for own in [[m for m in rows if c.mask[m, f] > 0]]]
        self.last = self.places.tau[-1] if whole else 0.0
        self.present = bool(whole) and -self.last <= run.memory + SAME_TIME
        self.age = max(0.0, -self.last) / about["time"]
        damped = about["base"] == "damped_velocity"
        ahead = about["step"] if damped else about["time"]
        base = classical(run, c, i, about["base"], [0.0, ahead])[:, run.positions] * unit
        filtered = classical(run, c, i, "kalman", [0.0, about["time"]])[:, run.positions] * unit
        self.p = base[0]
        self.away = None  # in the world, from the place's centre
        if about.get("place"):
            self.away = (c.centre[run.positions] + self.p * about["length"] - about["place"]["centre"]) / about["place"][
                "extent"]
        self.b = (base[1] - base[0]) * about["time"] / ahead
        self.v = filtered[1] - filtered[0]
        self.heading, self.axis = 0, np.zeros(2)

    def turn(self, heading, direction):
        self.heading, self.axis = heading, direction / np.linalg.norm(direction)

    def own(self, v):
        c, s = self.axis
        out = np.array([c * v[0] + s * v[1], c * v[1] - s * v[0], *v[2:]])
        return out if self.heading else np.zeros(self.d)

    def world(self, v):
        c, s = self.axis
        return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1], *v[2:]])

    def outside(self, v):
        return self.world(v) if self.heading else np.zeros(self.d)

    def history(self, mirror):
        run, out = self.run, []
        for slot in run.frames["slots"]:
            place, slope = self.places.at(self.last - slot)
            measured, _ = self.measured.at(self.last - slot)
            velocity = measured if measured is not None else slope * run.frames["time"] if slope is not None else None
            none = np.zeros(self.d)
            out += [*(mirror * (none if place is None else 0.5 * self.own(cut(place - self.p, FARTHEST)))),
                    *(mirror * (none if velocity is None else self.own(cut(velocity, FASTEST)))),
                    place is not None, velocity is not None]
            for other in self.others:
                value, _ = other.at(self.last - slot)
                out += [0, 0] if value is None else [value, 1]
        v = cut(self.v, FASTEST)
        out += [*(mirror * self.own(v)), *(mirror * self.own(cut(self.b, FASTEST))), np.linalg.norm(v),
                min(self.age, 8)]
        out += [self.heading == k for k in (1, 2, 3)]
        if self.away is not None:
            out += list(cut(self.away, 5) if self.heading else 0 * self.away)
            for axis in np.eye(self.d)[:2]:
                out += list(mirror * self.own(axis))
        return np.array(out, dtype=np.float64)


def find_frames(run, starts):
    slow = 0.05
    for s in starts:
        if not s.present:
            continue
        if np.linalg.norm(s.v[:2]) > slow:
            s.turn(1, s.v[:2])
            continue
        moved = [s.places.values[-1][:2] - place[:2] for place in s.places.values[:-1]]
        moved = [m for m in moved if np.linalg.norm(m) > slow]
        if moved:
            s.turn(2, moved[-1])
    if run.config["neighbours"] == "none":
        return
    framed = {id(s) for s in starts if s.heading}
    for s in starts:
        if not s.present or id(s) in framed:
            continue
        total, weights = np.zeros(2), 0.0
        for other in starts:
            away = (other.p - s.p)[:2]
            if other is s or not other.present or np.linalg.norm(away) == 0:
                continue
            d = distance(run, s, other)
            if d * run.frames["pair_length"] < run.frames["radius"]:
                total, weights = total + math.exp(-d) * away / np.linalg.norm(away), weights + math.exp(-d)
        if weights > 0 and np.linalg.norm(total) > 0.02 * weights:
            s.turn(3, total)


def distance(run, a, b):
    return np.linalg.norm(b.p - a.p) * run.frames["length"] / run.frames["pair_length"]


# Neighbours


def sources(run, c, starts, i):
    """(j, sum of weights by type, whether a listed relation)."""
    kind = run.frames["pairs"]
    there = [j for j, s in enumerate(starts) if s.present and j != i]
    weights = {j: np.zeros(run.shape["relation_types"]) for j in there}
    if kind != "near":
        for s, t, type_, w in c.relations:
            if t == i and s in weights:
                weights[s][type_] += w
    related = [j for j in there if weights[j].any()]
    near = related if kind == "related" else [
        j for j in there if distance(run, starts[i], starts[j]) * run.frames["pair_length"] < run.frames["radius"]]
    near = sorted(near, key=lambda j: (distance(run, starts[i], starts[j]), j))[:NEIGHBOURS]
    if kind == "near-and-listed":
        near = sorted(set(near) | set(related))
    return [(j, weights[j], kind == "near-and-listed" and weights[j].any()) for j in near]


def pair_inputs(run, own, r, u, weights, mirror):
    unit = run.frames["length"] / run.frames["pair_length"]
    u = cut(u, FASTEST)
    d = max(np.linalg.norm(r) * unit, 1e-3)
    soon = min(max(-(r @ u) / (u @ u + 0.05), 0), 8)
    out = [*(mirror * own.own(cut(r * unit, FARTHEST)) / 3), *(mirror * own.own(u)), 1 / (d + 0.3), math.exp(-d / 2),
           soon / 4, math.exp(-np.linalg.norm(r + soon * u) * unit), min(d, 50) / 5]
    return np.array(out + ([] if run.frames["pairs"] == "near" else list(weights)))


def receive(run, name, own, pairs, sent, places, velocities, i, mirror):
    """What object i receives; `sent`, places and velocities by object."""
    heads = run.config["heads"]
    total, scores, messages = np.zeros(run.config["encoder_width"]), [np.zeros(heads)], [None]
    fall = np.log(1 + np.exp(run.weights[name + ".fall"]))
    for j, weights, listed in pairs:
        r, u = places[j] - places[i], velocities[j] - velocities[i]
        x = run.linear(name + ".layer1", pair_inputs(run, own, r, u, weights, mirror))
        e = silu(x + run.weights[name + ".source.weight"] @ sent[j])
        e = run.linear(name + ".layer3", silu(run.linear(name + ".layer2", e)))
        d = 0.0 if listed else np.linalg.norm(r) * run.frames["length"] / run.frames["pair_length"]
        scores.append(run.linear(name + ".score", e) - fall * d)
        messages.append(e)
    alpha = np.exp(np.array(scores) - np.max(scores, axis=0))
    alpha /= alpha.sum(axis=0)
    for share, e in zip(alpha[1:], messages[1:]):
        total += np.repeat(share, len(e) // heads) * e
    return total


# Dynamics


class RollOut:
    """The states of all objects, in their frames or the mirror images of these. `pair`: of futures; None: the mean path."""

    def __init__(self, run, c, starts, mirror, end, pair=None):
        self.run, self.c, self.starts, self.mirror = run, c, starts, mirror
        about, neighbours = run.frames, run.config["neighbours"]
        self.step, self.pairs = about["step"] / about["time"], [[] for _ in starts]
        z = [run.mlp("history", s.history(mirror)) for s in starts]
        if neighbours != "none":
            self.pairs = [sources(run, c, starts, i) if s.heading else [] for i, s in enumerate(starts)]
            at, v = [s.p for s in starts], [s.v for s in starts]
            z = [np.concatenate([z[i], receive(run, "pair", s, self.pairs[i], z, at, v, i, mirror)])
                 for i, s in enumerate(starts)]
        self.fixed = [run.linear("dynamics.context", np.concatenate([z[i], mirror * s.own(cut(s.v, FASTEST))]))
                      for i, s in enumerate(starts)]
        d, count, width = len(run.positions), len(run.others), run.config["state"]
        self.z = z
        first = [run.mlp("start", one) if pair is None
                 else run.mlp("futures.start", one)[pair * width:(pair + 1) * width] for one in z]
        state = [(w, np.zeros(d), np.zeros(d), np.zeros(count)) for w in first]
        steps = max(math.ceil(end / about["step"] - SAME_TIME) - 1, 0) + 1
        nodes = [k * about["step"] for k in range(steps + 1)]
        unit = run.scale[run.positions] / about["length"]
        self.base = [classical(run, c, i, about["base"], nodes)[:, run.positions] * unit for i in range(len(starts))]
        self.states = []
        for k in range(steps):
            state = self.advance(k, state, neighbours == "moving")

    def advance(self, k, state, moving):
        run, h = self.run, self.step
        d, count = len(run.positions), len(run.others)
        told = [0.0] * len(state)
        if moving:
            ahead = [(base[k + 1] - base[k]) / h for base in self.base]
            at = [self.base[i][k] + s.outside(self.mirror * state[i][1]) for i, s in enumerate(self.starts)]
            v = [ahead[i] + s.outside(self.mirror * state[i][2]) for i, s in enumerate(self.starts)]
            sent = [w for w, _, _, _ in state]
            told = [run.weights["dynamics.message.weight"]
                    @ receive(run, "message", s, self.pairs[i], sent, at, v, i, self.mirror)
                    for i, s in enumerate(self.starts)]
        read, later = [], []
        for i, (w, x, v, r) in enumerate(state):
            b = self.mirror * self.starts[i].own(cut(self.starts[i].b, FASTEST))
            q = silu(run.weights["dynamics.layer1.weight"] @ np.concatenate([w, b + v]) + self.fixed[i] + told[i])
            out = run.linear("dynamics.layer3", silu(run.linear("dynamics.layer2", q)))
            a, dr, dw = out[:d], out[d:d + count], out[d + count:]
            read.append((x, v, a, r, dr))
            later.append((w + h * dw, x + h * v + h**2 * a / 2, v + h * a, r + h * dr))
        self.states.append(read)
        return later

    def read(self, i, tau):
        """[e, e', r], in the frame."""
        about = self.run.frames
        k = max(math.ceil(tau / about["step"] - SAME_TIME) - 1, 0)
        x, v, a, r, dr = self.states[k][i]
        s = (tau - k * about["step"]) / about["time"]
        return self.mirror * (x + s * v + s**2 * a / 2), self.mirror * (v + s * a), r + s * dr


class Scene:
    """A system at the start of a forecast, and what reads the roll-outs off."""

    def __init__(self, run, data, system, times, start, whole):
        self.run, self.c = run, Context(run, data, system, start, whole)
        self.objects = len(data.objects(system))
        self.asked = [max(0.0, (t - self.c.start) / run.time_scale) for t in times]
        self.starts = [Start(run, self.c, i) for i in range(self.c.objects)]
        find_frames(run, self.starts)

    def images(self, pair=None):
        """The roll-outs in the frames and in their mirror images."""
        d = len(self.run.positions)
        return [RollOut(self.run, self.c, self.starts, np.array(mirror[:d]), max(self.asked), pair)
                for mirror in ([1, 1, 1], [1, -1, 1])]


def mean_of(images):
    return lambda i, tau: [(one + two) / 2 for one, two in zip(images[0].read(i, tau), images[1].read(i, tau))]


def predict(run, data, system, times, start=None, whole=False):
    scene = Scene(run, data, system, times, start, whole)
    return values_of(scene, mean_of(scene.images()))


def futures(run, data, system, times, start=None, whole=False):
    """Values [K, objects, times, features] and probabilities [objects, K], by falling probability of each object."""
    scene = Scene(run, data, system, times, start, whole)
    count = run.config["futures"]
    values, scores = [], []
    for pair in range((count + 1) // 2):
        images = scene.images(pair)
        own = [[run.linear("futures.score", z)[pair] for z in image.z] for image in images]
        if len(values) + 2 > count:
            values.append(values_of(scene, mean_of(images)))
            scores.append(np.mean(own, axis=0))
            continue
        for image, score in zip(images, own):
            values.append(values_of(scene, image.read))
            scores.append(score)
    scores = np.array(scores).T
    probability = np.full((scene.objects, count), np.nan)
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    probability[scene.c.number] = odds / odds.sum(axis=1, keepdims=True)
    order = np.argsort(-probability, axis=1, kind="stable")
    ordered = np.array(values)[order.T, np.arange(scene.objects)]
    return ordered, np.take_along_axis(probability, order, axis=1)


def values_of(scene, read):
    """What `read` (object, time) gives, in the data's units and axes."""
    run, c, starts, asked = scene.run, scene.c, scene.starts, scene.asked
    about = run.frames
    out = np.full((scene.objects, len(asked), len(run.features)), np.nan)
    for i, number in enumerate(c.number):
        rows = c.rows_of(i)
        if len(rows) and -c.tau[rows[-1]] > run.memory + SAME_TIME:
            continue
        values = classical(run, c, i, about["base"], asked)
        for k, tau in enumerate(asked if starts[i].heading else []):
            x, v, r = read(i, tau)
            values[k, run.positions] += starts[i].world(x) * about["length"] / run.scale[run.positions]
            for f, own in zip(run.velocities, starts[i].world(v)):
                if f is not None:
                    values[k, f] += own * about["length"] / (about["time"] * run.time_scale * run.scale[f])
            values[k, run.others] += r
        out[number] = values * run.scale + c.centre
    out[:, :, run.derived] = np.nan
    return out
