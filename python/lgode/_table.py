"""Tables of Python - a DataFrame, a dict of columns, an array - as columns that the library reads in place."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import _data
from ._errors import ConfigError, DataError
from ._lazy import is_frame, is_series, np


def is_path(table: object) -> bool:
    return isinstance(table, (str, os.PathLike))


def is_paths(table: object) -> bool:
    return isinstance(table, (list, tuple)) and len(table) > 0 and all(is_path(entry) for entry in table)


class Columns:
    """The names and columns of a table. Nothing is copied."""

    def __init__(self, table: Any, names: Optional[Sequence[str]] = None, where: str = "the table") -> None:
        self.where = where
        #: The zone of the times, once they were read (import_columns).
        self.zone: Any = None
        self._frame: Any = None
        self._columns: Dict[str, Any] = {}
        if is_frame(table):
            _check_levels(table, where)
            self._frame = table
            given = list(table.columns)
        elif isinstance(table, Mapping):
            given = list(table)
            self._columns = {str(name): table[name] for name in given}
        elif hasattr(table, "dtype") and table.dtype.names:  # a structured array
            given = list(table.dtype.names)
            self._columns = {name: table[name] for name in given}
        elif hasattr(table, "ndim") and table.ndim == 2:
            if names is None:
                raise ConfigError(f"`columns`: an array has no names; give the names of its {table.shape[1]} columns")
            if len(names) != table.shape[1]:
                raise ConfigError(f"`columns`: {len(names)} names for an array of {table.shape[1]} columns")
            given = [name for name in names if name != "_"]
            self._columns = {name: table[:, i] for i, name in enumerate(names) if name != "_"}
        elif is_series(table):
            raise DataError(_series_text(table, where))
        else:
            raise DataError(
                f"{where}: expected a DataFrame, a dict of columns, a structured array, an array with `columns`, "
                f"or the path of a CSV file, found {type(table).__name__}"
            )
        self.names = [str(name) for name in given]
        if self._frame is not None:
            seen = set()
            for name in self.names:
                if name in seen:
                    raise DataError(f"{where}: two columns are named '{name}'; rename one")
                seen.add(name)
            self._columns = {str(name): name for name in given}

    def raw(self, name: str) -> Any:
        column = self._columns[name]
        return self._frame[column] if self._frame is not None else column

    def array(self, name: str) -> Any:
        """One dimension, any stride and type."""
        column = self.raw(name)
        if hasattr(column, "to_numpy"):
            dtype = column.dtype
            if hasattr(dtype, "tz") and dtype.tz is not None:  # times of a zone: as UTC
                column = column.dt.tz_convert("UTC").dt.tz_localize(None)
            elif hasattr(dtype, "numpy_dtype") and dtype.kind in "biuf":  # pandas' own numbers, with NA
                return column.to_numpy(dtype="float64", na_value=float("nan"))
            column = column.to_numpy()
        array = np.asarray(column)
        if array.ndim != 1:
            raise DataError(f"{self.where}, column '{name}': expected one dimension, found {array.ndim}")
        return array

    def zone_of(self, name: str) -> Any:
        """The time zone of a column; None: it has none."""
        return getattr(getattr(self.raw(name), "dtype", None), "tz", None)

    def offset_of(self, name: str) -> str:
        """The offset of a column of dates with a zone, at the first one, as ISO 8601 writes it: "+01:00". Else empty."""
        if self.zone_of(name) is None:
            return ""
        dates = self.raw(name).dropna()
        offset = dates.iloc[0].utcoffset() if len(dates) else None
        minutes, rest = divmod(int(offset.total_seconds()), 60) if offset is not None else (0, 0)
        if rest or not minutes:
            return "Z"
        return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"

    def advice(self) -> str:
        """What to do about columns that are missing because the table has them as its index."""
        if self._frame is None:
            return ""
        hidden = [str(name) for name in self._frame.index.names if name is not None and str(name) not in self._columns]
        if not hidden:
            return ""
        are = "is" if len(hidden) == 1 else "are"
        names = " and ".join(", ".join(f"'{name}'" for name in hidden).rsplit(", ", 1))
        return f"; {names} {are} the index of the table, not among its columns: pass frame.reset_index()"

    def ids(self, name: str) -> Any:
        """Ids: an array, or (codes, names) where the column is categorical."""
        column = self.raw(name)
        categories = getattr(column, "cat", None) if hasattr(column, "to_numpy") else None
        if categories is not None:
            return categories.codes.to_numpy(), [str(c) for c in categories.categories]
        dtype = getattr(column, "dtype", None)
        if hasattr(column, "to_numpy") and getattr(dtype, "name", "") in ("Int64", "Int32", "UInt64", "UInt32"):
            return column.to_numpy(dtype="object", na_value=None)
        array = np.asarray(column)
        return array if array.ndim == 1 else self.array(name)

    def texts(self, name: str) -> List[str]:
        """Every entry as text; missing ones are empty."""
        result = []
        for value in self.array(name).tolist():
            missing = value is None or value != value
            if isinstance(value, float) and not missing and value.is_integer():
                value = int(value)
            result.append("" if missing else str(value))
        return result


def _check_levels(frame: Any, where: str) -> None:
    levels = frame.columns.nlevels
    if levels == 1:
        return
    first = frame.columns[0] if len(frame.columns) else ()
    raise DataError(
        f"{where}: its columns have {levels} levels (a MultiIndex, such as {first!r}); expected one row per object and "
        "time, and one name per column: frame.stack(level).reset_index() moves a level, such as the names of the "
        'objects, into rows; frame.columns = ["_".join(map(str, c)) for c in frame.columns] joins the names'
    )


def _series_text(series: Any, where: str) -> str:
    """A Series is one column, of which its index may be the others."""
    names = [name for name in series.index.names if name is not None]
    if len(names) > 1:
        fix = f"series.reset_index(name={str(series.name or 'x')!r}) makes a table of it and its index"
    else:
        fix = "pass the DataFrame that it is a column of, with the columns object and time"
    return f"{where}: expected a DataFrame, found a Series ({series.name!r}), which is one column; {fix}"


def edge_table(edges: Any) -> Optional[Tuple[List[str], List[List[str]]]]:
    """A table of edges as texts. None: a rule or a file."""
    if edges is None or is_path(edges):
        return None
    if isinstance(edges, (list, tuple)):
        rows = [[str(entry) for entry in row] for row in edges]
        widths = {len(row) for row in rows}
        if not widths <= {2} and not widths <= {3}:
            raise DataError("the table of edges: expected pairs (source, target), or (source, target, type)")
        return (["source", "target", "type"][: widths.pop() if widths else 2], rows)
    if hasattr(edges, "ndim") and edges.ndim == 2 and not is_frame(edges) and edges.shape[1] in (2, 3):
        columns = Columns(edges, ["source", "target", "type"][: edges.shape[1]], "the table of edges")
    else:
        columns = Columns(edges, None, "the table of edges")
    texts = [columns.texts(name) for name in columns.names]
    return columns.names, [list(row) for row in zip(*texts)]


class Like:
    """The table that a model was trained on: how others like it are read."""

    def __init__(self, description: str) -> None:
        self.native = _data.Like(description)
        self.about: Dict[str, Any] = json.loads(description)
        self._roles: Dict[Tuple[str, ...], Any] = {}

    def roles(self, columns: Columns) -> Any:
        """Where the columns are that the model's data had."""
        key = tuple(columns.names)
        if key not in self._roles:
            names = self.about.get("columns") or ["system", "object", "time"]
            wanted = [f["name"] for f in self.about["features"] if not f.get("derived")]
            options = {"object": names[1], "time": names[2], "features": wanted}
            if names[0] and (names[0] in key or all(name in key for name in names[0].split(","))):
                options["system"] = names[0]
            self._roles[key] = _data.table_roles(options, columns.where, columns.names)
        return self._roles[key]


def role_arrays(columns: Columns, roles: Any) -> List[Any]:
    """The columns that have a role, by place; the others are None."""
    system, object_, time, features = roles
    arrays: List[Any] = [None] * len(columns.names)
    for place in {*system, object_}:
        arrays[place] = columns.ids(columns.names[place])
    for place in {time, *features}:
        arrays[place] = columns.array(columns.names[place])
    return arrays


def import_columns(
    columns: Columns, options: Dict[str, Any], edges: Any, like: Optional[Like], windows: bool = False
) -> Any:
    """The library's data set of a table in memory, and its report. ``windows``: cut as the model's data was."""
    table = edge_table(edges)
    if is_path(edges):
        options = {**options, "edges": os.fspath(edges)}
    try:
        if like is None:
            system, object_, time, features = _data.table_roles(options, columns.where, columns.names)
        else:
            system, object_, time, features = like.roles(columns)
    except (ConfigError, DataError) as error:
        advice = columns.advice()
        if not advice:
            raise
        raise type(error)(f"{error}{advice}") from None
    columns.zone = columns.zone_of(columns.names[time])
    arrays = role_arrays(columns, (system, object_, time, features))
    offset = columns.offset_of(columns.names[time])
    native = like.native if like is not None else None
    given = table if table is not None else (options.get("edges") if edges is not None else None)
    return _data.import_columns(options, columns.where, columns.names, arrays, offset, given, native, windows)


def as_list(value: Any) -> Optional[List[str]]:
    if value is None:
        return None
    if isinstance(value, str):
        return [value]
    return [str(entry) for entry in value]

