"""Forecasts from rows as they come."""

from __future__ import annotations

import json
import os
import warnings
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from . import _data
from ._clock import NAIVE, Clock
from ._dataset import Path, ids
from ._errors import ConfigError, DataError
from ._forecast import with_futures
from ._lazy import engine, np, pd
from ._table import Columns, edge_table, is_path

if TYPE_CHECKING:
    import pandas

    from ._model import Model


MOST_WARNINGS = 10  # about single observations, as the command has it


class Follower:
    """Keeps a state per system, takes in rows as they come, and forecasts from any of them. See :meth:`Model.follow`."""

    def __init__(self, model: "Model", late: float, edges: Any, outliers: str = "flag") -> None:
        if outliers not in ("flag", "use"):
            raise ConfigError(f"`outliers` {outliers}: expected flag or use")
        run = model._trained()
        if run.device != "cpu":
            run = engine.load_run(str(run.path), "cpu", 0, None, True)
        self._run = run
        self._about = json.loads(run.table)
        self._features = [f["name"] for f in self._about["features"]]
        self._predicted = [i for i, f in enumerate(self._about["features"]) if not f.get("derived")]
        self._like = _data.Like(run.table)
        self._rate = float(self._about.get("rate") or 0)
        self._zone: Any = None  # of the newest rows that came with dates
        self._flagged = 0
        self._follower = engine.Follower(run, float(late), self._relations(edges), outliers == "use")

    def _relations(self, edges: Any) -> List[Any]:
        if edges is None:
            return []
        if is_path(edges):
            edges = pd.read_csv(os.fspath(edges))
        table = edge_table(edges)
        assert table is not None
        names, rows = table
        for needed in ("source", "target"):
            if needed not in names:
                raise DataError(f"the table of edges: has no column '{needed}'; its columns are {', '.join(names)}")
        types = self._about["relation_types"]
        result = []
        for i, row in enumerate(rows):
            entry = dict(zip(names, row))
            kind = entry.get("type", types[0])
            if kind not in types:
                raise DataError(f"the table of edges, row {i}, column 'type': found '{kind}', expected one of {types}")
            weight = float(entry.get("weight") or 1.0)
            result.append((entry.get("system", ""), entry["source"], entry["target"], types.index(kind), weight))
        return result

    @property
    def _clock(self) -> Clock:
        return Clock(self._like.clock(), self._like.parse_time, self._rate, self._zone)

    def _seconds(self, columns: Columns, name: str) -> Any:
        """The times of rows as the library counts them; dates are instants, whatever their zone."""
        given = columns.array(name)
        times = np.asarray(self._clock.seconds(given, name), dtype="float64")
        bad = np.flatnonzero(~np.isfinite(times))
        if bad.size:
            raise DataError(f"the rows, row {bad[0]}, column '{name}': found {given[bad[0]]}, expected a time")
        if self._rate:
            counts = np.asarray(given, dtype="float64")
            parts = np.flatnonzero(counts != np.floor(counts))
            if parts.size:
                raise DataError(
                    f"the rows, row {parts[0]}, column '{name}': found {counts[parts[0]]}, expected a whole number: the "
                    f"model's table counts {self._rate:g} per second"
                )
        first = given[0] if given.dtype.kind == "O" and len(given) else None
        if given.dtype.kind == "M" or hasattr(first, "isoformat"):
            self._zone = columns.zone_of(name) or getattr(first, "tzinfo", None) or NAIVE
        return times

    def _warn(self) -> None:
        """Tells of observations that were found not to be believable."""
        for system, object_, time in self._follower.take_outliers():
            self._flagged += 1
            if self._flagged > MOST_WARNINGS:
                continue
            place = f"system {system}, object {object_}" if system else f"object {object_}"
            more = "; further ones are only counted" if self._flagged == MOST_WARNINGS else ""
            warnings.warn(
                f"{place} at {self._clock.one(time)}: too far from its path to be believed; not used{more}",
                stacklevel=3,
            )

    def observe(self, rows: Any) -> Dict[str, int]:
        """Takes rows in: a DataFrame or a dict of columns with the names of the training data, or one row as a dict.

        Times are as in the training data: numbers, frames where that has a rate, or dates, which are instants whatever
        their zone. Rows of one time and system are taken together, whatever their order. Returns how many were taken,
        too late, repeated (an object and time that had one) and empty. Observations that cannot be believed are
        warnings.
        """
        if isinstance(rows, dict) and not any(np.ndim(value) for value in rows.values()):
            rows = {key: [value] for key, value in rows.items()}
        columns = Columns(rows, None, "the rows")
        system, object_, time = self._about.get("columns") or ["system", "object", "time"]
        for needed in (object_, time):
            if needed not in columns.names:
                raise ConfigError(f"the rows: have no column '{needed}'; their columns are {', '.join(columns.names)}")
        objects = columns.texts(object_)
        systems = columns.texts(system) if system and system in columns.names else [""] * len(objects)
        values = np.full((len(objects), len(self._features)), np.nan)
        for i in self._predicted:
            name = self._features[i]
            if name not in columns.names:
                raise ConfigError(f"the rows: have no column '{name}'; their columns are {', '.join(columns.names)}")
            values[:, i] = columns.array(name)
        counts = self._follower.observe(systems, objects, self._seconds(columns, time), values)
        self._warn()
        return counts

    def forecast(
        self,
        system: Any = None,
        *,
        horizon: Optional[float] = None,
        times: int = 10,
        ahead: Any = None,
        samples: int = 100,
        seed: int = 1,
        start: Any = None,
        futures: int = 0,
    ) -> "pandas.DataFrame":
        """Forecasts a system from the rows so far: made, system, object, time, feature, mean, std, q05, q95.

        Times are those of the rows: frames where they are frames, dates in the zone of the newest rows.

        Parameters
        ----------
        system : its name; default: all systems
        horizon, times : how far ahead, and in how many equal steps; default: as far as training looked. Like all
            lengths of time in the data's unit: seconds where its times are frames or dates
        ahead : lengths of time after the start instead
        samples, seed : as in :meth:`Model.predict`
        start : a time, as in the rows; default: the system's newest row
        futures : the most probable ones of each object, of a model that was fitted for several: the columns future
            (0: the mean path) and probability are added
        """
        if ahead is None:
            ahead = self._follower.steps_ahead(horizon, times)
        clock = self._clock
        from_ = None if start is None else clock.seconds(start, "start")[0]
        asked = self._follower.scenes() if system is None else [str(system)]
        parts: List[Any] = []
        for name in asked:
            made, objects, at, mean, std, low, high, several, probability = self._follower.forecast(
                name, [float(a) for a in ahead], samples, seed, from_, futures
            )
            chosen = [array[:, :, self._predicted] for array in (mean, std, low, high)]
            several = [array[:, :, self._predicted] for array in several]
            number, share, *chosen = [a.reshape(-1) for a in with_futures(chosen, several, probability)]
            numbered = {"future": number, "probability": share} if futures else {}
            width = len(self._predicted)
            paths = 1 + len(several)
            own = np.asarray(ids(objects))
            rows = chosen[0].size
            parts.append(
                pd.DataFrame(
                    {
                        "made": clock.column(np.full(rows, made)),
                        "system": np.full(rows, name, dtype="object"),
                        "object": np.repeat(
                            own.astype("object") if own.dtype.kind == "U" else own, paths * len(at) * width
                        ),
                        "time": clock.column(np.tile(np.repeat(at, width), len(objects) * paths)),
                        "feature": np.tile(
                            [self._features[i] for i in self._predicted], len(objects) * paths * len(at)
                        ),
                        "mean": chosen[0],
                        "std": chosen[1],
                        "q05": chosen[2],
                        "q95": chosen[3],
                        **numbered,
                    }
                )
            )
        self._warn()
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()

    @property
    def systems(self) -> List[str]:
        """Systems in the order of their first rows."""
        return list(self._follower.scenes())

    def newest(self, system: Any = "") -> Any:
        """Time of the newest row of a system, as in the rows; None: there is none."""
        time = self._follower.newest(str(system))
        return None if time is None else self._clock.one(time)

    @property
    def kept(self) -> Dict[str, int]:
        """What is kept in memory, over all systems: scenes, objects, observations and rows."""
        return self._follower.kept()

    def save(self, path: Path) -> None:
        """Writes all states to a file; it replaces an earlier one."""
        self._follower.save(os.fspath(path))

    def restore(self, path: Path) -> "Follower":
        """Reads the states that :meth:`save` wrote with the same weights and the same ``late``."""
        self._follower.restore(os.fspath(path))
        return self
