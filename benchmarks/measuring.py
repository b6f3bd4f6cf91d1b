"""What the measuring scripts share: the machine, running a program, and the arguments of scripts that measure or make
pages from a record."""
import argparse
import os
import platform
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
AVX2 = {"OPENBLAS_CORETYPE": "Haswell", "ATEN_CPU_CAPABILITY": "avx2", "LGODE_SIMD": "avx2"}


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def machine():
    """The processor and its number of cores."""
    return f"{processor()}, {os.cpu_count()} cores"


def gpu_name():
    """The name of the GPU."""
    return said(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"])


def said(command):
    """What a command prints; it must succeed."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def parser_of(description):
    return argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)


def record_or_page(description, out, page, to, add=lambda parser: None, pages=None):
    """The arguments of a script with two uses: `--out FILE` measures, `--page FILE --to FOLDER` makes tables.

    out, page, to: help texts. add: adds further options to the parser. pages: nargs of --page."""
    parser = parser_of(description)
    parser.add_argument("--out", type=Path, help=out)
    parser.add_argument("--page", type=Path, nargs=pages, help=page)
    parser.add_argument("--to", type=Path, help=f"with --page: {to}")
    add(parser)
    given = parser.parse_args()
    if (given.out is None) == (given.page is None) or (given.page is None) != (given.to is None):
        parser.error("give --out, or --page and --to")
    return given
