"""Fills the gaps of tables. The library fills a CSV file; a table in memory goes through one, row by row."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from ._dataset import Dataset
from ._errors import ConfigError
from ._lazy import is_frame, pd
from ._table import Columns, import_columns, is_path

if TYPE_CHECKING:
    import pandas

    from ._model import Model


def fill(
    model: "Model",
    table: Any,
    data: Any,
    edges: Any,
    fill_with: str,
    all_times: bool,
    intervals: bool,
    options: Dict[str, Any],
) -> "pandas.DataFrame":
    from ._model import as_dataset

    run = model._trained()
    if data is not None:
        data = as_dataset(data)
    with tempfile.TemporaryDirectory(prefix="lgode-fill-") as folder:
        filled, spans = os.path.join(folder, "filled.csv"), os.path.join(folder, "intervals.csv")
        frame: Any = None
        if table is None or isinstance(table, Dataset):
            source = table if isinstance(table, Dataset) else data if data is not None else model._own_data()
            report = run.fill(
                source._set, filled, "", spans, fill_with, all_times, {**options, "systems": source._systems}
            )
            like = json.loads(source._set.table_description())
            result = _read(filled, like, run)
        else:
            like = json.loads(run.table)
            if is_path(table):
                path = os.fspath(table)
                frame = _read_table(path, like)
            else:
                frame = table if is_frame(table) else pd.DataFrame({k: Columns(table).raw(k) for k in Columns(table).names})
                path = os.path.join(folder, "table.csv")
                _write(frame, path, like)
            source = data if data is not None else _source(model, frame, edges, like)
            report = run.fill(source._set, filled, path, spans, fill_with, all_times, options)
            result = _merge(frame, _read(filled, like, run), like)
        if intervals and os.path.exists(spans):
            result.attrs["intervals"] = pd.read_csv(spans, float_precision="round_trip").to_dict("records")
    result.attrs["fill"] = report
    if report["model_cannot"]:
        forecasts = run.info["config"]["task"] == "extrapolate"
        warnings.warn(
            "the gaps are filled by classical paths, not by the model, which "
            + (
                "forecasts; to fill gaps with a model, train one with `task` interpolate"
                if forecasts
                else "was trained without missing values; train with `hide_values` 0.2"
            ),
            stacklevel=3,
        )
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
    if edges is None and model._like().listed:
        raise ConfigError(
            "`edges`: the model was trained on data that lists its relations; give those of the table, or \"none\""
        )
    run = model._trained()
    options = {"first_range": run.conditioning_length}
    return Dataset(import_columns(Columns(frame), options, edges, model._like())[0])


def _write(frame: Any, path: str, like: Dict[str, Any]) -> None:
    """The table as the one that the model was trained on is read."""
    delimiter = like.get("delimiter") or ","
    header = like.get("header") or []
    columns = [str(name) for name in frame.columns]
    out = frame.copy(deep=False)
    out.columns = columns
    if header:  # a table without a line of names: all of its columns, in their order
        out = out[[name for name in header if name != "_"]]
        for place, name in enumerate(header):
            if name == "_":
                out.insert(place, f"_{place}", "")
    out.to_csv(
        path,
        sep=delimiter,
        decimal="," if like.get("decimal_comma") else ".",
        index=False,
        header=not header,
        float_format=None,
    )


def _read_table(path: str, like: Dict[str, Any]) -> Any:
    header = [name for name in like.get("header") or []]
    return pd.read_csv(
        path,
        sep=like.get("delimiter") or ",",
        decimal="," if like.get("decimal_comma") else ".",
        names=[name if name != "_" else f"_{i}" for i, name in enumerate(header)] if header else None,
        na_values=like.get("missing") or None,
        float_precision="round_trip",
    )


def _read(path: str, like: Dict[str, Any], run: Any) -> Any:
    header = like.get("header") or []
    names = [name if name != "_" else f"_{i}" for i, name in enumerate(header)] + ["imputed"] if header else None
    result = pd.read_csv(
        path,
        sep=like.get("delimiter") or ",",
        decimal="," if like.get("decimal_comma") else ".",
        names=names,
        na_values=like.get("missing") or None,
        keep_default_na=True,
        float_precision="round_trip",
    )
    result["imputed"] = result["imputed"].fillna("").astype(str)
    return result


def _merge(frame: Any, filled: Any, like: Dict[str, Any]) -> Any:
    """The caller's rows with what was filled, and rows that were added."""
    rows = len(frame)
    result = frame.copy()
    for name in _features(like):
        values = pd.to_numeric(filled[name].iloc[:rows], errors="coerce").to_numpy(dtype="float64")
        gaps = filled["imputed"].iloc[:rows].map(lambda text, name=name: name in _split(text)).to_numpy(dtype=bool)
        if not gaps.any():
            continue
        own = pd.to_numeric(result[name], errors="coerce").to_numpy(dtype="float64", na_value=float("nan"), copy=True)
        own[gaps] = values[gaps]
        result[name] = own
    result["imputed"] = filled["imputed"].iloc[:rows].to_numpy()
    if len(filled) > rows:
        more = filled.iloc[rows:].copy()
        for name in frame.columns:
            if str(name) in more.columns and frame[name].dtype != more[str(name)].dtype:
                try:
                    more[str(name)] = more[str(name)].astype(frame[name].dtype)
                except (TypeError, ValueError):
                    pass
        result = pd.concat([result, more[[str(c) for c in frame.columns] + ["imputed"]]], ignore_index=True)
    return result


def _split(text: str) -> List[str]:
    return text.split("|") if "|" in text else [text, *text.split(" ")]


__all__ = ["fill"]
