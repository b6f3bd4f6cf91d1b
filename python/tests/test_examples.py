"""The examples run: with few epochs, on part of the data."""

import os
import subprocess
import sys

import pytest

from conftest import ROOT

DATA = os.environ.get("LGODE_TEST_DATA", str(ROOT.parent / "shared/data"))


def run(name, *words):
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / name, *map(str, words)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def folder(name, file):
    path = os.path.join(DATA, name)
    if not os.path.exists(os.path.join(path, file)):
        pytest.skip(f"no {name} in {DATA}; LGODE_TEST_DATA names the folder that holds it")
    return path


def test_pedestrians(tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "scene.png"
    data = folder("pedestrians", "biwi_eth.txt")
    out = run("pedestrians.py", data, "--scenes", "biwi_*.txt", "--epochs", 1, "--threads", 1, "--out", picture)
    assert picture.stat().st_size > 10000 and "the busiest window is biwi_hotel/" in out


def test_motion(tmp_path):
    pytest.importorskip("matplotlib")
    picture = tmp_path / "motion.png"
    data = folder("cmu-mocap-35", "35.asf")
    out = run("motion.py", data, "--epochs", 1, "--trials", 2, "--threads", 1, "--out", picture)
    assert picture.stat().st_size > 10000 and "hidden heights are filled" in out


def test_forecast_into_pytorch():
    pytest.importorskip("torch")
    out = run("forecast_into_pytorch.py", "--epochs", 1, "--train", 100, "--threads", 1)
    assert "systems are told right" in out
