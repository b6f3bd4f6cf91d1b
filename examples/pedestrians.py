"""Pedestrians: from raw text files to forecasts and a picture.

The recordings of ETH and UCY (docs/real-scenes.md says where they come from): text files without a header, a row for
each frame and person, 25 frames a second. The cells can be run one by one in an editor that knows "# %%".

    python3 examples/pedestrians.py FOLDER_WITH_TEXT_FILES [--epochs 30] [--scenes '*.txt'] [--out pedestrians.png]
"""

# %% What to read
import argparse
import glob
import os

import numpy as np
import pandas as pd

import lgode

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("folder", nargs="?", default=os.path.join(os.environ.get("LGODE_TEST_DATA", "."), "pedestrians"))
parser.add_argument("--scenes", default="*.txt", help="which of the files")
parser.add_argument("--epochs", type=int, default=30)
parser.add_argument("--threads", type=int, default=0)
parser.add_argument("--out", default="pedestrians.png", help="the picture")
arguments = parser.parse_args()
files = sorted(glob.glob(os.path.join(arguments.folder, arguments.scenes)))
if not files:
    raise SystemExit(f"{arguments.folder}: there are no recordings {arguments.scenes}; name their folder")

# %% One table of all recordings, as pandas has it
tables = [
    pd.read_csv(file, sep=r"\s+", names=["frame", "person", "x", "y"]).assign(
        scene=os.path.splitext(os.path.basename(file))[0]
    )
    for file in files
]
table = pd.concat(tables, ignore_index=True)
print(table.groupby("scene")["person"].agg(rows="size", people="nunique"))

# %% A data set: windows of eight seconds, velocities derived from what a model sees, one scene held out
data = lgode.from_table(
    table,
    system="scene",
    object="person",
    time="frame",
    rate=25,
    units={"x": "m", "y": "m"},
    velocities="difference",
    window=8,
    test_systems=["biwi_hotel"],
)
print(data)
print(data.check_up().to_string())

# %% A model that forecasts: it sees the first four seconds of a window and predicts the others
model = lgode.Model(task="extrapolate", observed=1.0)
model.fit(data, schedule="cosine", epochs=arguments.epochs, threads=arguments.threads)
scores = model.evaluate()
print(scores)

# %% Forecasts of the held-out scene, four seconds ahead
# Relative to each window's start: seen until second 4, forecast to second 7.6.
forecast = model.predict(data.test, times=np.arange(4.0, 7.7, 0.4), start=4.0, relative=True)
people = forecast.groupby("system")["object"].nunique()
busiest = people.idxmax()
print(f"{len(forecast):,} forecast values; the busiest window is {busiest} with {people.max()} people")

# %% The picture: paths with intervals over what happened, and the error over the horizon
import matplotlib  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

figure, (plane, errors) = plt.subplots(1, 2, figsize=(11, 4.5))
lgode.plot(forecast, data, system=busiest, plane=True, ax=plane)
plane.set_title(f"{busiest}: observed (points) and forecast (lines)")
lgode.plot(scores, ax=errors)
errors.set_title("error over the horizon")
figure.tight_layout()
figure.savefig(arguments.out)
print(arguments.out)
