"""Data sets: opened, made of motion capture, merged; their arrays, tables and check-up."""

from __future__ import annotations

import copy
import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Union

from . import _data
from ._clock import Clock
from ._errors import ConfigError, DataError
from ._html import card, count
from ._lazy import np, pd
from ._table import as_list

if TYPE_CHECKING:
    import numpy
    import pandas

Path = Union[str, "os.PathLike[str]"]


class Dataset:
    """Many systems of objects with irregular observations and relations. Read-only.

    Made by :func:`lgode.open`, :func:`lgode.from_table`, :func:`lgode.simulate` and :func:`lgode.from_motion`. The
    arrays (:attr:`times`, :attr:`values` and so on) are views of the memory of the set - of a file that was opened, of
    the memory-mapped file - and support the buffer protocol. ``data.train`` and ``data.test`` are the systems of one
    part; they share everything with the whole set.
    """

    def __init__(self, native: Any, path: Optional[str] = None, systems: Optional[List[int]] = None) -> None:
        self._set = native
        self._path = path
        self._systems = systems
        #: The time zone of the table that the set was made of, where it had one.
        self._zone: Any = None
        self._cache: Dict[str, Any] = {}
        #: A table of the caller, read for a model: results have its names and its clock.
        self._own_table = False
        #: What an import skipped and noticed, by name; empty for other sets.
        self.report: Dict[str, Any] = {}

    # -- arrays -------------------------------------------------------------------------------------------------------

    def _array(self, name: str) -> "numpy.ndarray[Any, Any]":
        if "arrays" not in self._cache:
            self._cache["arrays"] = self._set.arrays()
        return self._cache["arrays"][name]  # type: ignore[no-any-return]

    @property
    def times(self) -> "numpy.ndarray[Any, Any]":
        """[M] float64: times of all observations, ascending within an object. Without a copy."""
        return self._array("times")

    @property
    def values(self) -> "numpy.ndarray[Any, Any]":
        """[M, D] float64: values of all observations, NaN where one is missing. Without a copy."""
        return self._array("values")

    @property
    def object_offsets(self) -> "numpy.ndarray[Any, Any]":
        """[S + 1]: the objects of system s are object_offsets[s] to object_offsets[s + 1]."""
        return self._array("object_offsets")

    @property
    def observation_offsets(self) -> "numpy.ndarray[Any, Any]":
        """[O + 1]: the observations of object o are observation_offsets[o] to observation_offsets[o + 1]."""
        return self._array("observation_offsets")

    @property
    def parts(self) -> "numpy.ndarray[Any, Any]":
        """[S] 0: the system trains; 1: it tests."""
        return self._array("parts")

    @property
    def origins(self) -> "numpy.ndarray[Any, Any]":
        """[S] time where the clock of each system starts."""
        return self._array("origins")

    def arrays(self) -> Dict[str, "numpy.ndarray[Any, Any]"]:
        """All arrays by name, relations included. Without a copy."""
        self._array("times")
        return dict(self._cache["arrays"])

    # -- systems ------------------------------------------------------------------------------------------------------

    @property
    def train(self) -> "Dataset":
        """The training systems of the set."""
        return self._part("train")

    @property
    def test(self) -> "Dataset":
        """The test systems of the set."""
        return self._part("test")

    def _part(self, part: str) -> "Dataset":
        wanted = self._set.systems_in(part)
        if self._systems is not None:
            inside = set(self._systems)
            wanted = [s for s in wanted if s in inside]
        return self._view(wanted)

    def _view(self, systems: Optional[List[int]]) -> "Dataset":
        view = Dataset(self._set, self._path, systems)
        view._cache = self._cache
        view._zone = self._zone
        view._own_table = self._own_table
        view.report = self.report
        return view

    def _indices(self) -> List[int]:
        return list(range(self._set.systems)) if self._systems is None else self._systems

    def __len__(self) -> int:
        return int(self._set.systems) if self._systems is None else len(self._systems)

    def __getitem__(self, which: Any) -> "Dataset":
        """Systems by place (an integer, a slice, a list) or by name."""
        own = self._indices()
        if isinstance(which, str):
            names = [str(name) for name in self._set.system_ids(own)]
            if which not in names:
                raise DataError(f"there is no system '{which}'")
            return self._view([own[names.index(which)]])
        if isinstance(which, slice):
            return self._view(own[which])
        if hasattr(which, "__index__"):
            return self._view([own[which]])
        return self._view([own[int(i)] for i in which])

    @property
    def systems(self) -> List[Any]:
        """Names of the systems; numbers where all of them are."""
        names = ids(self._set.system_ids(None))
        return [names[s] for s in self._indices()]

    def objects(self, system: int = 0) -> List[Any]:
        """Names of the objects of the system at this place."""
        return ids(self._set.object_ids(self._indices()[system]))

    @property
    def features(self) -> List[str]:
        """Names of the features."""
        return [f["name"] for f in self._features]

    @property
    def _features(self) -> List[Dict[str, Any]]:
        if "features" not in self._cache:
            self._cache["features"] = self._set.features()
        return self._cache["features"]  # type: ignore[no-any-return]

    @property
    def _about(self) -> Dict[str, Any]:
        if "about" not in self._cache:
            self._cache["about"] = self._set.about()
        return self._cache["about"]  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """The name of the set."""
        return str(self._about["name"])

    @property
    def path(self) -> Optional[str]:
        """The file that the set was opened from or saved to."""
        return self._path

    @property
    def fingerprint(self) -> str:
        """A short text that depends on everything that training derives from the set."""
        return str(self._set.fingerprint())

    # -- times --------------------------------------------------------------------------------------------------------

    @property
    def _rate(self) -> float:
        """Counts per second of the caller's times; 0: they are times."""
        return float(self._about["rate"]) if self._own_table else 0.0

    @property
    def _clock(self) -> Clock:
        return Clock(self._about, self._set.parse_time, self._rate, self._zone)

    def _seconds(self, times: Any, what: str) -> List[float]:
        """Times of the caller as the set counts them: numbers, or dates where the set has them."""
        return self._clock.seconds(times, what)

    def _own_times(self, seconds: Any) -> Any:
        """Times of the set as the caller counts them: counts where a table has those."""
        return self._clock.own(seconds)

    def _column_of_times(self, seconds: Any, relative: bool = False) -> Any:
        """The same for a DataFrame: dates in the zone that they came in with."""
        return self._clock.column(seconds, relative)

    # -- tables -------------------------------------------------------------------------------------------------------

    def to_frame(self) -> "pandas.DataFrame":
        """All observations as a long table: system, object, time and one column per feature."""
        systems, objects, rows = [], [], []
        offsets, observations = self.object_offsets, self.observation_offsets
        for s in self._indices():
            for k in range(offsets[s], offsets[s + 1]):
                systems.append(s)
                objects.append(k)
                rows.append((observations[k], observations[k + 1]))
        lengths = [b - a for a, b in rows]
        index = (
            np.concatenate([np.arange(a, b) for a, b in rows]) if rows else np.zeros(0, dtype="int64")
        )
        names = ids(self._set.system_ids(None))
        of_object: List[Any] = []
        for s in self._indices():
            of_object.extend(self._set.object_ids(s))
        of_object = ids(of_object)
        columns = {
            "system": np.repeat(np.asarray([names[s] for s in systems], dtype=_dtype(names)), lengths),
            "object": np.repeat(np.asarray(of_object, dtype=_dtype(of_object)), lengths),
            "time": self._column_of_times(self.times[index]),
        }
        for f, feature in enumerate(self._features):
            if not feature["derived"]:
                columns[feature["name"]] = self.values[index, f]
        return pd.DataFrame(columns)

    def edges_frame(self) -> "pandas.DataFrame":
        """The relations that the set lists: system, source, target, type, weight."""
        a = self.arrays()
        types = self._about["relation_types"]
        names = ids(self._set.system_ids(None))
        parts: List[Any] = []
        for s in self._indices():
            first, last = a["relation_offsets"][s], a["relation_offsets"][s + 1]
            own = np.asarray(ids(self._set.object_ids(s)))
            parts.append(
                pd.DataFrame(
                    {
                        "system": [names[s]] * int(last - first),
                        "source": own[a["relation_sources"][first:last]] if last > first else [],
                        "target": own[a["relation_targets"][first:last]] if last > first else [],
                        "type": [types[t] for t in a["relation_types"][first:last]],
                        "weight": a["relation_weights"][first:last],
                    }
                )
            )
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()

    def info(self) -> "pandas.DataFrame":
        """What the set holds, and its check-up: one row per fact, as ``lgode info`` has them.

        ``frame.attrs["summary"]`` is the same as nested dicts; :meth:`check_up` has the warnings alone and
        :meth:`feature_info` one row per feature.
        """
        summary = self._summary()
        facts = flatten({k: v for k, v in summary.items() if k not in ("features", "warnings")})
        facts.append(("warnings", len(summary["warnings"])))
        frame = pd.DataFrame({"value": [value for _, value in facts]}, index=[name for name, _ in facts])
        frame.index.name = "fact"
        frame.attrs["summary"] = summary
        return frame

    def check_up(self) -> "pandas.DataFrame":
        """What is probably a mistake in the data: one row per warning, with the finding and advice. No row: nothing."""
        return pd.DataFrame(self._summary()["warnings"], columns=["what", "advice"])

    def feature_info(self) -> "pandas.DataFrame":
        """One row per feature: unit, range, missing values, mean, deviation, outliers and so on."""
        rows = [dict(flatten(feature)) for feature in self._summary()["features"]]
        return pd.DataFrame(rows).set_index("name")

    def _summary(self) -> Dict[str, Any]:
        if "summary" not in self._cache:
            self._cache["summary"] = self._set.info()
        return self._cache["summary"]  # type: ignore[no-any-return]

    # -- files and parts ----------------------------------------------------------------------------------------------

    def save(self, path: Path, *, force: bool = False) -> "Dataset":
        """Writes the set to a .safetensors file, which ``lgode`` reads. Returns the set itself."""
        self._set.save(os.fspath(path), force)
        self._path = os.fspath(path)
        return self

    def export_csv(self, folder: Path, *, force: bool = False) -> None:
        """Writes the set as tables, observations.csv and edges.csv, which :func:`open` reads back, bit for bit."""
        self._set.export_csv(os.fspath(folder), force)

    def split(self, *, test: float = 0.2, test_systems: Optional[Sequence[str]] = None, seed: int = 1) -> "Dataset":
        """The set with training and test systems chosen again: a share, or by names (* and ? as in zara*)."""
        return Dataset(self._set.split(test, as_list(test_systems) or [], seed))

    # -- copies -------------------------------------------------------------------------------------------------------

    def __copy__(self) -> "Dataset":
        return self._view(self._systems)

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Dataset":
        """A set is read-only: the copy shares its arrays."""
        result = self._view(None if self._systems is None else list(self._systems))
        result._cache = {}
        result.report = copy.deepcopy(self.report, memo)
        return result

    def __getstate__(self) -> Dict[str, Any]:
        """For pickling: the arrays themselves, so that another machine can read them."""
        arrays = {name: np.array(array) for name, array in self.arrays().items()}
        self._set.check_file()
        return {
            "description": self._set.description(),
            "arrays": arrays,
            "path": self._path,
            "systems": self._systems,
            "zone": self._zone,
            "report": self.report,
        }

    def __setstate__(self, state: Dict[str, Any]) -> None:
        Dataset.__init__(self, _data.set_of(state["description"], state["arrays"]), state["path"], state["systems"])
        self._zone, self.report = state["zone"], state["report"]

    def _repr_html_(self) -> str:
        counts = [len(self._set.systems_in(part)) for part in ("train", "test")]
        observed = self._column_of_times(np.asarray([self.times.min(), self.times.max()])) if self._set.rows else None
        unit = f" {self._about['time_unit']}" if self._about["time_unit"] and self._about["origin_ns"] is None else ""
        rows = [
            ("systems", f"{counts[0]:,} training, {counts[1]:,} test"),
            ("objects", f"{self._set.objects:,}"),
            ("observations", f"{self._set.observations:,}"),
            ("features", ", ".join(f["name"] + (f" ({f['unit']})" if f["unit"] else "") for f in self._features)),
            ("relations", f"{self._set.relations:,} listed" if self._about["listed_edges"] else "by rule"),
        ]
        if observed is not None:
            rows.append(("time", f"{observed[0]} to {observed[1]}{unit}"))
        if self._systems is not None:
            rows.append(("this part", count(len(self._systems), "system")))
        return card(f"Dataset {self.name}".rstrip(), rows)

    def __repr__(self) -> str:
        counts = [len(self._set.systems_in(part)) for part in ("train", "test")]
        part = "" if self._systems is None else f", {len(self._systems)} systems of it"
        return (
            f"<lgode.Dataset {self.name or 'without a name'!r}: {counts[0]} training and {counts[1]} test systems, "
            f"{self._set.objects} objects, {self._set.observations} observations of {', '.join(self.features)}{part}>"
        )


def ids(names: List[str]) -> List[Any]:
    """Numbers where all names are whole numbers as they are usually written, else the texts."""
    numbers = []
    for name in names:
        if not (name.isascii() and name.lstrip("-").isdigit()) or len(name) > 18:
            return names
        number = int(name)
        if str(number) != name:
            return names
        numbers.append(number)
    return numbers


def _dtype(names: List[Any]) -> Any:
    return "int64" if names and isinstance(names[0], int) else "object"


def flatten(value: Mapping[str, Any], prefix: str = "") -> List[Any]:
    """Nested dicts as (name, value); lists stay."""
    result: List[Any] = []
    for key, entry in value.items():
        if isinstance(entry, Mapping):
            result.extend(flatten(entry, f"{prefix}{key}."))
        else:
            result.append((f"{prefix}{key}", entry))
    return result


def open(path: Path) -> Dataset:  # noqa: A001 - as lgode.open
    """Opens a data set: a .safetensors file, memory-mapped, or a folder that ``lgode export csv`` wrote."""
    path = os.fspath(path)
    if os.path.isdir(path):
        return Dataset(_data.import_folder(path))
    if os.path.isfile(path) and os.path.splitext(path)[1].lower() in (".csv", ".txt", ".tsv"):
        raise DataError(f"{path}: is a table; make a data set of it with lgode.from_table()")
    return Dataset(_data.load(path), path)


def merge(sets: Sequence[Dataset], names: Optional[Sequence[str]] = None) -> Dataset:
    """The systems of all sets, one set after another."""
    given = list(names) if names is not None else [data.name or str(i) for i, data in enumerate(sets)]
    return Dataset(_data.merge([data._set for data in sets], given))


def info(what: Any) -> "pandas.DataFrame":
    """What a data set, a run folder, a checkpoint or a file of predictions holds, one row per fact."""
    from ._model import Model

    if isinstance(what, Dataset):
        return what.info()
    if isinstance(what, Model):
        summary = _data.run_summary(what._run_path())
    else:
        path = os.fspath(what)
        if os.path.isdir(path):
            summary = _data.run_summary(path)
        else:
            # The reader of checkpoints says what is wrong with a path that is not a file.
            kind = _data.kind_of(path) if os.path.isfile(path) else "checkpoint"
            if kind == "dataset":
                return open(path).info()
            summary = _data.prediction_info(path) if kind == "prediction" else _data.run_summary(path)
    facts = flatten(summary)
    frame = pd.DataFrame({"value": [value for _, value in facts]}, index=[name for name, _ in facts])
    frame.index.name = "fact"
    frame.attrs["summary"] = summary
    return frame
