"""What the table makers share: their arguments, and writing tables or checking that they are up to date."""
import argparse
from pathlib import Path


def arguments(description, add=lambda parser: None):
    """FOLDER and --check; `add` adds further options to the parser."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder with the records; the tables are written there")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 where a table is out of date")
    add(parser)
    return parser.parse_args()


def write_or_check(tables, check):
    """Writes each text of `tables` (path: text) that differs from its file; with `check`, reports it instead.

    Returns the exit code: 1 if `check` found a difference."""
    stale = 0
    for path, text in tables.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if check:
            print(f"{path}: not up to date (experiments/include_tables.sh)")
            stale = 1
        else:
            path.write_text(text, encoding="utf-8")
            print(f"{path}: written")
    return stale
