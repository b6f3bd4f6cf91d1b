"""Models on tables that they have not seen: names, frames, windows, methods, intervals that join."""

import warnings

import numpy as np
import pandas as pd
import pytest

import lgode
from conftest import QUICK, command


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


def follow_one(model, rows, **options):
    """Forecasts of a stream, and what was warned of."""
    follower = model.follow(**options)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert follower.observe(rows)["taken"] == len(rows)
        forecast = follower.forecast(times=4, samples=0)
    return follower, forecast, [str(warning.message) for warning in caught]


def test_a_stream_counts_frames(swimmer, tmp_path):
    swimmer.save(tmp_path / "run")
    rows = fish("z", 1000, 40).sort_values("frame")
    follower, forecast, told = follow_one(swimmer, rows)
    assert not told and follower.newest("z") == 1039
    assert set(forecast["made"]) == {1039} and forecast["made"].dtype == forecast["time"].dtype == np.int64
    ahead = round(10 * swimmer.reach)
    assert forecast["time"].max() == 1039 + ahead
    rows.to_csv(tmp_path / "rows.csv", index=False)
    lines = command("follow", tmp_path / "run", "--input", tmp_path / "rows.csv", "--times", 4, "--samples", 0)
    last = [line.split(",") for line in lines.splitlines() if line.startswith("1039,")]
    assert [line[3] for line in last] == [str(time) for time in forecast["time"]]
    np.testing.assert_allclose([float(line[5]) for line in last], forecast["mean"], atol=1e-6)
    earlier = follower.forecast("z", times=2, samples=0, start=1041)
    assert set(earlier["made"]) == {1041} and earlier["time"].max() == 1041 + ahead
    with pytest.raises(lgode.DataError, match="row 0, column 'frame': found 1040.5, expected a whole number"):
        follower.observe(rows.tail(3).assign(frame=1040.5))
    with pytest.raises(lgode.ConfigError, match="the data's times are not dates"):
        follower.observe(rows.tail(3).assign(frame=pd.Timestamp("2024-03-01")))


@pytest.fixture(scope="module")
def dated():
    """A model of a table with dates of a zone, and how the times of such tables are made."""

    def at(frames, zone="Europe/Berlin"):
        times = pd.Timestamp("2024-03-01 12:00", tz="Europe/Berlin") + pd.to_timedelta(frames * 100, unit="ms")
        return times.dt.tz_convert("UTC").dt.tz_localize(None) if zone is None else times.dt.tz_convert(zone)

    rows = fish("abcdefgh", 0, 80)
    data = lgode.from_table(
        rows.assign(frame=at(rows["frame"])), system="tank", object="fish", time="frame", velocities="difference", window=4
    )
    return lgode.Model(task="extrapolate").fit(data, **QUICK), at


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Kolkata", None])
def test_a_stream_of_dates_comes_back_in_its_zone(dated, zone):
    model, at = dated
    rows = fish("z", 0, 40).sort_values("frame")
    expected = follow_one(model, rows.assign(frame=at(rows["frame"], None)))[1]
    follower, forecast, _ = follow_one(model, rows.assign(frame=at(rows["frame"], zone)))
    last, later = at(rows["frame"], zone).max(), pd.Timedelta("1s")
    assert follower.newest("z") == last
    for column in ("made", "time"):
        dtype = forecast[column].dtype
        assert dtype == np.dtype("<M8[ns]") if zone is None else str(dtype.tz) == zone
        own = forecast[column] if zone is None else forecast[column].dt.tz_convert("UTC").dt.tz_localize(None)
        assert list(own) == list(expected[column])
    np.testing.assert_allclose(forecast["mean"], expected["mean"])
    # Texts and single rows are instants, too.
    one = {"tank": "z", "fish": "f0", "frame": (last + later).isoformat(), "x": 0.0, "y": 0.0}
    assert follower.observe(one)["taken"] == 1 and follower.newest("z") == last + later
    assert follower.observe({**one, "frame": last + 2 * later})["taken"] == 1
    assert follower.newest("z") == last + 2 * later


def test_a_stream_tells_of_what_it_does_not_believe(swimmer):
    rows = fish("z", 1000, 40).sort_values("frame").reset_index(drop=True)
    rows.loc[(rows["fish"] == "f1") & (rows["frame"] == 1030), "x"] = 4000.0
    follower, forecast, told = follow_one(swimmer, rows)
    assert told == ["system z, object f1 at 1030: too far from its path to be believed; not used"]
    assert follower.kept["outliers"] == 1 and forecast["mean"].abs().max() < 100
    assert follow_one(swimmer, rows, outliers="use")[2] == []


def warned(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(warning.message) for warning in caught if "observation" in str(warning.message) or "unit" in str(warning.message)]


def test_outliers_of_a_prediction(dated):
    model, at = dated
    rows = fish("z", 0, 40)
    rows.loc[(rows["fish"] == "f1") & (rows["frame"] == 20), "x"] = 4000.0
    table = rows.assign(frame=at(rows["frame"]))
    told = warned(lambda: model.predict(table, samples=0))
    assert len(told) == 1 and "the model does not see them" in told[0] and "another unit" not in told[0]
    assert "2024-03-01T12:00:02.000+01:00" in told[0]
    told = warned(lambda: model.predict(table, samples=0, outliers="use"))
    assert not any("does not see" in text for text in told)
