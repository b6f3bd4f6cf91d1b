# Made by make_stubs.py from _motion.py and the options that the library declares. Do not edit.
from typing import Literal, Optional, Sequence, Union

from ._dataset import Dataset, Path

def from_motion(
    asf: Path,
    *,
    train: Union[Path, Sequence[Path]] = ...,
    test: Union[Path, Sequence[Path]] = ...,
    rate: float = ...,
    window: int = ...,
    stride: Optional[int] = ...,
    test_window: Optional[int] = ...,
    test_stride: Optional[int] = ...,
    sampling: Literal["paper", "none"] = ...,
    velocity: Literal["backward", "central"] = ...,
    seed: int = ...,
) -> Dataset: ...
