# Made by make_stubs.py from _model.py and the options that the library declares. Do not edit.
import os
from typing import Any, Callable, Dict, List, Literal, Optional, Sequence, Tuple, Union, overload

import numpy
import pandas

from ._dataset import Dataset, Path
from ._follow import Follower
from ._forecast import Prediction
from ._scores import Scores
from ._table import Like

class Model:
    _run: Any
    _folder: Optional[str]
    _temporary: Any
    _data: Optional[Dataset]
    _source: Optional[str]
    _like_of: Optional[Tuple[Any, Like]]
    _told_about: Any
    result: Dict[str, Any]
    def __init__(
        self,
        *,
        task: Literal["interpolate", "extrapolate"] = ...,
        observed: float = ...,
        protocol: Literal["clean", "paper"] = ...,
        context: Literal["matched", "all"] = ...,
        start: Literal["middle", "random"] = ...,
        start_low: float = ...,
        start_high: float = ...,
        resample: Literal["epoch", "fixed"] = ...,
        validation: float = ...,
        validation_from: Literal["auto", "recordings", "ends"] = ...,
        centre: Literal["auto", "none", "system"] = ...,
        unseen: Literal["leave-out", "predict"] = ...,
        hide_values: Union[float, None, Literal["auto"]] = ...,
        outliers: Literal["flag", "use"] = ...,
        gaps: Union[str, Sequence[str], None] = ...,
        seed: int = ...,
        model: Literal["assimilate", "lg-ode", "latent-ode", "weight-decay", "edge-gnn", "rnn-nri", "frames"] = ...,
        variant: Literal["full", "first", "mean", "no-att", "no-pe", "fixed-pe"] = ...,
        encoder_width: int = ...,
        sequence_width: int = ...,
        layers: int = ...,
        heads: int = ...,
        window: Union[float, None, Literal["auto"]] = ...,
        direction: Literal["both", "past", "future"] = ...,
        time_frequency: float = ...,
        sweep: Literal["backwards", "to-start"] = ...,
        grid_step: Union[float, None, Literal["auto"]] = ...,
        dropout: float = ...,
        latent: int = ...,
        augment: int = ...,
        hidden: int = ...,
        ode: Literal["graph", "independent"] = ...,
        interaction: Literal["all", "neighbours"] = ...,
        state: int = ...,
        memory: Union[float, None, Literal["auto"]] = ...,
        tie: Literal["auto", "exact", "remainder"] = ...,
        gain: Literal["auto", "one", "learned"] = ...,
        base: Literal["auto", "own", "linear", "hermite", "hold", "constant-velocity", "damped", "kalman"] = ...,
        neighbours: Literal["frozen", "moving", "none"] = ...,
        place: Literal["auto", "on", "off"] = ...,
        unbridged: float = ...,
        decoder: Literal["linear", "mlp"] = ...,
        loss: Literal["squared", "distance"] = ...,
        futures: int = ...,
        futures_of: Literal["object", "scene"] = ...,
        sigma: float = ...,
        solver: Literal["rk4", "rk4-classic", "euler", "midpoint", "dopri5", "tsit5"] = ...,
        step: float = ...,
        grid: Literal["own", "union"] = ...,
        refine: int = ...,
        gradient: Literal["recompute", "stored", "adjoint"] = ...,
        rtol: float = ...,
        atol: float = ...,
        max_solver_steps: int = ...,
        impl: Literal["auto", "reference", "fused"] = ...,
        precision: Literal["auto", "float32", "tf32", "bf16"] = ...,
    ) -> None: ...
    def fit(
        self,
        data: Any,
        *,
        out: Optional[Path] = ...,
        resume: bool = ...,
        force: bool = ...,
        config: Optional[Union[Path, Dict[str, Any]]] = ...,
        progress: Union[bool, None, Callable[[str, Dict[str, Any]], None]] = ...,
        stop_after: Optional[int] = ...,
        recipe: Literal["default", "paper"] = ...,
        from_: str = ...,
        epochs: Union[int, None, Literal["auto"]] = ...,
        minutes: Union[float, None, Literal["auto"]] = ...,
        patience: Union[int, None, Literal["auto"]] = ...,
        batch: Union[int, None, Literal["auto"]] = ...,
        lr: float = ...,
        optimizer: Literal["adamw", "adam"] = ...,
        weight_decay: float = ...,
        warmup: int = ...,
        schedule: Literal["plateau", "cosine", "constant"] = ...,
        restarts: str = ...,
        clip: float = ...,
        samples: int = ...,
        turn: Literal["auto", "none", "random"] = ...,
        resize: float = ...,
        kl_weight: float = ...,
        kl_warmup: int = ...,
        checkpoint_seconds: int = ...,
        gaps_from: str = ...,
        threads: int = ...,
        device: Literal["auto", "cpu", "cuda"] = ...,
        capture_steps: bool = ...,
    ) -> Model: ...
    def _choose_folder(self, out: Optional[Path], resume: bool) -> str: ...
    @staticmethod
    def _machine(folder: str) -> Any: ...
    @property
    def history(self) -> pandas.DataFrame: ...
    def get_params(self, deep: bool = ...) -> Dict[str, Any]: ...
    def set_params(self, **options: Any) -> Model: ...
    @property
    def config(self) -> Dict[str, Any]: ...
    @property
    def weights(self) -> Dict[str, numpy.ndarray[Any, Any]]: ...
    @property
    def device(self) -> str: ...
    @property
    def reach(self) -> float: ...
    @property
    def calibrated(self) -> bool: ...
    def _trained(self) -> Any: ...
    def _like(self) -> Like: ...
    def _run_path(self) -> str: ...
    def __repr__(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def _read(self, data: Any, edges: Any, windows: bool = ...) -> Dataset: ...
    @overload
    def predict(self, data: Any, times: Any = ..., *, output: Literal["arrays"], start: Any = ..., edges: Any = ..., out: Optional[Path] = ..., force: bool = ..., method: Literal["model", "auto", "linear", "hermite", "hold", "constant-velocity", "damped", "kalman"] = ..., horizon: Union[float, str, None] = ..., relative: bool = ..., include_start: bool = ..., context: Optional[Literal["matched", "all"]] = ..., quantiles: Optional[Sequence[float]] = ..., paths: int = ..., futures: int = ..., allow_mismatch: bool = ..., outliers: Literal["flag", "use"] = ..., samples: int = ..., seed: int = ..., batch: int = ...) -> List[Prediction]: ...
    @overload
    def predict(self, data: Any, times: Any = ..., *, output: Literal["frame"] = ..., start: Any = ..., edges: Any = ..., out: Optional[Path] = ..., force: bool = ..., method: Literal["model", "auto", "linear", "hermite", "hold", "constant-velocity", "damped", "kalman"] = ..., horizon: Union[float, str, None] = ..., relative: bool = ..., include_start: bool = ..., context: Optional[Literal["matched", "all"]] = ..., quantiles: Optional[Sequence[float]] = ..., paths: int = ..., futures: int = ..., allow_mismatch: bool = ..., outliers: Literal["flag", "use"] = ..., samples: int = ..., seed: int = ..., batch: int = ...) -> pandas.DataFrame: ...
    def _tell_about(self, data: Dataset, options: Optional[Dict[str, Any]] = ...) -> None: ...
    def _own_data(self) -> Dataset: ...
    def evaluate(
        self,
        data: Any = ...,
        *,
        edges: Any = ...,
        part: Literal["test", "validation", "train"] = ...,
        within: Optional[float] = ...,
        miss_distance: Optional[float] = ...,
        collision_distance: Optional[float] = ...,
        allow_mismatch: bool = ...,
        batch: int = ...,
    ) -> Scores: ...
    def calibrate(
        self,
        data: Any = ...,
        *,
        part: Optional[Literal["train", "test", "all"]] = ...,
        allow_mismatch: bool = ...,
    ) -> Dict[str, Any]: ...
    def fill(
        self,
        table: Any = ...,
        *,
        data: Any = ...,
        edges: Any = ...,
        intervals: bool = ...,
        fill_with: Literal["auto", "model", "linear", "hermite", "kalman"] = ...,
        all_times: bool = ...,
        allow_mismatch: bool = ...,
        outliers: Literal["flag", "use"] = ...,
        samples: int = ...,
        seed: int = ...,
        batch: int = ...,
    ) -> pandas.DataFrame: ...
    def follow(self, *, late: float = ..., edges: Any = ..., outliers: str = ...) -> Follower: ...
    def save(self, path: Path, *, force: bool = ...) -> Model: ...
    def plot(self, data: Any = ..., system: Any = ..., **options: Any) -> Any: ...
    def __getstate__(self) -> Dict[str, Any]: ...
    def __setstate__(self, state: Dict[str, Any]) -> None: ...

def load(path: Path, *, device: str = ..., threads: int = ..., step: Optional[float] = ...) -> Model: ...
def tell(messages: List[Tuple[bool, str]], stacklevel: int = ...) -> None: ...
def tell_threads(threads: Any) -> None: ...
def is_table(data: Any) -> bool: ...
def as_dataset(data: Any) -> Dataset: ...
def _settings(config: Any) -> Any: ...
