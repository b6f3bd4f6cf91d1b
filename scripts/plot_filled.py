#!/usr/bin/env python3
"""A filled table as a picture: what was seen, what lgode predict --fill imputed, and the truth where it is known.

    scripts/plot_filled.py filled.csv --truth full.csv --system 35_28 --objects lhand,ltoes --feature y --out plot.svg

Draws one feature of some objects of one system over time (SVG), and prints how far imputed values are from the truth,
beside a straight line between the neighbours that were seen. Times are numbers or dates. Columns called otherwise than
system, object and time are named by --columns; a table without systems needs neither --system nor such a column.
Needs Python alone.
"""
import argparse
import bisect
import csv
import datetime
import math
import sys

COLORS = ["#1b6ca8", "#c2571a", "#2e8540", "#8a3ffc", "#a2191f"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 340, 46, 12, 14, 40


def number(text, comma):
    return float(text.replace(",", ".") if comma else text)


def time_of(text, comma):
    """Seconds, where it is a date."""
    try:
        return number(text, comma)
    except ValueError:
        date = datetime.datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        return (date if date.tzinfo else date.replace(tzinfo=datetime.timezone.utc)).timestamp()


def read(path, feature, options):
    """Rows as (time, value, imputed), by system and object."""
    series = {}
    system, thing, time = options.columns.split(",")
    with open(path, newline="", encoding="utf-8-sig") as file:
        table = csv.DictReader(file, delimiter=options.delimiter)
        names = table.fieldnames or []
        for column in [thing, time, feature] + ([system] if options.system is not None else []):
            if column not in names:
                sys.exit(f"{path}: has no column {column!r}; it has {', '.join(names)} (see --columns, --delimiter)")
        separator = "|" if any(" " in name for name in names) else " "
        for row in table:
            try:
                when = time_of(row[time], options.decimal_comma)
                value = number(row[feature], options.decimal_comma) if row[feature] else math.nan
            except (ValueError, TypeError):
                continue  # what lgode could not read either
            key = (row[system] if options.system is not None else None, row[thing])
            imputed = feature in (row.get("imputed") or "").split(separator)
            series.setdefault(key, []).append((when, value, imputed))
    for rows in series.values():
        rows.sort(key=lambda row: row[0])
    return series


def line(seen, time):
    """The straight line between the observations around a time; beyond the last one, its value."""
    times = [t for t, _, _ in seen]
    k = bisect.bisect(times, time)
    if k == 0 or k == len(seen):
        return seen[min(k, len(seen) - 1)][1]
    (t0, x0, _), (t1, x1, _) = seen[k - 1], seen[k]
    return x0 + (x1 - x0) * (time - t0) / (t1 - t0)


def compare(name, series, truth):
    squares, straight, count = 0.0, 0.0, 0
    for key, rows in series.items():
        known = {t: x for t, x, _ in truth.get(key, [])}
        seen = [row for row in rows if not row[2] and not math.isnan(row[1])]
        for time, value, imputed in rows:
            if imputed and time in known and seen:
                squares += (value - known[time]) ** 2
                straight += (line(seen, time) - known[time]) ** 2
                count += 1
    if count:
        print(f"{name}: {count} imputed values, root mean square error {math.sqrt(squares / count):.3f}; "
              f"a straight line {math.sqrt(straight / count):.3f}")


def ticks(low, high):
    if not high > low:
        return [low]
    step = 10 ** math.floor(math.log10((high - low) / 3))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= 6)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def draw(path, filled, truth, feature, title):
    every = [row for rows in list(filled.values()) + list(truth.values()) for row in rows if not math.isnan(row[1])]
    if not every:
        sys.exit(f"nothing to draw: {feature} has no value there")
    first, last = min(t for t, _, _ in every), max(t for t, _, _ in every)
    low, high = min(x for _, x, _ in every), max(x for _, x, _ in every)

    def place(t, x):
        return (LEFT + (WIDTH - LEFT - RIGHT) * (t - first) / ((last - first) or 1),
                TOP + (HEIGHT - TOP - BOTTOM) * (high - x) / ((high - low) or 1))

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
             'font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for t in ticks(first, last):
        x, _ = place(t, low)
        parts.append(f'<text x="{x:.0f}" y="{HEIGHT - 24}" text-anchor="middle" fill="#555">{t:g}</text>')
    for value in ticks(low, high):
        _, y = place(first, value)
        parts.append(f'<path d="M{LEFT} {y:.0f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{y + 4:.0f}" text-anchor="end" fill="#555">{value:g}</text>')
    for (key, rows), color in zip(filled.items(), COLORS):
        known = truth.get(key, [])
        known = known[::len(known) // 200 + 1]  # more points than that are not to be seen
        path_points = " ".join("{:.0f},{:.1f}".format(*place(t, x)) for t, x, _ in known)
        parts.append(f'<polyline points="{path_points}" fill="none" stroke="{color}" opacity="0.4"/>')
        for t, x, imputed in rows:
            if math.isnan(x):
                continue
            cx, cy = place(t, x)
            look = f'fill="white" stroke="{color}" stroke-width="1.5"' if imputed else f'fill="{color}"'
            parts.append(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{3.5 if imputed else 2.2}" {look}/>')
        cx, cy = place(*next((row for row in reversed(rows) if not math.isnan(row[1])), every[-1])[:2])
        parts.append(f'<text x="{cx:.0f}" y="{cy - 8:.0f}" text-anchor="end" fill="{color}">{key[1]}</text>')
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 6}">{title}</text></svg>')
    with open(path, "w") as file:
        file.write("\n".join(parts) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", help="what lgode predict --fill wrote")
    parser.add_argument("--truth", help="a table without gaps")
    parser.add_argument("--system")
    parser.add_argument("--objects", required=True, help="with commas between them")
    parser.add_argument("--feature", required=True)
    parser.add_argument("--out", required=True, help="picture to write (.svg)")
    parser.add_argument("--columns", default="system,object,time", help="what the tables call them")
    parser.add_argument("--delimiter", default=",")
    parser.add_argument("--decimal-comma", action="store_true")
    options = parser.parse_args()
    if options.columns.count(",") != 2:
        parser.error("--columns: expected three names with commas between them: system,object,time")
    filled = read(options.table, options.feature, options)
    truth = read(options.truth, options.feature, options) if options.truth else {}
    if truth:
        compare(options.feature, filled, truth)
    keys = [(options.system, name) for name in options.objects.split(",")]
    for key in keys:
        if key not in filled:
            parser.error(f"{options.table}: has no object {key[1]}" + (f" in system {key[0]}" if key[0] else ""))
    draw(options.out, {key: filled[key] for key in keys}, {key: truth[key] for key in keys if key in truth},
         options.feature, options.feature + (f" of system {options.system}" if options.system else "") +
         " over time; dots: observed, rings: imputed"
         + (", lines: the truth" if truth else ""))


if __name__ == "__main__":
    main()
