#!/usr/bin/env python3
"""Measures training steps on a GPU and writes them to a file: the default model, LG-ODE with as many Runge-Kutta steps,
and the default model on systems of 50 objects with 50 observations each at times of their own.

    benchmarks/gpu_steps.py --lgode build/cuda/bin/lgode --out experiments/benchmarks/gpu-steps.json

Every figure is the median step of a run's last epoch, as the run's own metrics.jsonl has it. Leave the GPU alone meanwhile.
"""
import json
import math
import random
import subprocess
import tempfile
from pathlib import Path

from measuring import gpu_name, parser_of, said

SPRINGS = ["--centre", "none", "--unseen", "predict", "--observed", "0.6", "--batch", "256", "--epochs", "2"]


def own_times(path, systems=4, objects=50, observations=50):
    """Objects on circles, each observed at its own times; a ring of relations."""
    draw = random.Random(1)
    with open(path, "w") as table:
        print("system,object,time,x,y,vx,vy", file=table)
        for s in range(systems):
            for o in range(objects):
                phase, speed = draw.uniform(0, 2 * math.pi), draw.uniform(0.5, 1.5)
                for t in sorted(draw.uniform(0, 6) for _ in range(observations)):
                    a = phase + speed * t
                    print(f"s{s},o{o},{t:.6f},{math.cos(a):.6f},{math.sin(a):.6f},"
                          f"{-speed * math.sin(a):.6f},{speed * math.cos(a):.6f}", file=table)
    edges = path.with_name("edges.csv")
    with open(edges, "w") as table:
        print("source,target", file=table)
        for o in range(objects):
            print(f"o{o},o{(o + 1) % objects}", file=table)
    return edges


def step(lgode, folder, name, data, flags):
    """Trains briefly; the last epoch's median milliseconds per step."""
    run = folder / name
    subprocess.run([lgode, "train", data, "--device", "cuda", "--quiet", "--out", run, *flags], check=True)
    last = json.loads((run / "metrics.jsonl").read_text().splitlines()[-1])
    return {"name": name, "step_ms": last["step_ms"], "flags": flags}


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--lgode", default="build/cuda/bin/lgode")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=2, help="measurements of each pair, to be compared inside a round")
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="lgode-steps-") as name:
        folder = Path(name)
        springs, table, ring = folder / "springs.safetensors", folder / "ring.csv", folder / "ring.safetensors"
        subprocess.run([given.lgode, "simulate", "springs", "--train", "5000", "--test", "100", "--out", springs],
                       check=True, stdout=subprocess.DEVNULL)
        for r in range(given.rounds):
            rows.append(step(given.lgode, folder, f"assimilate-{r}", springs, ["--model", "assimilate", *SPRINGS]))
            rows.append(step(given.lgode, folder, f"lg-ode-as-many-steps-{r}", springs,
                             ["--model", "lg-ode", "--step", "0.0166667", *SPRINGS]))
        edges = own_times(table)
        subprocess.run([given.lgode, "import", "csv", "--observations", table, "--edges", edges, "--out", ring], check=True,
                       stdout=subprocess.DEVNULL)
        rows.append(step(given.lgode, folder, "50-objects-50-own-times", ring,
                         ["--task", "interpolate", "--observed", "1", "--batch", "1", "--epochs", "2"]))
    about = {"version": said([given.lgode, "--version"]),
             "machine": gpu_name()}
    given.out.write_text(json.dumps({**about, "steps": rows}, indent=1) + "\n")
    for row in rows:
        print(f"{row['name']:28} {row['step_ms']:9.1f} ms")


if __name__ == "__main__":
    main()
