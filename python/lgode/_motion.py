"""Data sets of motion capture. The options are the options of ``lgode import cmu``, which the library declares."""

from __future__ import annotations

import os
from typing import Any, Sequence, Union

from . import _data
from ._dataset import Dataset, Path
from ._options import plain, takes_use
from ._table import is_path


@takes_use("from_motion")
def from_motion(
    asf: Path, *, train: Union[Path, Sequence[Path]] = (), test: Union[Path, Sequence[Path]] = (), **options: Any
) -> Dataset:
    """Motion capture of the CMU database: every joint of a skeleton is an object (as ``lgode import cmu``).

    Parameters
    ----------
    asf : skeleton of the subject
    train, test : AMC files, folders of them, or patterns

    Options
    -------
    """
    trials = [[os.fspath(path) for path in ([paths] if is_path(paths) else paths)] for paths in (train, test)]
    return Dataset(_data.motion(os.fspath(asf), *trials, {key: plain(value) for key, value in options.items()}))
