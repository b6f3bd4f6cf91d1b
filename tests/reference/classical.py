"""The base paths of docs/assimilation.md in float64: classical methods, one object and one feature at a time. Needs
numpy alone.

    path = BasePath(description)                     # shape.base of a checkpoint
    path(rows, tau, mean)                            # values of all features at a time

A row is (time, x, mask) with x normalised; times are model times and ascend. `mean` [D] stands for features that no row
has.
"""

import math

import numpy as np


class BasePath:
    def __init__(self, base):
        self.kind, self.features = base["kind"], base["features"]
        self.velocity = {}  # of a position: its velocity, and the factor of the velocity
        for v, about in enumerate(self.features):
            p = about["velocity_of"]
            if p >= 0 and not about.get("derived", False):
                self.velocity[p] = (v, about["scale"] * base["time_scale"] / self.features[p]["scale"])

    def __call__(self, rows, tau, mean):
        return np.array([self.value(rows, f, tau, mean[f]) for f in range(len(self.features))])

    def value(self, rows, f, tau, mean):
        about = self.features[f]
        if about.get("derived", False):
            return 0.0
        if self.kind == "kalman":
            return self.kalman(rows, f, tau, mean)
        own = series(rows, f)
        if not own:
            return mean
        if about["velocity_of"] >= 0:
            return self.of_velocity(rows, f, tau, own)
        if self.kind == "hold":
            return latest(own, tau)[1]
        if self.kind == "linear":
            return line(own, tau)
        if self.kind == "cubic_hermite" and inside(own, tau):
            return self.hermite(rows, f, tau, own, slope=False)
        t, x = latest(own, tau)
        damping = about["damping"] if self.kind == "damped_velocity" else 0.0
        ahead = tau - t
        if damping * ahead > 1e-12:
            ahead = (1 - math.exp(-damping * ahead)) / damping
        return x + self.slope(rows, f, t, own) * ahead

    def of_velocity(self, rows, f, tau, own):
        """The path of a velocity."""
        p = self.features[f]["velocity_of"]
        position = series(rows, p)
        if self.kind == "linear":
            return line(own, tau)
        if self.kind == "cubic_hermite":
            if inside(position, tau):
                return self.hermite(rows, p, tau, position, slope=True) / self.velocity[p][1]
            return line(own, tau)
        t, v = latest(own, tau)
        damping = self.features[f]["damping"] if self.kind == "damped_velocity" else 0.0
        return v * math.exp(-damping * max(tau - t, 0.0))

    def velocities(self, rows, f):
        """Those of position f, in its unit and per model time."""
        if f not in self.velocity:
            return []
        v, factor = self.velocity[f]
        return [(t, factor * x) for t, x in series(rows, v)]

    def slope(self, rows, f, t, own):
        known = self.velocities(rows, f)
        if known:
            return line(known, t)
        if len(own) < 2:
            return 0.0
        k = max(1, [at for at, _ in own].index(t))
        return (own[k][1] - own[k - 1][1]) / (own[k][0] - own[k - 1][0])

    def hermite(self, rows, f, tau, own, slope):
        k = max(k for k, (t, _) in enumerate(own) if t <= tau)
        (t0, x0), (t1, x1) = own[k:k + 2]
        h, u = t1 - t0, (tau - t0) / (t1 - t0)
        s0, s1 = h * self.tangent(rows, f, k, own), h * self.tangent(rows, f, k + 1, own)
        if slope:
            return ((6 * u**2 - 6 * u) * (x0 - x1) + (3 * u**2 - 4 * u + 1) * s0 + (3 * u**2 - 2 * u) * s1) / h
        left, right = 2 * u**3 - 3 * u**2 + 1, 3 * u**2 - 2 * u**3
        return left * x0 + (u**3 - 2 * u**2 + u) * s0 + right * x1 + (u**3 - u**2) * s1

    def tangent(self, rows, f, k, own):
        known = self.velocities(rows, f)
        if known:
            return line(known, own[k][0])
        if len(own) < 2:
            return 0.0
        before = (own[k][1] - own[k - 1][1]) / (own[k][0] - own[k - 1][0]) if k > 0 else None
        after = (own[k + 1][1] - own[k][1]) / (own[k + 1][0] - own[k][0]) if k + 1 < len(own) else None
        if before is None or after is None:
            return after if before is None else before
        a, b = own[k][0] - own[k - 1][0], own[k + 1][0] - own[k][0]
        return (b * before + a * after) / (a + b)

    def kalman(self, rows, f, tau, mean):
        p = self.features[f]["velocity_of"]
        of_velocity = p >= 0
        position = p if of_velocity else f
        if of_velocity and self.velocity.get(position, (None,))[0] != f:
            return 0.0
        v, factor = self.velocity.get(position, (None, 1.0))
        seen = []
        for t, x, mask in rows:
            own = (x[position] if mask[position] else None, factor * x[v] if v is not None and mask[v] else None)
            if own != (None, None):
                seen.append((t, *own))
        if not seen or (not of_velocity and all(x is None for _, x, _ in seen)):
            return mean
        m = smoothed(self.features[position]["noise"], seen, tau)
        return m[1] / factor if of_velocity else m[0]


def series(rows, f):
    return [(t, x[f]) for t, x, mask in rows if mask[f]]


def latest(own, tau):
    """The last entry not later than tau, or the first one."""
    return max(own[:1] + [entry for entry in own if entry[0] <= tau], key=lambda entry: entry[0])


def inside(own, tau):
    return bool(own) and own[0][0] <= tau < own[-1][0]


def line(own, tau):
    return float(np.interp(tau, [t for t, _ in own], [x for _, x in own]))


# Kalman


def ahead(m, p, h, drive):
    f = np.array([[1.0, h], [0.0, 1.0]])
    return f @ m, f @ p @ f.T + drive * np.array([[h**3 / 3, h**2 / 2], [h**2 / 2, h]])


def smoothed(noise, seen, tau):
    """Mean of position and velocity at tau, given all observations (time, position or None, velocity or None)."""
    m, p = np.zeros(2), np.diag([100.0, noise["speed"]])
    filtered = []
    for k, (t, x, v) in enumerate(seen):
        if k > 0:
            m, p = ahead(m, p, t - seen[k - 1][0], noise["drive"])
        for axis, value, variance in ((0, x, noise["position"]), (1, v, noise["velocity"])):
            if value is not None:
                gain = p[:, axis] / (p[axis, axis] + variance)
                m, p = m + gain * (value - m[axis]), p - np.outer(gain, p[axis])
        filtered.append((m, p))
    smooth = filtered[-1][0]  # mean at the observation after tau, going back
    if tau >= seen[-1][0]:
        return ahead(*filtered[-1], tau - seen[-1][0], noise["drive"])[0]
    for k in range(len(seen) - 2, -1, -1):
        t = max(tau, seen[k][0])
        here = ahead(*filtered[k], t - seen[k][0], noise["drive"])
        smooth = given(*here, seen[k + 1][0] - t, smooth, noise["drive"])
        if tau >= seen[k][0]:
            return smooth
    return smooth + np.array([(tau - seen[0][0]) * smooth[1], 0.0])


def given(m, p, h, later, drive):
    """Rauch, Tung and Striebel: the mean of a state, given the one `h` later."""
    if h == 0:
        return later
    mean, covariance = ahead(m, p, h, drive)
    f = np.array([[1.0, h], [0.0, 1.0]])
    return m + p @ f.T @ np.linalg.solve(covariance, later - mean)
