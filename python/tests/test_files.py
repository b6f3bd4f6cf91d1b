"""The same numbers as the command, to the bit: files are compared byte by byte."""

import json

import numpy as np
import pandas as pd
import pytest

import lgode
from conftest import SMALL, command


def content(path):
    return path.read_bytes()


def test_simulated_sets(tmp_path):
    command("simulate", "charged", "--train", 24, "--test", 6, "--horizon", 20, "--seed", 7, "--out", tmp_path / "a.safetensors")
    lgode.simulate("charged", seed=7, **SMALL).save(tmp_path / "b.safetensors")
    assert content(tmp_path / "a.safetensors") == content(tmp_path / "b.safetensors")


def test_imported_sets(tmp_path):
    frame = lgode.simulate("springs", **SMALL).to_frame()
    frame.to_csv(tmp_path / "obs.csv", index=False)
    command("import", "csv", "--observations", tmp_path / "obs.csv", "--velocity-of", "vx=x,vy=y", "--edges",
            "k-nearest=2", "--out", tmp_path / "a.safetensors")  # fmt: skip
    options = {"velocity_of": {"vx": "x", "vy": "y"}, "edges": "k-nearest=2"}
    lgode.from_table(tmp_path / "obs.csv", **options).save(tmp_path / "b.safetensors")
    assert content(tmp_path / "a.safetensors") == content(tmp_path / "b.safetensors")
    lgode.from_table(frame, name="obs", **options).save(tmp_path / "c.safetensors")
    changed = content(tmp_path / "c.safetensors").replace(b"made from a table in memory", b"imported from obs.csv")
    assert len(changed) > 0
    same = lgode.open(tmp_path / "c.safetensors")
    assert same.fingerprint == lgode.open(tmp_path / "a.safetensors").fingerprint


CASES = {
    "extrapolate": {"task": "extrapolate", "observed": 0.6},
    "interpolate": {"task": "interpolate"},
    "lg-ode": {"task": "extrapolate", "model": "lg-ode", "encoder_width": 16, "latent": 4, "augment": 4, "hidden": 16},
}


def without_times(path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [{k: v for k, v in row.items() if "second" not in k and "ms" not in k} for row in rows]


@pytest.mark.parametrize("case", CASES)
def test_runs_and_predictions(case, springs, tmp_path):
    model_options = CASES[case]
    training = {"epochs": 2, "batch": 8, "lr": 2e-3, "threads": 1, "device": "cpu"}
    flags = []
    for key, value in {**model_options, **training}.items():
        flags += ["--" + key.replace("_", "-"), value]
    command("train", springs.path, *flags, "--seed", 3, "--out", tmp_path / "a", "--quiet")
    model = lgode.Model(seed=3, **model_options)
    model.fit(springs, out=tmp_path / "b", progress=False, **training)
    for name in ("config.json", "best.safetensors", "checkpoint.safetensors", "calibration.json"):
        assert content(tmp_path / "a" / name) == content(tmp_path / "b" / name), name
    assert without_times(tmp_path / "a/metrics.jsonl") == without_times(tmp_path / "b/metrics.jsonl")

    command("predict", tmp_path / "a", "--data", springs.path, "--part", "test", "--threads", 1, "--out", tmp_path / "a.csv")
    forecast = model.predict(springs.test, out=tmp_path / "b.csv")
    assert content(tmp_path / "a.csv") == content(tmp_path / "b.csv")
    # The table has the numbers of the file: float64 in their shortest form.
    written = pd.read_csv(tmp_path / "a.csv", float_precision="round_trip")
    assert list(written) == list(forecast)
    for column in ("mean", "std", "q05", "q95"):
        np.testing.assert_array_equal(written[column].to_numpy(), forecast[column].to_numpy(), err_msg=column)
    for column in ("system", "object", "feature"):
        assert (written[column] == forecast[column]).all(), column

    scores = json.loads(command("evaluate", tmp_path / "a", "--json", "--threads", 1))
    found = lgode.load(tmp_path / "b", threads=1).evaluate()
    assert found.mse == scores["test_mse"]
    assert found.table.loc["hold", "mse"] == scores["classical"]["hold"]["mse"]


def test_times_start_and_quantiles(forecaster, springs, tmp_path):
    forecaster.save(tmp_path / "run")
    command("predict", tmp_path / "run", "--data", springs.path, "--systems", "25,27", "--start", 2, "--times", "2:0.25:3",
            "--quantiles", "0.1,0.5,0.9", "--samples", 20, "--seed", 5, "--threads", 1, "--out", tmp_path / "a.csv")  # fmt: skip
    lgode.load(tmp_path / "run", threads=1).predict(
        springs[[25, 27]], times=np.arange(2, 3.1, 0.25), start=2, quantiles=[0.1, 0.5, 0.9], samples=20, seed=5,
        out=tmp_path / "b.csv",
    )  # fmt: skip
    assert content(tmp_path / "a.csv") == content(tmp_path / "b.csv")


def test_filled_tables(filler, springs, tmp_path):
    frame = springs.to_frame()
    random = np.random.default_rng(4)
    for name in ("x", "vy"):
        frame.loc[random.random(len(frame)) < 0.1, name] = np.nan
    frame.to_csv(tmp_path / "gaps.csv", index=False)
    filler.save(tmp_path / "run")
    command("predict", tmp_path / "run", "--data", springs.path, "--fill", "--table", tmp_path / "gaps.csv", "--threads", 1,
            "--out", tmp_path / "filled.csv")  # fmt: skip
    expected = pd.read_csv(tmp_path / "filled.csv", float_precision="round_trip")
    filled = lgode.load(tmp_path / "run", threads=1).fill(frame, data=springs)
    assert list(filled["imputed"]) == list(expected["imputed"].fillna(""))
    for name in ("x", "y", "vx", "vy"):
        np.testing.assert_array_equal(filled[name].to_numpy(), expected[name].to_numpy(), err_msg=name)
    assert filled[["x", "vy"]].notna().all().all() and frame["x"].isna().any()
