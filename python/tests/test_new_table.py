"""Models on tables that they have not seen: names, frames, windows, methods, intervals that join."""

import numpy as np
import pandas as pd
import pytest

import lgode
from conftest import QUICK


def fish(tanks, first, frames):
    rows = []
    for s, tank in enumerate(tanks):
        for i in range(3):
            k = np.arange(frames)
            rows.append(
                pd.DataFrame(
                    {"tank": tank, "fish": f"f{i}", "frame": first + k, "x": np.sin(0.1 * k + i + 0.5 * s), "y": 0.02 * k + 0.1 * i}
                )
            )
    return pd.concat(rows, ignore_index=True)


@pytest.fixture(scope="module")
def swimmer():
    data = lgode.from_table(
        fish("abcdefgh", 0, 80), system="tank", object="fish", time="frame", rate=10, velocities="difference", window=4
    )
    return lgode.Model(task="extrapolate").fit(data, **QUICK)


def test_frames_in_frames_out(swimmer, tmp_path):
    new = fish("zy", 1000, 60)
    forecast = swimmer.predict(new, start=1030, horizon=15, samples=0)
    assert list(forecast.columns[:4]) == ["tank", "fish", "frame", "feature"]
    assert sorted(forecast["frame"].unique()) == list(range(1030, 1046))
    assert set(forecast["tank"]) == {"z", "y"} and forecast.attrs["method"] == "model"
    merged = new.merge(forecast[forecast["feature"] == "x"], on=["tank", "fish", "frame"])
    assert len(merged) == 2 * 3 * 16
    # As arrays, and as the command reads the file.
    arrays = swimmer.predict(new, start=1030, horizon=15, samples=0, output="arrays")
    assert arrays[0].start == 1030 and list(arrays[0].times) == list(range(1030, 1046))
    new.to_csv(tmp_path / "new.csv", index=False)
    again = swimmer.predict(tmp_path / "new.csv", start=1030, horizon=15, samples=0, out=tmp_path / "out.csv")
    pd.testing.assert_frame_equal(again, forecast)
    assert (tmp_path / "out.csv").read_text().startswith("tank,fish,frame,feature,mean,std,q05,q95\nz,f0,1030,x,")
    relative = swimmer.predict(new, start=30, times=[30, 45], samples=0, relative=True)
    assert list(relative["frame"].unique()) == [30, 45]
    assert len(lgode.plot(forecast)) == 2


def test_the_horizon_is_the_trained_one(swimmer):
    forecast = swimmer.predict(fish("z", 0, 60), samples=0)
    assert forecast["frame"].max() == 59 + 10 * swimmer.reach


def test_evaluates_in_windows(swimmer):
    new = fish("zy", 1000, 80)
    scores = swimmer.evaluate(new)
    data = lgode.from_table(
        new, system="tank", object="fish", time="frame", rate=10, velocities="difference", window=4, for_prediction=True
    )
    assert len(data.train) == 0 and len(data.test) == 4
    assert scores.mse == swimmer.evaluate(data).mse


def test_methods(swimmer):
    new = fish("z", 0, 60)
    hold = swimmer.predict(new, start=40, horizon=10, method="hold")
    last = new[new["frame"] == 39].set_index("fish")["x"]
    x = hold[hold["feature"] == "x"]
    np.testing.assert_allclose(x["mean"], last[x["fish"]], atol=1e-5)
    assert (x["q05"] < x["mean"]).all() and (x["mean"] < x["q95"]).all()
    with pytest.warns(UserWarning, match="had the smallest error on the validation part"):
        chosen = swimmer.predict(new, start=40, horizon=10, method="auto", samples=0)
    best = swimmer.predict(new, start=40, horizon=10, method=chosen.attrs["method"], samples=0)
    pd.testing.assert_frame_equal(chosen, best)
    with pytest.raises(lgode.ConfigError, match="`method` magic"):
        swimmer.predict(new, method="magic")


def test_intervals_join(tmp_path):
    frame = fish("abcd", 0, 80)
    holed = frame.assign(x=frame["x"].where(frame["frame"] % 7 != 3))
    data = lgode.from_table(holed, system="tank", object="fish", time="frame", rate=10)
    model = lgode.Model(task="interpolate", observed=0.8, hide_values=0.2).fit(data, **QUICK)
    for method in ("kalman", "linear"):
        filled = model.fill(holed, intervals=True, fill_with=method)
        intervals = pd.DataFrame(filled.attrs["intervals"])
        joined = filled.merge(intervals, on=["tank", "fish", "frame"])
        assert len(joined) == len(intervals) == holed["x"].isna().sum()
        np.testing.assert_allclose(joined["x"], joined["value"], rtol=1e-6)
        inside = joined[joined["method"] == method]
        assert len(inside) > 100 and (inside["q05"] < inside["q95"]).all()
    dated = holed.assign(frame=pd.Timestamp("2024-03-01", tz="Europe/Berlin") + pd.to_timedelta(holed["frame"], unit="s"))
    data = lgode.from_table(dated, system="tank", object="fish", time="frame")
    model = lgode.Model(task="interpolate", observed=0.8, hide_values=0.2).fit(data, **QUICK)
    filled = model.fill(dated, intervals=True)
    joined = filled.merge(pd.DataFrame(filled.attrs["intervals"]), on=["tank", "fish", "frame"])
    assert len(joined) == holed["x"].isna().sum()
