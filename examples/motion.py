"""Motion capture: a walking skeleton, with gaps filled and the next half second forecast.

Subject 35 of the CMU database (docs/motion.md says where the files come from).

    python3 examples/motion.py FOLDER_WITH_ASF_AND_AMC [--epochs 20] [--trials 15] [--out motion.png]
"""

# %% What to read
import argparse
import glob
import os

import numpy as np

import lgode

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("folder", nargs="?", default=os.path.join(os.environ.get("LGODE_TEST_DATA", "."), "cmu-mocap-35"))
parser.add_argument("--epochs", type=int, default=20)
parser.add_argument("--trials", type=int, default=15, help="trials to train on")
parser.add_argument("--threads", type=int, default=0)
parser.add_argument("--out", default="motion.png", help="the picture")
arguments = parser.parse_args()
skeleton = os.path.join(arguments.folder, "35.asf")
trials = sorted(glob.glob(os.path.join(arguments.folder, "35_*.amc")))
if not os.path.exists(skeleton) or len(trials) < 2:
    raise SystemExit(f"{arguments.folder}: there is no 35.asf with its trials; name their folder")

# %% Every joint is an object, every bone a relation; a training window has 50 frames
data = lgode.from_motion(skeleton, train=trials[1 : 1 + arguments.trials], test=trials[-2:])
print(data)
print(data.feature_info()[["range.min", "range.max", "velocity_of"]])

# %% Forecasts: seen are 50 frames, predicted the next ones
forecaster = lgode.Model(task="extrapolate", observed=0.6)
forecaster.fit(data, schedule="cosine", epochs=arguments.epochs, threads=arguments.threads)
scores = forecaster.evaluate()
print(scores.table)
window = data.test[0]
half = 25 / 120
forecast = forecaster.predict(window, times=np.arange(50, 76) / 120, start=50 / 120)

# %% Gaps: hide a tenth of the values and fill them
filler = lgode.Model(task="interpolate", hide_values=0.1)
filler.fit(data, schedule="cosine", epochs=max(1, arguments.epochs // 4), threads=arguments.threads)
table = window.to_frame()
truth = table["y"].copy()
hidden = np.random.default_rng(1).random(len(table)) < 0.1
table.loc[hidden, "y"] = np.nan
filled = filler.fill(table, data=data)
error = float(np.sqrt(np.mean((filled["y"] - truth)[hidden] ** 2)))
print(f"{hidden.sum()} hidden heights are filled with a root mean square error of {error:.3f}")
print(filled.attrs["fill"]["features"])

# %% The picture: three joints of the skeleton
import matplotlib  # noqa: E402

matplotlib.use("Agg")
joints = [name for name in ("lfoot", "rfoot", "lhand") if name in window.objects()] or window.objects()[:3]
axes = lgode.plot(forecast, data, objects=joints, features=["y", "vy"])
axes[0].figure.tight_layout()
axes[0].figure.savefig(arguments.out)
print(arguments.out)
