"""Models: options, training, prediction, evaluation, filling, streams, files."""

import html
import inspect
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest

import lgode
from conftest import QUICK, python


# -- options ----------------------------------------------------------------------------------------------------------


def test_every_option_is_a_keyword():
    from lgode import _data
    from lgode._options import FIT_KEYS, MODEL_KEYS

    keys = {o["key"] for o in _data.declared_options()}
    assert set(FIT_KEYS) | set(MODEL_KEYS) | {"data"} == keys and not set(FIT_KEYS) & set(MODEL_KEYS)
    lgode.Model(**{o["key"]: o["default"] for o in _data.declared_options() if o["key"] in MODEL_KEYS})


def test_options_of_uses_are_keywords_with_their_defaults():
    from lgode import _data

    for use, function in (
        ("predict", lgode.Model.predict),
        ("fill", lgode.Model.fill),
        ("evaluate", lgode.Model.evaluate),
        ("calibrate", lgode.Model.calibrate),
        ("simulate", lgode.simulate),
    ):
        keywords = inspect.signature(function).parameters
        for option in _data.declared_options(use):
            if option["key"] != "physics":  # the argument without a name
                default = None if option["default"] == "" else option["default"]
                assert keywords[option["key"]].default == default, (use, option["key"])
    assert "samples : integer >= 0, default 0" in (lgode.Model.fill.__doc__ or "")


@pytest.mark.parametrize(
    "options, message",
    [
        ({"observed": 1.5}, "`observed` 1.5: expected a number in (0, 1]"),
        ({"task": "guess"}, "`task` guess: expected interpolate|extrapolate"),
        ({"hidden": 2.5}, "`hidden` 2.5: expected an integer"),
        ({"obsreved": 0.5}, "observed"),
        ({"epochs": 3}, "`epochs`: is an option of fit()"),
    ],
)
def test_options_are_checked_at_once(options, message):
    with pytest.raises(lgode.ConfigError, match=None) as caught:
        lgode.Model(**options)
    assert message in str(caught.value)


def test_errors_of_fit(springs):
    def refused(error, message, model=None, **options):
        with pytest.raises(error) as caught:
            (model or lgode.Model()).fit(springs, progress=False, **options)
        assert message in str(caught.value), str(caught.value)

    refused(lgode.ConfigError, "`lr` 0: expected a number > 0", lr=0)
    refused(lgode.ConfigError, "`task`: is an option of Model()", task="extrapolate")
    refused(lgode.ConfigError, "`heads` 3 does not divide `encoder_width` 64", lgode.Model(heads=3))
    refused(lgode.ConfigError, "did you mean", epohcs=3)
    refused(lgode.ConfigError, "`resume`: there is no training", resume=True)
    refused(lgode.DivergedError, "try a smaller `lr`", lgode.Model(model="lg-ode"), lr=1e30, clip=0, epochs=30, warmup=0)
    with pytest.raises(lgode.DataError, match="no/such.safetensors"):
        lgode.Model().fit("no/such.safetensors")
    with pytest.raises(lgode.ConfigError, match="not trained yet"):
        lgode.Model().predict(springs)


# -- training ---------------------------------------------------------------------------------------------------------


def test_fit_in_memory_and_in_a_folder(springs, forecaster, tmp_path):
    assert forecaster.result["finished"] and forecaster.result["epochs"] == 2
    assert forecaster.calibrated and forecaster.device == "cpu" and forecaster.config["task"] == "extrapolate"
    assert list(forecaster.history["epoch"])[-1] == 2
    model = lgode.Model(task="extrapolate", observed=0.6).fit(springs, out=tmp_path / "run", **QUICK)
    for name, array in model.weights.items():
        np.testing.assert_array_equal(array, forecaster.weights[name], err_msg=name)
        assert array.dtype == np.float32 and not array.flags.writeable and not array.flags.owndata
    with pytest.raises(lgode.ExistsError, match="`resume` to continue it, `force`"):
        model.fit(springs, out=tmp_path / "run", **QUICK)
    longer = model.fit(springs, out=tmp_path / "run", resume=True, epochs=3, progress=False)
    assert longer is model and model.result["epochs"] == 3
    with pytest.raises(lgode.ConfigError, match="`batch`.*continues with the run's own options"):
        model.fit(springs, resume=True, batch=3)


def test_stopped_and_resumed_ends_with_the_same_bytes(springs, tmp_path):
    options = {"epochs": 3, "batch": 6, "threads": 1, "device": "cpu", "progress": False}
    lgode.Model(task="extrapolate").fit(springs, out=tmp_path / "a", **options)
    part = lgode.Model(task="extrapolate").fit(springs, out=tmp_path / "b", stop_after=5, **options)
    assert not part.result["finished"] and part.result["steps"] == 5
    part.predict(springs.test)  # the best so far
    part.fit(springs, resume=True, progress=False)
    assert part.result["finished"]
    for name in ("best.safetensors", "checkpoint.safetensors", "calibration.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_progress(springs, capsys):
    seen = []
    lgode.Model(task="extrapolate").fit(springs, **{**QUICK, "progress": lambda kind, report: seen.append((kind, report))})
    kinds = [kind for kind, _ in seen]
    assert kinds[0] == "start" and kinds.count("epoch") == 2 and "initial" in kinds
    assert all("validation" in report for kind, report in seen if kind == "epoch")
    assert capsys.readouterr().err == ""
    lgode.Model(task="extrapolate").fit(springs, **{**QUICK, "progress": None})
    printed = capsys.readouterr().err
    assert "epoch 2/2" in printed and "to train on" in printed and "\r" not in printed

    def broken(kind, report):
        raise ZeroDivisionError("of the callback")

    with pytest.raises(ZeroDivisionError, match="of the callback"):
        lgode.Model().fit(springs, **{**QUICK, "progress": broken})


def test_the_line_of_a_terminal():
    from lgode._progress import Progress

    class Terminal:
        def __init__(self):
            self.text = ""

        def isatty(self):
            return True

        def write(self, text):
            self.text += text

        def flush(self):
            pass

    terminal = Terminal()
    progress = Progress(terminal)
    step = {"epoch": 1, "epochs": 2, "step": 5, "steps": 10, "seconds_left": 65, "least_seconds_left": 65, "loss": 1.0}
    progress("step", step)
    progress.close()
    assert "\r[#####" in terminal.text and "epoch 1/2" in terminal.text and "1 min 05 s left" in terminal.text
    assert terminal.text.endswith("\r")
    # Without a fixed length: the time until the earliest end and until the limit.
    progress("step", {**step, "epochs": None, "least_seconds_left": 30})
    assert "epoch 1  step 5/10  30 s to 1 min 05 s left" in terminal.text


INTERRUPT = """
import sys, lgode
data = lgode.open(sys.argv[1])
model = lgode.Model(task="extrapolate")
def report(kind, r):
    if kind == "step": print("step", flush=True)
try:
    model.fit(data, out=sys.argv[2], epochs=5000, threads=1, device="cpu", progress=report)
except KeyboardInterrupt:
    print("kept", model.result["finished"], len(model.predict(data.test)) > 0, flush=True)
    raise
"""


def test_ctrl_c_keeps_the_checkpoint(springs, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPT, springs.path, str(tmp_path / "run")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline().strip() == "step"
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert "kept False True" in out and "KeyboardInterrupt" in error
    assert process.returncode in (-signal.SIGINT, 130, 1)
    assert (tmp_path / "run/checkpoint.safetensors").exists()
    steps = json.loads(python(STEPS, tmp_path / "run").stdout)
    again = lgode.Model().fit(springs, out=tmp_path / "run", resume=True, stop_after=steps + 2, progress=False)
    assert again.result["steps"] == steps + 2


STEPS = "import json, sys; from lgode import _data; print(json.dumps(_data.run_info(sys.argv[1] + '/checkpoint.safetensors')['step']))"


def test_ctrl_c_in_a_short_call():
    code = """
import lgode, os, signal, threading
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    lgode.simulate("springs", train=40000, test=0, threads=1)
except KeyboardInterrupt:
    print("interrupted", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    begin = time.monotonic()
    done = python(code)
    assert done.stdout.strip() == "interrupted True", done.stderr
    assert time.monotonic() - begin < 10


def test_the_interpreter_is_free_and_models_train_in_threads(springs):
    """Two trainings in threads end with the bits of single ones, while Python counts."""
    options = {**QUICK, "epochs": 3}
    alone = [lgode.Model(task="extrapolate", seed=seed).fit(springs, **options) for seed in (1, 2)]
    models = [lgode.Model(task="extrapolate", seed=seed) for seed in (1, 2)]
    threads = [threading.Thread(target=model.fit, args=(springs,), kwargs=options) for model in models]
    for thread in threads:
        thread.start()
    longest, last, turns = 0.0, time.perf_counter(), 0
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last, turns = max(longest, now - last), now, turns + 1
    assert turns > 20 and longest < 0.5, (turns, longest)
    for model, single in zip(models, alone):
        for name, array in single.weights.items():
            np.testing.assert_array_equal(array, model.weights[name], err_msg=name)


# -- prediction -------------------------------------------------------------------------------------------------------


def test_forecasts_are_tidy(forecaster, springs):
    frame = forecaster.predict(springs.test, times=np.arange(2, 3, 0.1), start=2.0)
    assert list(frame) == ["system", "object", "time", "feature", "mean", "std", "q05", "q95"]
    assert len(frame) == 6 * 5 * 10 * 4 and set(frame["feature"]) == {"x", "y", "vx", "vy"}
    assert (frame["q05"] <= frame["mean"]).all() and (frame["std"] > 0).all()
    arrays = forecaster.predict(springs.test, times=np.arange(2, 3, 0.1), start=2.0, output="arrays", paths=7)
    one = arrays[1]
    assert one.system == 25 and one.mean.shape == (5, 10, 4) and one.paths.shape == (7, 5, 10, 4)
    rows = frame[(frame["system"] == 25) & (frame["object"] == 3) & (frame["feature"] == "vy")]
    np.testing.assert_array_equal(rows["mean"].to_numpy(), one.mean[3, :, 3])
    np.testing.assert_array_equal(rows["q95"].to_numpy(), one.quantiles["q95"][3, :, 3])
    np.testing.assert_array_equal(rows["time"].to_numpy(), one.times)


def test_times_before_the_start_are_refused(forecaster, springs):
    """A forecast starts with the last observation, unless `start` is given."""
    times = np.arange(2, 3, 0.1)
    with pytest.raises(lgode.ConfigError, match="is before the prediction's start.*set an earlier `start`"):
        forecaster.predict(springs.test, times=times)
    assert len(forecaster.predict(springs.test, times=times, start=2.0)) == 6 * 5 * 10 * 4
    with pytest.warns(UserWarning, match="training looked"):
        late = forecaster.predict(springs.test[0], times=[4.5, 5.0, 6.9])
    assert len(late) == 5 * 3 * 4
    short = springs[[0, 25]]  # the first ends before the times, the second after
    with pytest.warns(UserWarning, match="1 system was skipped: times to predict are before the start"):
        mixed = forecaster.predict(short, times=[2.2, 2.4])
    assert list(mixed["system"].unique()) == [0]


def rows_of(data, system, until):
    frame = data[system].to_frame()
    return frame[frame["time"] <= until].drop(columns="system").reset_index(drop=True)


def test_tables_are_read_as_the_training_data(springs, forecaster):
    """The same numbers as from the data set that has the system."""
    data = lgode.from_table(springs.to_frame(), edges="all", velocity_of={"vx": "x", "vy": "y"}, test_systems=["2?"])
    model = lgode.Model(task="extrapolate").fit(data, **QUICK)
    whole = data[["20"]] if isinstance(data.systems[0], str) else data["20"]
    times = [2.1, 2.4]
    expected = model.predict(whole, times=times, start=2.0, samples=0)  # samples depend on the system's place
    seen = rows_of(data, "20", 10.0)
    for table in (seen, {name: seen[name].to_numpy() for name in seen}):
        found = model.predict(table, times=times, start=2.0, samples=0)
        for column in ("object", "time", "feature"):
            assert (found[column] == expected[column]).all()
        np.testing.assert_allclose(found["mean"], expected["mean"], rtol=1e-5, atol=1e-6)
    with pytest.raises(lgode.DataError, match="row 3, column 'x'"):
        model.predict(seen.assign(x=seen["x"].where(seen.index != 3, np.inf)), times=times)
    with pytest.raises(lgode.ConfigError, match="vx"):
        model.predict(seen.drop(columns="vx"), times=times)
    with pytest.raises(lgode.ConfigError, match="`edges`"):
        forecaster.predict(seen, times=times)  # trained on listed relations
    edges = springs[20].edges_frame()[["source", "target", "type"]]
    with_edges = forecaster.predict(seen, times=times, start=2.0, samples=0, edges=edges)
    expected = forecaster.predict(springs[20], times=times, start=2.0, samples=0)
    np.testing.assert_allclose(with_edges["mean"], expected["mean"], rtol=1e-5, atol=1e-6)


def test_large_coordinates_keep_their_digits(tmp_path):
    rows = [
        (s, w, k * 0.1, round(10 + 3 * np.cos(0.7 * w + s + 0.12 * k), 3), round(3 * np.sin(0.7 * w + s + 0.12 * k), 3))
        for s in range(8) for w in range(3) for k in range(40)
    ]  # fmt: skip
    near = pd.DataFrame(rows, columns=["system", "object", "time", "x", "y"])
    far = near.assign(x=near.x + 500_000, y=(near.y + 5_400_000).round(3))
    options = {"centre": "system", "encoder_width": 8, "sequence_width": 8, "latent": 4, "hidden": 8}
    sets = {name: lgode.from_table(t, velocities="difference") for name, t in (("near", near), ("far", far))}
    offsets = {"x": 500_000, "y": 5_400_000}
    model = lgode.Model(task="extrapolate", **options).fit(sets["near"], **QUICK)
    found = {name: model.predict(s.test, times=[2.0, 2.5, 3.0], start=2.0) for name, s in sets.items()}
    for column in ("mean", "q05", "q95"):
        assert found["far"][column].dtype == np.float64
        moved = found["far"][column] - found["far"]["feature"].astype(str).map(offsets)
        assert np.abs(moved - found["near"][column]).max() < 1e-5
    stream, arrays = {}, {}
    for name, table in (("near", near), ("far", far)):
        follower = model.follow()
        follower.observe(table[(table.system == 0) & (table.time < 2.05)].sort_values("time"))
        stream[name] = follower.forecast("0", ahead=[0.5, 1.0])
    moved = stream["far"]["mean"] - stream["far"]["feature"].astype(str).map(offsets)
    assert np.abs(moved - stream["near"]["mean"]).max() < 1e-5
    filler = lgode.Model(task="interpolate", hide_values=0.2, **options).fit(sets["near"], **QUICK)
    for with_ in ("model", "linear", "hermite"):
        for name, table in (("near", near), ("far", far)):
            gappy = table.assign(x=table.x.where(table.index % 5 > 0))
            arrays[name] = filler.fill(gappy, fill_with=with_)
        assert np.abs(arrays["far"].x - 500_000 - arrays["near"].x).max() < 1e-5


def test_dates_come_back_as_dates(springs):
    frame = springs.to_frame()
    frame["time"] = pd.Timestamp("2024-03-01") + pd.to_timedelta(frame["time"], unit="s")
    data = lgode.from_table(frame, velocity_of={"vx": "x", "vy": "y"})
    model = lgode.Model(task="extrapolate").fit(data, **{**QUICK, "epochs": 1})
    times = pd.date_range("2024-03-01 00:00:02", periods=3, freq="100ms")
    forecast = model.predict(data.test, times=times, start=times[0])
    assert list(forecast["time"].unique()) == list(times)
    texts = [str(t) for t in times]
    pd.testing.assert_frame_equal(forecast, model.predict(data.test, times=texts, start=texts[0]))
    with pytest.raises(lgode.ConfigError, match="`times` soon: expected a number or a date"):
        model.predict(data.test, times=["soon"])


def test_errors_of_predict(forecaster, springs):
    with pytest.raises(lgode.ConfigError, match="too far"):
        forecaster.predict(springs[0], times=[1e6])
    with pytest.raises(lgode.ConfigError, match="`quantiles` 2: expected"):
        forecaster.predict(springs, quantiles=[2])
    with pytest.raises(lgode.ConfigError, match="`samples` -1"):
        forecaster.predict(springs, samples=-1)
    with pytest.raises(lgode.ConfigError, match=r"predict\(\): there is no option \"system\""):
        forecaster.predict(springs, system=["0"])
    with pytest.raises(lgode.ConfigError, match="`output` list"):
        forecaster.predict(springs, output="list")
    other = lgode.from_table(springs.to_frame().rename(columns={"x": "z"}))
    with pytest.raises(lgode.ConfigError, match="z"):
        forecaster.predict(other)


# -- evaluation, filling, streams -------------------------------------------------------------------------------------


def test_scores(forecaster, springs):
    scores = forecaster.evaluate()
    assert scores.table.loc["model", "mse"] == scores.mse and "hold" in scores.table.index
    assert set(scores.rmse.columns) == {"x", "y", "vx", "vy"} and (scores.rmse.loc["model"] > 0).all()
    horizon = scores.horizon
    assert list(horizon) == ["begin", "end", "mse", "values"] and len(horizon.loc["model"]) == 6
    assert list(horizon.index.unique()) == list(scores.table.index)
    for name in scores.table.index:
        own = horizon.loc[name]
        assert (own["mse"] * own["values"]).sum() / own["values"].sum() == pytest.approx(scores.table["mse"][name])
    positions, by_time = scores.positions, scores.positions_horizon
    assert {"ade", "fde", "miss_rate", "nll", "collision_rate"} == set(positions.columns)  # one path: none of futures
    assert list(positions.index) == list(scores.table.index) and (positions["fde"] > 0).all()
    assert (positions["ade"] == scores.table["ade"]).all()
    # All objects have a target at every time: the mean over times is the mean of objects.
    assert positions.loc["model", "ade"] == pytest.approx(scores.distance, rel=1e-9)
    assert list(by_time)[:3] == ["begin", "end", "ade"] and len(by_time.loc["hold"]) == 6
    assert by_time.loc["model", "ade"].iloc[-1] > by_time.loc["model", "ade"].iloc[0]
    raw = scores.raw["positions"]
    assert raw["features"] == ["x", "y"] and raw["miss_distance"] == 2 and raw["futures"] == 0
    assert "no unit" in raw["note"] and raw["note"] in repr(scores) and "over positions" in scores._repr_html_()
    far = forecaster.evaluate(miss_distance=1e-6, collision_distance=1e3).positions
    assert far.loc["model", "miss_rate"] == 1 and (far["collision_rate"] == 1).all()
    with pytest.raises(lgode.ConfigError, match="miss_distance"):
        forecaster.evaluate(miss_distance=0)
    assert 0 <= scores.intervals.loc["model", "coverage.90"] <= 1
    assert forecaster.evaluate(part="validation").mse != scores.mse
    assert forecaster.evaluate(split="validation").mse == forecaster.evaluate(part="validation").mse  # the earlier name
    shown, page = repr(scores), scores._repr_html_()
    for text in (shown, page):  # units first
        assert text.index("errors in units") < text.index("RMSE of x") < text.index("normalised")
        assert "mean distance" in text
    sentence = scores.verdict.splitlines()[0]
    assert sentence in shown and html.escape(sentence) in page
    assert "lgode-" not in scores.verdict and "lgode train" not in scores.verdict  # no temporary folder, no command
    with pytest.raises(lgode.ConfigError, match="`part` dev"):
        forecaster.evaluate(part="dev")


def test_fill(filler, forecaster, springs):
    frame = springs.test.to_frame()
    gaps = np.random.default_rng(5).random(len(frame)) < 0.15
    holed = frame.assign(note=np.arange(len(frame)))
    holed.loc[gaps, "x"] = np.nan
    holed = holed.sample(frac=1, random_state=1)  # any order, any index
    filled = filler.fill(holed)
    assert list(filled.index) == list(holed.index) and list(filled["note"]) == list(holed["note"])
    assert filled["x"].notna().all()
    assert ((filled["imputed"] == "x") == holed["x"].isna()).all()
    known = holed["x"].notna()
    pd.testing.assert_frame_equal(filled.loc[known, list(frame)], holed.loc[known, list(frame)])
    assert np.sqrt(np.mean((filled["x"].sort_index() - frame["x"]) ** 2)) < 0.05
    assert filled.attrs["fill"]["features"][0]["feature"] == "x"
    linear = filler.fill(holed, fill_with="linear")
    assert linear.attrs["fill"]["features"][0]["by_linear"] == gaps.sum()
    with pytest.raises(lgode.ConfigError, match="`fill_with` magic"):
        filler.fill(holed, fill_with="magic")
    with pytest.warns(UserWarning, match="filled by classical paths.*`task` interpolate"):
        assert forecaster.fill(holed)["x"].notna().all()
    with pytest.raises(lgode.ConfigError, match="the model forecasts"):
        forecaster.fill(holed, fill_with="model")
    # Systems that the training data does not have.
    strange = holed.assign(system=holed["system"] + 1000)
    with pytest.raises(lgode.ConfigError, match="`edges`"):
        filler.fill(strange)
    filled = filler.fill(strange, edges="none", intervals=True)
    assert filled["x"].notna().all() and len(filled.attrs["intervals"]) == gaps.sum()


def test_follow(forecaster, springs, tmp_path):
    follower = forecaster.follow(late=0.5, edges=springs[24].edges_frame()[["source", "target"]])
    frame = rows_of(springs, 24, 2.0).sort_values("time")
    taken = follower.observe(frame.iloc[:-3])
    assert taken["taken"] == len(frame) - 3
    for row in frame.iloc[-3:].to_dict("records"):
        assert follower.observe(row)["taken"] == 1
    assert follower.observe(frame.iloc[[-1]])["repeated"] == 1
    forecast = follower.forecast(ahead=[0.1, 0.4])
    assert list(forecast) == ["made", "system", "object", "time", "feature", "mean", "std", "q05", "q95"]
    start = forecast["made"].iloc[0]
    expected = forecaster.predict(springs[24], times=[start + 0.1, start + 0.4], start=start, include_start=True, context="all")
    both = expected.merge(forecast, on=["object", "time", "feature"], suffixes=("", "_followed"))
    assert len(both) == len(forecast) == 5 * 2 * 4
    np.testing.assert_allclose(both["mean_followed"], both["mean"], rtol=1e-3, atol=1e-4)
    follower.save(tmp_path / "state")
    again = forecaster.follow(late=0.5, edges=springs[24].edges_frame()[["source", "target"]]).restore(tmp_path / "state")
    pd.testing.assert_frame_equal(again.forecast(ahead=[0.1, 0.4]), forecast)
    assert follower.kept["scenes"] == 1 and follower.newest() == start
    with pytest.raises(lgode.ConfigError, match="no column 'time'"):
        follower.observe({"object": 1, "x": 0.0})


# -- files ------------------------------------------------------------------------------------------------------------


def test_save_load_and_pickle(forecaster, filler, springs, tmp_path):
    expected = forecaster.predict(springs.test)
    forecaster.save(tmp_path / "run")
    with pytest.raises(lgode.ExistsError, match="`force`"):
        filler.save(tmp_path / "run")
    loaded = lgode.load(tmp_path / "run", threads=1)
    pd.testing.assert_frame_equal(loaded.predict(springs.test), expected)
    assert loaded.evaluate().mse == forecaster.evaluate().mse  # finds the data that its config names
    assert lgode.info(tmp_path / "run").loc["task", "value"] == "extrapolate"
    pd.testing.assert_frame_equal(pickle.loads(pickle.dumps(forecaster)).predict(springs.test), expected)
    other = lgode.load(tmp_path / "run/best.safetensors", threads=1)
    pd.testing.assert_frame_equal(other.predict(springs.test), expected)
    with pytest.raises(lgode.DataError, match="no/run"):
        lgode.load("no/run")
    memory = lgode.Model(task="extrapolate").fit(lgode.simulate("springs", train=8, test=2, horizon=10), **QUICK)
    memory.save(tmp_path / "memory")
    with pytest.raises(lgode.ConfigError, match="pass `data`"):
        lgode.load(tmp_path / "memory").evaluate()
    assert lgode.load(tmp_path / "memory").evaluate(springs).mse > 0


def test_temporary_folders_go(springs):
    model = lgode.Model(task="extrapolate").fit(springs, **{**QUICK, "epochs": 1})
    folder = model._folder
    assert os.path.exists(folder)
    del model
    import gc

    gc.collect()
    assert not os.path.exists(folder)


def test_parameters_as_scikit_learn_has_them():
    model = lgode.Model(task="extrapolate", observed=0.5)
    assert model.get_params() == {"task": "extrapolate", "observed": 0.5}
    assert model.set_params(observed=0.7).get_params()["observed"] == 0.7
    assert repr(model) == "lgode.Model(task='extrapolate', observed=0.7)"
    assert json.dumps(model.get_params())


def test_config_files(springs, tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"epochs": 1, "lr": 0.005, "task": "extrapolate"}))
    model = lgode.Model().fit(springs, config=tmp_path / "config.json", lr=0.002, threads=1, device="cpu", progress=False)
    assert model.config["lr"] == 0.002 and model.config["epochs"] == 1 and model.config["task"] == "extrapolate"
    started = lgode.Model().fit(springs, from_=_saved(model, tmp_path / "first"), **{**QUICK, "epochs": 1})
    assert started.config["task"] == "extrapolate"


def _saved(model, path):
    model.save(path)
    return path
