"""What tests share: a small data set, a trained model, the command."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

os.environ.setdefault("MPLBACKEND", "Agg")
import lgode  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Short trainings on one thread: the same bits everywhere, and tests may run side by side.
QUICK = {"epochs": 2, "threads": 1, "device": "cpu", "progress": False}
SMALL = {"train": 24, "test": 6, "horizon": 20, "threads": 1}


def command(*words, **options):
    """Runs the command; returns what it printed."""
    program = os.environ.get("LGODE_COMMAND") or shutil.which("lgode")
    if program is None:
        pytest.skip("LGODE_COMMAND does not name the command")
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=120, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def python(code, *words, timeout=120):
    """Runs Python code in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, timeout=timeout
    )


@pytest.fixture(scope="session")
def springs(tmp_path_factory):
    """A data set in a file."""
    path = tmp_path_factory.mktemp("data") / "springs.safetensors"
    lgode.simulate("springs", **SMALL).save(path)
    return lgode.open(path)


@pytest.fixture(scope="session")
def forecaster(springs):
    return lgode.Model(task="extrapolate", observed=0.6).fit(springs, **QUICK)


@pytest.fixture(scope="session")
def filler(springs):
    """A model that fills gaps, trained to do without some values."""
    return lgode.Model(task="interpolate", hide_values=0.2).fit(springs, **QUICK)
