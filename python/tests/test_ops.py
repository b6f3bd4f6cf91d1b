"""The operators on torch tensors, and lgode beside PyTorch in one process."""

import pytest

from conftest import python

torch = pytest.importorskip("torch")
ops = pytest.importorskip("lgode.ops")


def weights(*shapes, seed=1, dtype=torch.float32):
    generator = torch.Generator().manual_seed(seed)
    return [(torch.rand(shape, generator=generator, dtype=dtype) - 0.5).requires_grad_() for shape in shapes]


def attention(dtype, impl, window=1.0):
    d = 8
    w = weights((d, d + 1), (d,), (d, d), (d,), (2, d, d), (2, d), (2, d, d), (2, d), dtype=dtype)
    x = weights((7, d), seed=2, dtype=dtype)[0]
    times = torch.tensor([0.0, 0.2, 0.9, 0.1, 0.5, 0.3, 0.8], dtype=torch.float64)
    out = ops.temporal_attention(
        x, w, times, torch.tensor([0, 3, 5, 7]), torch.tensor([0, 1, 2, 2]), torch.tensor([1, 0]), window=window, impl=impl
    )
    return x, w, times, out


def test_temporal_attention_against_plain_torch():
    """Object by object, edge by edge, as the equations say."""
    x, (w_t, b_t, w_q, b_q, w_k, b_k, w_v, b_v), times, out = attention(torch.float64, "auto", window=0.45)
    objects = [0, 0, 0, 1, 1, 2, 2]
    acts_on = {0: {0, 1}, 1: {0, 1}, 2: {2}}  # an object, and who acts on it
    d = x.shape[1]
    expected = []
    for t in range(7):
        scores, values = [], []
        for s in range(7):
            gap = times[s] - times[t]
            if objects[s] not in acts_on[objects[t]] or abs(gap) > 0.45 + 1e-6:
                continue
            angle = torch.stack([200 * gap / 10000 ** ((i - i % 2) / d) for i in range(d)])
            code = torch.where(torch.arange(d) % 2 == 0, angle.sin(), angle.cos())
            hat = torch.relu(w_t @ torch.cat([x[s], gap.reshape(1)]) + b_t) + code
            other = int(objects[s] != objects[t])
            scores.append((w_k[other] @ hat + b_k[other]) @ (w_q @ x[t] + b_q) / d**0.5)
            values.append(w_v[other] @ hat + b_v[other])
        alpha = torch.softmax(torch.stack(scores), 0)
        expected.append((alpha[:, None] * torch.stack(values)).sum(0))
    torch.testing.assert_close(out, torch.stack(expected), rtol=1e-9, atol=1e-9)


def test_fused_and_reference_agree_with_gradients():
    results = {}
    for impl in ("reference", "fused"):
        x, w, _, out = attention(torch.float32, impl)
        grads = torch.autograd.grad((out * torch.arange(out.numel()).reshape(out.shape) * 0.01).sum(), [x, *w])
        results[impl] = [out.detach(), *grads]
    for fused, reference in zip(results["fused"], results["reference"]):
        torch.testing.assert_close(fused, reference, rtol=2e-4, atol=2e-5)


def solve(dtype, impl="auto", **options):
    z, h, n = 4, 6, 3
    messages = weights((h, 2 * z), (h,), (h, h), (h,), seed=3, dtype=dtype)
    output = weights((h, z + h), (h,), (h, h), (h,), (z, h), (z,), seed=4, dtype=dtype)
    z0 = weights((n, z), seed=5, dtype=dtype)[0]
    targets, sources = [torch.tensor([2, 0, 1, 1])], [torch.tensor([0, 1, 0, 2])]
    return z0, messages, output, targets, sources


def field(z, messages, output, targets, sources):
    w1, b1, w2, b2 = messages
    total = torch.zeros(z.shape[0], b2.shape[0], dtype=z.dtype)
    for t, s in zip(targets[0].tolist(), sources[0].tolist()):
        e = torch.relu(w2 @ torch.relu(w1 @ torch.cat([z[t], z[s]]) + b1) + b2)
        total = total.index_add(0, torch.tensor([t]), e[None])
    o1, c1, o2, c2, o3, c3 = output
    hidden = torch.relu(torch.relu(torch.cat([z, total], 1) @ o1.T + c1) @ o2.T + c2)
    return hidden @ o3.T + c3


def test_graph_solve_against_plain_torch():
    arguments = solve(torch.float64)
    torch.testing.assert_close(ops.graph_field(*arguments), field(*arguments), rtol=1e-10, atol=1e-12)
    states = ops.graph_solve(*arguments, horizon=0.3, step=0.1, solver="euler")
    z, expected = arguments[0], [arguments[0]]
    for _ in range(3):
        z = z + 0.1 * field(z, *arguments[1:])
        expected.append(z)
    torch.testing.assert_close(states, torch.stack(expected), rtol=1e-10, atol=1e-12)
    loss, own = states[-1].square().sum(), expected[-1].square().sum()
    leaves = [arguments[0], *arguments[1], *arguments[2]]
    for a, b in zip(torch.autograd.grad(loss, leaves), torch.autograd.grad(own, leaves)):
        torch.testing.assert_close(a, b, rtol=1e-8, atol=1e-10)


def test_small_operators_and_names():
    x = torch.arange(8.0).reshape(4, 2)
    offsets = torch.tensor([0, 3, 3, 4])
    torch.testing.assert_close(ops.segment_sum(x, offsets), torch.tensor([[6.0, 9.0], [0.0, 0.0], [6.0, 7.0]]))
    torch.testing.assert_close(torch.ops.lgode.segment_mean(x, offsets), torch.tensor([[2.0, 3.0], [0.0, 0.0], [6.0, 7.0]]))
    assert torch.allclose(ops.segment_softmax(x, offsets)[:3].sum(0), torch.ones(2))
    assert ops.time_encoding(torch.tensor([0.0, 1.0]), 6).shape == (2, 6)
    w = weights((5, 9), (5,), (5, 5))
    out = ops.sequence_attention(weights((4, 8))[0], w, torch.arange(4.0, dtype=torch.float64), offsets)
    assert out.shape == (3, 5) and not out[1].any()
    with pytest.raises((ValueError, RuntimeError), match="solver is rk4"):
        ops.graph_solve(*solve(torch.float32), horizon=1.0, step=0.1, solver="magic")


CODE = """
import sys
for name in sys.argv[1:]:
    __import__(name)
import torch, lgode
data = lgode.simulate("springs", train=8, test=2, horizon=10)
model = lgode.Model(task="extrapolate").fit(data, epochs=1, threads=1, device="cpu", progress=False)
forecast = model.predict(data.test, output="arrays")[0]
y = torch.nn.Linear(4, 2)(torch.from_numpy(forecast.mean).float())
y.sum().backward()
libraries = {l.split()[-1] for l in open("/proc/self/maps") if "libtorch_cpu" in l}
assert len(libraries) == 1, libraries
print("fine", float(y.detach().isfinite().all()))
"""


@pytest.mark.parametrize("order", [("torch", "lgode"), ("lgode", "torch"), ("lgode._engine", "torch")])
def test_both_in_one_process(order):
    done = python(CODE, *order)
    assert done.stdout.strip() == "fine 1.0", done.stderr
