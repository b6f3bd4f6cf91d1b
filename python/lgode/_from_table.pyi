# Made by make_stubs.py from _from_table.py and the options that the library declares. Do not edit.
from typing import Any, Dict, Literal, Mapping, Optional, Sequence, Union

from ._dataset import Dataset

def from_table(
    table: Any,
    *,
    edges: Any = ...,
    name: Optional[str] = ...,
    columns: Union[str, Sequence[str], None] = ...,
    missing_values: Union[str, Sequence[str], None] = ...,
    delimiter: Optional[str] = ...,
    decimal_comma: bool = ...,
    system: Union[str, Sequence[str], None] = ...,
    object: Optional[str] = ...,
    object_from: Optional[Literal["column", "file"]] = ...,
    time: Optional[str] = ...,
    features: Union[str, Sequence[str], None] = ...,
    velocity_of: Optional[Mapping[str, str]] = ...,
    velocities: Optional[Literal["given", "difference"]] = ...,
    units: Optional[Mapping[str, str]] = ...,
    time_unit: Optional[str] = ...,
    rate: Optional[float] = ...,
    keep_columns: bool = ...,
    edge_columns: Optional[Mapping[str, str]] = ...,
    undirected: bool = ...,
    positions: Union[str, Sequence[str], None] = ...,
    split: Optional[float] = ...,
    test_systems: Union[str, Sequence[str], None] = ...,
    seed: Optional[int] = ...,
    window: Union[float, str, None] = ...,
    frames: Optional[str] = ...,
    all_present: bool = ...,
    min_objects: Optional[int] = ...,
    stride: Union[float, str, None] = ...,
    every: Union[float, str, None] = ...,
    first_range: Union[float, str, None] = ...,
    for_prediction: bool = ...,
    max_errors: Optional[int] = ...,
    skip_bad_rows: bool = ...,
    threads: Optional[int] = ...,
    memory: Optional[int] = ...,
) -> Dataset: ...
def _read_parquet(path: str) -> Any: ...
def _checked(options: Dict[str, Any]) -> Dict[str, Any]: ...
def _is_rule(edges: Any) -> bool: ...
