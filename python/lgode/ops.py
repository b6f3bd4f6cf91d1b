"""The operators on torch tensors, with gradients: fused on the CPU in float32, plain elsewhere. Needs PyTorch.

They are registered with PyTorch's dispatcher, too: ``torch.ops.lgode.temporal_attention`` and so on, once this module
is imported. PyTorch must be the one whose LibTorch lgode was built with.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

from ._lazy import waiting_policy

with waiting_policy():
    import torch

    from . import _engine  # noqa: F401 - registers the operators

_ops: Any = getattr(torch, "ops").lgode


def temporal_attention(
    x: Any,
    weights: Sequence[Any],
    times: Any,
    observation_offsets: Any,
    source_offsets: Any,
    sources: Any,
    *,
    system_offsets: Optional[Any] = None,
    log_weights: Optional[Any] = None,
    window: float = 1.0,
    direction: str = "both",
    heads: int = 1,
    frequency: float = 200.0,
    impl: str = "auto",
) -> Any:
    """Attention of an encoder layer: every observation attends to observations near in time (Eqs. 4 and 5).

    Parameters
    ----------
    x : [M, d] observations
    weights : w_t [d, d+1], b_t [d], w_q [d, d], b_q [d], w_k [2, d, d], b_k [2, d], w_v [2, d, d], b_v [2, d]
        The two sets of w_k, b_k, w_v and b_v are for sources of the same object and of others.
    times : [M] ascending within an object
    observation_offsets : [N + 1] observations of each object
    source_offsets, sources : [N + 1], [P] objects that act on each object, without itself
    system_offsets : [B + 1] objects of each system; default: one system
    log_weights : [P] logarithms of the weights of relations; default: 0
    window : longest time between the two ends of an edge
    direction : "both", "past" or "future"
    impl : "auto", "reference" or "fused"

    Returns
    -------
    [M, d]
    """
    if system_offsets is None:
        system_offsets = torch.tensor([0, len(observation_offsets) - 1])
    if log_weights is None:
        log_weights = torch.zeros(len(sources), dtype=torch.float64)
    return _ops.temporal_attention(
        x, *weights, times, observation_offsets, system_offsets, source_offsets, sources, log_weights,
        window, direction, heads, frequency, impl,
    )  # fmt: skip


def sequence_attention(
    h: Any, weights: Sequence[Any], times: Any, offsets: Any, *, frequency: float = 200.0, impl: str = "auto"
) -> Any:
    """Attention over each object's own sequence (Eq. 6): h [M, d] to one vector per object [N, u].

    weights: w_t [u, d+1], b_t [u], w_a [u, u]; times [M] float64 since the start; offsets [N + 1].
    """
    return _ops.sequence_attention(h, *weights, times, offsets, frequency, impl)


def graph_field(
    z: Any,
    messages: Sequence[Any],
    output: Sequence[Any],
    targets: Sequence[Any],
    sources: Sequence[Any],
    weights: Sequence[Any] = (),
    *,
    impl: str = "auto",
) -> Any:
    """The right-hand side of the graph ODE (Eqs. 2 and 10): z [n, Z] to dz/dt [n, Z]. See :func:`graph_solve`."""
    return _ops.graph_field(z, list(messages), list(output), list(targets), list(sources), list(weights), impl)


def graph_solve(
    z0: Any,
    messages: Sequence[Any],
    output: Sequence[Any],
    targets: Sequence[Any],
    sources: Sequence[Any],
    weights: Sequence[Any] = (),
    *,
    horizon: float,
    step: float,
    system_offsets: Sequence[int] = (),
    solver: str = "rk4",
    impl: str = "auto",
) -> Any:
    """Solves the graph ODE with fixed steps from z0 [n, Z]: states at the nodes, [K + 1, n, Z].

    Parameters
    ----------
    messages : w1 [H, 2Z], b1 [H], w2 [H, H], b2 [H] of every message network, one after another
    output : w1 [H, Z+H], b1 [H], w2 [H, H], b2 [H], w3 [Z, H], b3 [Z]
    targets, sources : one tensor of rows per message network: source acts on target
    weights : one tensor per message network; default: 1
    horizon, step : nodes are 0, step, 2 step, ... until the horizon is reached
    system_offsets : rows of each system; default: one system. Pairs connect rows of one system only
    solver : "rk4", "rk4-classic", "euler", "midpoint", "dopri5" or "tsit5"
    """
    return _ops.graph_solve(
        z0, list(messages), list(output), list(targets), list(sources), list(weights), list(system_offsets),
        horizon, step, solver, impl,
    )  # fmt: skip


def time_encoding(times: Any, width: int, frequency: float = 200.0) -> Any:
    """TE of Eq. 5: times [M] to [M, width] float32, sines and cosines of angles computed in float64."""
    return _ops.time_encoding(times, width, frequency)


def segment_sum(x: Any, offsets: Any) -> Any:
    """Sums of runs of rows: x [M, c], offsets [N + 1] to [N, c]."""
    return _ops.segment_sum(x, offsets)


def segment_mean(x: Any, offsets: Any) -> Any:
    """Means of runs of rows, zero for an empty one."""
    return _ops.segment_mean(x, offsets)


def segment_softmax(x: Any, offsets: Any) -> Any:
    """Softmax over the rows of each run, column by column: [M, c] to [M, c]."""
    return _ops.segment_softmax(x, offsets)
