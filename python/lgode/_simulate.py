"""Simulated data sets. The options are the options of ``lgode simulate``, which the library declares."""

from __future__ import annotations

import warnings
from typing import Any

from . import _data
from ._dataset import Dataset
from ._options import USES, plain, takes


@takes([option["key"] for option in USES["simulate"] if option["key"] != "physics"], USES["simulate"])
def simulate(physics: str, **options: Any) -> Dataset:
    """Particles in a box, joined by springs or carrying charges: the data sets of the paper, at any size.

    Parameters
    ----------
    physics : "springs" or "charged"

    Options
    -------
    """
    note = _data.threads_note(int(options.get("threads") or 0))
    if note:
        warnings.warn(note, stacklevel=2)
    return Dataset(_data.simulate({"physics": physics, **{key: plain(value) for key, value in options.items()}}))
