#!/usr/bin/env python3
"""Compares trainings on a CPU in float32 and in bf16: the same data, seeds and steps, validation errors side by side.

    benchmarks/precision_runs.py --out experiments/benchmarks/cpu-precision.json [--lgode build/release/bin/lgode]
    benchmarks/precision_runs.py --page experiments/benchmarks/cpu-precision.json --to experiments/benchmarks

The first needs a CPU with AVX512_BF16. The second
makes cpu-precision.md, which experiments/include_tables.sh puts into docs/performance.md.
"""
import json
import subprocess
import tempfile
import textwrap
from pathlib import Path

from measuring import ROOT, machine, record_or_page, said

PRECISIONS = ["float32", "bf16"]


def train(lgode, folder, data, task, seed, precision, flags):
    run = folder / f"{task}-{seed}-{precision}"
    command = ["train", data, "--task", task, "--seed", str(seed), "--precision", precision, "--device", "cpu",
               "--no-report", "--quiet", "--out", run, *flags]
    subprocess.run([lgode, *command], check=True)
    epochs = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    last = epochs[-1]
    result = {"task": task, "seed": seed, "precision": precision, "validation_mse": last["validation_mse"]}
    print(f"precision_runs: {result}", flush=True)
    return result


def record(given):
    flags = ["--observed", "0.6", "--batch", "32", "--lr", "2e-3", "--schedule", "cosine", "--epochs", str(given.epochs)]
    version = said([given.lgode, "--version"])
    runs = []
    result = {"version": version, "machine": machine(), "systems": given.systems,
              "flags": flags, "runs": runs}
    with tempfile.TemporaryDirectory(prefix="lgode-precision-") as name:
        folder = Path(name)
        data = folder / "springs.safetensors"
        subprocess.run([given.lgode, "simulate", "springs", "--train", str(given.systems), "--test", "20", "--out", data],
                       check=True, stdout=subprocess.DEVNULL)
        for task in ("interpolate", "extrapolate"):
            for seed in range(1, given.seeds + 1):
                runs += [train(given.lgode, folder, data, task, seed, p, flags) for p in PRECISIONS]
                given.out.write_text(json.dumps(result, indent=1) + "\n")
    print(f"precision_runs: {given.out}; now --page, and experiments/include_tables.sh for the docs")


def page(result):
    runs = {(r["task"], r["seed"], r["precision"]): r for r in result["runs"]}
    head = (f"{result['machine']}, {result['version']}. Default model, {result['systems']} springs systems, "
            f"`{' '.join(result['flags'])}`. Validation error × 10⁻².")
    lines = [*textwrap.wrap(head, 120), "", "| task | seed | float32 | bf16 | difference |", "|---|---|---|---|---|"]
    for task, seed in dict.fromkeys((r["task"], r["seed"]) for r in result["runs"]):
        a, b = (runs[task, seed, p] for p in PRECISIONS)
        x, y = a["validation_mse"], b["validation_mse"]
        lines.append(f"| {task} | {seed} | {100 * x:.5f} | {100 * y:.5f} | {100 * (y / x - 1):+.1f} % |")
    for task in dict.fromkeys(r["task"] for r in result["runs"]):
        errors = [r["validation_mse"] for r in result["runs"] if r["task"] == task and r["precision"] == "float32"]
        lines.append(f"| {task} | largest / smallest of the seeds | {max(errors) / min(errors):.2f} | | |")
    return lines


def options(parser):
    parser.add_argument("--lgode", type=Path, default=ROOT / "build/release/bin/lgode")
    parser.add_argument("--systems", type=int, default=2000)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=3)


def main():
    given = record_or_page(__doc__, "train, and write this file", "make the table from this file",
                           "the folder for the table", options)
    if given.out:
        record(given)
    else:
        (given.to / "cpu-precision.md").write_text("\n".join(page(json.loads(given.page.read_text()))) + "\n")


if __name__ == "__main__":
    main()
