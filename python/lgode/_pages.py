"""Pages of runs to look at in a browser: what ``lgode report`` and ``lgode compare`` write."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union

from ._dataset import Dataset, Path
from ._errors import ConfigError
from ._lazy import engine

if TYPE_CHECKING:
    from ._model import Model

    Run = Union[Path, Model]


class Page(str):
    """The path of a page. ``left_out`` lists what the page omits; a notebook shows a link."""

    left_out: List[str]

    def __new__(cls, written: Dict[str, Any]) -> "Page":
        page = super().__new__(cls, written["path"])
        page.left_out = list(written["left_out"])
        return page

    def _repr_html_(self) -> str:
        from html import escape

        return f'<a href="{escape(self, quote=True)}" target="_blank">{escape(self)}</a>'


def report(
    run: "Run",
    out: Optional[Path] = None,
    *,
    data: Any = None,
    systems: int = 12,
    max_bytes: int = 5_000_000,
    force: bool = False,
    allow_mismatch: bool = False,
    open: bool = False,  # noqa: A002 - as the option of the command
    threads: int = 0,
    device: str = "auto",
) -> Page:
    """Writes a page of a run, as ``lgode report``: its errors, curves and predicted systems. Returns its path.

    Parameters
    ----------
    run : run folder or checkpoint, or a trained Model
    out : the page; default: report.html in the run folder
    data : Dataset or path; default: what the run was trained on
    systems : systems to show: the best, the median, the worst and others between
    max_bytes : largest size of the page; fewer times and systems are shown to keep it
    force : replace a file that is not a page of lgode
    allow_mismatch : even if units or time spans of the data differ from the training data's
    open : show the page in the browser
    threads, device : of a run that is loaded; a Model has its own
    """
    from ._model import Model, tell, tell_threads

    _check_number("systems", systems, 1)
    _check_number("max_bytes", max_bytes, 1_000_000)
    if isinstance(run, Model):
        native = run._trained()
        name = run._run_path()
        if out is None and run._temporary is not None:
            raise ConfigError("`out`: the model is not saved; name the page, or call model.save() first")
    else:
        native = None
        name = _path_of(run)
        tell_threads(threads)
    given = data
    if given is None and isinstance(run, Model) and run._data is not None:
        given = run._data
    set_, path = _data_of(given)
    plan_path, note = engine.page_plan(name, path or ("a data set in memory" if set_ is not None else ""))
    target = engine.default_page_path(name) if out is None else os.fspath(out)
    engine.check_page_writable(target, force)
    if note:
        tell([(True, f"{name}: {note}")])
        written = engine.report_page(target, name, note, None, None, "", systems, max_bytes, allow_mismatch)
    else:
        if native is None:
            native = engine.load_run(name, device, threads, None, True)
        if set_ is None:
            set_ = _load(plan_path)
        tell(native.messages_on(set_))
        written = engine.report_page(
            target, name, "", native, set_, path or plan_path, systems, max_bytes, allow_mismatch
        )
        tell(written["messages"])
    return _opened(Page(written), open)


def compare(
    runs: "Sequence[Run]",
    out: Path,
    *,
    data: Optional[Path] = None,
    force: bool = False,
    allow_mismatch: bool = False,
    open: bool = False,  # noqa: A002 - as the option of the command
    threads: int = 0,
    device: str = "auto",
) -> Page:
    """Writes a page with several runs side by side, as ``lgode compare``. Returns its path.

    Parameters
    ----------
    runs : run folders, checkpoints or saved models, two or more
    out : the page
    data : path of the data set for all runs; default: the one each was trained on
    force : replace a file that is not a page of lgode
    allow_mismatch : even if units or time spans of the data differ from the training data's
    open : show the page in the browser
    """
    from ._model import Model, tell, tell_threads

    names = [run._run_path() if isinstance(run, Model) else _path_of(run) for run in runs]
    tell_threads(threads)
    written = engine.comparison_page(
        os.fspath(out), names, "" if data is None else os.fspath(data), force, allow_mismatch, device, threads
    )
    tell(written["messages"])
    return _opened(Page(written), open)


def _path_of(run: Any) -> str:
    return str(os.fspath(run))


def _check_number(name: str, value: int, least: int) -> None:
    if value < least:
        raise ConfigError(f"`{name}` {value}: expected {least} or more")


def _data_of(data: Any) -> Any:
    """The set in memory and the path of it; None for what is not known."""
    if data is None:
        return None, None
    if isinstance(data, Dataset):
        return data._set, data._path
    return None, os.fspath(data)


def _load(path: str) -> Any:
    from ._dataset import open as open_data

    return open_data(path)._set


def _opened(page: Page, wanted: bool) -> Page:
    if wanted:
        import pathlib
        import webbrowser

        webbrowser.open(pathlib.Path(page).absolute().as_uri())
    return page


__all__ = ["Page", "compare", "report"]
