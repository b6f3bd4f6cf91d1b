"""lgode learns how interacting objects move from irregular, partial observations, and forecasts with uncertainty.

    import lgode
    data = lgode.from_table(df, edges=edges, velocity_of={"vx": "x"})
    model = lgode.Model(task="extrapolate", observed=0.6).fit(data, epochs=20)
    forecast = model.predict(data.test, start=6, times=np.arange(6, 12, 0.1))

LibTorch, pandas and matplotlib are loaded on first use. Messages name options by their keywords, in backquotes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _data
from ._dataset import Dataset, info, merge, open  # noqa: A004
from ._errors import ConfigError, DataError, DivergedError, Error, ExistsError, NoProgressError
from ._forecast import Prediction
from ._from_table import from_table
from ._model import Model, load
from ._motion import from_motion
from ._pages import compare, report
from ._plot import plot
from ._simulate import simulate

if TYPE_CHECKING:
    from . import ops as ops
    from ._follow import Follower as Follower
    from ._scores import Scores as Scores

__version__: str = _data.version
__commit__: str = _data.commit

__all__ = [
    "ConfigError",
    "DataError",
    "Dataset",
    "DivergedError",
    "Error",
    "ExistsError",
    "Follower",
    "Model",
    "NoProgressError",
    "Prediction",
    "Scores",
    "compare",
    "from_motion",
    "from_table",
    "info",
    "load",
    "merge",
    "open",
    "ops",
    "plot",
    "report",
    "simulate",
]


def __getattr__(name: str) -> Any:
    import importlib

    if name == "ops":
        return importlib.import_module(".ops", __name__)
    if name == "Follower":
        from ._follow import Follower

        return Follower
    if name == "Scores":
        from ._scores import Scores

        return Scores
    raise AttributeError(f"module 'lgode' has no attribute {name!r}")


for _name in (
    Dataset, Model, Prediction, compare, from_motion, from_table, info, load, merge, open, plot, report, simulate,
):
    _name.__module__ = "lgode"
del _name
