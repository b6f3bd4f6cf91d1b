#!/usr/bin/env python3
"""Time of a training step on a GPU by kernel: a Markdown table from the profiler's kernels.

    ncu --clock-control none --metrics gpu__time_duration.sum -s 4000 -c 900 --csv --log-file kernels.csv \\
        lgode train springs.safetensors ... --capture-steps false --epochs 1
    benchmarks/kernel_table.py kernels.csv [--step step.csv]
    benchmarks/kernel_table.py "paper's setting, before=old.csv" "paper's setting=new.csv" ...    side by side

Takes the kernels from one backward solve to the next: a step. --step also writes them, a line each: name, nanoseconds.
Takes such a file, too."""
import csv
import re
import sys

from measuring import parser_of

GROUPS = [
    ("solve, backward", r"backward_kernel<[^(]*>\(lgode::(ops::cuda::)?GraphModel"),
    ("solve, forward", r"forward(_back)?_kernel<[^(]*>\(lgode::(ops::cuda::)?GraphModel"),
    ("attention, keys' side", r"source_kernel"),
    ("attention, queries' side", r"target_kernel"),
    ("attention, forward", r"forward_kernel<[^(]*>\(lgode::(ops::cuda::)?AttentionProblem"),
    ("layer norm, dense output, time encoding, segments, dropout", r"lgode::"),
    ("products: weight gradients of the solve", r"nvjet"),
    ("products: encoder, decoder", r"gemm|splitKreduce|gemv|cutlass"),
    ("zeroing the solve's buffers", r"FillFunctor<c10::BFloat16>"),
    ("sums", r"reduce_kernel"),
    ("other kernels of LibTorch", r""),
]


def group_of(name):
    return next(title for title, pattern in GROUPS if re.search(pattern, name))


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        lines = [line for line in file if line.startswith('"')]
    table = list(csv.reader(lines))
    if table and len(table[0]) == 2:
        return [(name, float(ns)) for name, ns in table]
    kernels = [(row["Kernel Name"], float(row["Metric Value"].replace(",", ""))) for row in csv.DictReader(lines)]
    bounds = [i for i, (name, _) in enumerate(kernels) if group_of(name) == GROUPS[0][0]]
    if len(bounds) < 2:
        sys.exit(f"{path}: fewer than two backward solves among {len(kernels)} kernels; profile more of them (-c)")
    return kernels[bounds[0] : bounds[1]]


def group_times(kernels):
    """Milliseconds of each group."""
    return {group: sum(ns for name, ns in kernels if group_of(name) == group) / 1e6 for group, _ in GROUPS}


def side_by_side(files):
    """The lines of a table with a column of milliseconds per file; files: title and path."""
    columns = [read(path) for path in files.values()]
    times = [group_times(kernels) for kernels in columns]
    lines = ["| ms | " + " | ".join(files) + " |", "|---|" + "---|" * len(columns)]
    for group, _ in GROUPS:
        lines.append(f"| {group} | " + " | ".join(f"{column[group]:.2f}" for column in times) + " |")
    lines.append("| all | " + " | ".join(f"{sum(column.values()):.2f}" for column in times) + " |")
    return lines + ["| kernels | " + " | ".join(str(len(kernels)) for kernels in columns) + " |"]


def main():
    parser = parser_of(__doc__)
    parser.add_argument("kernels", nargs="+")
    parser.add_argument("--step", help="write the step's kernels there")
    arguments = parser.parse_args()
    if "=" in arguments.kernels[0]:
        print("\n".join(side_by_side(dict(named.rsplit("=", 1) for named in arguments.kernels))))
        return
    kernels = read(arguments.kernels[0])
    if arguments.step:
        with open(arguments.step, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL).writerows((name, int(ns)) for name, ns in kernels)
    total = sum(ns for _, ns in kernels)
    print("| | kernels | ms | share |\n|---|---|---|---|")
    for title, _ in GROUPS:
        times = [ns for name, ns in kernels if group_of(name) == title]
        print(f"| {title} | {len(times)} | {sum(times) / 1e6:.2f} | {100 * sum(times) / total:.0f} % |")
    print(f"| all | {len(kernels)} | {total / 1e6:.2f} | |")


if __name__ == "__main__":
    main()
