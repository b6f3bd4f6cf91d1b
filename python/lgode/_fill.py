"""Fills the gaps of tables: the library computes what fills each row, here it becomes a DataFrame."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from ._dataset import Dataset
from ._errors import ConfigError
from ._lazy import is_frame, np, pd
from ._table import Columns, Like, import_columns, is_path, role_arrays

if TYPE_CHECKING:
    import pandas

    from ._model import Model


def fill(
    model: "Model",
    table: Any,
    data: Any,
    edges: Any,
    intervals: bool,
    options: Dict[str, Any],
) -> "pandas.DataFrame":
    from ._model import as_dataset, tell

    run = model._trained()
    if data is not None:
        data = as_dataset(data)
    if table is None or isinstance(table, Dataset):
        source = table if isinstance(table, Dataset) else data if data is not None else model._own_data()
        model._tell_about(source, options)
        asked = {**options, "systems": source._systems}
        found = run.fill(source._set, None, intervals, asked)
        result = _own_rows(found, source)
    else:
        like = json.loads(run.table)
        names: Dict[str, Any] = {}
        if is_path(table):
            frame, names = _read_table(os.fspath(table), like)
        else:
            frame = table if is_frame(table) else pd.DataFrame({k: Columns(table).raw(k) for k in Columns(table).names})
        source = data if data is not None else _source(model, frame, edges, like)
        columns = _columns(frame, source, names)
        found = run.fill(source._set, columns, intervals, options)
        result = _filled(frame, found)
    if intervals and found["calibrated"]:
        result.attrs["intervals"] = _interval_rows(found, result)
    result.attrs["fill"] = found["report"]
    tell(found["messages"], 4)
    return result


def _names(like: Dict[str, Any]) -> List[str]:
    return like.get("columns") or ["system", "object", "time"]


def _features(like: Dict[str, Any]) -> List[str]:
    return [f["name"] for f in like["features"] if not f.get("derived")]


def _source(model: "Model", frame: Any, edges: Any, like: Dict[str, Any]) -> Dataset:
    """The training data where it has the systems of the table, else a data set of the table."""
    system = _names(like)[0]
    own: Optional[Dataset] = None
    try:
        own = model._own_data()
    except (ConfigError, ValueError):
        pass
    if own is not None and edges is None:
        known = set(own._set.recordings())
        column = frame[system] if system and system in frame.columns else None
        wanted = {str(value) for value in column.unique()} if column is not None else {""}
        if wanted <= known:
            return own
    run = model._trained()
    options = {"first_range": run.conditioning_length}
    columns = Columns(frame)
    result = Dataset(import_columns(columns, options, edges, model._like())[0])
    result._zone = columns.zone
    return result


def _columns(frame: Any, source: Dataset, names: Dict[str, Any]) -> Any:
    """The columns that the library reads. `names`: of ids, where the frame has them as numbers."""
    like = Like(source._set.table_description())
    columns = Columns(frame.assign(**names) if names else frame)
    roles = like.roles(columns)
    arrays = role_arrays(columns, roles)
    words = [word for word in map(_number, like.about.get("missing") or []) if word is not None]
    if words:
        for place in roles[3]:
            values = arrays[place]
            if values.dtype.kind in "fiu":
                arrays[place] = np.where(np.isin(values, words), np.nan, values)
    return columns.where, columns.names, arrays, columns.offset_of(columns.names[roles[2]])


def _number(word: str) -> Optional[float]:
    try:
        return float(word)
    except ValueError:
        return None


def _read_table(path: str, like: Dict[str, Any]) -> Any:
    """A CSV file as pandas reads it, and the columns of ids as texts."""
    header = [name if name != "_" else f"_{i}" for i, name in enumerate(like.get("header") or [])] or None
    form: Dict[str, Any] = {"sep": like.get("delimiter") or ",", "names": header}
    frame = pd.read_csv(
        path,
        decimal="," if like.get("decimal_comma") else ".",
        na_values=like.get("missing") or None,
        float_precision="round_trip",
        **form,
    )
    named = [name for column in _names(like)[:2] for name in (column, *column.split(",")) if name in frame.columns]
    texts = pd.read_csv(path, usecols=named, dtype=str, keep_default_na=False, **form)
    return frame, {name: texts[name] for name in named}


def _read_back(texts: List[str]) -> Any:
    """Numbers where all texts are numbers, else the texts."""
    try:
        return np.asarray([int(text) for text in texts], dtype="int64")
    except (ValueError, OverflowError):
        pass
    try:
        return np.asarray([float(text) for text in texts], dtype="float64")
    except ValueError:
        return np.asarray(texts, dtype="object")


def _times_of(texts: List[str], source: Dataset) -> Any:
    """Times as texts, as a column: dates where the data has them, in their zone."""
    if source._about["origin_ns"] is None:
        return _read_back(texts)
    return source._column_of_times(np.asarray(source._seconds(texts, "times")))


def _interval_rows(found: Dict[str, Any], table: Any) -> List[Dict[str, Any]]:
    """A dict per filled value. Its first keys are columns of the filled table, by which the rows join it."""
    rows = found["intervals"]
    system, object_, time = found["columns"]
    names = [system] if system in table.columns else [part for part in system.split(",") if part in table.columns]
    texts = [row.pop("system").split("/") if len(names) > 1 else [row.pop("system")] for row in rows]
    if any(len(entry) != len(names) for entry in texts):
        names = []
    leading = {name: [entry[place] for entry in texts] for place, name in enumerate(names)}
    leading[object_] = [row.pop("object") for row in rows]
    leading[time] = [row.pop("time") for row in rows]
    columns = {name: _like_column(_read_back(entries), table[name]) for name, entries in leading.items()}
    return [{**dict(zip(columns, entries)), **row} for entries, row in zip(zip(*columns.values()), rows)]


def _like_column(values: Any, column: Any) -> Any:
    """Values that compare with those of a column: dates where it has dates, texts where it has texts."""
    kind = getattr(column.dtype, "kind", "O")
    if kind == "M":
        zone = getattr(column.dtype, "tz", None)
        return list(pd.to_datetime(values, utc=True).tz_convert(zone) if zone is not None else pd.to_datetime(values))
    if values.dtype.kind in "if" and kind == "O" and len(column) and isinstance(column.iloc[0], str):
        return [str(value) for value in values.tolist()]
    return values.tolist()


def _own_rows(found: Dict[str, Any], source: Dataset) -> Any:
    """All rows of a data set."""
    system, object_, time = found["columns"]
    columns = {system: _read_back(found["systems"])} if system else {}
    columns[object_] = _read_back(found["objects"])
    columns[time] = _times_of(found["times"], source)
    for place, name in enumerate(found["features"]):
        columns[name] = found["values"][:, place]
    columns["imputed"] = np.asarray(found["imputed"], dtype="object")
    return pd.DataFrame(columns)


def _filled(frame: Any, found: Dict[str, Any]) -> Any:
    """The caller's rows with what was filled, and rows that were added."""
    result = frame.copy()
    for place, name in enumerate(found["features"]):
        values = found["values"][:, place]
        gaps = ~np.isnan(values)
        if not gaps.any():
            continue
        own = pd.to_numeric(result[name], errors="coerce").to_numpy(dtype="float64", na_value=float("nan"), copy=True)
        own[gaps] = values[gaps]
        result[name] = own
    result["imputed"] = np.asarray(found["imputed"], dtype="object")
    if not found["added_times"]:
        return result
    return pd.concat([result, _added(frame, found)], ignore_index=True)


def _added_times(texts: List[str], own: Any) -> Any:
    """Times as texts, as the caller's column has them: with its zone, if it has dates of one."""
    if own.dtype.kind != "M":
        return _read_back(texts)
    times = pd.DatetimeIndex(pd.to_datetime(texts, utc=True))
    zone = getattr(own.dtype, "tz", None)
    return times.tz_convert(zone) if zone is not None else times.tz_localize(None)


def _added(frame: Any, found: Dict[str, Any]) -> Any:
    """Rows that `all_times` adds: ids as in a row of the same system and object."""
    system, object_, time = found["columns"]
    columns: Dict[str, Any] = {}
    for name in [system] if system in frame.columns else system.split(","):
        if name in frame.columns:
            columns[name] = frame[name].iloc[found["added_like_system"]].to_numpy()
    columns[object_] = frame[object_].iloc[found["added_like_object"]].to_numpy()
    columns[time] = pd.Series(_added_times(found["added_times"], frame[time]))
    for place, name in enumerate(found["features"]):
        columns[name] = found["added_values"][:, place]
    more = pd.DataFrame(columns).reindex(columns=list(frame.columns))
    for name in frame.columns:
        if name in columns and frame[name].dtype != more[name].dtype:
            try:
                more[name] = more[name].astype(frame[name].dtype)
            except (TypeError, ValueError):
                pass
    more["imputed"] = np.asarray(found["added_imputed"], dtype="object")
    return more


__all__ = ["fill"]
