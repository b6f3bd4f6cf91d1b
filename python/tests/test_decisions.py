"""The same decisions as the command: where forecasts start, which part is used, what is refused and in which words."""

import os
import pathlib
import re
import subprocess
import warnings

import numpy as np
import pytest

import lgode
from conftest import command


def run(*words):
    """What the command writes to standard error, and its exit code."""
    program = os.environ.get("LGODE_COMMAND")
    if not program:
        pytest.skip("LGODE_COMMAND does not name the command")
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=120)
    return done.stderr, done.returncode


def with_flags(text):
    """A message of the package in the words of the command line."""
    return re.sub(r"`([a-z][a-z0-9_]*)`", lambda found: "--" + found[1].replace("_", "-"), text)


def refusal(call):
    with pytest.raises((lgode.ConfigError, lgode.DataError)) as caught:
        call()
    return f"lgode: error: {with_flags(str(caught.value))}\n"


def told(call):
    """Every warning of a call as the command prints it, in order, without the word before it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [with_flags(str(warning.message)) for warning in caught]


@pytest.fixture
def saved(forecaster, tmp_path):
    forecaster.save(tmp_path / "run")
    return lgode.load(tmp_path / "run", threads=1)


def predict(folder, data, *words):
    return run("predict", folder / "run", "--data", data.path, "--threads", 1, "--samples", 0, *words,
               "--out", folder / "out.csv", "--force")  # fmt: skip


def test_a_forecast_starts_at_the_last_observation(saved, springs, tmp_path):
    times = np.arange(2, 3, 0.25)
    error, code = predict(tmp_path, springs, "--systems", "25", "--times", "2,2.25,2.5,2.75")
    assert code == 2 and "is before the prediction's start" in error
    assert refusal(lambda: saved.predict(springs[25], times=times)) == error
    assert len(saved.predict(springs[25], times=times, start=2)) > 0
    last = springs[25].to_frame()["time"].max()
    ahead = saved.predict(springs[25], output="arrays", samples=0)[0]
    assert ahead.start == last and ahead.times[0] == last


def test_what_is_told_about_a_prediction(saved, springs, tmp_path):
    # The first system ends before the times, the other one after; both are far from the start.
    error, code = predict(tmp_path, springs, "--systems", "0,25", "--times", "3.5,3.9")
    assert code == 0
    expected = [line.split(": ", 1)[1] for line in error.splitlines()]
    found = told(lambda: saved.predict(springs[[0, 25]], times=[3.5, 3.9], samples=0))
    assert found == expected and any("skipped" in text for text in found)


@pytest.mark.parametrize("quantiles, paths", [([2], 0), ([0.5, 0.5], 0), ([0.5], 9)])
def test_quantiles_and_paths(saved, springs, tmp_path, quantiles, paths):
    words = ["--quantiles", ",".join(map(str, quantiles)), "--paths", paths, "--samples", 3]
    error, code = run("predict", tmp_path / "run", "--data", springs.path, *words, "--out", tmp_path / "o.safetensors")
    assert code == 2
    assert refusal(lambda: saved.predict(springs, quantiles=quantiles, paths=paths, samples=3)) == error


def test_parts_of_an_evaluation(saved, springs, tmp_path):
    frame, edges = springs.train.to_frame(), springs.train.edges_frame()
    data = lgode.from_table(frame, edges=edges, velocity_of={"vx": "x", "vy": "y"}, split=1.0)
    data.save(tmp_path / "train.safetensors")
    error, code = run("evaluate", tmp_path / "run", "--data", tmp_path / "train.safetensors", "--threads", 1)
    assert code == 1 and "no test systems" in error
    found = refusal(lambda: saved.evaluate(lgode.open(tmp_path / "train.safetensors")))
    assert found.split("the data set has")[1] == error.split("the data set has")[1]


def test_what_a_stream_needs(saved, springs, tmp_path):
    rows = springs[24].to_frame().drop(columns="system").sort_values("time")
    rows.to_csv(tmp_path / "rows.csv", index=False)
    error, code = run("follow", tmp_path / "run", "--input", tmp_path / "rows.csv")
    assert code == 2 and refusal(lambda: saved.follow()) == error
    follower = saved.follow(edges=springs[24].edges_frame()[["source", "target"]])
    rows.iloc[3, rows.columns.get_loc("vx")] = np.nan
    with pytest.raises(lgode.DataError, match="the rows, row 3, column 'vx'.*trained without missing ones"):
        follower.observe(rows)
    assert follower.observe(rows.iloc[:3])["taken"] == 3  # the refused call took none
    reach = saved.reach
    assert follower.forecast(times=4)["time"].max() == pytest.approx(rows["time"].iloc[2] + reach)


def test_a_forecasting_run_fills_by_classical_paths(saved, springs, tmp_path):
    words = ["predict", tmp_path / "run", "--data", springs.path, "--threads", 1, "--fill"]
    error, code = run(*words, "--fill-with", "model", "--out", tmp_path / "model.csv")
    assert code == 2 and refusal(lambda: saved.fill(springs, fill_with="model")) == error
    error, code = run(*words, "--all-times", "--out", tmp_path / "filled.csv")
    expected = [line.split(": ", 1)[1] for line in error.splitlines()]
    assert code == 0 and any("classical paths" in text for text in expected)
    assert any("there are no intervals" in text for text in expected)
    assert told(lambda: saved.fill(springs, all_times=True, intervals=True)) == expected


def test_what_may_calibrate(saved, springs, tmp_path):
    for part in ("train", "all"):
        error, code = run("calibrate", tmp_path / "run", "--data", springs.path, "--part", part)
        assert code == 2 and refusal(lambda: saved.calibrate(springs, part=part)) == error
    error, code = run("calibrate", tmp_path / "run", "--part", "test")
    assert code == 2 and refusal(lambda: saved.calibrate(part="test")) == error
    assert "on this data" in refusal(lambda: saved.calibrate(springs.train))
    found = saved.calibrate(springs, part="test")
    assert found["systems"] == 6 and (tmp_path / "run/calibration.json.before").exists()
    command("calibrate", tmp_path / "run", "--data", springs.path, "--part", "test", "--threads", 1)
    # Intervals of the test part say nothing about it.
    assert any("calibrated on systems that they are evaluated on" in text for text in told(lambda: saved.evaluate(springs)))


def swing(path):
    """A motion of tests/fixtures/motion/arm.asf, 120 frames."""
    frames = (f"{f}\nroot 0 1 {f % 40} 0 0 0\nupper 0 0 {f % 40}\nlower {f % 40}\n" for f in range(1, 121))
    path.write_text(":FULLY-SPECIFIED\n:DEGREES\n" + "".join(frames))


def test_trials_of_a_motion(tmp_path):
    arm = pathlib.Path(__file__).resolve().parents[2] / "tests/fixtures/motion/arm.asf"
    (tmp_path / "more").mkdir()
    for name in ("arm_01", "arm_02", "more/arm_01"):
        swing(tmp_path / f"{name}.amc")
    one, again = tmp_path / "arm_01.amc", tmp_path / "more/arm_01.amc"
    out = tmp_path / "motion.safetensors"

    def same_refusal(code, words, **keywords):
        error, found = run("import", "cmu", "--asf", arm, "--out", out, *words)
        assert found == code and not out.exists()
        # The help of the command explains its flags.
        assert refusal(lambda: lgode.from_motion(arm, **keywords)) == error.replace(
            "lgode import cmu --help explains the flags\n", ""
        )

    same_refusal(2, [])
    same_refusal(1, ["--train", one, again], train=[one, again])
    same_refusal(1, ["--train", one, "--test", tmp_path], train=one, test=tmp_path)
    same_refusal(1, ["--train", tmp_path / "no*.amc"], train=tmp_path / "no*.amc")
    same_refusal(2, ["--train", one, "--window", 1], train=one, window=1)
    same_refusal(2, ["--train", one, "--window", 2.5], train=one, window=2.5)
    same_refusal(2, ["--train", one, "--stride", "x"], train=one, stride="x")
    same_refusal(2, ["--train", one, "--sampling", "some"], train=one, sampling="some")
    again = again.rename(tmp_path / "more/arm_03.amc")
    words = ["--train", tmp_path, "--test", again, "--stride", 20, "--velocity", "central"]
    command("import", "cmu", "--asf", arm, "--out", out, *words)
    made = lgode.from_motion(arm, train=tmp_path, test=again, stride=20, velocity="central")
    made.save(tmp_path / "python.safetensors")
    assert (tmp_path / "python.safetensors").read_bytes() == out.read_bytes()
