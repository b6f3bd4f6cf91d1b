#!/usr/bin/env python3
"""Measures trainings of several processes and the sum over them, and writes a record as JSON.

    benchmarks/scaling.py cpu --bin build/release/bin --out experiments/benchmarks/scaling.json
    benchmarks/scaling.py gpu --bin build/cuda/bin --out experiments/benchmarks/scaling-gpu.json

cpu: one process with one thread, one with two, and two with one each, on the same global batch; the sum of buffers by
Gloo between two processes. gpu: the plain step, NCCL with one rank (the sum around the captured step and inside it) and
Gloo with two ranks on one GPU. A figure is the median step of a run's last epoch; rounds alternate, so that a change of
the machine's speed meets all of them. Leave the machine alone meanwhile.
"""
import json
import os
import socket
import statistics
import subprocess
import tempfile
from pathlib import Path

from measuring import gpu_name, parser_of, processor, said

COMMON = ["--task", "extrapolate", "--centre", "none", "--turn", "none", "--seed", "1", "--quiet", "--no-report"]
MODELS = {"default": [], "lg-ode": ["--model", "lg-ode"]}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def rank_environment(rank, size, port):
    return {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(port)}


def together(command, size, more=None):
    """Starts `size` ranks of a command and returns what rank 0 printed."""
    port = free_port()
    ranks = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, **rank_environment(r, size, port), **(more or {})})
             for r in range(size)]
    texts = [rank.communicate()[0] for rank in ranks]
    if any(rank.returncode for rank in ranks):
        raise SystemExit(f"{command}: failed")
    return texts[0]


def last_epoch(run):
    last = json.loads((run / "metrics.jsonl").read_text().splitlines()[-1])
    return {"step_ms": last["step_ms"], "loss": last["loss"]}


def train(binary, folder, case, model, data, flags, number):
    run = folder / f"{case['name']}-{model}-{number}"
    command = [str(binary / "lgode"), "train", str(data), "--out", str(run), *COMMON, *MODELS[model], *flags,
               *case["flags"]]
    if case["ranks"] == 0:
        subprocess.run([*command, "--ranks", "off"], check=True)
    else:
        together(command, case["ranks"], case.get("environment"))
    return last_epoch(run)


def measure(binary, folder, cases, data, flags, rounds):
    found = {}
    for number in range(rounds):
        for model in MODELS:
            for case in cases:
                found.setdefault((model, case["name"]), []).append(
                    train(binary, folder, case, model, data, flags, number))
    return [{"model": model, "case": name, "step_ms": statistics.median(r["step_ms"] for r in runs),
             "all_step_ms": [r["step_ms"] for r in runs], "loss": runs[0]["loss"]}
            for (model, name), runs in found.items()]


def parameters(binary, folder, data, model):
    run = folder / f"count-{model}"
    subprocess.run([str(binary / "lgode"), "train", str(data), "--out", str(run), *COMMON, *MODELS[model], "--ranks", "off",
                    "--epochs", "1", "--stop-after", "1"], check=False)
    about = said([str(binary / "lgode"), "info", "--json", str(run / "checkpoint.safetensors")])
    return json.loads(about)["parameters"]


def measure_sums(binary, gpu, counts):
    sizes = [str(n) for n in [1_000, 10_000, *sorted(counts.values()), 1_000_000, 10_000_000]]
    bench = str(binary / "reduce_bench")
    if not gpu:
        return [json.loads(together([bench, "cpu", "gloo", *sizes], 2))]
    return [json.loads(together([bench, "cuda", "nccl", *sizes], 1)),
            json.loads(together([bench, "cuda", "gloo", *sizes], 2))]


def main():
    parser = parser_of(__doc__)
    parser.add_argument("device", choices=["cpu", "gpu"])
    parser.add_argument("--bin", type=Path, default=Path("build/release/bin"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--systems", type=int, help="training systems; 256 on a CPU, 4096 on a GPU")
    parser.add_argument("--batch", type=int, help="of all ranks together; 64 on a CPU, 256 on a GPU")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--sums", action="store_true", help="measure only the sums again, and put them into the record")
    given = parser.parse_args()
    gpu = given.device == "gpu"
    if given.sums:
        record = json.loads(given.out.read_text())
        record["sums"] = measure_sums(given.bin, gpu, record["parameters"])
        given.out.write_text(json.dumps(record, indent=1) + "\n")
        return
    systems = given.systems or (4096 if gpu else 256)
    batch = given.batch or (256 if gpu else 64)
    flags = ["--batch", str(batch), "--epochs", str(given.epochs), "--device", "cuda" if gpu else "cpu"]
    cpu_cases = [{"name": "1 process, 1 thread", "ranks": 0, "flags": ["--threads", "1"]},
                 {"name": "1 process, 2 threads", "ranks": 0, "flags": ["--threads", "2"]},
                 {"name": "2 processes, 1 thread each", "ranks": 2, "flags": ["--threads", "1"]}]
    gpu_cases = [{"name": "plain", "ranks": 0, "flags": []},
                 {"name": "NCCL, 1 rank, sum around the step", "ranks": 1, "flags": ["--backend", "nccl"]},
                 {"name": "NCCL, 1 rank, sum inside the step", "ranks": 1, "flags": ["--backend", "nccl"],
                  "environment": {"LGODE_REDUCE": "inside"}},
                 {"name": "Gloo, 2 ranks on one GPU", "ranks": 2, "flags": ["--backend", "gloo"]}]
    with tempfile.TemporaryDirectory(prefix="lgode-scaling-") as name:
        folder = Path(name)
        data = folder / "springs.safetensors"
        simulate = ["simulate", "springs", "--train", str(systems), "--test", "8", "--out", str(data)]
        subprocess.run([str(given.bin / "lgode"), *simulate], check=True, stdout=subprocess.DEVNULL)
        counts = {model: parameters(given.bin, folder, data, model) for model in MODELS}
        rows = measure(given.bin, folder, gpu_cases if gpu else cpu_cases, data, flags, given.rounds)
        sums = measure_sums(given.bin, gpu, counts)
    version = said([str(given.bin / "lgode"), "--version"])
    record = {"machine": processor(), "cores": os.cpu_count(),
              "gpu": gpu_name() if gpu else None,
              "version": version, "seed": 1, "systems": systems, "batch": batch, "rounds": given.rounds,
              "config": {"common": COMMON, "models": MODELS, "flags": flags}, "parameters": counts, "steps": rows,
              "sums": sums}
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(record, indent=1) + "\n")
    print(f"{given.out}: written")
    for row in rows:
        print(f"{row['model']:8s} {row['case']:36s} {row['step_ms']:9.2f} ms  loss {row['loss']:.7g}")


if __name__ == "__main__":
    main()
