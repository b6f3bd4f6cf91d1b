#!/usr/bin/env python3
"""Draws the forecast of one system as an SVG picture, one panel per object and feature.

    scripts/plot_forecast.py forecast.csv tables/observations.csv --system 4000 --start 6 --from 3 --out forecast.svg

The first table is the CSV of lgode predict, the second one is observations.csv of lgode export csv. Observations before
--start are what the model may see; those after it are the truth. Prints how many true values lie between the 5 % and
the 95 % quantile. Times are numbers. Uses the Python standard library only.
"""
import argparse
import bisect
import csv
import math
import sys
from html import escape

SEEN, FORECAST, TRUTH = "#595959", "#0072b2", "#d55e00"  # grey, and Okabe and Ito's blue and vermilion
PANEL, GAP, LEFT, TOP, BOTTOM = (150, 124), (30, 10), 52, 48, 40  # pixels; width, then height, where there are two
LEAST_SPAN = 0.2  # of the widest panel's values: no panel magnifies more than that


def rows_of(path, needed, system):
    """Rows of one system, once the columns are known to be there."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        table = csv.DictReader(file)
        missing = [name for name in needed if name not in (table.fieldnames or [])]
        if missing:
            sys.exit(f"{path}: has no column {missing[0]!r}; it has {', '.join(table.fieldnames or [])}")
        rows = [row for row in table if row["system"] == system]
    if not rows:
        sys.exit(f"{path}: has no system {system}")
    return rows


def read_forecast(path, system):
    """(object, feature) -> rows (time, mean, q05, q95), ascending in time."""
    columns = ["time", "mean", "q05", "q95"]
    series = {}
    for row in rows_of(path, ["system", "object", "feature"] + columns, system):
        series.setdefault((row["object"], row["feature"]), []).append(tuple(float(row[name]) for name in columns))
    return {key: sorted(rows) for key, rows in series.items()}


def read_observations(path, system, features):
    """(object, feature) -> rows (time, value), ascending in time; missing values left out."""
    series = {}
    for row in rows_of(path, ["system", "object", "time"] + features, system):
        for feature in features:
            value = float(row[feature]) if row[feature] else math.nan
            if not math.isnan(value):
                series.setdefault((row["object"], feature), []).append((float(row["time"]), value))
    return {key: sorted(rows) for key, rows in series.items()}


def coverage(forecast, truth):
    """How many true values lie within the band, read linearly between predicted times, and how many there are."""
    inside = count = 0
    for key, rows in truth.items():
        path = forecast.get(key, [])
        times = [row[0] for row in path]
        for time, value in rows:
            k = bisect.bisect_left(times, time)
            if k == len(path) or (k == 0 and time < times[0]):
                continue
            (t0, _, a0, b0), (t1, _, a1, b1) = path[max(k - 1, 0)], path[k]
            share = (time - t0) / (t1 - t0) if t1 > t0 else 0.0
            inside += a0 + share * (a1 - a0) <= value <= b0 + share * (b1 - b0)
            count += 1
    return inside, count


def path_data(points):
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def extent(forecast, seen, truth):
    """Smallest and largest value of a panel."""
    values = [v for _, v in seen + truth] + [v for row in forecast for v in row[1:]]
    return min(values, default=0.0), max(values, default=0.0)


def ticks(low, high):
    """Multiples of 1, 2 or 5 times a power of ten, at most five of them."""
    power = 10 ** math.floor(math.log10((high - low) / 4))
    step = next(m * power for m in (1, 2, 5, 10) if (high - low) / (m * power) <= 4)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def panel(place, forecast, seen, truth):
    parts = []
    if forecast:
        edge = [place(t, high) for t, _, _, high in forecast] + [place(t, low) for t, _, low, _ in reversed(forecast)]
        parts.append(f'<path d="{path_data(edge)}Z" class="band"/>')
    if seen:
        parts.append(f'<path d="{path_data(place(*row) for row in seen)}" class="seen"/>')
        dots = "".join("M{:.1f} {:.1f}h0".format(*place(*row)) for row in seen)  # round caps make dots of them
        parts.append(f'<path d="{dots}" class="dots"/>')
    if forecast:
        parts.append(f'<path d="{path_data(place(t, mean) for t, mean, _, _ in forecast)}" class="forecast"/>')
    if truth:
        parts.append(f'<path d="{path_data(place(*row) for row in truth)}" class="truth"/>')
    return parts


def style():
    return ("<style>path{fill:none;stroke-linejoin:round}"
            f".seen{{stroke:{SEEN};opacity:.45}}.dots{{stroke:{SEEN};stroke-width:3.4;stroke-linecap:round}}"
            f".band{{fill:{FORECAST};opacity:.25}}.forecast{{stroke:{FORECAST};stroke-width:1.8}}"
            f".truth{{stroke:{TRUTH};stroke-width:1.6;stroke-dasharray:5 3}}.frame{{stroke:#bbb}}"
            ".start{stroke:#888;stroke-dasharray:1 3}</style>")


def legend():
    parts, x = [], LEFT
    for shape, look, name in [("M0 0h28", "seen", "observed"), ("M0 0h28", "forecast", "forecast, mean"),
                              ("M0 -5h28v10h-28z", "band", "forecast, 90 % interval"), ("M0 0h28", "truth", "truth")]:
        dots = '<path d="M7 0h0M21 0h0" class="dots"/>' if look == "seen" else ""
        parts.append(f'<g transform="translate({x} 15)"><path d="{shape}" class="{look}"/>{dots}'
                     f'<text x="34" y="4">{name}</text></g>')
        x += 60 + 7 * len(name)
    return parts, x


def draw(objects, features, span, start, forecast, seen, truth):
    """The whole picture: a row per feature, a column per object, a scale of its own for each panel."""
    (first, last), (w, h) = span, PANEL
    names, end = legend()
    width = max(end, LEFT + len(objects) * (w + GAP[0]) - GAP[0] + 8)
    height = TOP + len(features) * (h + GAP[1]) - GAP[1] + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12" fill="#333">', style(),
        f'<rect width="{width}" height="{height}" fill="white"/>'
    ] + names
    panels = {(thing, feature): [series.get((thing, feature), []) for series in (forecast, seen, truth)]
              for thing in objects for feature in features}
    extents = {key: extent(*content) for key, content in panels.items()}
    widest = max(high - low for low, high in extents.values()) or 1.0
    for (thing, feature), content in panels.items():
        column, row = objects.index(thing), features.index(feature)
        left, top = LEFT + column * (w + GAP[0]), TOP + row * (h + GAP[1])
        low, high = extents[thing, feature]
        half = 0.55 * max(high - low, LEAST_SPAN * widest)
        low, high = (low + high) / 2 - half, (low + high) / 2 + half

        def place(t, v, left=left, top=top, low=low, high=high):
            return left + w * (t - first) / (last - first), top + h * (high - v) / (high - low)

        parts.append(f'<path d="M{left} {top}h{w}v{h}h-{w}z" class="frame"/>'
                     f'<path d="M{place(start, low)[0]:.1f} {top}v{h}" class="start"/>')
        parts += panel(place, *content)
        for value in ticks(low, high):
            y = place(first, value)[1]
            parts.append(f'<text x="{left - 4}" y="{y + 4:.0f}" text-anchor="end" font-size="10">{value:.3g}</text>')
        if column == 0:
            parts.append(f'<text x="6" y="{top + h / 2 + 4:.0f}">{escape(feature)}</text>')
        if row == 0:
            parts.append(f'<text x="{left + w / 2:.0f}" y="{top - 6}" text-anchor="middle">'
                         f'object {escape(thing)}</text>')
        if row == len(features) - 1:
            parts += [f'<text x="{place(t, low)[0]:.0f}" y="{top + h + 14}" text-anchor="middle" '
                      f'font-size="10">{t:g}</text>' for t in (first, start, last)]
    parts.append(f'<text x="{width / 2:.0f}" y="{height - 6}" text-anchor="middle">time</text></svg>')
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("forecast", help="CSV that lgode predict wrote")
    parser.add_argument("observations", help="observations.csv that lgode export csv wrote")
    parser.add_argument("--system", required=True, help="name of the system in both tables")
    parser.add_argument("--start", type=float, required=True, help="time at which the forecast starts")
    parser.add_argument("--from", dest="first", type=float, help="earliest observation to draw (default: all)")
    parser.add_argument("--features", default="x,y", help="one row of panels per feature (default: x,y)")
    parser.add_argument("--objects", help="one column of panels per object (default: all of the forecast)")
    parser.add_argument("--out", required=True, help="picture to write (.svg)")
    options = parser.parse_args()

    features = options.features.split(",")
    forecast = read_forecast(options.forecast, options.system)
    observed = read_observations(options.observations, options.system, features)
    objects = options.objects.split(",") if options.objects else list(dict.fromkeys(key[0] for key in forecast))
    forecast = {key: rows for key, rows in forecast.items() if key[0] in objects and key[1] in features}
    observed = {key: rows for key, rows in observed.items() if key[0] in objects}
    if not forecast:
        sys.exit(f"{options.forecast}: has no forecast of objects {', '.join(objects)} and features {options.features}")
    first = min(t for rows in observed.values() for t, _ in rows) if options.first is None else options.first
    last = max(rows[-1][0] for rows in forecast.values())
    if not first < options.start < last:
        sys.exit(f"expected --from < --start < the last predicted time, got {first:g}, {options.start:g}, {last:g}")
    seen = {key: [row for row in rows if first <= row[0] < options.start] for key, rows in observed.items()}
    truth = {key: [row for row in rows if options.start <= row[0] <= last] for key, rows in observed.items()}

    inside, count = coverage(forecast, truth)
    if count:
        print(f"{inside} of {count} true values ({100 * inside / count:.0f} %) lie within the 90 % interval")
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(draw(objects, features, (first, last), options.start, forecast, seen, truth))


if __name__ == "__main__":
    main()
