# Made by make_stubs.py from _simulate.py and the options that the library declares. Do not edit.
from typing import Literal

from ._dataset import Dataset

def simulate(
    physics: str,
    *,
    objects: int = ...,
    train: int = ...,
    test: int = ...,
    horizon: int = ...,
    noise: float = ...,
    relations: Literal["same", "typed"] = ...,
    seed: int = ...,
    threads: int = ...,
) -> Dataset: ...
