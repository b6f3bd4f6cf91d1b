"""Files that change, waiting threads, pages: what else happens around a model."""

import os
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import lgode

from conftest import QUICK, SMALL, command, python


def test_a_truncated_file_is_an_error(tmp_path):
    """In a process of its own, which must survive it and keep its handlers."""
    lgode.simulate("springs", **{**SMALL, "train": 400}).save(tmp_path / "d.safetensors")
    done = python(
        """
import faulthandler, os, signal, sys
import numpy as np, lgode
path = sys.argv[1]
data = lgode.open(path)
os.truncate(path, 8192)
print(float(np.nan_to_num(data.values[-1]).sum()))
for call in (data.info, lambda: lgode.Model(task="extrapolate").fit(data, epochs=1, progress=False)):
    try:
        call()
    except lgode.DataError as error:
        print(error)
    else:
        print("no error")
""",
        tmp_path / "d.safetensors",
    )
    assert done.returncode == 0, done.stderr
    zero, *errors = done.stdout.splitlines()
    assert zero == "0.0" and "d.safetensors: was truncated while it was in use" in done.stderr
    assert len(errors) == 2 and "truncated while it was in use" in errors[1], errors


def test_an_overwritten_file_is_an_error(tmp_path):
    path = tmp_path / "d.safetensors"
    lgode.simulate("springs", **SMALL).save(path)
    os.utime(path, (0, 0))
    data = lgode.open(path)
    model = lgode.Model(task="extrapolate").fit(data, **QUICK)
    size = path.stat().st_size
    with open(path, "r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * 1000)
    with pytest.raises(lgode.DataError, match="d.safetensors: was overwritten while it was in use"):
        model.predict(data.test)


def test_other_bus_errors_are_passed_on(tmp_path):
    """The handler is there only while a file is mapped, and calls the one that was there before."""
    lgode.simulate("springs", **SMALL).save(tmp_path / "d.safetensors")
    code = """
import ctypes, mmap, os, signal, sys, tempfile
import lgode
data = lgode.open(sys.argv[1])
with tempfile.TemporaryFile() as file:
    file.truncate(8192)
    area = mmap.mmap(file.fileno(), 8192)
    file.truncate(0)
    area[5000]
"""
    done = python(code, tmp_path / "d.safetensors")
    assert done.returncode == -signal.SIGBUS
    done = python("import faulthandler; faulthandler.enable()\n" + code, tmp_path / "d.safetensors")
    assert done.returncode == -signal.SIGBUS and "Fatal Python error: Bus error" in done.stderr


def test_waiting_threads_sleep():
    """As in the command, unless the user chose otherwise; the environment stays as it is."""
    code = """
import os, lgode
from lgode._lazy import engine
engine.train
print(os.environ.get('OMP_WAIT_POLICY'))
"""
    clean = {key: value for key, value in os.environ.items() if key not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}
    for given, policy in ((None, "PASSIVE"), ("active", "ACTIVE")):
        environment = {**clean, "OMP_DISPLAY_ENV": "TRUE", **({"OMP_WAIT_POLICY": given} if given else {})}
        words = [sys.executable, "-c", code]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == str(given)
        if "OMP_WAIT_POLICY" in done.stderr:  # libgomp tells
            assert f"OMP_WAIT_POLICY = '{policy}'" in done.stderr


def test_threads_are_capped_with_a_warning(springs, tmp_path):
    with pytest.warns(UserWarning, match="`threads` 1000"):
        lgode.Model(task="extrapolate").fit(springs, out=tmp_path / "run", **{**QUICK, "threads": 1000})
    with pytest.warns(UserWarning, match="`threads` 1000"):
        lgode.load(tmp_path / "run", threads=1000)


def data_of(page):
    """The JSON in a page, without what differs from call to call."""
    text = open(page, encoding="utf-8").read()
    return text[text.index("<body") :]


def test_report(springs, tmp_path):
    model = lgode.Model(task="extrapolate", observed=0.6).fit(springs, out=tmp_path / "run", **QUICK)
    page = lgode.report(tmp_path / "run", threads=1)
    assert page == str(tmp_path / "run" / "report.html") and f'href="{page}"' in page._repr_html_()
    own = data_of(page)
    command("report", tmp_path / "run", "--out", tmp_path / "command.html", "--threads", 1)
    assert data_of(tmp_path / "command.html") == own
    assert data_of(lgode.report(model, tmp_path / "model.html")) == own
    (tmp_path / "mine.html").write_text("mine")
    with pytest.raises(lgode.ExistsError):
        lgode.report(model, tmp_path / "mine.html")
    lgode.report(model, tmp_path / "mine.html", force=True, systems=2)
    with pytest.raises(lgode.ConfigError, match="`systems` 0"):
        lgode.report(model, tmp_path / "mine.html", systems=0)


def test_report_of_a_model_in_memory(forecaster, tmp_path):
    with pytest.raises(lgode.ConfigError, match="`out`"):
        lgode.report(forecaster)
    assert os.path.getsize(lgode.report(forecaster, tmp_path / "page.html")) > 100_000


def test_compare(springs, tmp_path):
    for name in ("a", "b"):
        lgode.Model(task="extrapolate", observed=0.6).fit(springs, out=tmp_path / name, **QUICK)
    page = lgode.compare([tmp_path / "a", lgode.load(tmp_path / "b")], tmp_path / "page.html", threads=1)
    command("compare", tmp_path / "a", tmp_path / "b", "--out", tmp_path / "command.html", "--threads", 1)
    assert data_of(page) == data_of(tmp_path / "command.html")
    with pytest.raises(lgode.ConfigError, match="two runs"):
        lgode.compare([tmp_path / "a"], tmp_path / "one.html")


def test_html(forecaster, springs):
    assert "extrapolate" in forecaster._repr_html_() and "not trained" in lgode.Model()._repr_html_()
    assert "model" in forecaster.evaluate()._repr_html_()
    prediction = forecaster.predict(springs.test[0], output="arrays")[0]
    assert "Prediction of system" in prediction._repr_html_()


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York"])
def test_zones_of_forecasts_and_fills(zone, tmp_path):
    frame = lgode.simulate("springs", **SMALL).to_frame()
    start = pd.Timestamp("2024-03-31 00:30", tz=zone)  # summer time begins in Berlin
    frame["time"] = start + pd.to_timedelta(frame["time"] * 600, unit="s")
    data = lgode.from_table(frame, edges="all", velocity_of={"vx": "x", "vy": "y"})
    model = lgode.Model(task="interpolate").fit(data, **QUICK)
    forecast = model.predict(data.test)
    assert forecast["time"].dtype == frame["time"].dtype
    assert forecast["time"].min() >= frame["time"].min()
    one = frame[frame["system"] == frame["system"].iloc[0]]
    asked = [start + pd.Timedelta("10min"), start + pd.Timedelta("20min")]
    answer = model.predict(one, times=asked)
    assert answer["time"].dtype == frame["time"].dtype and sorted(set(answer["time"])) == asked
    holed = one.copy()
    holed.loc[holed.index[3], "x"] = np.nan
    filled = model.fill(holed)
    assert filled["time"].dtype == frame["time"].dtype and filled["x"].notna().all()
    assert model.fill()["time"].dtype == frame["time"].dtype
