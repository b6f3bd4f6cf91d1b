#!/usr/bin/env python3
"""Makes the table of recorded intervals from result records.

    experiments/interval_table.py experiments/paper             # writes intervals.md there
    experiments/interval_table.py experiments/paper --check     # ends with 1 where it is not up to date

One line for each data set and task of our model: the share of true values in the 90 % intervals as far as the calibration reaches,
and the interval score relative to constant velocity's, calibrated likewise; mean and range over seeds.
experiments/include_tables.sh calls this script and puts the table into the docs.
"""
import json
import sys
from statistics import mean

from table_files import arguments, write_or_check


def percent(values):
    shown = [f"{100 * v:.1f}" for v in sorted(values)]
    return f"{100 * mean(values):.1f} %" + (f" ({shown[0]} to {shown[-1]})" if len(values) > 1 else "")


def line(name, parts):
    """One row; `parts`: what each seed's record holds of intervals. Of forecasts, the sixths within the calibration's reach."""
    models = [p["model"] for p in parts]
    sixths = []
    for p in parts:
        sixths += [b["coverage"]["90"] for b in p["model"]["horizon"]
                   if b["values"] > 0 and ("forecast" not in name or b["end"] <= p["reach"] * (1 + 1e-6))]
    ratio = [p["model"]["interval_score"] / p["classical"]["constant_velocity"]["interval_score"] for p in parts]
    beyond = [m["beyond_calibration"]["coverage"]["90"] for m in models if m["beyond_calibration"]["values"] > 0]
    return (f"| {name} | {len(parts)} | {percent([m['within_reach']['coverage']['90'] for m in models])} | "
            f"{100 * min(sixths):.1f} to {100 * max(sixths):.1f} % | "
            f"{percent(beyond) if beyond and 'forecast' in name else '–'} | {mean(ratio):.2g} |")


def table(folder):
    rows = {}
    for path in sorted((folder / "records").glob("*-60-*-ours-clean-*.json")):
        record = json.loads(path.read_text())
        if "intervals" not in record:
            continue
        task = "forecast" if record["task"] == "extrapolate" else "interpolation"
        rows.setdefault(f"{record['dataset']}, {task}", []).append(record["intervals"])
        within = record.get("within", {}).get("intervals")
        if within and task == "forecast":
            rows.setdefault(f"{record['dataset']}, {task}, clear of the walls", []).append(within)
    text = ["| 60 % observed | seeds | in 90 %, as far as calibrated | by sixths of the range | beyond | "
            "interval score / constant velocity's |", "|---|---|---|---|---|---|"]
    return "\n".join(text + [line(name, parts) for name, parts in sorted(rows.items())]) + "\n"


def main():
    given = arguments(__doc__)
    return write_or_check({given.folder / "intervals.md": table(given.folder)}, given.check)


if __name__ == "__main__":
    sys.exit(main())
