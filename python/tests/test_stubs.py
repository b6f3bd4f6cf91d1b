"""The stubs are those of the options, and mypy agrees with the package and with code that uses it."""

import os
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT

pytest.importorskip("mypy")

USE = """
from typing import List

import numpy as np
import lgode

data = lgode.from_table({"object": [1]}, edges="all", velocity_of={"vx": "x"})
model: lgode.Model = lgode.Model(task="extrapolate", observed=0.6).fit(data, epochs=20)
arrays: List[lgode.Prediction] = model.predict(data.test, times=np.arange(6, 12, 0.1), output="arrays")
error: float = model.evaluate().mse
lgode.load("runs/x").save("runs/y")
more: lgode.Dataset = lgode.simulate("springs", train=10, relations="same")
model.calibrate(more, part="test", allow_mismatch=True)
"""
MISUSE = """
import lgode

lgode.Model(task="guess")
lgode.Model().fit(lgode.open("x"), epochs="many")
lgode.Model().fit(lgode.open("x"), epohcs=3)
lgode.simulate("springs", relations="other")
lgode.Model().calibrate(part="most")
"""


def mypy(folder, *words):
    environment = {**os.environ, "MYPYPATH": str(folder)}
    environment.pop("PYTHONPATH", None)
    config = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(folder / "cache")]
    return subprocess.run(
        [sys.executable, "-m", "mypy", *config, *map(str, words)], capture_output=True, text=True, cwd=folder, env=environment
    )


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("types")
    shutil.copytree(ROOT / "python/lgode", folder / "lgode", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    return folder


def test_the_stub_is_up_to_date():
    done = subprocess.run([sys.executable, ROOT / "python/make_stubs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_package_has_no_errors(package):
    done = mypy(package, "-p", "lgode")
    assert done.returncode == 0, done.stdout
    stub = package / "lgode/_model.pyi"
    text = stub.read_text()
    stub.unlink()  # in place of the stub, the module itself
    try:
        done = mypy(package, "-p", "lgode")
        assert done.returncode == 0, done.stdout
    finally:
        stub.write_text(text)


def test_code_that_uses_it(package):
    (package / "use.py").write_text(USE)
    done = mypy(package, package / "use.py")
    assert done.returncode == 0, done.stdout
    (package / "misuse.py").write_text(MISUSE)
    done = mypy(package, package / "misuse.py")
    assert done.stdout.count("error:") == 5, done.stdout
