"""The default model in float64, written from docs/assimilation.md ("Every number"): predictions of the mean path.

Sections and symbols are the page's. Reads a run's checkpoint and a data set, needs numpy alone, and is made to be read:
one system at a time, one observation at a time. What it leaves out it refuses (Run.check).

    from assimilate import Dataset, Run, predict
    values = predict(Run("runs/x/best.safetensors"), Dataset("set.safetensors"), system, times, start)

predict() returns [objects, times, features] in physical units, NaN for what `lgode predict` does not write.
"""

import copy
import json
import math

import numpy as np

from classical import BasePath

SAME_TIME = 1e-6  # model time
MARGIN, ULPS = 1e-9, 8


# Files


def read_safetensors(path):
    """Arrays by name, and the metadata."""
    raw = np.fromfile(path, dtype=np.uint8)
    start = 8 + int(raw[:8].view("<u8")[0])
    header = json.loads(raw[8:start].tobytes())
    about = header.pop("__metadata__")
    types = {"U8": "u1", "I32": "<i4", "I64": "<i8", "F32": "<f4", "F64": "<f8"}
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        arrays[name] = raw[start + begin:start + end].copy().view(types[entry["dtype"]]).reshape(entry["shape"])
    return arrays, about


class Run:
    """The weights and the description of a checkpoint."""

    def __init__(self, path):
        arrays, about = read_safetensors(path)
        info = json.loads(about["lgode.run"])
        self.weights = {name: a.astype(np.float64) for name, a in arrays.items() if not name.startswith("optimizer.")}
        self.config, self.shape = info["config"], info["shape"]
        self.scale = np.array(info["scale"])
        self.features = info["features"]
        self.time_scale, self.conditioning_length = info["time_scale"], info["conditioning_length"]
        self.leave = info.get("leave")
        self.gate = info.get("outlier_gate")
        self.forget = math.inf if self.gate is None or self.gate["forget"] is None else self.gate["forget"]
        self.forecast = self.shape.get("forecast", False)
        memory = self.shape.get("memory")
        self.memory = math.inf if memory is None else memory
        self.ties = self.shape.get("ties", [])
        self.derived = [f for f, about in enumerate(self.features) if about.get("derived", False)]
        self.check()

    def check(self):
        expected = {"model": "assimilate", "variant": "full", "ode": "graph"}
        for key, value in expected.items():
            if self.config[key] != value:
                raise ValueError(f"{key} is {self.config[key]}, the page describes {value}")
        if self.config["solver"] not in RULES:
            raise ValueError(f"solver {self.config['solver']} has no fixed steps")

    def linear(self, name, x):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def layer_norm(self, name, x):
        centred = x - x.mean(axis=-1, keepdims=True)
        variance = (centred**2).mean(axis=-1, keepdims=True)
        return centred / np.sqrt(variance + 1e-5) * self.weights[name + ".weight"] + self.weights[name + ".bias"]


class Dataset:
    """A data set as stored: physical units and times."""

    def __init__(self, path):
        self.arrays, about = read_safetensors(path)
        self.about = json.loads(about["lgode.description"])

    def objects(self, system):
        first, end = self.arrays["object_offsets"][system:system + 2]
        return range(first, end)

    def rows(self, thing):
        begin, end = self.arrays["observation_offsets"][thing:thing + 2]
        return self.arrays["times"][begin:end], self.arrays["values"][begin:end]

    def origin(self, system):
        return float(self.arrays["origins"][system])

    def relations(self, system):
        begin, end = self.arrays["relation_offsets"][system:system + 2]
        names = ("relation_sources", "relation_targets", "relation_types", "relation_weights")
        return list(zip(*(self.arrays[name][begin:end].tolist() for name in names)))


def relu(x):
    return np.maximum(x, 0)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


# Context


def position_features(features):
    moving = {about["velocity_of"] for about in features if about["velocity_of"] >= 0}
    places = [f for f, about in enumerate(features) if about["velocity_of"] < 0]
    return [f for f in places if f in moving] or places


class Context:
    """What the model is given of one system. Row m belongs to object self.object[m]; rows ascend within an object."""

    def __init__(self, run, data, system, start=None, whole=False):
        self.run, given = run, start is not None
        origin, scale = data.origin(system), run.time_scale
        things = [data.rows(thing) for thing in data.objects(system)]
        filled = [~np.isnan(values).all(axis=1) for _, values in things]
        if start is None:
            last = [times[keep][-1] for (times, _), keep in zip(things, filled) if keep.any()]
            start, given = max([origin] + last) if run.forecast else origin, False
        self.start = start
        model_start = (start - origin) / scale
        margin = max(MARGIN, ULPS * 2.0**-52 * abs(origin) / scale)
        length = run.conditioning_length / scale
        reach = min(1.0, length) * (run.config["start_high"] if run.config["start"] == "random" else 0.5)
        self.number, rows = [], []  # of each object in the system; its rows
        for i, ((times, values), keep) in enumerate(zip(things, filled)):
            tau = (times - origin) / scale - model_start
            if run.forecast:
                early = (tau < -margin) if given else (tau <= margin)
                here = keep & early & (whole | (tau >= -reach - margin))
                keep = here & self.believed(times, values, keep & early)
            else:
                keep = keep & (tau >= -margin) & (tau < length - margin) & self.believed(times, values, keep)
            if not keep.any() and run.config["unseen"] != "predict":
                continue
            self.number.append(i)
            rows.append((times[keep], tau[keep], self.derive(times[keep], values[keep].copy())))
        self.object = np.repeat(np.arange(len(rows)), [len(times) for times, _, _ in rows])
        width = len(run.features)
        self.times = np.concatenate([times for times, _, _ in rows] or [np.zeros(0)])
        self.tau = np.concatenate([tau for _, tau, _ in rows] or [np.zeros(0)])
        values = np.concatenate([values for _, _, values in rows] or [np.zeros((0, width))])
        self.centre = self.centre_of(values)
        self.mask = (~np.isnan(values)).astype(np.float64)
        self.x = np.nan_to_num((values - self.centre) / run.scale)
        self.relations = self.relate(data, system, values)

    def allows(self, f, elapsed, change):
        """Whether the gate believes a change of a feature."""
        gate = self.run.gate
        if gate is None or gate["reach"][f] >= 1e20:
            return True
        return abs(change) / max(1, elapsed / gate["gap"]) <= gate["reach"][f]

    def believed(self, times, values, judged):
        """Which rows may be in the context, of those to be judged."""
        kept = judged.copy()
        if self.run.gate is None:
            return kept
        latest, run, waiting, count, first = {}, {}, [], 0, None  # feature -> (time, value)

        def fits(seen, k):
            return all(f not in seen or times[k] - seen[f][0] > self.run.forget
                       or self.allows(f, times[k] - seen[f][0], values[k, f] - seen[f][1])
                       for f in np.flatnonzero(~np.isnan(values[k])))

        for k in np.flatnonzero(judged):
            now = {f: (times[k], values[k, f]) for f in np.flatnonzero(~np.isnan(values[k]))}
            like_run = bool(waiting) and fits(run, k)
            if count == 0 or fits(latest, k):
                first = k if count == 0 else first
                if like_run and not self.run.forecast:
                    kept[waiting] = True
                latest.update(now)
                count, waiting = count + 1, []
                continue
            if not like_run:
                run, waiting = {}, []
            run.update(now)
            kept[k] = False
            waiting.append(k)
            if len(waiting) == 3:
                latest.update(run)
                kept[k] = True
                if count == 1:
                    kept[first], kept[waiting] = False, True
                elif not self.run.forecast:
                    kept[waiting] = True
                count, waiting = count + 2, []
        return kept

    @property
    def objects(self):
        return len(self.number)

    def rows_of(self, i):
        return np.flatnonzero(self.object == i)

    def slope(self, v, t, x, k):
        elapsed, change = t[k] - t[k - 1], x[k] - x[k - 1]
        return change / elapsed if self.allows(self.run.features[v]["velocity_of"], elapsed, change) else None

    def derive(self, times, values):
        for v in self.run.derived:
            known = np.flatnonzero(~np.isnan(values[:, self.run.features[v]["velocity_of"]]))
            x, t = values[known, self.run.features[v]["velocity_of"]], times[known]
            for k in range(len(known) if len(known) > 1 else 0):
                before = self.slope(v, t, x, k) if k > 0 else None
                after = self.slope(v, t, x, k + 1) if k + 1 < len(known) else None
                if self.run.forecast:
                    if before is not None and t[k] - t[k - 1] <= self.run.leave:
                        values[known[k], v] = before
                elif before is None and after is None:
                    continue
                elif before is None or after is None:
                    values[known[k], v] = before if after is None else after
                else:
                    a, b = t[k] - t[k - 1], t[k + 1] - t[k]
                    values[known[k], v] = (b * before + a * after) / (a + b)
        return values

    def centre_of(self, values):
        centre = np.zeros(len(self.run.features))
        if self.run.config["centre"] != "system":
            return centre
        for f in position_features(self.run.features):
            known = ~np.isnan(values[:, f])
            if not known.any():
                continue
            if self.run.forecast:
                known &= self.times == self.times[known].min()
            centre[f] = values[known, f].mean()
        return centre

    def relate(self, data, system, values):
        """(source, target, type, weight) among the objects that are there."""
        rule = data.about.get("edges")
        if rule is None:
            place = {number: i for i, number in enumerate(self.number)}
            return [(place[s], place[t], kind, w) for s, t, kind, w in data.relations(system)
                    if s in place and t in place]
        pairs = [(s, t) for t in range(self.objects) for s in range(self.objects) if s != t]
        if rule["rule"] != "all":
            position = np.full((self.objects, len(rule["positions"])), np.nan)
            for i in range(self.objects):
                for axis, f in enumerate(rule["positions"]):
                    known = values[self.rows_of(i), f]
                    known = known[~np.isnan(known)]
                    if len(known):
                        position[i, axis] = known[-1] if self.run.forecast else known.mean()
            distance = {(s, t): ((position[s] - position[t])**2).sum() for s, t in pairs}
            if rule["rule"] == "within":
                pairs = [pair for pair in pairs if distance[pair] <= rule["radius"]**2]
            else:
                near = []
                for target in range(self.objects):
                    sources = [pair for pair in pairs if pair[1] == target and not math.isnan(distance[pair])]
                    near += sorted(sources, key=lambda pair: (distance[pair], pair[0]))[:rule["neighbours"]]
                pairs = near
        return [(s, t, 0, 1.0) for s, t in pairs]

    def weight(self, source, target):
        return sum(w for s, t, _, w in self.relations if (s, t) == (source, target))


# Encoder


def time_encoding(tau, width, frequency):
    k = np.arange(width)
    angle = frequency * np.asarray(tau)[..., None] / 10000.0**(2 * (k // 2) / width)
    return np.where(k % 2 == 0, np.sin(angle), np.cos(angle))


def sources_of(run, c, t):
    """Rows that row t attends to, whether each belongs to another object, and log w."""
    direction = "past" if run.forecast else run.config["direction"]
    out = []
    for s in range(len(c.tau)):
        gap = c.tau[s] - c.tau[t]
        if abs(gap) > run.shape["window"] + 1e-6:
            continue
        if (direction == "past" and gap > 0) or (direction == "future" and gap < 0):
            continue
        if c.object[s] == c.object[t]:
            out.append((s, 0, 0.0))
        elif (weight := c.weight(c.object[s], c.object[t])) > 0:
            out.append((s, 1, math.log(weight)))
    return [np.array(column) for column in zip(*out)]


def encode(run, c):
    """The vectors of the rows after the last layer. [M, d]"""
    d, heads = run.config["encoder_width"], run.config["heads"]
    o = np.concatenate([c.x, c.mask], axis=1) if run.shape["append_mask"] else c.x
    h = run.layer_norm("encoder.input_norm", relu(run.linear("encoder.input", o)))
    sources = [sources_of(run, c, t) for t in range(len(h))]
    for l in range(run.config["layers"]):
        name = f"encoder.layer{l}"
        x = run.layer_norm(name + ".norm", h)
        update = np.zeros_like(h)
        for t, (s, other, log_weight) in enumerate(sources):
            gap = c.tau[s] - c.tau[t]
            hat = relu(run.linear(name + ".time", np.concatenate([x[s], gap[:, None]], axis=1)))
            hat = hat + time_encoding(gap, d, run.config["time_frequency"])

            def by_type(part):
                matrix, bias = run.weights[f"{name}.{part}.weight"][other], run.weights[f"{name}.{part}.bias"][other]
                return (np.einsum("soi,si->so", matrix, hat) + bias).reshape(len(s), heads, d // heads)

            query = run.linear(name + ".query", x[t]).reshape(heads, d // heads)
            score = np.einsum("shk,hk->sh", by_type("key"), query) / math.sqrt(d / heads) + log_weight[:, None]
            alpha = np.exp(score - score.max(axis=0))
            alpha /= alpha.sum(axis=0)
            update[t] = np.einsum("sh,shk->hk", alpha, by_type("value")).reshape(d)
        h = h + relu(update)
    return h


def summary(run, c, h):
    """u of each object. [N, u]"""
    width = run.config["sequence_width"]
    u = np.zeros((c.objects, width))
    for i in range(c.objects):
        rows = c.rows_of(i)
        if run.forecast:
            rows = rows[-c.tau[rows] <= run.memory + SAME_TIME]
        if len(rows) == 0:
            continue
        hat = relu(run.linear("encoder.sequence.time", np.concatenate([h[rows], c.tau[rows, None]], axis=1)))
        hat = hat + time_encoding(c.tau[rows], width, run.config["time_frequency"])
        a = np.tanh(run.weights["encoder.sequence.gate.weight"] @ hat.mean(axis=0) / math.sqrt(width))
        u[i] = (sigmoid(hat @ a)[:, None] * hat).mean(axis=0)
    seen = [len(c.rows_of(i)) > 0 for i in range(c.objects)]
    for i in range(c.objects):
        lenders = [j for j in range(c.objects) if seen[j] and c.weight(j, i) > 0]
        if not seen[i] and lenders:
            u[i] = u[lenders].mean(axis=0)
    return u


def posterior_mean(run, u):
    s = run.linear("encoder.posterior2", relu(run.linear("encoder.posterior1", u)))
    return s[:, :run.config["latent"]]


# Start and jumps


def entering(run, c):
    """Of a forecast: whether an object enters with the row."""
    return np.array([m == 0 or c.object[m] != c.object[m - 1] or c.tau[m] - c.tau[m - 1] > run.memory + SAME_TIME
                     for m in range(len(c.tau))], dtype=bool)


def gains(run, c):
    if run.config["gain"] == "one":
        return c.mask
    g = c.mask / (1 + run.weights["gain"]**2)
    if run.forecast:
        seen = np.zeros(len(run.features), dtype=bool)
        for m, enters in enumerate(entering(run, c)):
            seen &= not enters
            g[m] = np.where(seen, g[m], c.mask[m])
            seen |= c.mask[m] > 0
    return g


# Nodes and steps


def events_of(run, c):
    events = []
    for tau in sorted(c.tau.tolist() + ([0.0] if run.forecast else [])):
        if not events or tau > events[-1] + SAME_TIME:
            events.append(tau)
    return events


def event_at(events, tau):
    return max((e for e in range(len(events)) if events[e] <= tau + 1e-12), default=0)


class Field:
    """Eq. 10 among the rows of a system."""

    def __init__(self, run, c):
        self.run = run
        types = run.shape["relation_types"]
        pairs = [(s, t, kind, w) for s, t, kind, w in c.relations]
        if run.config["interaction"] == "all":
            related = {(s, t) for s, t, _, _ in pairs}
            pairs += [(s, t, types, 1.0) for t in range(c.objects) for s in range(c.objects)
                      if s != t and (s, t) not in related]
        self.lists = []
        for kind in range(types + 1):
            own = [(s, t, w) for s, t, k, w in pairs if k == kind]
            if own:
                s, t, w = (np.array(column) for column in zip(*own))
                self.lists.append((f"dynamics.message{kind}", s.astype(int), t.astype(int), w))

    def __call__(self, z, present):
        run = self.run
        total = np.zeros((len(z), run.config["hidden"]))
        for name, s, t, w in self.lists:
            e = relu(run.linear(name + ".layer1", np.concatenate([z[t], z[s]], axis=1)))
            e = relu(run.linear(name + ".layer2", e))
            np.add.at(total, t, (w * present[s])[:, None] * e)
        out = np.concatenate([z, total], axis=1)
        for layer in (1, 2):
            out = relu(run.linear(f"dynamics.object.layer{layer}", out))
        out = run.linear("dynamics.object.layer3", out)
        for tie in run.ties:
            moved = tie["factor"] * z[:, tie["velocity"]]
            out[:, tie["position"]] = moved + (out[:, tie["position"]] if tie["remainder"] else 0)
        return out * present[:, None]


def three_eighths(f, z, h):
    k1 = f(z)
    k2 = f(z + h * k1 / 3)
    k3 = f(z + h * (k2 - k1 / 3))
    k4 = f(z + h * (k1 - k2 + k3))
    return z + h * (k1 + 3 * k2 + 3 * k3 + k4) / 8


def classic(f, z, h):
    k1 = f(z)
    k2 = f(z + h * k1 / 2)
    k3 = f(z + h * k2 / 2)
    k4 = f(z + h * k3)
    return z + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6


def midpoint(f, z, h):
    return z + h * f(z + h * f(z) / 2)


def euler(f, z, h):
    return z + h * f(z)


RULES = {"rk4": three_eighths, "rk4-classic": classic, "midpoint": midpoint, "euler": euler}


class Path:
    """The path before the bridge: its steps, and the states before and after the jumps of each event."""

    def __init__(self, run, c, end):
        self.run, self.c = run, c
        self.events = events_of(run, c)
        self.event = [event_at(self.events, tau) for tau in c.tau]  # of each row
        self.field = Field(run, c)
        self.gain = gains(run, c)
        self.enters = entering(run, c)
        h = encode(run, c)
        latent = posterior_mean(run, summary(run, c, h))
        self.from_posterior = run.linear("start", latent)
        jump = relu(run.linear("jump.layer1", np.concatenate([h, c.x, c.mask], axis=1)))
        self.p, self.q = np.split(run.linear("jump.layer2", jump), 2, axis=1)
        self.steps = []  # (from, to, state and slope at both ends)
        self.before, self.after = [], []  # of each event
        self.solve(end)

    def presence(self, node, event):
        """Of each object in a step that begins at a node; `event`: the last one at or before it. [N] 0 or 1"""
        present = np.ones(self.c.objects)
        if not self.run.forecast:
            return present
        for i in range(self.c.objects):
            rows = [m for m in self.c.rows_of(i) if self.event[m] <= event]
            present[i] = bool(rows) and min(node, 0.0) - self.c.tau[rows[-1]] <= self.run.memory + SAME_TIME
        return present

    def solve(self, end):
        run, h = self.run, self.run.config["step"]
        width = len(run.features) + run.config["state"]
        z = np.zeros((self.c.objects, width)) if run.forecast else self.from_posterior
        node = min([0.0] + self.events[:1])
        for e, tau in enumerate(self.events):
            gap = tau - node
            count = math.ceil(gap / h - 1e-9)
            nodes = [node + gap * k / count for k in range(count)] + [tau]
            for left, right in zip(nodes[:count], nodes[1:]):
                z = self.step(z, left, right, e - 1)
            self.before.append(z)
            z = self.jump(z, e)
            self.after.append(z)
            node = tau
        first, k = node, 0
        while node < end:
            k += 1
            z = self.step(z, node, first + k * h, len(self.events) - 1)
            node = first + k * h

    def step(self, z, left, right, event):
        present = self.presence(left, event)

        def f(state):
            return self.field(state, present)

        out = RULES[self.run.config["solver"]](f, z, right - left)
        self.steps.append((left, right, z, f(z), out, self.field(out, self.presence(right, event))))
        return out

    def jump(self, z, event):
        run, features = self.run, len(self.run.features)
        z = z.copy()
        for i in range(self.c.objects):
            rows = [m for m in self.c.rows_of(i) if self.event[m] == event]
            if rows:
                m = rows[-1]
                g = self.gain[m]
                keep = np.concatenate([1 - g, sigmoid(self.p[m])])
                if run.forecast and self.enters[m]:
                    keep[:] = 0
                z[i] = keep * z[i] + np.concatenate([g * self.c.x[m], self.q[m]])
            if run.forecast and event == event_at(self.events, 0.0):
                z[i, features:] += self.from_posterior[i, features:]
        return z

    def read(self, i, tau):
        """The features of object i, after jumps at an event."""
        y = slice(len(self.run.features))
        event = event_at(self.events, tau)
        if self.events and self.events[event] == tau:
            return self.after[event][i, y]
        for left, right, z, slope, end, end_slope in self.steps:
            if left <= tau < right:
                h = right - left
                a = (tau - left) / h
                value = (1 + 2 * a) * (1 - a)**2 * z + a**2 * (3 - 2 * a) * end
                value = value + h * a * (1 - a)**2 * slope - h * a**2 * (1 - a) * end_slope
                return value[i, y]
        return self.steps[-1][4][i, y] if self.steps else self.after[-1][i, y]  # at the very end

    def at_row(self, i, tau):
        """The row of the object that a time is at, or None."""
        rows = self.c.rows_of(i)
        near = sorted((abs(self.c.tau[m] - tau), -self.c.tau[m], m) for m in rows)
        return near[0][2] if near and near[0][0] <= SAME_TIME else None


# Bridge


class Bridge:
    def __init__(self, path):
        self.path, self.c = path, path.c
        run = path.run
        self.jump = [path.gain[m] * (self.c.x[m] - self.state_before(m)) for m in range(len(self.c.tau))]
        self.tie = {}
        for tie in run.ties:
            self.tie[tie["position"]] = self.tie[tie["velocity"]] = tie

    def state_before(self, m):
        return self.path.before[self.path.event[m]][self.c.object[m], :len(self.path.run.features)]

    def has(self, m, f):
        return self.c.mask[m, f] > 0

    def deviation(self, i, tie, tau, y, l=None):
        """Q of object i at tau, where the path before the bridge is y; l: the row at the left end of the gap."""
        x, v, lag = tie["position"], tie["velocity"], tie["lag"]
        earlier = tau - lag
        if l is not None and earlier <= self.c.tau[l] + SAME_TIME:
            after = self.path.after[self.path.event[l]][i]
            start = after[x] + (earlier - self.c.tau[l]) * tie["factor"] * after[v]
        else:
            start = self.path.read(i, max(earlier, self.begin()))[x]
        return y[x] - lag * tie["factor"] * y[v] - start

    def begin(self):
        return min([0.0] + self.path.events[:1])

    def correction(self, i, f, tau, y):
        """What feature f of object i gets at tau, where the path is y."""
        rows = [m for m in self.c.rows_of(i) if self.has(m, f)]
        if any(abs(self.c.tau[m] - tau) <= SAME_TIME for m in rows):
            return 0.0
        later = [m for m in rows if self.c.tau[m] > tau]
        if not later:
            return 0.0
        r = later[0]
        earlier = [m for m in rows if m < r]
        tie = self.tie.get(f)
        if not earlier:
            return self.before_first(i, f, tau, r, tie)
        l = earlier[-1]
        h = self.c.tau[r] - self.c.tau[l]
        u = (tau - self.c.tau[l]) / h
        if tie is None:
            return u * self.jump[r][f]
        pair = (tie["position"], tie["velocity"])
        both = all(self.has(m, g) for m in (l, r) for g in pair)
        if not both or any(self.has(m, g) for m in range(l + 1, r) for g in pair):
            return u * self.jump[r][f]
        jumps = [self.jump[r][g] for g in pair]
        if tie["lag"] > 2 * SAME_TIME and h >= 1.5 * tie["lag"]:
            at_end = self.deviation(i, tie, self.c.tau[r], self.state_before(r), l)
            here = self.deviation(i, tie, tau, y, l)
            return self.over_lag(f == pair[0], u, h, *jumps, at_end, here, tie)
        return hermite(f == pair[0], u, h * tie["factor"], *jumps)

    def before_first(self, i, f, tau, r, tie):
        ahead = tau - self.c.tau[r]
        if tie is None or f != tie["position"] or not self.has(r, tie["velocity"]):
            return self.jump[r][f]
        if any(self.has(m, tie["velocity"]) for m in self.c.rows_of(i) if m < r):
            return self.jump[r][f]
        slope = tie["factor"] * self.jump[r][tie["velocity"]]
        if tie["lag"] > 2 * SAME_TIME and self.c.tau[r] - tie["lag"] >= -SAME_TIME:
            slope -= self.deviation(i, tie, self.c.tau[r], self.state_before(r)) / tie["lag"]
        return self.jump[r][f] + ahead * slope

    @staticmethod
    def over_lag(position, u, h, r_x, r_v, at_end, here, tie):
        lag, step = tie["lag"], tie["lag"] * tie["factor"]
        nodes = np.array([-lag, 0.0, h - lag, h])
        cubic = np.polynomial.Polynomial.fit(nodes, [0.0, 0.0, r_x - step * r_v + at_end, r_x], 3)
        now = cubic(u * h)
        return now if position else (now - cubic(u * h - lag) + here) / step


def hermite(position, u, hk, r_x, r_v):
    if position:
        return (3 * u**2 - 2 * u**3) * r_x + (u**3 - u**2) * hk * r_v
    return (6 * u - 6 * u**2) * r_x / hk + (3 * u**2 - 2 * u) * r_v


# Base path


def idle_run(run):
    """The run whose state moves by observations and ties alone, as before training."""
    idle = copy.copy(run)
    idle.weights = {name: 0 * w if name.startswith(("dynamics.", "start.")) else w for name, w in run.weights.items()}
    first = np.array([about["gain"] for about in run.shape["base"]["features"]])
    idle.weights["gain"] = np.where(first < 1, np.sqrt(1 / first - 1), 0.1)
    return idle


class Shift:
    """What the base path adds: base path minus idle path."""

    def __init__(self, run, c, end):
        self.run, self.c = run, c
        self.base = BasePath(run.shape["base"])
        self.path = Path(idle_run(run), c, end)
        self.bridge = None if run.forecast else Bridge(self.path)
        seen = np.maximum(c.mask.sum(axis=0), 1)
        self.mean = (c.x * c.mask).sum(axis=0) / seen
        self.enters = entering(run, c)

    def __call__(self, i, tau, m):
        rows = list(self.c.rows_of(i))
        if self.run.forecast:
            last = [k for k, row in enumerate(rows) if self.enters[row]]
            rows = rows[last[-1]:] if last else rows
        rows = [(self.c.tau[m], self.c.x[m], self.c.mask[m] > 0) for m in rows]
        value = self.base(rows, tau, self.mean) - shown(self.path, self.bridge, i, tau, m)
        value[self.run.derived] = 0
        return 20 * self.run.weights["base"] * value


# What is shown


def shown(path, bridge, i, tau, m):
    """The features of object i at a time; m: the row that it is at, or None."""
    features = len(path.run.features)
    y = path.read(i, tau) if m is None else path.after[path.event[m]][i, :features]
    if bridge is not None:
        at = tau if m is None else path.c.tau[m]
        y = y + [bridge.correction(i, f, at, y) for f in range(features)]
    return y


def predict(run, data, system, times, start=None, whole=False):
    """[objects of the system, times, features], physical; NaN where nothing is written. `whole`: --context all"""
    c = Context(run, data, system, start, whole)
    out = np.full((len(data.objects(system)), len(times), len(run.features)), np.nan)
    asked = [max(0.0, (t - c.start) / run.time_scale) for t in times]
    path = Path(run, c, max(asked))
    bridge = None if run.forecast else Bridge(path)
    shift = Shift(run, c, max(asked)) if run.shape.get("base") else None
    for i, number in enumerate(c.number):
        rows = c.rows_of(i)
        if run.forecast and len(rows) and -c.tau[rows[-1]] > run.memory + SAME_TIME:
            continue
        for k, tau in enumerate(asked):
            m = path.at_row(i, tau)
            y = shown(path, bridge, i, tau, m)
            if shift is not None:
                y = y + shift(i, tau, m)
            out[number, k] = y * run.scale + c.centre
    out[:, :, run.derived] = np.nan
    return out
