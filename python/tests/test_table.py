"""Tables in memory: the same data set as from a file, without a copy, and errors that name rows and columns."""

import copy
import json
import pickle

import numpy as np
import pandas as pd
import pytest

import lgode
from conftest import python


def table(systems=6, objects=3, rows=12, seed=1):
    random = np.random.default_rng(seed)
    parts = []
    for s in range(systems):
        for o in range(objects):
            times = np.sort(random.uniform(0, 10, rows)).round(3)
            x = np.sin(times + s + o)
            parts.append(
                pd.DataFrame({"system": f"s{s}", "object": o, "time": times, "x": x, "vx": np.cos(times + s + o)})
            )
    frame = pd.concat(parts, ignore_index=True)
    frame.loc[::7, "vx"] = np.nan
    return frame.sample(frac=1, random_state=3).reset_index(drop=True)  # in any order


def same(a, b):
    """Equal to the bit, names included."""
    assert a.fingerprint == b.fingerprint
    for name, array in a.arrays().items():
        np.testing.assert_array_equal(array, b.arrays()[name], err_msg=name)
    assert a.systems == b.systems
    assert [a.objects(s) for s in range(len(a))] == [b.objects(s) for s in range(len(b))]
    assert a.features == b.features


OPTIONS = {"velocity_of": {"vx": "x"}, "units": {"x": "m"}}


def from_file(frame, tmp_path, **options):
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    return lgode.from_table(path, **{**OPTIONS, **options})


def test_a_frame_and_its_file_make_the_same_set(tmp_path):
    frame = table()
    expected = from_file(frame, tmp_path)
    same(lgode.from_table(frame, **OPTIONS), expected)
    assert len(expected.train) == 5 and len(expected.test) == 1
    back = expected.to_frame().sort_values(["system", "object", "time"], ignore_index=True)
    original = frame.sort_values(["system", "object", "time"], ignore_index=True)
    pd.testing.assert_frame_equal(back[list(frame)], original)


def test_windows_of_frames(tmp_path):
    frame = pd.DataFrame(
        [("s%d" % (s % 2), o, 10 * k, 0.1 * k + o) for s in range(2) for o in range(3) for k in range(25 if o < 2 else 9)],
        columns=["system", "object", "time", "x"],
    )
    options = {"rate": 25, "frames": "8+12", "all_present": True, "test_systems": "s1"}
    data = lgode.from_table(frame, min_objects=2, **options)
    assert len(data.train) == len(data.test) == 6
    assert data.info().attrs["summary"]["frames"] == {"seen": 8, "asked": 12, "step": 0.4, "all_present": True, "min_objects": 2}
    same(lgode.from_table(frame, stride=1, **options), data)
    assert len(lgode.from_table(frame, stride=4, **options).train) == 2
    frame.to_csv(tmp_path / "frames.csv", index=False)
    same(lgode.from_table(tmp_path / "frames.csv", min_objects=2, **options), data)
    with pytest.raises(lgode.DataError, match="at least 3 objects observed in all 20 frames, and the most are 2"):
        lgode.from_table(frame, min_objects=3, **options)
    with pytest.raises(lgode.ConfigError, match=r"`frames` 8: expected frames that are seen .* such as 8\+12"):
        lgode.from_table(frame, frames="8")


@pytest.mark.parametrize(
    "form", ["dict", "structured", "array", "category", "float32", "strided", "objects", "nullable", "fixed text"]
)
def test_forms_of_a_table(form, tmp_path):
    frame = table()
    expected = from_file(frame, tmp_path)
    given, options = frame, {}
    if form == "dict":
        given = {name: frame[name].to_numpy() for name in frame}
    elif form == "structured":
        given = frame.to_records(index=False)
    elif form == "array":
        number = frame["system"].str[1:].astype(float)
        given = np.column_stack([number, frame["object"], frame["time"], frame["x"], frame["vx"]])
        options = {"columns": ["system", "object", "time", "x", "vx"]}
        frame = frame.assign(system=number.astype(int))
        expected = from_file(frame, tmp_path)
    elif form == "category":
        given = frame.astype({"system": "category", "object": "category"})
    elif form == "float32":
        given = frame.astype({"x": "float32", "vx": "float32"})
        expected = lgode.from_table(given.astype({"x": "float64", "vx": "float64"}), **OPTIONS)
    elif form == "strided":
        wide = np.asfortranarray(frame[["time", "x", "vx"]].to_numpy())[::-1][::-1]
        given = {"system": frame["system"], "object": frame["object"], "time": wide[:, 0], "x": wide[:, 1], "vx": wide[:, 2]}
    elif form == "objects":
        given = frame.astype({"x": "object", "vx": "object"})
        given["vx"] = given["vx"].where(given["vx"].notna(), None)
    elif form == "nullable":
        given = frame.astype({"x": "Float64", "vx": "Float64", "object": "Int64"})
    elif form == "fixed text":
        given = {**{n: frame[n].to_numpy() for n in frame}, "system": frame["system"].to_numpy().astype("U4")}
    same(lgode.from_table(given, **OPTIONS, **options), expected)


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
def test_dates(zone, tmp_path):
    frame = table()
    frame["time"] = pd.Timestamp("2024-03-01 12:00", tz=zone) + pd.to_timedelta(frame["time"], unit="s")
    expected = from_file(frame.assign(time=frame["time"].map(lambda t: t.isoformat())), tmp_path)
    data = lgode.from_table(frame, **OPTIONS)
    same(data, expected)
    same(lgode.from_table(frame.assign(time=frame["time"].map(lambda t: t.isoformat())), **OPTIONS), expected)
    shown = data.to_frame()["time"]
    assert shown.dtype == frame["time"].dtype and shown.min() == frame["time"].min()
    # A file knows the offset of its dates, not the name of their zone.
    data.save(tmp_path / "dates.safetensors")
    again = lgode.open(tmp_path / "dates.safetensors").to_frame()["time"]
    assert again.min() == frame["time"].min() and (again.dt.tz is None) == (zone is None)


def test_series_and_multi_index():
    frame = table()
    indexed = frame.set_index(["object", "time"])
    with pytest.raises(lgode.ConfigError, match=r"'object' and 'time' are the index .*frame.reset_index\(\)"):
        lgode.from_table(indexed, **OPTIONS)
    same(lgode.from_table(indexed.reset_index(), **OPTIONS), lgode.from_table(frame, **OPTIONS))
    with pytest.raises(lgode.DataError, match="found a Series.*pass the DataFrame"):
        lgode.from_table(frame["x"])
    with pytest.raises(lgode.DataError, match=r"found a Series.*reset_index\(name='x'\)"):
        lgode.from_table(indexed["x"])
    one = frame[frame["system"] == frame["system"].iloc[0]]
    wide = one.pivot_table(index="time", columns="object", values=["x", "vx"])
    with pytest.raises(lgode.DataError, match=r"2 levels \(a MultiIndex.*frame.stack"):
        lgode.from_table(wide)


def test_notes_are_warnings():
    frame = table()
    with pytest.warns(UserWarning, match="1 row joined with another one"):
        lgode.from_table(pd.concat([frame, frame.iloc[:1]]), **OPTIONS)
    with pytest.warns(UserWarning, match="`threads` 100000"):
        lgode.from_table(frame, threads=100000, **OPTIONS)


@pytest.mark.parametrize("copies", [copy.copy, copy.deepcopy, lambda data: pickle.loads(pickle.dumps(data))])
def test_copies(copies, tmp_path):
    frame = table()
    frame["time"] = pd.Timestamp("2024-03-01 12:00", tz="Europe/Berlin") + pd.to_timedelta(frame["time"], unit="s")
    data = lgode.from_table(frame, **OPTIONS)
    again = copies(data)
    same(again, data)
    pd.testing.assert_frame_equal(again.to_frame(), data.to_frame())
    assert again.report == data.report and again.systems == data.systems
    pd.testing.assert_frame_equal(copies(data.test).to_frame(), data.test.to_frame())
    # Of a mapped file, which is gone later.
    data.save(tmp_path / "d.safetensors")
    mapped = lgode.open(tmp_path / "d.safetensors")
    kept = copies(mapped)
    (tmp_path / "d.safetensors").unlink()
    same(kept, data)


def test_html():
    frame = table()
    data = lgode.from_table(frame, name="<b>", **OPTIONS)
    assert "Dataset &lt;b&gt;" in data._repr_html_() and "<b>" not in data._repr_html_()
    assert f"{len(data.test)} system" in data.test._repr_html_()


def test_windows_rates_and_rules(tmp_path):
    frame = table(systems=2, rows=60)
    frame["time"] = (frame["time"] * 100).round()
    frame = frame.drop_duplicates(["system", "object", "time"])
    options = {"rate": 100.0, "window": "4s", "edges": "k-nearest=1", "velocities": "difference", "test_systems": ["s1"]}
    base = {"velocity_of": None, "features": ["x"]}
    same(
        lgode.from_table(frame, **{**options, **base}), from_file(frame, tmp_path, **{**options, **base})
    )


EDGES = pd.DataFrame(
    {"source": [0, 1, 2], "target": [1, 2, 0], "type": ["near", "far", "near"], "weight": [1.0, 0.5, 2.0]}
)


def test_edges(tmp_path):
    frame = table()
    EDGES.to_csv(tmp_path / "edges.csv", index=False)
    expected = from_file(frame, tmp_path, edges=tmp_path / "edges.csv")
    assert len(expected.edges_frame()) == 18
    for edges in (EDGES, {n: EDGES[n].to_numpy() for n in EDGES}, tmp_path / "edges.csv"):
        same(lgode.from_table(frame, edges=edges, **OPTIONS), expected)
        same(from_file(frame, tmp_path, edges=edges), expected)
    pairs = lgode.from_table(frame, edges=[(0, 1), (1, 2)], undirected=True, **OPTIONS)
    same(pairs, lgode.from_table(frame, edges=np.array([[0, 1], [1, 2]]), undirected=True, **OPTIONS))
    assert len(pairs.edges_frame()) == 24


def refused(error, what, *parts, **options):
    with pytest.raises(error) as caught:
        lgode.from_table(what, **options)
    for part in parts:
        assert part in str(caught.value), str(caught.value)


def test_errors_name_rows_and_columns():
    frame = table()
    bad = frame.astype({"x": "object", "object": "object"})
    bad.loc[4, "x"] = "fast"
    bad.loc[5, "x"] = np.inf
    bad.loc[6, "time"] = np.nan
    bad.loc[7, "object"] = None
    refused(
        lgode.DataError, bad,
        "the table: 4 bad rows", "row 4, column 'x': found 'fast', expected a number", "row 5, column 'x'",
        "row 6, column 'time'", "row 7, column 'object'", "`skip_bad_rows`",
    )  # fmt: skip
    with pytest.warns(UserWarning, match="skipped 4 bad rows"):
        data = lgode.from_table(bad, skip_bad_rows=True)
    assert data.report["skipped_rows"] == 4 and len(data.times) == len(frame) - 4
    twice = pd.concat([frame, frame.iloc[[3]].assign(x=5.0)], ignore_index=True)
    refused(lgode.DataError, twice, f"row {len(frame)}", "the first is in row 3")
    refused(lgode.DataError, frame, "row 1, column 'target'", "did you mean", edges=[("0", "1"), ("0", "11")])
    refused(lgode.ConfigError, frame.rename(columns={"time": "t"}), "has no column 'time'", "`time`")
    refused(lgode.ConfigError, frame, "`velocity_of` vxx: is not a feature", "did you mean", velocity_of={"vxx": "x"})
    refused(lgode.ConfigError, frame, "`features` xx", features=["xx"])
    refused(lgode.ConfigError, frame, "`edges` within=-1", edges="within=-1")
    refused(lgode.ConfigError, frame, "`split` 2", split=2.0)
    refused(lgode.ConfigError, frame, "`window` 5parsec", window="5parsec")
    refused(lgode.DataError, {**{n: frame[n].to_numpy() for n in frame}, "x": np.zeros(3)}, "column 'x' has 3 rows")
    refused(lgode.DataError, 17, "expected a DataFrame")
    refused(lgode.DataError, "no/such.csv", "no/such.csv")


def test_units_stand_with_the_names_of_columns(tmp_path):
    frame = table().rename(columns={"x": "X(cm)", "vx": "vx [cm/s]", "time": "time (s)"})
    data = lgode.from_table(frame, velocity_of={"vx": "x"})
    assert data.features == ["x", "vx"] and [f["unit"] for f in data._features] == ["cm", "cm/s"]
    same(data, from_file(frame, tmp_path, velocity_of={"vx": "x"}, units=None))
    refused(lgode.ConfigError, frame, "`object_from` file", object_from="file")


def test_columns_of_text_are_named_once():
    frame = table().assign(species="cod", colour=["red", None] * (len(table()) // 2))
    refused(
        lgode.ConfigError, frame,
        "the table: columns 'species' (such as 'cod'), 'colour' (such as 'red') hold text, not numbers; without: "
        "`features` x,vx",
    )  # fmt: skip


def test_no_copy_of_the_values():
    """Beside the set's own arrays a table needs some bytes per row, whatever its width."""
    code = """
import json, resource
import numpy as np, pandas as pd, lgode
rows, width = 400_000, 24
frame = pd.DataFrame(np.random.default_rng(1).normal(size=(rows, width)), columns=[f"f{i}" for i in range(width)])
frame["object"] = np.arange(rows) % 100
frame["time"] = (np.arange(rows) // 100).astype(float)
lgode.from_table(frame.iloc[:1000], keep_columns=True)
def peak():
    return int([l for l in open("/proc/self/status") if l.startswith("VmHWM")][0].split()[1]) * 1024
open("/proc/self/clear_refs", "w").write("5")  # the peak is that of from now on
before = peak()
data = lgode.from_table(frame, keep_columns=True)
print(json.dumps({"growth": peak() - before, "own": data.times.nbytes + data.values.nbytes, "values": data.values.nbytes}))
"""
    done = python(code)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["growth"] < result["own"] + 0.3 * result["values"], result


def test_files_are_mapped_and_arrays_are_views(springs):
    values = springs.values
    assert not values.flags.owndata and not values.flags.writeable
    assert memoryview(values).readonly and memoryview(values).shape == values.shape
    address = values.__array_interface__["data"][0]
    for line in open("/proc/self/maps"):
        low, high = (int(x, 16) for x in line.split()[0].split("-"))
        if low <= address < high:
            assert springs.path in line
            break
    else:
        pytest.fail("the values lie in no map")
    with pytest.raises(ValueError):
        values[0, 0] = 1
    kept = lgode.open(springs.path).times  # keeps its set
    assert np.array_equal(kept, springs.times)


def test_info_and_check_up(springs):
    info = springs.info()
    assert info.loc["systems.train", "value"] == 24 and info.attrs["summary"]["name"] == "springs"
    assert set(springs.check_up().columns) == {"what", "advice"}
    assert list(springs.feature_info().index) == ["x", "y", "vx", "vy"]
    assert springs.feature_info().loc["vx", "velocity_of"] == "x"
    frame = table()
    frame.loc[10, "x"] = 1e6
    warned = lgode.from_table(frame).check_up()
    assert any("1000000" in what or "1e+06" in what or "outlier" in what for what in warned["what"]), warned


def test_parts_and_places(springs):
    assert len(springs) == 30 and len(springs.train) == 24 and springs.test.systems == [24, 25, 26, 27, 28, 29]
    assert springs[3].systems == [3] and springs["5"].systems == [5] and springs.test[1:3].systems == [25, 26]
    again = springs.split(test=0.5, seed=3)
    assert len(again.test) == 15
    merged = lgode.merge([springs, again], ["a", "b"])
    assert len(merged) == 60


def test_the_keywords_are_the_declared_options():
    import inspect

    from lgode import _data

    declared = [option["key"] for option in _data.declared_options("import")]
    keywords = list(inspect.signature(lgode.from_table).parameters)
    assert sorted(keywords) == sorted(["table", "name", *declared])
    for key in declared:
        assert f"{key} :" in lgode.from_table.__doc__
    with pytest.raises(TypeError, match="windows"):
        lgode.from_table(table(), windows=3)
    with pytest.raises(lgode.ConfigError, match="`window` 5 parsecs: expected a length of time"):
        lgode.from_table(table(), window="5 parsecs")
