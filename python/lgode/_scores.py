"""The result of an evaluation."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Dict, List

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
    def horizon(self) -> "pandas.DataFrame":
        bins = [
            {"method": name, **entry} for name, scores in self._methods().items() for entry in scores.get("horizon", [])
        ]
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
            f"{verdict}<div>errors in units</div>{self._units.to_html(float_format=form)}"
            f"<div>mean squared errors, normalised</div>{normalised.to_html(float_format=form)}",
        )

    def __repr__(self) -> str:
        return (
            f"<lgode.Scores of the model and {len(self._methods()) - 1} classical methods>\nerrors in units:\n"
            f"{self._units}\nmean squared errors, normalised ({100 * self.mse:.4g} x 10^-2 of the model):\n"
            f"{self.table}\n{self.verdict}"
        )


_FIRST = ("mse", "mse_unseen", "mse_first_half")
_COUNTS = ("systems", "objects", "values")


def _metrics(scores: Dict[str, Any]) -> List[str]:
    """Keys of the metrics of one number."""
    others = [key for key, value in scores.items() if value is None or isinstance(value, (int, float))]
    return list(_FIRST) + [key for key in others if key not in _FIRST and key not in _COUNTS]


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)
