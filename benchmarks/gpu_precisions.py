#!/usr/bin/env python3
"""Measures training steps on a GPU in every precision, and prediction; makes the tables of docs/performance.md.

    benchmarks/gpu_precisions.py measure --bin build/cuda/bin --out experiments/benchmarks/gpu-precisions.json
    benchmarks/gpu_precisions.py table        writes gpu-precisions.md and, from the profiles, gpu-kernels.md and
                                           gpu-roofline.md next to it

Steps are the median step of a run's last epoch, as its metrics.jsonl has it; predictions and peaks come from
lgode_bench. Leave the GPU alone meanwhile. The roofline is written once a record has peaks."""
import json
import subprocess
import tempfile
from pathlib import Path

from kernel_table import group_times, read, side_by_side
from measuring import ROOT, gpu_name, parser_of, said

PAPER = ["--step", str(1 / 60), "--samples", "3"]
BATCH = ["--task", "interpolate", "--observed", "0.6", "--batch", "256", "--epochs", "2"]
CASES = ([("default", p, ["--model", "lg-ode", "--precision", p]) for p in ("bf16", "tf32", "float32")]
         + [("paper", p, ["--model", "lg-ode", "--precision", p, *PAPER]) for p in ("bf16", "tf32", "float32")]
         + [("recipe", p, ["--recipe", "paper", "--precision", p]) for p in ("bf16", "float32")]
         + [("assimilate", p, ["--precision", p]) for p in ("bf16", "float32")])
TITLES = {"default": "LG-ODE, default settings (step 1/15, one sample)",
          "paper": "LG-ODE, the paper's setting (60 steps, 3 samples)",
          "recipe": "`--recipe paper` (union grid cut in five, adjoint, dropout, Adam, 3 samples)",
          "assimilate": "the default model"}
HERE = ROOT / "experiments"
RECORD, PAGE = HERE / "benchmarks/gpu-precisions.json", HERE / "benchmarks/gpu-precisions.md"
PROFILES = {"paper's setting": "gpu-kernels-paper.csv", "default settings": "gpu-kernels-default.csv",
            "the default model": "gpu-kernels-assimilate.csv"}
# Of a step of 256 springs systems: rows (objects times samples), pairs of objects, evaluations of the field.
SOLVES = {"default settings": (1280, 5120, 61), "paper's setting": (3840, 15360, 241)}


def measure(given):
    lgode = given.bin / "lgode"
    steps = []
    with tempfile.TemporaryDirectory(prefix="lgode-precisions-") as name:
        folder = Path(name)
        data = folder / "springs.safetensors"
        subprocess.run([lgode, "simulate", "springs", "--train", "5700", "--test", "100", "--out", data], check=True,
                       stdout=subprocess.DEVNULL)
        for setting, precision, flags in CASES:
            run = folder / f"{setting}-{precision}"
            subprocess.run([lgode, "train", data, "--device", "cuda", "--quiet", "--out", run, *BATCH, *flags], check=True)
            last = json.loads((run / "metrics.jsonl").read_text().splitlines()[-1])
            config = json.loads((run / "config.json").read_text())
            steps.append({"setting": setting, "precision": precision, "step_ms": last["step_ms"], "seed": config["seed"],
                          "flags": [*BATCH, *flags]})
            print(f"{setting:12} {precision:8} {last['step_ms']:8.1f} ms", flush=True)
        bench = folder / "predict.json"
        subprocess.run([given.bin / "lgode_bench", "--benchmark_filter=(predict|peak)_.*gpu", "--out", bench], check=True)
        benchmarks = json.loads(bench.read_text())
    record = {"version": said([lgode, "--version"]),
              "machine": gpu_name(),
              "steps": steps, "predictions": [b for b in benchmarks if b["name"].startswith("predict")],
              "peaks": [b for b in benchmarks if not b["name"].startswith("predict")]}
    given.out.write_text(json.dumps(record, indent=1) + "\n")


def table():
    record = json.loads(RECORD.read_text())
    lines = ["# Precisions on a GPU", "",
             f"{record['machine']}, {record['version']}. 256 systems per step; milliseconds.", "",
             "| step | bf16 | tf32 | float32 |", "|---|---|---|---|"]
    for setting, title in TITLES.items():
        cells = []
        for precision in ("bf16", "tf32", "float32"):
            now = next((s["step_ms"] for s in record["steps"] if (s["setting"], s["precision"]) == (setting, precision)), None)
            cells.append("–" if now is None else f"{now:.1f}")
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    lines += ["", "| prediction in float32, mean path | 4,096 systems, ms | one system, ms |", "|---|---|---|"]
    named = {p["name"]: p["fused"] for p in record["predictions"]}
    for title, suffix in (("LG-ODE", ""), ("the default model", "_assimilate")):
        many, one = named.get(f"predict_many{suffix}_gpu"), named.get(f"predict_one{suffix}_gpu")
        if many is not None and one is not None:
            lines.append(f"| {title} | {many:.1f} | {one:.2f} |")
    PAGE.write_text("\n".join(lines) + "\n")
    kernels = side_by_side({title: HERE / "benchmarks" / file for title, file in PROFILES.items()})
    (HERE / "benchmarks/gpu-kernels.md").write_text("\n".join(["# Kernels of a step on a GPU", "", *kernels]) + "\n")
    if "peaks" in record:
        (HERE / "benchmarks/gpu-roofline.md").write_text("\n".join(roofline(record)) + "\n")


def solve_flops(rows, pairs, evaluations, z=80, h=128, lists=2):
    """Operations of the products of a forward solve (Eq. 10) with the default sizes, without padding."""
    per_row = z * 2 * h * lists + (z + h) * h + h * h + h * z
    return 2 * evaluations * (rows * per_row + pairs * h * h)


def roofline(record):
    peaks = {p["name"]: p["counters"] for p in record["peaks"]}
    flops, memory = peaks["bf16_peak_gpu"]["flops"], peaks["memory_peak_gpu"]["bytes_per_second"]
    lines = ["# Roofline of a GPU", "",
             f"{record['machine']}: {flops / 1e12:.0f} TFLOP/s in bf16 (products of 8,192 rows and columns), "
             f"{memory / 1e12:.1f} TB/s (copies).", "",
             "| bf16 | TFLOP | at the peak, ms | measured, ms | TFLOP/s | of the peak |", "|---|---|---|---|---|---|"]
    for setting, size in SOLVES.items():
        work = solve_flops(*size)
        now = group_times(read(HERE / "benchmarks" / PROFILES[setting]))
        # The backward computes the gradients of states only; weight gradients are separate products.
        for part, group in (("forward", "solve, forward"), ("backward", "solve, backward"),
                            ("weight gradients", "products: weight gradients of the solve")):
            rate = work / now[group] * 1e3
            lines.append(f"| {setting}, {part} | {work / 1e12:.3f} | {work / flops * 1e3:.2f} | "
                         f"{now[group]:.2f} | {rate / 1e12:.0f} | {100 * rate / flops:.0f} % |")
    return lines


def main():
    parser = parser_of(__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("measure")
    one.add_argument("--bin", type=Path, default=Path("build/cuda/bin"))
    one.add_argument("--out", type=Path, default=RECORD)
    commands.add_parser("table")
    given = parser.parse_args()
    if given.command == "measure":
        measure(given)
    else:
        table()


if __name__ == "__main__":
    main()
