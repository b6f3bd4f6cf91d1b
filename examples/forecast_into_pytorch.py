"""An lgode forecast as the input of a PyTorch model: will two of the particles come close?

lgode forecasts where five particles on springs will be, with intervals. A small network of PyTorch then learns from the
forecasts which systems will see two particles within a distance - a question that needs no trajectory, only a number.

    python3 examples/forecast_into_pytorch.py [--epochs 4] [--train 600]
"""

# %% Data and forecasts
import argparse
import itertools

import numpy as np
import torch

import lgode

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--epochs", type=int, default=4)
parser.add_argument("--train", type=int, default=600)
parser.add_argument("--threads", type=int, default=0)
arguments = parser.parse_args()

data = lgode.simulate("springs", train=arguments.train, test=arguments.train // 2)
model = lgode.Model(task="extrapolate", observed=0.6)
model.fit(data, schedule="cosine", epochs=arguments.epochs, threads=arguments.threads)

# %% Seen until second 6, forecast from there: arrays [objects, times, features] per system, straight into tensors
times = np.arange(6.0, 10.01, 0.5)
predictions = model.predict(data.test, times=times, start=6.0, output="arrays")
mean = torch.from_numpy(np.stack([p.mean for p in predictions])).float()  # [systems, objects, times, x y vx vy]
std = torch.from_numpy(np.stack([p.std for p in predictions])).float()
print("forecasts", tuple(mean.shape))

# %% What really happened: the smallest distance of any two particles between second 6 and 10
frame = data.test.to_frame()
later = frame[frame["time"].between(6.0, 10.0)]
closest = []
for _, system in later.groupby("system"):
    tracks = {name: rows.set_index("time")[["x", "y"]] for name, rows in system.groupby("object")}
    gaps = []
    for a, b in itertools.combinations(tracks.values(), 2):
        both = a.join(b, lsuffix="1", rsuffix="2", how="inner")
        gaps.append(np.hypot(both["x1"] - both["x2"], both["y1"] - both["y2"]).min())
    closest.append(np.nanmin(gaps))
closest = np.asarray(closest)
near = torch.from_numpy((closest < np.median(closest)).astype("float32"))

# %% A network on the forecasts: distances of all pairs and how sure they are
first, second = zip(*itertools.combinations(range(mean.shape[1]), 2))
gap = (mean[:, first, :, :2] - mean[:, second, :, :2]).norm(dim=-1)  # [systems, pairs, times]
doubt = std[:, first, :, :2].norm(dim=-1) + std[:, second, :, :2].norm(dim=-1)
inputs = torch.stack([gap.amin(dim=(1, 2)), (gap - doubt).amin(dim=(1, 2)), doubt.mean(dim=(1, 2))], dim=1)
half = len(inputs) // 2
inputs = (inputs - inputs[:half].mean(0)) / inputs[:half].std(0)

torch.manual_seed(1)
network = torch.nn.Sequential(torch.nn.Linear(3, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
optimizer = torch.optim.Adam(network.parameters(), lr=0.02, weight_decay=1e-2)
for _ in range(150):
    loss = torch.nn.functional.binary_cross_entropy_with_logits(network(inputs[:half])[:, 0], near[:half])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# %% On systems that neither model was trained on
with torch.no_grad():
    right = ((network(inputs[half:])[:, 0] > 0) == (near[half:] > 0.5)).float().mean()
print(f"loss {loss.item():.3f}; {100 * right.item():.0f} % of {len(inputs) - half} systems are told right, half by chance")
