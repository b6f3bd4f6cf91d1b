#!/usr/bin/env python3
"""Measures the README's two commands and the benchmarks on this machine, with its own kernels and with AVX2's.

    benchmarks/measure.py --out experiments/machines/NAME.json
    benchmarks/measure.py --page experiments/machines/NAME.json ... --to experiments/machines

The first clones the last commit into a temporary folder and there, without a compiler cache, times `make demo` and
`make test` from nothing with AVX2's kernels, the demo again with this machine's own, and the benchmarks both ways; what
they print goes to build/measure.log. Leave the machine alone meanwhile; it takes about half an hour on two cores. The
second makes tables from such files: times.md for the README and benchmarks.md for docs/performance.md.
experiments/include_tables.sh puts them there.
"""
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

from measuring import AVX2, ROOT, machine, record_or_page, said

BENCHMARKS = ["simulate", "predict_one", "predict_one_dense", "encoder_layer", "ode_solve", "sequence_attention",
              "train_step", "train_step_default"]


def timed(command, folder, extra=None, log=None):
    """Runs a command with these variables of the environment and none of their kind; its seconds and output."""
    environment = {k: v for k, v in os.environ.items() if k not in AVX2}
    environment.update({"CCACHE_DISABLE": "1", **(extra or {})})
    begin = time.monotonic()
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    seconds = time.monotonic() - begin
    if log:
        log.write(f"$ {' '.join(command)}\n{done.stdout}\n")
        log.flush()
    if done.returncode != 0:
        sys.exit(f"measure: {' '.join(command)} ended with {done.returncode}:\n{done.stdout[-3000:]}")
    print(f"measure: {' '.join(command)}: {seconds:.1f} s", flush=True)
    return seconds, done.stdout


def found(pattern, text):
    """The first group of a pattern that must be there, as a number."""
    return float(re.search(pattern, text, re.M).group(1))


def demo_steps(folder):
    """Median milliseconds per training step of the demo's runs of the default model."""
    steps = {}
    for run in ("interpolate", "extrapolate"):
        lines = (folder / "demo" / f"{run}-assimilate" / "metrics.jsonl").read_text().splitlines()
        epochs = [json.loads(line) for line in lines]
        steps[run] = round(statistics.median(e["step_ms"] for e in epochs if e["epoch"] > 0), 1)
    return steps


def measure(out):
    commit = said(["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"])
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="lgode-measure-") as name, open(ROOT / "build/measure.log", "w") as log:
        folder = Path(name) / "lgode"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True)
        result = measure_in(folder, log)
    result = {"commit": commit, "machine": machine(),
              "note": "packages were installed before; no compiler cache", **result}
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(result, indent=1) + "\n")
    print(f"measure: {out}; now --page, and experiments/include_tables.sh for the docs")


def measure_in(folder, log):
    # Both README commands from nothing, with AVX2's kernels.
    whole, text = timed(["make", "demo"], folder, AVX2, log)
    demo = {"avx2": found(r"^demo: runs in .*; (\d+) s$", text)}
    steps = {"avx2": demo_steps(folder)}
    tests_whole, tests_text = timed(["make", "test"], folder, AVX2, log)
    tests = {"seconds": found(r"Total Test time \(real\) = +([\d.]+) sec", tests_text),
             "ran": int(found(r"^(\d+) tests ran", tests_text)),
             "skipped": int(found(r"(\d+) of them skipped", tests_text)),
             "slowest": [[float(s), name] for s, name in re.findall(r"^ +([\d.]+)  (\S+)$", tests_text, re.M)][:10],
             "kernels": re.findall(r"^  (\S+ +OpenBLAS .*)$", tests_text, re.M)}
    # What depends on the machine.
    timed(["rm", "-rf", "demo"], folder)
    _, text = timed(["make", "demo"], folder, None, log)
    demo["native"] = found(r"^demo: runs in .*; (\d+) s$", text)
    steps["native"] = demo_steps(folder)
    version = min(timed(["build/release/bin/lgode", "--version"], folder)[0] for _ in range(5))
    benches = {}
    for kernels, extra in (("avx2", AVX2), ("native", None)):
        timed(["build/release/bin/lgode_bench", "--out", "bench.json"], folder, extra, log)
        benches[kernels] = json.loads((folder / "bench.json").read_text())
    return {"make_demo_s": round(whole, 1), "build_demo_s": round(whole - demo["avx2"], 1), "demo_s": demo,
            "demo_step_ms": steps, "make_test_s": round(tests_whole, 1),
            "build_rest_s": round(tests_whole - tests["seconds"], 1), "tests": tests,
            "version_ms": round(1000 * version, 1), "benchmarks": benches}


def minutes(seconds):
    return f"{int(seconds // 60)} min {int(seconds % 60):02d} s"


def columns(result):
    """The header of a table with the machine's own kernels and AVX2's."""
    simd = result["benchmarks"]["native"][0]["simd"]
    name = {"AVX3": "AVX-512"}.get(simd, simd)
    return f"its own kernels ({name}) | AVX2 |"


def times_of(r):
    lines = textwrap.wrap(f"{r['machine']}, commit `{r['commit']}`; without a compiler cache, packages installed "
                          "before. AVX2: the same machine with AVX2 kernels forced.", 120)
    lines += ["", f"| | {columns(r)}", "|---|---|---|",
              f"| build for `make demo` | same | {minutes(r['build_demo_s'])} |",
              f"| the demo itself | {minutes(r['demo_s']['native'])} | {minutes(r['demo_s']['avx2'])} |"]
    for run in ("interpolate", "extrapolate"):
        lines.append(f"| milliseconds per training step, {run} | {r['demo_step_ms']['native'][run]:.0f} | "
                     f"{r['demo_step_ms']['avx2'][run]:.0f} |")
    lines += [f"| the rest of the build, for `make test` | same | {minutes(r['build_rest_s'])} |",
              f"| the tests, {r['tests']['ran']} with those run again as on other machines | not measured | "
              f"{minutes(r['tests']['seconds'])} |",
              f"| `lgode --version` | same | {r['version_ms']:.0f} ms |"]
    return lines


def benchmarks_of(r):
    lines = textwrap.wrap(f"{r['machine']}, commit `{r['commit']}`. Milliseconds: fused operators / the same model in "
                          "plain ATen.", 120)
    lines += ["", f"| benchmark | {columns(r)}", "|---|---|---|"]
    rows = {k: {b["name"]: b for b in r["benchmarks"][k]} for k in r["benchmarks"]}
    for name in BENCHMARKS:
        cells = []
        for k in ("native", "avx2"):
            b = rows[k].get(name)
            cells.append("-" if b is None else f"{b['fused']:.1f}" +
                         (f" / {b['reference']:.1f}" if b["reference"] else ""))
        lines.append(f"| `{name}` | {cells[0]} | {cells[1]} |")
    return lines


def write_pages(files, folder):
    results = [json.loads(file.read_text()) for file in files]
    for name, lines_of in (("times.md", times_of), ("benchmarks.md", benchmarks_of)):
        text = "\n\n".join("\n".join(lines_of(r)) for r in results)
        (folder / name).write_text(text + "\n")
        print(f"measure: {folder / name}")


def main():
    given = record_or_page(__doc__, "measure, and write this file", "make tables from these files",
                           "the folder for times.md and benchmarks.md", pages="+")
    if given.out:
        measure(given.out.resolve())
    else:
        write_pages(given.page, given.to)


if __name__ == "__main__":
    main()
