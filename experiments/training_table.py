#!/usr/bin/env python3
"""Makes the table of single trainings on full-size springs from their result records.

    experiments/training_table.py experiments/results             # writes springs.md there
    experiments/training_table.py experiments/results --check     # exits with 1 where it is not up to date

One line per record that names its seed; the paper's numbers come from the tables of `lgode reproduce` (paper/tables.json).
experiments/include_tables.sh calls this script and puts the table into the docs.
"""
import json
import sys

from table_files import arguments, write_or_check


def paper_errors(folder):
    """LG-ODE's errors in the paper on springs at 60 % observed, by task."""
    tables = json.loads((folder.parent / "paper/tables.json").read_text(encoding="utf-8"))["tables"]
    return {table["task"]: cell["paper"] for table in tables for row in table["rows"] if row["row"] == "lg-ode"
            for cell in row["cells"] if (cell["dataset"], cell["observed"]) == ("springs", 60)}


def table(folder):
    paper = paper_errors(folder)
    records = [(path, json.loads(path.read_text())) for path in folder.glob("springs-60-*-seed*.json")]
    records.sort(key=lambda entry: (-entry[1]["epochs"], entry[1]["task"] == "extrapolate", entry[1]["seed"], entry[0].name))
    lines = ["| task | seed | lr | precision | epochs | minutes | validation | test, all targets | unseen | paper |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    for path, r in records:
        minutes = sum(epoch.get("seconds", 0) for epoch in r["curve"]) / 60
        errors = [r["validation_mse"], r["test_mse"], r["test_mse_unseen"], paper[r["task"]]]
        lines.append(f"| [{r['task']}](../experiments/results/{path.name}) | {r['seed']} | {r['config']['lr']} | "
                     f"{r['config']['precision']} | {r['epochs']} | {minutes:.1f} | " +
                     " | ".join(f"{100 * e:.4f}" for e in errors) + " |")
    return "\n".join(lines) + "\n"


def main():
    given = arguments(__doc__)
    return write_or_check({given.folder / "springs.md": table(given.folder)}, given.check)


if __name__ == "__main__":
    sys.exit(main())
