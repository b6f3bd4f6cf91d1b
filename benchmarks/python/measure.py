"""Measures what the Python package costs over the library, and writes it as JSON.

    PYTHONPATH=build/release/python python3 benchmarks/python/measure.py build/release/bin/lgode [--rows 1e7] [--out FILE]

- import: seconds of `import lgode`, and of the whole process, best of several.
- predict: milliseconds of Model.predict() for one system of five objects in numpy arrays, minus the library's
  own call within it, median over many calls; as arrays and as a DataFrame.
- table: seconds from a DataFrame to a data set, against `lgode import csv` of the same table (which also writes its
  file), and the memory in addition to the data set's own arrays.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd

import lgode


def machine():
    names = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return f"{names[0] if names else 'unknown'}, {os.cpu_count()} cores"


def measure_import():
    code = "import time; t = time.perf_counter(); import lgode; print(time.perf_counter() - t)"
    inner, whole = [], []
    for _ in range(7):
        begin = time.perf_counter()
        inner.append(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout))
        whole.append(time.perf_counter() - begin)
    return {"import_s": min(inner), "process_s": min(whole)}


def measure_predict():
    frame = lgode.simulate("springs", train=40, test=10).to_frame()
    data = lgode.from_table(frame, velocity_of={"vx": "x", "vy": "y"})
    model = lgode.Model(task="extrapolate").fit(data, epochs=1, threads=1, device="cpu", progress=False)
    one = frame[frame["system"] == 3]
    table = {name: one[name].to_numpy() for name in one if name != "system"}
    times = 6.0 + np.arange(10) * 0.1
    result = {"objects": 5, "rows": len(one), "times": len(times)}
    # The mean path, a call of some milliseconds, and 100 samples, after which the caches are cold.
    for name, output, samples in (("arrays", "arrays", 0), ("frame", "frame", 0), ("arrays_100_samples", "arrays", 100),
                                  ("frame_100_samples", "frame", 100)):
        over, call = [], []
        for i in range(50):
            begin = time.perf_counter()
            model.predict(table, times=times, output=output, samples=samples)
            seconds = time.perf_counter() - begin
            if i >= 10:  # after the first calls, which load and allocate
                call.append(model._seconds_of_last_call)
                over.append(seconds - model._seconds_of_last_call)
        result[name] = {"over_ms": 1e3 * statistics.median(over), "library_call_ms": 1e3 * statistics.median(call)}
    return result


def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) * 1024


def measure_table(command, rows):
    systems, objects = 100, 50
    each = rows // (systems * objects)
    count = systems * objects * each
    random = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "system": np.repeat(np.arange(systems), objects * each),
            "object": np.tile(np.tile(np.arange(objects), each), systems),
            "time": np.tile(np.repeat(np.arange(each) * 0.1, objects), systems).round(3),
            **{name: random.normal(size=count).round(6) for name in ("x", "y", "vx", "vy")},
        }
    )
    options = {"velocity_of": {"vx": "x", "vy": "y"}, "keep_columns": True}
    lgode.from_table(frame.iloc[:10000], **options)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak counts from now on
    before, seconds = peak(), []
    for _ in range(3):
        begin = time.perf_counter()
        data = lgode.from_table(frame, **options)
        seconds.append(time.perf_counter() - begin)
        if len(seconds) == 1:
            own = data.times.nbytes + data.values.nbytes
            growth = peak() - before
            fingerprint = data.fingerprint
        del data
    with tempfile.TemporaryDirectory() as folder:
        table, out = os.path.join(folder, "table.csv"), os.path.join(folder, "table.safetensors")
        frame.to_csv(table, index=False)
        imports = []
        for _ in range(3):
            begin = time.perf_counter()
            words = ["import", "csv", "--observations", table, "--velocity-of", "vx=x,vy=y", "--keep-columns", "--force"]
            subprocess.run([command, *words, "--out", out], check=True, capture_output=True)
            imports.append(time.perf_counter() - begin)
        same = lgode.open(out).fingerprint == fingerprint
    return {
        "rows": count,
        "features": 4,
        "from_table_s": min(seconds),
        "import_csv_s": min(imports),
        "ratio": min(seconds) / min(imports),
        "own_bytes": own,
        "peak_growth_bytes": growth,
        "beside_own_bytes_per_row": (growth - own) / count,
        "same_data_set": same,
    }


def page(result):
    """The numbers as a table, for docs/python.md."""
    predict, table = result["predict"], result["table"]
    rows = [
        ("`import lgode`", f"{result['import']['import_s']:.3f} s"),
        (f"`predict(samples=0)` of {predict['objects']} objects from numpy above the C++ call, as arrays",
         f"{predict['arrays']['over_ms']:.2f} ms"),
        ("the same as a DataFrame", f"{predict['frame']['over_ms']:.2f} ms"),
        (f"with 100 samples, after {predict['arrays_100_samples']['library_call_ms']:.0f} ms of computing, as arrays",
         f"{predict['arrays_100_samples']['over_ms']:.2f} ms"),
        ("the same as a DataFrame", f"{predict['frame_100_samples']['over_ms']:.2f} ms"),
        (f"a DataFrame of {table['rows']:,} rows to a data set", f"{table['from_table_s']:.2f} s"),
        ("`lgode import csv` of the same table", f"{table['import_csv_s']:.2f} s"),
        ("memory beside the data set's own arrays, per row", f"{table['beside_own_bytes_per_row']:.1f} bytes"),
    ]
    head = f"{result['machine']} at a load of {result['load']:.1f}, Python {result['python']}, commit `{result['commit']}`.\n\n"
    return head + "| | |\n|---|---|\n" + "".join(f"| {name} | {value} |\n" for name, value in rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", help="the command lgode")
    parser.add_argument("--rows", type=float, default=1e7)
    parser.add_argument("--out", default="experiments/benchmarks/python.json")
    arguments = parser.parse_args()
    result = {
        "commit": lgode.__commit__,
        "machine": machine(),
        "python": sys.version.split()[0],
        "load": os.getloadavg()[0],
        "import": measure_import(),
        "predict": measure_predict(),
        "table": measure_table(arguments.command, int(arguments.rows)),
    }
    with open(arguments.out, "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
    with open(os.path.splitext(arguments.out)[0] + ".md", "w") as file:
        file.write(page(result))
    print(json.dumps(result, indent=1))
