"""Pictures: what is drawn, without looking at it."""

import numpy as np
import pytest

import lgode

pytest.importorskip("matplotlib")


def test_paths_with_bands_and_points(forecaster, springs, tmp_path):
    forecast = forecaster.predict(springs.test, times=np.arange(2, 3, 0.1), start=2.0)
    axes = lgode.plot(forecast, springs, system=26, features=["x", "vy"], objects=[0, 3])
    assert len(axes) == 2 and axes[1].get_ylabel() == "vy"
    lines, bands = axes[0].get_lines(), axes[0].collections
    assert len(lines) == 4 and len(bands) == 2  # two means, two rows of points, two bands
    rows = forecast[(forecast["system"] == 26) & (forecast["object"] == 3) & (forecast["feature"] == "x")]
    np.testing.assert_allclose(lines[2].get_ydata(), rows["mean"])
    seen = springs["26"].to_frame()
    np.testing.assert_allclose(lines[3].get_ydata(), seen[seen["object"] == 3]["x"])
    axes[0].figure.savefig(tmp_path / "paths.png")
    assert (tmp_path / "paths.png").stat().st_size > 5000
    plane = lgode.plot(forecast, springs, plane=True)
    assert plane.get_xlabel() == "x" and plane.get_ylabel() == "y"
    with pytest.raises(lgode.ConfigError, match="`system` 99"):
        lgode.plot(forecast, system=99)


def test_error_over_the_horizon(forecaster):
    scores = forecaster.evaluate()
    axis = lgode.plot(scores)
    heights = [bar.get_height() for bar in axis.patches]
    np.testing.assert_allclose(heights, 100 * scores.horizon.loc["model", "mse"].dropna())
    assert "error" in axis.get_ylabel()


def test_a_model_draws_its_own_forecast(forecaster):
    axes = forecaster.plot(system=1, features=["x"], times=np.arange(2, 3, 0.2), start=2.0)
    assert "system 25" in axes.get_title()
