"""Models: training, prediction, evaluation, filling of gaps, files."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Union

from . import _data
from ._dataset import Dataset, Path, open as open_data
from ._errors import ConfigError, DataError, DivergedError, ExistsError
from ._forecast import Prediction, frame, predictions, quantile_names
from ._html import card, count
from ._lazy import engine, pd
from ._options import FIT_KEYS, MODEL_KEYS, checked, of_use, takes, takes_use, text
from ._progress import Progress
from ._table import Columns, Like, import_columns, is_path, is_paths

if TYPE_CHECKING:
    import numpy
    import pandas

    from ._follow import Follower
    from ._scores import Scores

RUN_FILES = (
    "config.json",
    "metrics.jsonl",
    "checkpoint.safetensors",
    "checkpoint.previous.safetensors",
    "best.safetensors",
    "calibration.json",
)


class Model:  # its docstring is the one of __init__
    @takes(MODEL_KEYS)
    def __init__(self, **options: Any) -> None:
        """A model that learns how interacting objects move from irregular, partial observations.

        The keywords are the task and model options of ``lgode train``, with the same names and defaults; those of
        the training are keywords of :meth:`fit`. ``None`` is "auto" where an option has that.

        >>> model = lgode.Model(task="extrapolate", observed=0.6).fit(data, epochs=20)
        >>> forecast = model.predict(data.test, start=6, times=np.arange(6, 12, 0.1))

        Options
        -------
        """
        self._options = checked(options, MODEL_KEYS, FIT_KEYS, "Model()", "fit()")
        self._run: Any = None
        self._folder: Optional[str] = None
        self._temporary: Any = None
        self._data: Optional[Dataset] = None
        self._source: Optional[str] = None  # what load() was given
        self._like_of: Optional[Tuple[Any, Like]] = None
        self._told_about: Any = weakref.WeakKeyDictionary()
        #: How the last training ended: finished, epochs, steps, best_validation, best_epoch, kl.
        self.result: Dict[str, Any] = {}

    # -- training -----------------------------------------------------------------------------------------------------

    @takes(FIT_KEYS)
    def fit(
        self,
        data: Any,
        *,
        out: Optional[Path] = None,
        resume: bool = False,
        force: bool = False,
        config: Optional[Union[Path, Dict[str, Any]]] = None,
        progress: Union[bool, None, Callable[[str, Dict[str, Any]], None]] = None,
        stop_after: Optional[int] = None,
        **options: Any,
    ) -> "Model":
        """Trains the model and keeps the weights with the lowest validation error. Returns the model itself.

        The same seed gives the same numbers, to the bit, as ``lgode train``. Ctrl-C stops the training, keeps its
        checkpoint and raises KeyboardInterrupt; the model then has the best weights so far, and
        ``model.fit(data, resume=True)`` ends with the same bytes as a training that was never interrupted.
        Other threads of Python run meanwhile, and several models can be trained in threads.

        Parameters
        ----------
        data : Dataset, path of a data set, or a table as :func:`lgode.from_table` takes it
        out : folder of the run, as ``lgode train --out``; default: a temporary folder, see :meth:`save`
        resume : continue where the training in the folder stopped; with a larger limit (``epochs``, ``minutes``):
            train it longer
        force : replace the run in ``out`` if there is one
        config : options as a dict or a JSON file; keywords win over them
        progress : True or False; default: a line in a terminal and in a notebook, single lines elsewhere.
            A function is called as progress(kind, report), with kind start, trial, centre, initial, step or epoch.
        stop_after : stop with a checkpoint once the run has taken this number of steps in total

        Raises
        ------
        ConfigError, DataError, ExistsError
        DivergedError
            The loss is no longer finite; the last checkpoint is kept.

        Options
        -------
        """
        given = checked(options, FIT_KEYS, MODEL_KEYS, "fit()", "Model()")
        data = as_dataset(data)
        folder = self._choose_folder(out, resume)
        flags = [(key, text(value)) for key, value in ({} if resume else self._options).items()]
        flags += [(key, os.fspath(value) if key == "from" else text(value)) for key, value in given.items()]
        if data._path is not None and not resume:
            flags.append(("data", data._path))
        settings, settings_name = _settings(config)
        report = Progress() if progress is None or progress is True else progress or None
        engine.train  # loads LibTorch before the work begins
        try:
            result = engine.train(
                data._set, folder, flags, settings, settings_name, resume, force, stop_after, report
            )
        except DivergedError as error:
            raise DivergedError(f"{error}; try a smaller `lr`, or a larger `sigma` if it is small") from None
        except ExistsError as error:
            raise ExistsError(
                f"{error}; pass `resume` to continue it, `force` to replace it, or choose another `out`"
            ) from None
        finally:
            if isinstance(report, Progress):
                report.close()
        interrupted, raised = result.pop("interrupted"), result.pop("error")
        self.result = result
        self._data = data
        self._source = None
        device, threads = self._machine(folder)
        self._run = engine.load_run(folder, given.get("device", device), int(given.get("threads", threads)), None, True)
        if interrupted and not result["finished"]:
            kept = "model.fit(data, resume=True)" if out is None else f"fit(data, out={folder!r}, resume=True)"
            if isinstance(report, Progress):
                report.line(
                    f"lgode: stopped after {result['epochs']} epochs and {result['steps']} steps; "
                    f"a checkpoint is kept, continue with {kept}"
                )
        if interrupted:
            raise raised if raised is not None else KeyboardInterrupt()
        return self

    def _choose_folder(self, out: Optional[Path], resume: bool) -> str:
        if out is not None:
            self._folder = os.fspath(out)
            self._temporary = None
        elif resume:
            if self._folder is None:
                raise ConfigError("`resume`: there is no training to continue; name its folder with `out`")
        else:
            self._folder = tempfile.mkdtemp(prefix="lgode-")
            self._temporary = weakref.finalize(self, shutil.rmtree, self._folder, True)
        return self._folder

    @staticmethod
    def _machine(folder: str) -> Any:
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
            config = json.load(file)
        return config["device"], config["threads"]

    @property
    def history(self) -> "pandas.DataFrame":
        """The learning curve: one row per epoch, as in metrics.jsonl."""
        if self._folder is None:
            raise ConfigError("the model is not trained yet; call fit()")
        with open(os.path.join(self._folder, "metrics.jsonl"), encoding="utf-8") as file:
            # A training that was killed may have left an incomplete last line.
            return pd.DataFrame([json.loads(line) for line in file if line.endswith("}\n")])

    # -- what it is ---------------------------------------------------------------------------------------------------

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The options that were given, as scikit-learn has it."""
        return dict(self._options)

    def set_params(self, **options: Any) -> "Model":
        """Sets options of the next training."""
        self._options.update(checked(options, MODEL_KEYS, FIT_KEYS, "Model()", "fit()"))
        return self

    @property
    def config(self) -> Dict[str, Any]:
        """Every option of the trained model with its value."""
        return dict(self._trained().info["config"])

    @property
    def weights(self) -> Dict[str, "numpy.ndarray[Any, Any]"]:
        """The weights by name, read-only. On the CPU they share the memory of the model."""
        return self._trained().weights()  # type: ignore[no-any-return]

    @property
    def device(self) -> str:
        """Where the trained model computes."""
        return str(self._trained().device)

    @property
    def reach(self) -> float:
        """How far ahead training looked, in the unit of the times."""
        return float(self._trained().reach)

    @property
    def calibrated(self) -> bool:
        """Whether the intervals are calibrated."""
        return bool(self._trained().calibrated)

    def _trained(self) -> Any:
        if self._run is None:
            raise ConfigError("the model is not trained yet; call fit(), or load one with lgode.load()")
        return self._run

    def _like(self) -> Like:
        run = self._trained()
        if self._like_of is None or self._like_of[0] is not run:
            self._like_of = (run, Like(run.table))
        return self._like_of[1]

    def _run_path(self) -> str:
        self._trained()
        return self._source if self._source is not None else str(self._folder)

    def __repr__(self) -> str:
        options = ", ".join(f"{key}={value!r}" for key, value in self._options.items())
        if self._run is None:
            return f"lgode.Model({options})"
        info = self._run.info
        task, kind = info["config"]["task"], info["config"]["model"]
        return f"<lgode.Model {kind} to {task}, trained for {info['epoch']} epochs on {info['data_name']!r}>"

    def _repr_html_(self) -> str:
        options = ", ".join(f"{key}={value!r}" for key, value in self._options.items()) or "defaults"
        if self._run is None:
            return card("Model, not trained", [("options", options)])
        info = self._run.info
        config = info["config"]
        rows = [
            ("model", config["model"]),
            ("task", f"{config['task']}, {100 * float(config['observed']):g} % observed"),
            ("trained", f"{count(int(info['epoch']), 'epoch')} on {info['data_name']}"),
            ("intervals", "calibrated" if self.calibrated else "not calibrated"),
            ("looks ahead", f"{self.reach:g}"),
            ("options", options),
        ]
        if self.result and self.result.get("best_validation") is not None:
            error, epoch = self.result["best_validation"], self.result["best_epoch"]
            rows.insert(3, ("validation error", f"{error:.4g} in epoch {epoch}"))
        return card("Model", rows)

    # -- prediction ---------------------------------------------------------------------------------------------------

    def _read(self, data: Any, edges: Any, windows: bool = False) -> Dataset:
        """The data to predict: a data set, its path, or a table with the columns of the training data."""
        table = is_table(data)
        if (isinstance(data, Dataset) or is_path(data)) and not table:
            if edges is not None:
                raise ConfigError("`edges` is about a table; the data set has its own relations")
            return as_dataset(data)
        run = self._trained()
        if table and (edges is None or isinstance(edges, (str, os.PathLike))):
            files = [os.fspath(data)] if is_path(data) else [os.fspath(entry) for entry in data]
            native, messages = run.read_table(files, "" if edges is None else os.fspath(edges), windows)
            tell(messages, 4)
            result = Dataset(native)
            result._own_table = True
            return result
        if table:
            raise ConfigError("`edges`: of a table in a file, expected a rule or the path of a table")
        options = {"first_range": run.conditioning_length}
        columns = Columns(data)
        native, report = import_columns(columns, options, edges, self._like(), windows)
        result = Dataset(native)
        result._zone = columns.zone
        result.report = report
        for note in report["messages"]:
            warnings.warn(note, stacklevel=3)
        result._own_table = True
        return result

    @takes_use("predict")
    def predict(
        self,
        data: Any,
        times: Any = None,
        *,
        start: Any = None,
        edges: Any = None,
        output: str = "frame",
        out: Optional[Path] = None,
        force: bool = False,
        **options: Any,
    ) -> Any:
        """Predicts trajectories with uncertainty, at any times.

        Parameters
        ----------
        data : Dataset, or its train or test part, a path, or a table
            A table has the columns of the training data: a DataFrame, a dict of arrays, a structured array, or the
            path of a CSV file. Times are then those of the table: frames where it has frames.
        times : times to predict; default: 60 steps to ``horizon``
            Numbers, or dates where the data has them.
        start : where the prediction starts; a forecast sees the observations before it, as an evaluation
            Default: the origin (interpolation), the last observation, which is seen, too (extrapolation). Times before
            it are refused.
        edges : of a table whose model was trained with listed relations, as in :func:`lgode.from_table`
        output : "frame" or "arrays", which have the sampled ``paths``, too, and the ``futures`` as arrays
        out : also write the file that ``lgode predict`` writes, .csv or .safetensors; ``force`` replaces it

        Returns
        -------
        DataFrame
            Tidy: system, object, time, feature, mean, std, and quantiles as q05, q95. For a table the first columns
            have its own names. ``frame.attrs["method"]`` is what predicted. With ``futures`` the columns future (0:
            the mean path, 1: the most probable one) and probability follow.
        list of Prediction
            With ``output="arrays"``: one entry per system, arrays [objects, times, features].

        Options
        -------
        """
        if output not in ("frame", "arrays"):
            raise ConfigError(f"`output` {output}: expected frame or arrays")
        run = self._trained()
        data = self._read(data, edges)
        ask: Dict[str, Any] = {"systems": data._systems, **of_use("predict", options)}
        if data._systems is not None and not data._systems:
            raise DataError("there are no systems to predict")
        if times is not None:
            ask["times"] = sorted(set(data._seconds(times, "times")))
        if start is not None:
            ask["start"] = data._seconds(start, "start")[0]
        written = None if out is None else (os.fspath(out), force, self._run_path(), data._path or "")
        self._tell_about(data, options)
        parts, messages, self._seconds_of_last_call, method = run.predict(data._set, ask, written, data._own_table)
        tell(messages)
        names = quantile_names(ask.get("quantiles"))
        relative = bool(ask.get("relative"))
        if output == "arrays":
            return predictions(parts, data, names, relative)
        result = frame(parts, data, names, relative, int(ask.get("futures") or 0))
        result.attrs["method"] = method
        return result

    def _tell_about(self, data: Dataset, options: Optional[Dict[str, Any]] = None) -> None:
        """How the data differs from what the model was trained on; once per data set and way to use it."""
        run = self._trained()
        use_outliers = (options or {}).get("outliers") == "use"
        told, ways = self._told_about.get(data._set, (None, ()))
        ways = ways if told is run else ()
        if use_outliers not in ways:
            self._told_about[data._set] = (run, (*ways, use_outliers))
            tell(run.messages_on(data._set, use_outliers), 4)

    # -- evaluation ---------------------------------------------------------------------------------------------------

    def _own_data(self) -> Dataset:
        """The data that the model was trained on."""
        if self._data is None:
            path = self._trained().info["config"].get("data", "")
            if not path:
                raise ConfigError("the model's config names no data set; pass `data`")
            if not os.path.exists(path):
                raise DataError(f"{path}: absent; the model was trained on it, pass `data` with its new path")
            self._data = open_data(path)
        return self._data

    @takes_use("evaluate")
    def evaluate(self, data: Any = None, *, edges: Any = None, **options: Any) -> "Scores":
        """The error of the model and of classical baselines on the same targets, as ``lgode evaluate``.

        Parameters
        ----------
        data : Dataset, path or table; default: the one that the model was trained on
            A new table has the columns of the training data, and is cut into windows where that was.
        edges : of a table whose model was trained with listed relations, as in :func:`lgode.from_table`

        Options
        -------
        """
        from ._scores import Scores

        run = self._trained()
        data = self._own_data() if data is None else self._read(data, edges, windows=True)
        self._tell_about(data)
        if "split" in options:  # the earlier name
            options["part"] = options.pop("split")
        result, messages = run.evaluate(data._set, of_use("evaluate", options))
        tell(messages)
        return Scores(result, [f for f in data.features])

    @takes_use("calibrate")
    def calibrate(self, data: Any = None, **options: Any) -> Dict[str, Any]:
        """Fits the intervals on systems that the model was not trained on: default its validation part.

        Parameters
        ----------
        data : Dataset, or its train or test part, or a path; default: the training data, whose validation part is used

        Options
        -------
        """
        run = self._trained()
        settings = of_use("calibrate", options)
        given = data is not None
        data = as_dataset(data) if given else self._own_data()
        result, messages = run.calibrate(data._set, given, settings, data._systems if given else None)
        tell(messages)
        return result  # type: ignore[no-any-return]

    # -- filling ------------------------------------------------------------------------------------------------------

    @takes_use("fill")
    def fill(
        self,
        table: Any = None,
        *,
        data: Any = None,
        edges: Any = None,
        intervals: bool = False,
        **options: Any,
    ) -> "pandas.DataFrame":
        """A table with its missing values filled and a column ``imputed`` that names what was, as ``lgode predict --fill``.

        Every feature is filled by the model, by a straight line or by cubic Hermite, whichever is best on gaps cut into
        known values; ``frame.attrs["fill"]`` says how. A model that forecasts (task="extrapolate") cannot fill: then
        the classical paths do, with a warning.

        Parameters
        ----------
        table : DataFrame, dict of columns or path of a CSV file; default: the rows of the training data
            It keeps its rows, their order and its other columns; rows added by ``all_times`` come last. A Dataset: its
            rows, by system, object and time.
        data : Dataset with the systems of the table, for their relations
            Default: the training data if it has them, else a data set made of the table.
        edges : of a table whose model was trained with listed relations
        intervals : put the intervals of the filled values into ``frame.attrs["intervals"]``

        Options
        -------
        """
        from ._fill import fill

        return fill(self, table, data, edges, intervals, of_use("fill", options))

    # -- streams ------------------------------------------------------------------------------------------------------

    def follow(self, *, late: float = 0.0, edges: Any = None, outliers: str = "flag") -> "Follower":
        """Forecasts from rows as they come: keeps a state per system, takes rows in, and forecasts at any time.

        For models of kind assimilate that forecast, trained on one device, used on the CPU.

        Parameters
        ----------
        late : rows may come late by this much, counted from their system's newest row; in the data's unit of time,
            seconds where its times are frames or dates
        edges : relations, where the training data lists them: a table with source and target and, where there are
            such, system, type and weight
        outliers : observations that jump away from their object's path and back: "flag" does not use them, warns, and
            counts them (``kept``), "use" takes them as they are
        """
        from ._follow import Follower

        return Follower(self, late, edges, outliers)

    # -- files --------------------------------------------------------------------------------------------------------

    def save(self, path: Path, *, force: bool = False) -> "Model":
        """Writes the run folder: what ``lgode evaluate``, ``predict`` and :func:`lgode.load` take. Returns the model."""
        run = self._trained()
        target = os.fspath(path)
        if self._folder is not None and os.path.exists(target) and os.path.samefile(self._folder, target):
            return self
        if os.path.exists(target):
            holds = any(os.path.exists(os.path.join(target, name)) for name in RUN_FILES)
            if not os.path.isdir(target) or (holds and not force):
                raise ExistsError(f"{target}: exists already; pass `force` to replace it, or choose another path")
        os.makedirs(target, exist_ok=True)
        source = self._folder if self._folder is not None else os.path.dirname(str(run.path))
        for name in RUN_FILES:
            origin = os.path.join(source, name)
            if os.path.exists(origin):
                temporary = os.path.join(target, name + ".tmp")
                shutil.copyfile(origin, temporary)
                os.replace(temporary, os.path.join(target, name))
            elif os.path.exists(os.path.join(target, name)):
                os.remove(os.path.join(target, name))
        if self._folder is None or self._temporary is not None:
            self._folder, self._temporary = target, None
        return self

    def plot(self, data: Any = None, system: Any = 0, **options: Any) -> Any:
        """Predicts one system and draws it: :func:`lgode.plot` of the prediction, with the observed points."""
        from ._plot import plot

        chosen = self._own_data().test if data is None else self._read(data, options.pop("edges", None))
        chosen = chosen[system]
        asked = {key: options.pop(key) for key in ("times", "start", "relative", "samples", "seed") if key in options}
        return plot(self.predict(chosen, **asked), chosen, **options)

    def __getstate__(self) -> Dict[str, Any]:
        state: Dict[str, Any] = {"options": self._options, "result": self.result, "files": {}}
        if self._run is not None:
            folder = self._folder if self._folder is not None else os.path.dirname(str(self._run.path))
            for name in RUN_FILES:
                if os.path.exists(os.path.join(folder, name)):
                    with open(os.path.join(folder, name), "rb") as file:
                        state["files"][name] = file.read()
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        Model.__init__(self)
        self._options, self.result = state["options"], state["result"]
        if not state["files"]:
            return
        folder = self._choose_folder(None, False)
        for name, content in state["files"].items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        # As many threads as it was trained with, so that copies in several processes do not take all cores each; a GPU
        # may be absent here.
        threads = int(self._machine(folder)[1]) if "config.json" in state["files"] else 0
        self._run = engine.load_run(folder, "auto", threads, None, True)


Model.__doc__ = Model.__init__.__doc__


def load(path: Path, *, device: str = "auto", threads: int = 0, step: Optional[float] = None) -> Model:
    """A trained model from a run folder or a checkpoint, of ``lgode train`` or of :meth:`Model.save`.

    Parameters
    ----------
    device : "auto", "cpu" or "cuda"
    threads : 0: all cores
    step : step of the solver, in model time; default: the run's own
    """
    name = os.fspath(path)
    tell_threads(threads)
    run = engine.load_run(name, device, threads, step, True)
    model = Model()
    config = run.info["config"]
    model._options = {key: config[key] for key in MODEL_KEYS if key in config}
    model._run = run
    model._source = name
    model._folder = name if os.path.isdir(name) else None
    return model


def tell(messages: List[Tuple[bool, str]], stacklevel: int = 3) -> None:
    """The messages of the library about a call, as warnings."""
    for _, message in messages:
        warnings.warn(message, stacklevel=stacklevel)


def tell_threads(threads: Any) -> None:
    """That more threads than cores were asked for, as a warning."""
    note = _data.threads_note(int(threads or 0))
    if note:
        warnings.warn(note, stacklevel=3)


def is_table(data: Any) -> bool:
    """Whether this is the path of a table, or a list of such paths."""
    if is_paths(data):
        return all(is_table(entry) for entry in data)
    return is_path(data) and os.fspath(data).lower().endswith((".csv", ".tsv", ".txt"))


def as_dataset(data: Any) -> Dataset:
    if isinstance(data, Dataset):
        return data
    if is_path(data):
        return open_data(data)
    from ._from_table import from_table

    return from_table(data)


def _settings(config: Any) -> Any:
    """A config file, or what ``lgode train --print-config --json`` wrote, as JSON; and its name."""
    if config is None:
        return "", ""
    if isinstance(config, dict):
        return json.dumps(config), "config"
    with open(config, encoding="utf-8") as file:
        content = json.load(file)
    plain = {
        key: value["value"] if isinstance(value, dict) and "value" in value else value for key, value in content.items()
    }
    return json.dumps(plain), os.fspath(config)


__all__ = ["Model", "Prediction", "load"]
