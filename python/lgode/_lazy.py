"""Modules that are loaded on first use, so that ``import lgode`` is quick."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

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
