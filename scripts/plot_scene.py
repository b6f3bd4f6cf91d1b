#!/usr/bin/env python3
"""Draws the forecast of one scene from above as an SVG picture: where everybody was, is said to go, and went.

    scripts/plot_scene.py forecast.csv zara01.txt --columns time,object,x,y --rate 25 --system zara01/12 --out scene.svg

The first table is the CSV of lgode predict, the second one the table of observations, with a header or with --columns.
The forecast starts at its first time; observations before it are drawn as seen, those after it as the truth. Prints the
root mean square error per axis and how many true values lie between the 5 % and the 95 % quantile. Uses the Python
standard library only.
"""
import argparse
import csv
import math
import sys
from html import escape

SEEN, FORECAST, TRUTH = "#595959", "#0072b2", "#d55e00"  # grey, and Okabe and Ito's blue and vermilion
SIDE, MARGIN, TOP = 640, 46, 34  # pixels


def read_forecast(path, system, axes):
    """object -> rows (time, [(mean, q05, q95) per axis]), ascending in time."""
    series = {}
    with open(path, newline="", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            if row["system"] == system and row["feature"] in axes:
                values = series.setdefault(row["object"], {}).setdefault(float(row["time"]), {})
                values[row["feature"]] = tuple(float(row[name]) for name in ("mean", "q05", "q95"))
    if not series:
        sys.exit(f"{path}: has no forecast of system {system}")
    return {thing: sorted((t, [v[a] for a in axes]) for t, v in rows.items()) for thing, rows in series.items()}


def read_table(path, columns, rate, axes):
    """object -> rows (time, [value per axis]), ascending in time."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        first = file.readline()
        file.seek(0)
        delimiter = next((c for c in "\t;,| " if c in first), ",")
        rows = csv.reader(file, delimiter=delimiter)
        names = columns or next(rows)
        at = {name: names.index(name) for name in ["time", "object"] + axes if name in names}
        if len(at) < 2 + len(axes):
            sys.exit(f"{path}: expected the columns time, object, {', '.join(axes)}; it has {', '.join(names)}")
        series = {}
        for row in rows:
            try:
                values = [float(row[at[axis]]) for axis in axes]
            except ValueError:
                continue  # a missing value
            name = row[at["object"]]
            series.setdefault(name, []).append((float(row[at["time"]]) / rate, values))
    return {thing: sorted(rows) for thing, rows in series.items()}


def scores(forecast, truth):
    """Root mean square error per axis, values within the interval, number of values."""
    square = inside = count = 0
    for thing, rows in truth.items():
        known = {round(t, 6): values for t, values in forecast[thing]}
        for t, values in rows:
            for value, (mean, low, high) in zip(values, known.get(round(t, 6), [])):
                square, inside, count = square + (mean - value) ** 2, inside + (low <= value <= high), count + 1
    return math.sqrt(square / count) if count else math.nan, inside, count


def draw(forecast, seen, truth, title):
    points = [p for rows in list(seen.values()) + list(truth.values()) for _, p in rows]
    points += [[v[0] for v in values] for rows in forecast.values() for _, values in rows]
    low = [min(p[k] for p in points) for k in (0, 1)]
    high = [max(p[k] for p in points) for k in (0, 1)]
    scale = SIDE / max(high[0] - low[0], 1e-9)
    width, height = SIDE + 2 * MARGIN, TOP + MARGIN + 20 + scale * (high[1] - low[1])

    def place(x, y):
        return f"{MARGIN + scale * (x - low[0]):.1f} {TOP + 20 + scale * (high[1] - y):.1f}"

    def line(rows, look):
        return f'<path d="M{"L".join(place(*p) for p in rows)}" class="{look}"/>' if rows else ""

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="sans-serif" font-size="12" fill="#333">',
        "<style>path{fill:none;stroke-linejoin:round}"
        f".seen{{stroke:{SEEN};opacity:.6}}.dot{{fill:{SEEN}}}.forecast{{stroke:{FORECAST};stroke-width:2}}"
        f".truth{{stroke:{TRUTH};stroke-width:1.6;stroke-dasharray:5 3}}"
        f".band{{fill:{FORECAST};opacity:.14;stroke:none}}</style>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>', f'<text x="{MARGIN}" y="18">{escape(title)}</text>'
    ]
    for thing, rows in forecast.items():
        (x, x0, x1), (y, y0, y1) = rows[-1][1]
        px, py = place((x0 + x1) / 2, (y0 + y1) / 2).split()
        parts.append(f'<ellipse cx="{px}" cy="{py}" rx="{scale * (x1 - x0) / 2:.1f}" ry="{scale * (y1 - y0) / 2:.1f}" '
                     'class="band"/>')
    for thing, rows in forecast.items():
        before = [p for _, p in seen.get(thing, [])]
        parts.append(line(before, "seen"))
        parts.append(line(before[-1:] + [p for _, p in truth.get(thing, [])], "truth"))
        parts.append(line([[v[0] for v in values] for _, values in rows], "forecast"))
        if before:
            px, py = place(*before[-1]).split()
            parts.append(f'<circle cx="{px}" cy="{py}" r="3" class="dot"/>')
    left = MARGIN
    for look, name in (("seen", "seen"), ("forecast", "forecast, mean"), ("truth", "truth")):
        parts.append(f'<path d="M{left} {TOP}h28" class="{look}"/><text x="{left + 34}" y="{TOP + 4}">{name}</text>')
        left += 60 + 7 * len(name)
    parts.append(f'<ellipse cx="{left + 14}" cy="{TOP}" rx="14" ry="6" class="band"/>'
                 f'<text x="{left + 34}" y="{TOP + 4}">90 % interval at the end</text>')
    nice = next(m * 10 ** e for e in range(-6, 7) for m in (1, 2, 5) if m * 10 ** e * scale >= SIDE / 8)
    parts.append(f'<path d="M{MARGIN} {height - 14:.0f}h{nice * scale:.0f}" stroke="#333"/>'
                 f'<text x="{MARGIN + nice * scale + 6:.0f}" y="{height - 10:.0f}">{nice:g}</text></svg>')
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("forecast", help="CSV that lgode predict wrote")
    parser.add_argument("observations", help="table of observations of the same recording")
    parser.add_argument("--system", required=True, help="name of the system in the forecast")
    parser.add_argument("--columns", help="names of the table's columns, if it has no header")
    parser.add_argument("--rate", type=float, default=1.0, help="the table's times per unit of the forecast's (default: 1)")
    parser.add_argument("--past", type=float, help="how much of the past to draw (default: as long as the forecast)")
    parser.add_argument("--axes", default="x,y", help="two features (default: x,y)")
    parser.add_argument("--out", required=True, help="picture to write (.svg)")
    options = parser.parse_args()

    axes = options.axes.split(",")
    if len(axes) != 2:
        sys.exit(f"--axes {options.axes}: expected two features")
    forecast = read_forecast(options.forecast, options.system, axes)
    table = read_table(options.observations, options.columns and options.columns.split(","), options.rate, axes)
    start = min(rows[0][0] for rows in forecast.values())
    last = max(rows[-1][0] for rows in forecast.values())
    past = options.past or last - start
    seen = {k: [r for r in table.get(k, []) if start - past <= r[0] < start - 1e-9] for k in forecast}
    truth = {k: [r for r in table.get(k, []) if start - 1e-9 <= r[0] <= last + 1e-9] for k in forecast}
    error, inside, count = scores(forecast, truth)
    if count:
        print(f"{len(forecast)} objects, root mean square error {error:.3f} per axis, "
              f"{inside} of {count} true values within the 90 % interval")
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(draw(forecast, seen, truth, f"{options.system}, {start:g} to {last:g}"))


if __name__ == "__main__":
    main()
