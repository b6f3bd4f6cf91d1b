#!/usr/bin/python3
"""Turns the logs of scripts/fuzz.sh into a record: per target what the fuzzer itself counted.

usage: tests/reliability/fuzz_record.py build/fuzz experiments/reliability/fuzz.json [target...]

Without targets: every log in the folder. A target whose fuzzer has not ended yet is skipped and named. Targets that
are in the record already and have no log are kept.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

from watched import machine


def alone(work, target, path):
    """Milliseconds that the target takes for one input, or None."""
    program = pathlib.Path(os.environ.get("FUZZ_BIN", work / "bin")) / f"fuzz_{target}"
    told = subprocess.run([program, path], capture_output=True, text=True)
    time = re.search(r"Executed .* in (\d+) ms", told.stderr)
    return int(time.group(1)) if time else None


def record_of(log, work):
    """What the log of a target says, or None if its fuzzer has not ended."""
    text = log.read_text(errors="replace")
    target = log.stem
    done = re.search(r"Done (\d+) runs in (\d+) second", text)
    found = sorted((work / "findings").glob(f"{target}-*"))
    # An input may have been slow because the machine was busy: run it alone to see.
    slow = {p.name: alone(work, target, p) for p in found if "slow-unit" in p.name}
    findings = [p.name for p in found if p.name not in slow]
    if not done and "SUMMARY" not in text:
        return None
    head = re.search(r"^lgode: target \S+, commit (\S+)", text, re.M)
    stat = {k: int(v) for k, v in re.findall(r"^stat::(\w+):\s+(\d+)", text, re.M)}
    last = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)/", text)
    counters = re.search(r"\((\d+) inline 8-bit counters\)", text)
    return {
        "target": target,
        "seconds": int(done.group(2)) if done else None,
        "executions": stat.get("number_of_executed_units", 0),
        "edges": int(last[-1][0]) if last else 0,
        "edges_of_program": int(counters.group(1)) if counters else 0,
        "features": int(last[-1][1]) if last else 0,
        "corpus": int(last[-1][2]) if last else 0,
        "peak_rss_mb": stat.get("peak_rss_mb", 0),
        "slowest_input_s": stat.get("slowest_unit_time_sec", 0),
        "findings": findings,
        "slow_inputs_alone_ms": slow,
        "commit": head.group(1) if head else "unknown",
        "machine": machine(),
    }


def main():
    work, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    targets = sys.argv[3:] or sorted(p.stem for p in work.glob("*.log"))
    known = {r["target"]: r for r in json.loads(out.read_text())["targets"]} if out.exists() else {}
    for target in targets:
        log = work / f"{target}.log"
        record = record_of(log, work) if log.exists() else None
        if record is None:
            print(f"fuzz_record: {target} has not ended yet, skipped", file=sys.stderr)
        else:
            known[target] = record
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({"targets": [known[t] for t in sorted(known)]}, indent=1) + "\n")
    print(f"fuzz_record: {out}: {len(known)} targets")


if __name__ == "__main__":
    main()
