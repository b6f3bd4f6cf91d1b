#!/usr/bin/python3
"""Makes the tables of docs/reliability.md from the records of the scripts that measure it.

usage: scripts/reliability_table.py experiments/reliability [--check]

Reads kills.json, memory.json, large.json and fuzz.json; writes a .md beside each. --check: exits with 1 if one is not up
to date.
"""

import json
import pathlib
import sys


def kills(record):
    yield "| processes | kills | in start-up | in steps | in writes | checkpoints damaged | older one used | trainings completed | files that differ |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for t in record["trials"]:
        where = t["kills_in"]
        yield (f"| {t['processes']} | {t['kills']} | {where['start-up']} | {where['steps']} | {where['write']} | "
               f"{t['damaged_checkpoints'] if t['damage'] else 'none'} | {t['used_older_checkpoint']} | "
               f"{t['trainings_completed']} | {', '.join(t['differences']) or 'none'} |")
    yield ""
    seeds = ", ".join(str(t["seed"]) for t in record["trials"])
    commits = ", ".join(sorted({t["commit"] for t in record["trials"]}))
    yield f"Seeds {seeds}; commit {commits}; {record['trials'][-1]['machine']}."


def mib(size):
    return f"{size / 2**20:,.1f} MiB"


def memory(r):
    yield "| epochs | own memory after warm-up | at the end | lowest and highest since warm-up | change |"
    yield "|---|---|---|---|---|"
    yield (f"| {r['epochs']:,} | {mib(r['bytes_after_warm_up'])} (epoch {r['warm_up']}) | {mib(r['bytes_at_the_end'])} | "
           f"{mib(r['bytes_lowest'])}, {mib(r['bytes_highest'])} | {r['change_percent']:+.2f} % |")
    yield ""
    yield f"Commit {r['commit']}; {r['machine']}."


def large(r):
    yield "| systems | file | peak of own memory | share of the file | steps | time |"
    yield "|---|---|---|---|---|---|"
    yield (f"| {r['systems']:,} | {mib(r['file_bytes'])} | {mib(r['peak_own_bytes'])} | {100 * r['share_of_file']:.1f} % | "
           f"{r['steps']:,} | {r['seconds'] / 60:.0f} min |")
    yield ""
    yield f"{r['samples']:,} samples; commit {r['commit']}; {r['machine']}."


def fuzz(record):
    yield "| target | seconds | executions | edges reached | features | corpus | findings |"
    yield "|---|---|---|---|---|---|---|"
    for t in record["targets"]:
        seconds = f"{t['seconds']:,}" if t["seconds"] is not None else "stopped"
        yield (f"| {t['target']} | {seconds} | {t['executions']:,} | {t['edges']:,} of {t['edges_of_program']:,} | "
               f"{t['features']:,} | {t['corpus']:,} | {len(t['findings'])} |")
    yield ""
    slow = [ms for t in record["targets"] for ms in t["slow_inputs_alone_ms"].values()]
    if slow:
        yield f"Inputs that took seconds while the machine did other work: {len(slow)}; alone they take at most {max(slow)} ms."
    commits = ", ".join(sorted({t["commit"] for t in record["targets"]}))
    yield f"Commit {commits}; {record['targets'][0]['machine']}, shared with other work."


def main():
    folder = pathlib.Path(sys.argv[1])
    stale = 0
    for name, make in (("kills", kills), ("memory", memory), ("large", large), ("fuzz", fuzz)):
        source, target = folder / f"{name}.json", folder / f"{name}.md"
        if not source.exists():
            continue
        text = "\n".join(make(json.loads(source.read_text()))) + "\n"
        if target.exists() and target.read_text() == text:
            continue
        if "--check" in sys.argv:
            print(f"{target}: not up to date (scripts/include_tables.sh)")
            stale = 1
        else:
            target.write_text(text)
            print(f"{target}: written")
    return stale


if __name__ == "__main__":
    sys.exit(main())
