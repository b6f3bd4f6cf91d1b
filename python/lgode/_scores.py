"""The result of an evaluation."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Sequence

from ._html import card
from ._lazy import pd

if TYPE_CHECKING:
    import pandas


class Scores:
    """Errors of a model and of classical baselines on the same targets. Errors are mean squared and normalised.

    Attributes
    ----------
    verdict : str, whether the model is ahead of the best classical baseline, by how much and how certain that is
    distance : mean distance of predicted from true positions, in their unit; NaN without positions
    mse : error over all targets
    mse_unseen : error over the targets that the model did not see
    table : DataFrame, one row per method: mse, mse_unseen, mse_first_half, any other metric of one number, and the
        ratio to the model
    positions : DataFrame, one row per method and one column per metric over positions: ade, fde, miss_rate and others;
        empty without positions, and ``raw["positions"]["note"]`` says why
    positions_horizon : DataFrame, the same over the time since the start, several rows per method: begin, end, ade, ...
    rmse : DataFrame, one row per method and one column per feature, in original units
    horizon : DataFrame, the error over time since the start, several rows per method: begin, end, mse, values;
        ``horizon.loc["model"]`` are the model's
    intervals : DataFrame, one row per method: coverage and width of intervals, score and CRPS; empty if the model is
        not calibrated
    raw : everything, as ``lgode evaluate --json`` has it
    """

    def __init__(self, raw: Dict[str, Any], features: List[str]) -> None:
        self.raw = raw
        self.features = features

    @property
    def mse(self) -> float:
        return _number(self.raw["model"]["mse"])

    @property
    def mse_unseen(self) -> float:
        return _number(self.raw["model"]["mse_unseen"])

    @property
    def verdict(self) -> str:
        verdict = self.raw.get("verdict", {})
        lines = (verdict.get("worst"), verdict.get("text"), verdict.get("advice"))
        return "\n".join(line for line in lines if line)

    @property
    def distance(self) -> float:
        return _number(self.raw["model"].get("distance"))

    def _methods(self) -> Dict[str, Dict[str, Any]]:
        return {"model": self.raw["model"], **self.raw.get("classical", {})}

    @property
    def table(self) -> "pandas.DataFrame":
        keys = _metrics(self.raw["model"])
        rows = {name: {key: _number(scores.get(key)) for key in keys} for name, scores in self._methods().items()}
        table = pd.DataFrame.from_dict(rows, orient="index")
        table["ratio"] = table["mse"] / self.mse
        table.index.name = "method"
        return table

    @property
    def rmse(self) -> "pandas.DataFrame":
        rows = {
            name: {feature["feature"]: _number(feature["rmse"]) for feature in scores["features"]}
            for name, scores in self._methods().items()
        }
        table = pd.DataFrame.from_dict(rows, orient="index")
        table.index.name = "method"
        return table

    @property
    def _position_metrics(self) -> List[Dict[str, str]]:
        """What the model has: key, name and unit of each."""
        return self.raw.get("positions", {}).get("metrics", [])  # type: ignore[no-any-return]

    @property
    def positions(self) -> "pandas.DataFrame":
        keys = [metric["key"] for metric in self._position_metrics]
        if not keys:
            return pd.DataFrame()
        rows = {name: {key: _number(scores.get(key)) for key in keys} for name, scores in self._methods().items()}
        table = pd.DataFrame.from_dict(rows, orient="index")
        table.index.name = "method"
        return table

    @property
    def positions_horizon(self) -> "pandas.DataFrame":
        keys = [metric["key"] for metric in self._position_metrics]
        return self._bins(("begin", "end"), keys) if keys else pd.DataFrame()

    @property
    def horizon(self) -> "pandas.DataFrame":
        return self._bins(("begin", "end", "mse", "values"), ())

    def _bins(self, known: Sequence[str], metrics: Sequence[str]) -> "pandas.DataFrame":
        """Parts of the range, several rows per method; a metric that a method lacks is NaN."""
        bins: List[Dict[str, Any]] = []
        for name, scores in self._methods().items():
            for entry in scores.get("horizon", []):
                bins.append({"method": name, **{key: entry[key] for key in known}})
                bins[-1].update({key: _number(entry.get(key)) for key in metrics})
        return pd.DataFrame(bins).set_index("method") if bins else pd.DataFrame()

    @property
    def intervals(self) -> "pandas.DataFrame":
        raw = self.raw.get("intervals")
        if not raw:
            return pd.DataFrame()
        rows = {}
        for name, scores in {"model": raw["model"], **raw.get("classical", {})}.items():
            row = {f"coverage.{level}": _number(share) for level, share in scores["coverage"].items()}
            row.update({f"width.{level}": _number(width) for level, width in scores["width"].items()})
            row.update(interval_score=_number(scores["interval_score"]), crps=_number(scores["crps"]))
            rows[name] = {**row, "values": scores["values"]}
        table = pd.DataFrame.from_dict(rows, orient="index")
        table.index.name = "method"
        return table

    @property
    def _units(self) -> "pandas.DataFrame":
        """Errors in units, one row per method: of features, and the distance of positions."""
        table = self.rmse.add_prefix("RMSE of ")
        distances = {name: _number(scores.get("distance")) for name, scores in self._methods().items()}
        if self.distance == self.distance:
            table["mean distance"] = pd.Series(distances)
        return table

    def _repr_html_(self) -> str:
        verdict = "".join(f"<div>{html.escape(line)}</div>" for line in self.verdict.splitlines())
        form = "{:.4g}".format
        normalised = self.table[["mse", "mse_unseen", "ratio"]]
        return card(
            "Scores",
            [],
            f"{verdict}<div>errors in units</div>{self._units.to_html(float_format=form)}{self._positions_html(form)}"
            f"<div>mean squared errors, normalised</div>{normalised.to_html(float_format=form)}",
        )

    def __repr__(self) -> str:
        return (
            f"<lgode.Scores of the model and {len(self._methods()) - 1} classical methods>\nerrors in units:\n"
            f"{self._units}\n{self._positions_text()}mean squared errors, normalised ({100 * self.mse:.4g} x 10^-2 of "
            f"the model):\n{self.table.drop(columns=self.positions.columns)}\n{self.verdict}"
        )

    @property
    def _note(self) -> str:
        """Why there are no metrics over positions, or what their limits mean."""
        return str(self.raw.get("positions", {}).get("note", ""))

    def _positions_text(self) -> str:
        table = self.positions
        text = "" if table.empty else f"over positions:\n{table.T}\n"
        return text + (f"{self._note}\n" if self._note else "")

    def _positions_html(self, form: Callable[[float], str]) -> str:
        table = self.positions
        text = "" if table.empty else f"<div>over positions</div>{table.T.to_html(float_format=form)}"
        return text + (f"<div>{html.escape(self._note)}</div>" if self._note else "")


_FIRST = ("mse", "mse_unseen", "mse_first_half")
_COUNTS = ("systems", "objects", "values")


def _metrics(scores: Dict[str, Any]) -> List[str]:
    """Keys of the metrics of one number."""
    others = [key for key, value in scores.items() if value is None or isinstance(value, (int, float))]
    return list(_FIRST) + [key for key in others if key not in _FIRST and key not in _COUNTS]


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)
