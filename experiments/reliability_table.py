#!/usr/bin/env python3
"""Makes the tables of docs/reliability.md from the records of the scripts that measure it.

    experiments/reliability_table.py experiments/reliability             # writes a .md next to each record
    experiments/reliability_table.py experiments/reliability --check     # exits with 1 if one is not up to date

Reads kills.json, memory.json, large.json and fuzz.json.
"""

import json
import sys

from table_files import arguments, write_or_check


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
    given = arguments(__doc__)
    made = {}
    for name, make in (("kills", kills), ("memory", memory), ("large", large), ("fuzz", fuzz)):
        source = given.folder / f"{name}.json"
        if source.exists():
            made[source.with_suffix(".md")] = "\n".join(make(json.loads(source.read_text()))) + "\n"
    return write_or_check(made, given.check)


if __name__ == "__main__":
    sys.exit(main())
