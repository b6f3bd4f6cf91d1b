"""Data sets made of tables. The options are the options of ``lgode import csv``, which the library declares."""

from __future__ import annotations

import os
import warnings
from typing import Any, Dict, Optional

from . import _data
from ._dataset import Dataset
from ._errors import ConfigError, DataError
from ._options import by_key, plain, takes
from ._table import Columns, as_list, edge_table, import_columns, is_path, is_paths

DECLARED = _data.declared_options("import")


@takes([option["key"] for option in DECLARED if option["key"] != "edges"], DECLARED)
def from_table(table: Any, *, edges: Any = None, name: Optional[str] = None, **options: Any) -> Dataset:
    """Makes a data set of a long table: one row per object and time, in any order.

    The options are the options of ``lgode import csv``, with the same names and the same result: a DataFrame and the
    CSV file of it make the same data set.

    Parameters
    ----------
    table : DataFrame, dict of columns, structured array, array with ``columns``, path or list of paths
        Numbers of a table in memory are read in place; the data set's own arrays are their only copy. A path may
        be a pattern (``"scenes/*.txt"``); several files are one table. Files may be packed by gzip or zstd. A Parquet
        file is read by pandas.
    edges : "all", "none", "k-nearest=K", "within=R", a table or a path, default "all"
        Who acts on whom: a rule for the objects that are seen together, or a table with columns source and target and,
        where there are such, system, type and weight. A list of pairs, or an array [P, 2], is a table, too.
    name : of the data set

    A column called ``X(cm)``, ``x [cm]`` or ``x_cm`` becomes the feature x with the unit cm.

    Lists of names may be one name. Pairs are a dict, such as ``velocity_of={"vx": "x"}``; lengths of time are numbers,
    or texts with a unit, such as "5min". Ids may be text or whole numbers; times numbers, dates or times of day. Several
    columns make a system: ``system=["game", "period"]``.

    Raises
    ------
    DataError
        Names every bad row, its column, what was found and what was expected. Rows of a table in memory are counted
        from 0, as ``frame.iloc`` does.
    ConfigError
        An option that does not fit the table.
    """
    given = _checked(options)
    zone = None
    threads_note = _data.threads_note(int(given.get("threads") or 0))
    if threads_note:
        warnings.warn(threads_note, stacklevel=2)
    if (given.get("undirected") or given.get("edge_columns")) and (edges is None or _is_rule(edges)):
        raise ConfigError(
            f"`{'undirected' if given.get('undirected') else 'edge_columns'}` is about a table of edges; give it with "
            "`edges`"
        )
    if is_path(table) and os.path.splitext(os.fspath(table))[1].lower() == ".parquet" and os.path.isfile(table):
        name = name or os.path.splitext(os.path.basename(os.fspath(table)))[0]
        table = _read_parquet(os.fspath(table))
    if is_path(table) or is_paths(table):
        files = [os.fspath(table)] if is_path(table) else [os.fspath(entry) for entry in table]
        if is_path(edges):
            given["edges"] = os.fspath(edges)
        native, report = _data.import_files({**given, "name": name}, files, edge_table(edges))
    else:
        for key in ("delimiter", "missing_values"):
            if key in given:
                raise ConfigError(f"`{key}` is about files; omit it for a table in memory")
        columns = Columns(table, given.pop("columns", None))
        if given.get("object_from") == "file":
            raise ConfigError("`object_from` file is about files; name the column of objects with `object`")
        given.update(name=name or "table", source="made from a table in memory")
        native, report = import_columns(columns, given, edges, None)
        zone = columns.zone
    result = Dataset(native)
    result._zone = zone
    result.report = report
    for note in report["messages"]:
        warnings.warn(note, stacklevel=2)
    if report["skipped"]:
        warnings.warn(f"{report['skipped']}; data.report has them", stacklevel=2)
    return result


def _read_parquet(path: str) -> Any:
    import pandas

    try:
        frame = pandas.read_parquet(path)
    except ImportError as error:
        raise DataError(
            f"{path}: is Parquet, which pandas reads with pyarrow or fastparquet, and neither is here; install one "
            "(python3 -m pip install pyarrow), or save the table as CSV"
        ) from error
    return frame.reset_index() if any(name is not None for name in frame.index.names) else frame


def _checked(options: Dict[str, Any]) -> Dict[str, Any]:
    """Values as the library takes them, without those that are None."""
    known = by_key(DECLARED)
    given: Dict[str, Any] = {}
    for key, value in options.items():
        if key not in known or key == "edges":
            raise TypeError(f"from_table() got an unexpected keyword argument '{key}'")
        if value is None:
            continue
        kind = known[key]["type"]
        if kind == "names":
            value = as_list(value)
        elif kind == "pairs":
            value = {str(name): str(entry) for name, entry in dict(value).items()}
        elif key == "system" and not isinstance(value, str):
            value = ",".join(str(entry) for entry in value)
        given[key] = plain(value)
    return given


def _is_rule(edges: Any) -> bool:
    return isinstance(edges, str) and bool(_data.is_rule(edges))
