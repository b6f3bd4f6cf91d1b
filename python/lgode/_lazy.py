"""Modules that are loaded on first use, so that ``import lgode`` is quick."""

from __future__ import annotations

import contextlib
import importlib
import os
from typing import TYPE_CHECKING, Any, Iterator


@contextlib.contextmanager
def waiting_policy() -> "Iterator[None]":
    """While OpenMP is loaded: its threads sleep while they wait, as in ``lgode train``.

    Threads that spin make a training many times slower if other programs use the cores. OpenMP reads the variable once,
    when it is loaded; what the user set is kept, and the environment stays as it is.
    """
    if "OMP_WAIT_POLICY" in os.environ or "GOMP_SPINCOUNT" in os.environ:
        yield
        return
    os.environ["OMP_WAIT_POLICY"] = "passive"
    try:
        yield
    finally:
        os.environ.pop("OMP_WAIT_POLICY", None)


if TYPE_CHECKING:
    import numpy
    import pandas

    from . import _engine

    np, pd, engine = numpy, pandas, _engine
else:

    class _Lazy:
        def __init__(self, name: str, advice: str = "") -> None:
            self.__dict__["_name"] = name
            self.__dict__["_advice"] = advice

        def __getattr__(self, attribute: str) -> Any:
            try:
                with waiting_policy() if self._name == "._engine" else contextlib.nullcontext():
                    module = importlib.import_module(self._name, __package__)
            except ImportError as error:
                raise ImportError(f"{error}{self._advice}") from error
            value = getattr(module, attribute)
            self.__dict__[attribute] = value
            return value

    np = _Lazy("numpy")
    pd = _Lazy("pandas", "; lgode makes its tables with pandas (Debian: python3-pandas)")
    engine = _Lazy("._engine", "; lgode._engine needs the LibTorch that it was built with")


def is_frame(value: object) -> bool:
    """Whether it is a DataFrame, without loading pandas."""
    import sys

    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def is_series(value: object) -> bool:
    """Whether it is a Series, without loading pandas."""
    import sys

    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.Series)
