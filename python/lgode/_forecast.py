"""Predictions as arrays and as tidy tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional

from . import _data
from ._dataset import Dataset, ids
from ._html import card
from ._lazy import np, pd

if TYPE_CHECKING:
    import numpy
    import pandas


class Prediction:
    """The prediction of one system, as arrays.

    Attributes
    ----------
    system : name of the system
    objects : names of its objects
    times : [K]
    features : names of the predicted features, D of them
    start : time where the prediction starts
    mean, std : [objects, K, D], NaN where there is no prediction (objects of which the model saw nothing)
    quantiles : dict from a name such as "q05" to [objects, K, D]
    paths : [P, objects, K, D], sampled paths that belong together; P is 0 unless they were asked for
    futures : [F, objects, K, D], the most probable futures of each object; F is 0 unless they were asked for
    probability : [objects, F], of the futures
    """

    __slots__ = (
        "system", "objects", "times", "features", "start", "mean", "std", "quantiles", "paths", "futures", "probability"
    )

    def __init__(
        self,
        system: Any,
        objects: List[Any],
        times: "numpy.ndarray[Any, Any]",
        features: List[str],
        start: float,
        mean: "numpy.ndarray[Any, Any]",
        std: "numpy.ndarray[Any, Any]",
        quantiles: Dict[str, "numpy.ndarray[Any, Any]"],
        paths: "numpy.ndarray[Any, Any]",
        futures: "numpy.ndarray[Any, Any]",
        probability: "numpy.ndarray[Any, Any]",
    ) -> None:
        self.system = system
        self.objects = objects
        self.times = times
        self.features = features
        self.start = start
        self.mean = mean
        self.std = std
        self.quantiles = quantiles
        self.paths = paths
        self.futures = futures
        self.probability = probability

    def _repr_html_(self) -> str:
        shape = " × ".join(str(n) for n in self.mean.shape)
        rows = [("objects × times × features", shape), ("features", ", ".join(self.features))]
        if len(self.times):
            rows.append(("times", f"{self.times[0]:g} to {self.times[-1]:g}, from {self.start:g}"))
        rows.append(("quantiles", ", ".join(self.quantiles)))
        last = ""
        if len(self.times):
            objects = pd.Index(self.objects, name="object")
            table = pd.DataFrame(self.mean[:, -1, :], index=objects, columns=self.features)
            last = f"<div>mean at {self.times[-1]:g}</div>{table.to_html(max_rows=10)}"
        return card(f"Prediction of system {self.system}", rows, last)

    def __repr__(self) -> str:
        shape = " x ".join(str(n) for n in self.mean.shape)
        return f"<lgode.Prediction of system {self.system!r}: {shape} (objects, times, features)>"


def quantile_names(quantiles: Optional[List[float]]) -> List[str]:
    return [_data.quantile_name(q) for q in (quantiles or [0.05, 0.95])]


def predictions(parts: List[Any], data: Dataset, names: List[str], relative: bool = False) -> List[Prediction]:
    features = [f["name"] for f in data._features if not f["derived"]]
    result = []
    systems = ids(data._set.system_ids([part[0] for part in parts]))
    for system, (s, start, times, mean, std, quantiles, *several, probability) in zip(systems, parts):
        if relative:
            start, times = start - data.origins[s], times - data.origins[s]
        start, times = float(data._own_times(np.asarray([start]))[0]), data._own_times(times)
        paths, futures = (np.stack(p) if p else np.zeros((0,) + mean.shape, dtype="float64") for p in several)
        bands = dict(zip(names, quantiles))
        objects = ids(data._set.object_ids(s))
        result.append(
            Prediction(system, objects, times, features, start, mean, std, bands, paths, futures, probability)
        )
    return result


def with_futures(flat: List[Any], futures: List[Any], probability: Any) -> List[Any]:
    """Columns of a mean path and its futures: the future's number, its probability, then ``flat``, which begins with
    the mean. [objects, 1 + F, K, D] each; the mean path is future 0, and other numbers are its own."""
    mean = flat[0]
    objects, count = mean.shape[0], len(futures)
    shape = (objects, 1 + count) + mean.shape[1:]
    number = np.broadcast_to(np.arange(1 + count).reshape(1, -1, 1, 1), shape)
    share = np.broadcast_to(np.concatenate([np.full((objects, 1), np.nan), probability], 1)[:, :, None, None], shape)
    several = np.stack([mean, *futures], axis=1)
    own = [np.concatenate([a[:, None], np.full((objects, count) + a.shape[1:], np.nan)], axis=1) for a in flat[1:]]
    return [number, share, several, *own]


def frame(
    parts: List[Any], data: Dataset, names: List[str], relative: bool = False, futures: int = 0
) -> "pandas.DataFrame":
    """One row per system, object, time and feature, and per future. Objects without a prediction have no rows."""
    features = np.asarray([f["name"] for f in data._features if not f["derived"]], dtype="object")
    width = len(features)
    numbered = ["future", "probability"] if futures else []
    values = ["feature", "mean", "std", *names, *numbered]
    (*system_names, object_name, time_name), entries = _leading(parts, data, values)
    objects = _object_names(parts, data)
    columns: Dict[str, List[Any]] = {key: [] for key in (*system_names, object_name, time_name, *values)}
    for place, (part, own) in enumerate(zip(parts, objects)):
        s, _, times, mean, std, quantiles, _, paths, probability = part
        flat = [mean, std, *quantiles]
        known = ~np.isnan(mean).all(axis=(1, 2)) if mean.size else np.zeros(mean.shape[0], dtype=bool)
        if not known.all():
            flat, paths = [array[known] for array in flat], [array[known] for array in paths]
            own, probability = own[known], probability[known]
        if futures:
            number, share, *flat = with_futures(flat, paths, probability)
            flat += [number, share]
        rows = flat[0].size
        for name, of_system in zip(system_names, entries):
            entry = of_system[place]
            columns[name].append(np.full(rows, entry, dtype="int64" if isinstance(entry, int) else "object"))
        if relative:
            times = times - data.origins[s]
        columns[object_name].append(np.repeat(own, (1 + futures) * len(times) * width))
        columns[time_name].append(np.tile(np.repeat(times, width), len(own) * (1 + futures)))
        columns["feature"].append(np.tile(features, len(own) * (1 + futures) * len(times)))
        for key, array in zip(("mean", "std", *names, *numbered), flat):
            columns[key].append(array.reshape(-1))
    joined = {
        key: (np.concatenate(found) if len(found) != 1 else found[0]) if found else np.zeros(0)
        for key, found in columns.items()
    }
    joined[time_name] = data._column_of_times(joined[time_name], relative)
    return pd.DataFrame(joined, copy=False)


def _leading(parts: List[Any], data: Dataset, others: List[str]) -> Any:
    """The names of the columns of systems, objects and times, and the entries of the former: a list per column."""
    asked = [part[0] for part in parts]
    if not data._own_table:
        return ["system", "object", "time"], [ids(data._set.system_ids(asked))]
    header, systems = data._set.own_columns(others)
    return header, [ids([systems[s][column] for s in asked]) for column in range(len(header) - 2)]


def _object_names(parts: List[Any], data: Dataset) -> List[Any]:
    """An array per part: numbers where all of them are."""
    every: List[Any] = []
    ends = [0]
    for part in parts:
        every.extend(data._set.object_ids(part[0]))
        ends.append(len(every))
    objects = np.asarray(ids(every))
    if objects.dtype.kind == "U":
        objects = objects.astype("object")
    return [objects[first:last] for first, last in zip(ends, ends[1:])]
