"""Pictures with matplotlib: paths with bands and observed points, errors over the horizon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Sequence

from ._errors import ConfigError
from ._lazy import np

if TYPE_CHECKING:
    from ._dataset import Dataset


def plot(
    what: Any,
    data: Optional["Dataset"] = None,
    *,
    system: Any = None,
    objects: Optional[Sequence[Any]] = None,
    features: Optional[Sequence[str]] = None,
    plane: bool = False,
    ax: Any = None,
) -> Any:
    """Draws a prediction, or the errors of an evaluation. Returns the axes: one, or an array of one per feature.

    Parameters
    ----------
    what : DataFrame of :meth:`Model.predict` or :meth:`Follower.forecast`, or :class:`Scores`
        Scores: the error over the time since the start, as bars. A prediction: a line per object with the band between
        its outermost quantiles.
    data : Dataset
        Draws the observed points, too.
    system : the system to draw; default: the first
    objects, features : which of them; default: up to ten objects, all features
    plane : draw paths in the plane of the first two features instead of features over time
    ax : axes to draw into
    """
    import matplotlib.pyplot as plt

    from ._scores import Scores

    if isinstance(what, Scores):
        return _errors(what, ax if ax is not None else plt.subplots()[1])
    if len(what) == 0:
        raise ConfigError("there is nothing to draw: the prediction has no rows")
    frame = _usual_names(what)
    if system is None:
        system = frame["system"].iloc[0]
    frame = frame[frame["system"] == system]
    if len(frame) == 0:
        raise ConfigError(f"`system` {system}: the prediction has no such system")
    names = list(features) if features is not None else list(frame["feature"].unique())
    if objects is None:
        objects = list(frame["object"].unique())[:10]
    observed = _observed(data, system)
    if plane:
        if len(names) < 2:
            raise ConfigError("`plane` needs two features")
        return _plane(frame, observed, objects, names[:2], ax if ax is not None else plt.subplots()[1])
    if ax is None:
        _, ax = plt.subplots(len(names), 1, sharex=True, squeeze=False, figsize=(8, 2.2 * len(names)))
        ax = ax[:, 0]
    axes = np.atleast_1d(ax)
    if len(axes) < len(names):
        raise ConfigError(f"`ax`: {len(axes)} axes for {len(names)} features")
    quantiles = _quantiles(frame)
    for axis, name in zip(axes, names):
        for k, one in enumerate(objects):
            rows = frame[(frame["object"] == one) & (frame["feature"] == name)]
            colour = f"C{k % 10}"
            axis.plot(rows["time"], rows["mean"], color=colour, lw=1.5, label=str(one))
            if quantiles:
                low, high = rows[quantiles[0]], rows[quantiles[-1]]
                axis.fill_between(rows["time"], low, high, color=colour, alpha=0.2, lw=0)
            if observed is not None:
                seen = observed[observed["object"] == one]
                axis.plot(seen["time"], seen[name], "o", ms=3, color=colour)
        axis.set_ylabel(name)
    axes[len(names) - 1].set_xlabel("time")
    if len(objects) > 1:
        axes[0].legend(title="object", fontsize="small", loc="upper left", bbox_to_anchor=(1.01, 1.0))
    axes[0].set_title(f"system {system}: mean{f', {quantiles[0]} to {quantiles[-1]}' if quantiles else ''}")
    return axes if len(names) > 1 else axes[0]


def _usual_names(frame: Any) -> Any:
    """The columns system, object and time, whatever a table of the caller calls them."""
    names = list(frame.columns)
    if "feature" not in names or {"system", "object", "time"} <= set(names):
        return frame
    *systems, object_, time = names[: names.index("feature")]
    system = frame[systems].astype(str).agg("/".join, axis=1) if len(systems) > 1 else frame[systems[0]] if systems else ""
    return frame.rename(columns={object_: "object", time: "time"}).assign(system=system)


def _quantiles(frame: Any) -> List[str]:
    names = [name for name in frame.columns if name.startswith("q") and name[1:].replace(".", "").isdigit()]
    return sorted(names, key=lambda name: float(name[1:]))


def _observed(data: Optional["Dataset"], system: Any) -> Any:
    if data is None:
        return None
    names = data.systems
    if system not in names:
        return None
    return data[names.index(system)].to_frame()


def _plane(frame: Any, observed: Any, objects: Sequence[Any], names: List[str], axis: Any) -> Any:
    quantiles = _quantiles(frame)
    for k, one in enumerate(objects):
        rows = frame[frame["object"] == one]
        x, y = (rows[rows["feature"] == name] for name in names)
        colour = f"C{k % 10}"
        axis.plot(x["mean"].to_numpy(), y["mean"].to_numpy(), color=colour, lw=1.5, label=str(one))
        if quantiles:  # a cross at the end: how wide the intervals are there
            for side, other, flip in ((x, y, False), (y, x, True)):
                low, high = (side[q].to_numpy()[-1] for q in (quantiles[0], quantiles[-1]))
                middle = other["mean"].to_numpy()[-1]
                ends, across = [low, high], [middle, middle]
                axis.plot(*((across, ends) if flip else (ends, across)), color=colour, lw=1, alpha=0.6)
        if observed is not None:
            seen = observed[observed["object"] == one]
            axis.plot(seen[names[0]], seen[names[1]], "o", ms=3, color=colour, alpha=0.7)
    axis.set_xlabel(names[0])
    axis.set_ylabel(names[1])
    axis.set_aspect("equal", adjustable="datalim")
    return axis


def _errors(scores: Any, axis: Any) -> Any:
    bins = scores.horizon.loc[["model"]]
    bins = bins[bins["mse"].notna()]
    width = (bins["end"] - bins["begin"]).to_numpy(dtype=float)
    axis.bar(bins["begin"].to_numpy(dtype=float), 100 * bins["mse"].to_numpy(dtype=float), width=width, align="edge", edgecolor="white")
    axis.set_xlabel("time since the start")
    axis.set_ylabel("mean squared error x 10^-2")
    return axis
