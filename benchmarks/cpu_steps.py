#!/usr/bin/env python3
"""Measures training steps on a CPU: AVX-512, AVX2 and bf16 products, before and after a change, and where the time goes.

    benchmarks/cpu_steps.py --out experiments/benchmarks/cpu-steps.json [--before OTHER/lgode_bench] [--rounds 3]
    benchmarks/cpu_steps.py --page experiments/benchmarks/cpu-steps.json --to experiments/benchmarks

The first runs lgode_bench once per step, variant and round, the variants one after the other, and writes wall-clock time
and CPU time of the first thread, which does its share of all parallel work and everything else. Tables show the least
CPU time: it is the time on an idle machine, and other programs lengthen it little. Where `perf` is installed it also
samples the stacks of two steps. --before: the program of another commit, measured in the same rounds. The second makes the tables of
docs/performance.md, which experiments/include_tables.sh puts there: cpu-ratios.md, cpu-kernels.md and cpu-roofline.md.
"""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from measuring import AVX2, ROOT, machine, record_or_page

STEPS = ["train_step", "train_step_default", "train_step_assimilate"]
PROFILED = ["train_step_default", "train_step_assimilate"]
SOLVE = "ode_solve"
PEAKS = ["float32_peak", "bf16_peak"]
AVX512 = {"LGODE_SIMD": "avx512"}
KINDS = {"avx512": (AVX512, []), "avx2": (AVX2, []), "bf16": (AVX512, ["--precision", "bf16"])}
TITLES = {"avx512": "AVX-512", "avx2": "AVX2", "bf16": "bf16"}

# The first pattern that a frame of a stack matches decides; None: not part of a step.
GROUPS = [
    ("solve, backward", r"graph_backward_simd"),
    ("solve, forward", r"graph_forward_simd"),
    ("attention, backward", r"backward_systems|attention_backward"),
    ("attention, forward", r"forward_systems|attention_forward"),
    ("sequence attention, backward", r"sequence_backward_simd"),
    ("sequence attention, forward", r"sequence_forward_simd"),
    (None, r"springs_batch|simulate|_dl_start|_dl_relocate|_dl_main|register_predictions"),
    ("optimiser", r"AdamState"),
    ("batch making", r"::tensors\(|::prepare\(|latent_noise|encode_times"),
    ("products of encoder and decoder (BLAS)", r"libopenblas|gemm|gemv|libmkl"),
    ("waiting for the other thread", r"\A[^\n]*libgomp"),
    ("rest of LibTorch, with fresh pages", r""),
]
# Inside a solve, by the innermost function.
INNER = [("products", r"gemm_|all_rows|all_columns"), ("rounding to bf16", r"pair_rows|pair_columns"),
         ("element-wise", r"")]


def environment(extra):
    """Threads that wait do not spin, as in `lgode train`."""
    kept = {k: v for k, v in os.environ.items() if k not in AVX2}
    return {**kept, "OMP_WAIT_POLICY": "passive", **extra}


def filter_of(names):
    return "--benchmark_filter=^(" + "|".join(names) + ")(/reference:0.*|/iterations.*|/real_time)?$"


def run_bench(bench, kind, names, folder):
    """The numbers of a run of the benchmarks: milliseconds of wall-clock time and of the first thread's CPU time."""
    extra, flags = KINDS[kind]
    own, theirs = Path(folder) / "own.json", Path(folder) / "theirs.json"
    subprocess.run([bench, "--out", own, f"--benchmark_out={theirs}", "--benchmark_out_format=json", filter_of(names), *flags],
                   env=environment(extra), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    about = json.loads(own.read_text())[0]
    rows = {}
    for row in json.loads(theirs.read_text())["benchmarks"]:
        entry = {"ms": row["real_time"], "cpu_ms": row["cpu_time"]}
        if "flops" in row:  # per second of wall-clock time
            entry["gflops"] = row["flops"] * 1e-9 * row["real_time"] / row["cpu_time"]
        rows[row["name"].split("/")[0]] = entry
    return rows, {"commit": about["commit"], "threads": about["threads"]}


def measure(variants, rounds, folder, longest):
    rows = {name: {} for name in variants}
    for turn in range(rounds):
        for names in [[SOLVE] + PEAKS] + [[step] for step in STEPS]:
            for variant, (bench, kind) in variants.items():
                if names == ["train_step"] and variant.startswith("before") and not longest:
                    continue
                written, about = run_bench(bench, kind, names, folder)
                rows[variant].update(about)
                for name, figures in written.items():
                    entry = rows[variant].setdefault(name, {})
                    for key, value in figures.items():
                        entry.setdefault(key, []).append(round(value, 1))
                print(f"cpu_steps: round {turn + 1}, {variant}: " +
                      ", ".join(f"{n} {f['ms']:.0f} ms, CPU {f['cpu_ms']:.0f} ms" for n, f in written.items()), flush=True)
    return rows


def group_of(stack):
    """The group of a stack, innermost frame first, and its part of the solve."""
    text = "\n".join(stack)
    title = next(t for t, pattern in GROUPS if re.search(pattern, text))
    if title is not None and title.startswith("solve"):
        leaf = stack[0]
        return title, next(t for t, pattern in INNER if re.search(pattern, leaf))
    return title, None


def stacks_of(text):
    stack = []
    for line in text.splitlines():
        if line.startswith((" ", "\t")) and line.strip():
            stack.append(line.strip())
        elif stack:
            yield stack
            stack = []
    if stack:
        yield stack


def profile(bench, kind, name, folder):
    """Samples by group, in shares of a step."""
    extra, flags = KINDS[kind]
    data = Path(folder) / "perf.data"
    command = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "499", "--call-graph", "dwarf,4096", "-o", data, "--", bench,
               "--out", Path(folder) / "bench.json", filter_of([name]), *flags]
    subprocess.run(command, env=environment(extra), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text = subprocess.run(["perf", "script", "--no-inline", "-F", "ip,sym,dso", "-i", data], check=True,
                          capture_output=True, text=True).stdout
    counts = collections.Counter(group_of(stack) for stack in stacks_of(text))
    counts = {key: n for key, n in counts.items() if key[0] is not None}
    total = sum(counts.values())
    shares = collections.OrderedDict()
    for title, _ in GROUPS:
        n = sum(c for (t, _), c in counts.items() if t == title)
        if title is None or n == 0:
            continue
        shares[title] = {"share": round(n / total, 4)}
        parts = {p: c for (t, p), c in counts.items() if t == title and p is not None}
        if parts:
            shares[title]["parts"] = {p: round(parts[p] / total, 4) for p, _ in INNER if p in parts}
    return {"samples": total, "shares": shares}


def record(given):
    bench = given.bench.resolve()
    variants = {}
    if given.before:
        variants.update({f"before {k}": (given.before.resolve(), k) for k in ("avx512", "avx2")})
    variants.update({k: (bench, k) for k in KINDS if k != "bf16" or " avx512_bf16 " in Path("/proc/cpuinfo").read_text()})
    with tempfile.TemporaryDirectory(prefix="lgode-steps-") as folder:
        rows = measure(variants, given.rounds, folder, given.longest)
        if shutil.which("perf") and not given.no_profile:
            for name, (program, kind) in variants.items():
                rows[name]["profile"] = {step: profile(program, kind, step, folder) for step in PROFILED}
    result = {"machine": machine(), "rounds": given.rounds,
              "environment": {k: extra for k, (extra, _) in KINDS.items()}, "variants": rows}
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(result, indent=1) + "\n")
    print(f"cpu_steps: {given.out}; now --page, and experiments/include_tables.sh for the docs")


def rounds_of(result):
    return f"{result['rounds']} round" + ("" if result["rounds"] == 1 else "s")


def best(row, name):
    return min(row[name]["cpu_ms"])


def head(result):
    v = result["variants"]
    text = f"{result['machine']}, commit `{v['avx512']['commit']}`"
    if "before avx512" in v:
        text += f"; before: `{v['before avx512']['commit']}`"
    return text


def ratios_page(result):
    v = result["variants"]
    kinds = [k for k in KINDS if k in v]
    lines = [f"{head(result)}. Milliseconds of CPU time of a step's first thread, least of {rounds_of(result)}; in "
             "brackets: times the AVX-512 time.", "",
             "| | " + " | ".join([f"{TITLES[k]}, before" for k in kinds if f'before {k}' in v] + [TITLES[k] for k in kinds]) +
             " |", "|---|" + "---|" * sum((f"before {k}" in v) + 1 for k in kinds)]
    for name in STEPS:
        cells = []
        for prefix in ("before ", ""):
            for k in kinds:
                if prefix + k not in v:
                    continue
                if name not in v[prefix + k]:
                    cells.append("-")
                    continue
                ms, base = best(v[prefix + k], name), best(v[prefix + "avx512"], name)
                cells.append(f"{ms:.0f}" + ("" if k == "avx512" else f" ({ms / base:.2f})"))
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return lines


def kernels_page(result):
    v = {k: row for k, row in result["variants"].items() if "profile" in row}
    title = {k: TITLES[k.split()[-1]] + (", before" if k.startswith("before") else "") for k in v}
    lines = [f"{head(result)}. Milliseconds of a step as above, and share of its samples (`perf`, all threads)."]
    for name in PROFILED:
        lines += ["", f"`{name}`:", "", "| | " + " | ".join(title.values()) + " |", "|---|" + "---|" * len(v)]

        def cells(share_of):
            out = []
            for k, row in v.items():
                share = share_of(row["profile"][name]["shares"])
                out.append(f"{share * best(row, name):.1f}, {100 * share:.0f} %" if share else "-")
            return " | ".join(out)

        for group, _ in GROUPS:
            if group is None or not any(group in row["profile"][name]["shares"] for row in v.values()):
                continue
            lines.append(f"| {group} | " + cells(lambda s, g=group: s.get(g, {}).get("share", 0)) + " |")
            for part, _ in INNER:
                if any(part in row["profile"][name]["shares"].get(group, {}).get("parts", {}) for row in v.values()):
                    lines.append(f"| – {part} | " + cells(
                        lambda s, g=group, p=part: s.get(g, {}).get("parts", {}).get(p, 0)) + " |")
        lines.append("| step | " + " | ".join(f"{best(row, name):.0f}" for row in v.values()) + " |")
    return lines


def roofline_page(result):
    v = result["variants"]
    lines = [f"{head(result)}. GFLOP/s of the products of `ode_solve` on all cores, forward and backward, and of "
             f"independent operations in registers, from CPU time; the best of {rounds_of(result)}.", "",
             "| | products of a solve | peak | share |", "|---|---|---|---|"]
    for k, row in v.items():
        kind = k.split()[-1]
        # The program before may measure another peak under the same name; instructions and machine are the same.
        peak = v[kind]["bf16_peak" if kind == "bf16" else "float32_peak"]["gflops"]
        peak, solve = max(peak), max(row[SOLVE]["gflops"])
        title = TITLES[kind] + (", before" if k.startswith("before") else "")
        lines.append(f"| {title} | {solve:.0f} | {peak:.0f} | {100 * solve / peak:.0f} % |")
    return lines


def write_pages(file, folder):
    result = json.loads(file.read_text())
    pages = {"cpu-ratios.md": ratios_page(result), "cpu-roofline.md": roofline_page(result)}
    if any("profile" in row for row in result["variants"].values()):
        pages["cpu-kernels.md"] = kernels_page(result)
    for name, lines in pages.items():
        (folder / name).write_text("\n".join(textwrap.wrap(lines[0], 120) + lines[1:]) + "\n")
        print(f"cpu_steps: {folder / name}")


def options(parser):
    parser.add_argument("--bench", type=Path, default=ROOT / "build/release/bin/lgode_bench")
    parser.add_argument("--before", type=Path, help="lgode_bench of another commit")
    parser.add_argument("--longest", action="store_true", help="measure train_step of --before, too")
    parser.add_argument("--no-profile", action="store_true", help="do not sample stacks")
    parser.add_argument("--rounds", type=int, default=3)


def main():
    given = record_or_page(__doc__, "measure, and write this file", "make tables from this file",
                           "the folder for the tables", options)
    if given.out:
        record(given)
    else:
        write_pages(given.page, given.to)


if __name__ == "__main__":
    sys.exit(main())
