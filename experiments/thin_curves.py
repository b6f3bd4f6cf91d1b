#!/usr/bin/env python3
"""Thins the learning curves of result records: every tenth epoch stays, and the first, the best and the last.

    experiments/thin_curves.py experiments/paper/records ...             # writes the records that change
    experiments/thin_curves.py experiments/paper/records ... --check     # ends with 1 where a curve is not thinned

No table and no page is made from the epochs between; everything else in a record stays byte for byte. A thinned record
stays as it is.
"""
import argparse
import json
import re
import sys
from pathlib import Path

EVERY = 10


def kept(record):
    """The entries of the curve that stay."""
    curve = record["curve"]
    always = {curve[0]["epoch"], curve[-1]["epoch"], record.get("best_epoch")} if curve else set()
    return [entry for entry in curve if entry["epoch"] % EVERY == 0 or entry["epoch"] in always]


def parsed(text):
    """Numbers that are not whole stay texts, so that they are written with the digits that they had."""
    return json.loads(text, parse_float=lambda digits: "\0" + digits)


def text_of(record):
    return re.sub(r'"\\u0000([^"]*)"', r"\1", json.dumps(record, indent=1, ensure_ascii=False)) + "\n"


def thinned(path):
    """The text of the thinned record; None where it is thinned already."""
    text = path.read_text(encoding="utf-8")
    record = parsed(text)
    if "curve" not in record or len(kept(record)) == len(record["curve"]):
        return None
    if text_of(record) != text:
        sys.exit(f"{path}: not written in lgode's style, so thinning would change more than the curve")
    return text_of({**record, "curve": kept(record)})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--check", action="store_true", help="write nothing")
    given = parser.parse_args()
    changed = 0
    for path in sorted(p for folder in given.folders for p in folder.glob("*.json")):
        text = thinned(path)
        if text is None:
            continue
        changed += 1
        if given.check:
            print(f"{path}: its learning curve is not thinned (experiments/thin_curves.py {path.parent})")
        else:
            path.write_text(text, encoding="utf-8")
    if changed and not given.check:
        print(f"thin_curves: {changed} records thinned")
    return 1 if given.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
