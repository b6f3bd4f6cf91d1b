#!/usr/bin/env python3
"""Ranks the rows of the recorded tables by their test error and writes two Markdown tables.

    experiments/place_table.py experiments/paper             # writes places.md and ranking.md there
    experiments/place_table.py experiments/paper --check     # ends with 1 where they are not up to date

places.md: the places of our model and of LG-ODE, the best row and the best classical baseline. ranking.md: all rows in order. Both are for one
share of observations (--observed, 60) and protocol `clean`, and are computed from the tables.json of `lgode reproduce`.
experiments/include_tables.sh calls this script and puts the tables into the docs.
"""
import json
import math
import sys

from table_files import arguments, write_or_check

TASKS = {"interpolate": "Interpolation", "extrapolate": "Extrapolation"}
ROWS = {"ours": "ours", "lg-ode": "LG-ODE"}  # those that have a line of their own
NOTHING = "–"


def error_text(mse):
    """An error x 10^-2 with the decimals that `lgode reproduce` prints."""
    value = 100 * mse
    decimals = 4 if value == 0 or value >= 0.01 else math.ceil(-math.log10(value)) + 1
    return f"{value:.{decimals}f}"


def ordinal(n):
    ending = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def errors(lines, label, dataset, observed):
    """(error, key, label) of each line that has a result in this column, lowest error first."""
    found = []
    for line in lines:
        for cell in line["cells"]:
            result = cell["protocol_clean"]
            if (cell["dataset"], cell["observed"]) == (dataset, observed) and result and "mean" in result:
                found.append((result["mean"], line.get("row", line.get("name")), line[label].replace("_h", " H").replace("_", " ")))
    return sorted(found, key=lambda entry: entry[0])


def best_classical(table, dataset, observed):
    """The lowest of the classical baselines. Beyond the last observation linear interpolation is holding, and cubic
    Hermite is constant velocity; the later name in the list is the one that says so."""
    ranked = errors(table["classical"][::-1], "name", dataset, observed)
    return f"{ranked[0][2]} {error_text(ranked[0][0])}" if ranked else NOTHING


def place(ranked, wanted):
    """The place of a row; rows with the same error share it."""
    own = next((mse for mse, row, _ in ranked if row == wanted), None)
    if own is None:
        return NOTHING
    lower = sum(mse < own for mse, _, _ in ranked)
    best, _, label = ranked[0]
    return f"{ordinal(lower + 1)} of {len(ranked)}" + (f"; best: {label} {error_text(best)}" if lower else "")


def line(cells):
    return "| " + " | ".join(cells) + " |"


def places(tables, datasets, observed):
    out = [line([f"{observed} % observed"] + datasets), "|" + "---|" * (len(datasets) + 1)]
    for table in tables:
        ranked = [errors(table["rows"], "shown", d, observed) for d in datasets]
        for row, name in ROWS.items():
            if any(row == found for r in ranked for _, found, _ in r):
                out.append(line([f"**{TASKS[table['task']]}: {name}**"] + [place(r, row) for r in ranked]))
        out.append(line(["*best classical baseline*"] + [best_classical(table, d, observed) for d in datasets]))
    return out


def ranking(tables, datasets, observed):
    columns = [(table, dataset) for table in tables for dataset in datasets]
    ranked = [errors(table["rows"], "shown", dataset, observed) for table, dataset in columns]
    out = [line([f"{observed} % observed"] + [f"{TASKS[t['task']].lower()}, {d}" for t, d in columns]),
           "|" + "---|" * (len(columns) + 1)]
    for i in range(max(map(len, ranked))):
        cells = []
        for column in ranked:
            mse, row, label = column[i] if i < len(column) else (None, None, None)
            text = NOTHING if mse is None else f"{label} {error_text(mse)}"
            cells.append(f"**{text}**" if row in ROWS else text)
        out.append(line([ordinal(i + 1)] + cells))
    out.append(line(["*best classical baseline*"] + [best_classical(t, d, observed) for t, d in columns]))
    return out


def main():
    given = arguments(__doc__, lambda parser: parser.add_argument(
        "--observed", type=int, default=60, help="share of observations in per cent (60)"))
    tables = json.loads((given.folder / "tables.json").read_text(encoding="utf-8"))["tables"]
    datasets = list(dict.fromkeys(cell["dataset"] for cell in tables[0]["rows"][0]["cells"]))
    made = {given.folder / name: "\n".join(make(tables, datasets, given.observed)) + "\n"
            for name, make in (("places.md", places), ("ranking.md", ranking))}
    return write_or_check(made, given.check)


if __name__ == "__main__":
    sys.exit(main())
