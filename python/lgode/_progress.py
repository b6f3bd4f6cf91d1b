"""The progress of a training: one line that is rewritten, in a terminal and in a notebook; plain lines in a log."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Any, Dict, Optional, TextIO


def duration(seconds: float) -> str:
    """12 s, 3 min 05 s, 2 h 10 min."""
    seconds = int(round(seconds))
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60:02d} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60:02d} min"


def span(least: float, most: float) -> str:
    """5 min 00 s, or 40 s to 5 min 00 s where the end is open."""
    begin, end = duration(least), duration(most)
    return end if begin == end else f"{begin} to {end}"


def of(epoch: int, epochs: Optional[int]) -> str:
    """3/30, or 3 where the training ends by itself."""
    return f"{epoch}" if epochs is None else f"{epoch}/{epochs}"


def in_notebook() -> bool:
    """Whether this is a kernel of Jupyter, whose output takes a carriage return."""
    return "ipykernel" in sys.modules and hasattr(sys.stderr, "parent_header") or type(sys.stderr).__name__ == "OutStream"


class Progress:
    """Called with the reports of a training. Errors are x 10^-2, as in the tables."""

    WIDTH = 20

    def __init__(self, stream: Optional[TextIO] = None) -> None:
        self.stream = stream if stream is not None else sys.stderr
        terminal = getattr(self.stream, "isatty", lambda: False)()
        self.live = terminal or in_notebook()
        self.columns = shutil.get_terminal_size((100, 24)).columns if terminal else 110
        self.shown = 0  # letters of the line that can be rewritten
        self.validation = "-"
        self.last_epoch = 0
        self.begun: Optional[float] = None

    def __call__(self, kind: str, report: Dict[str, Any]) -> None:
        handler = getattr(self, "_" + kind, None)
        if handler is not None:
            handler(report)

    def close(self) -> None:
        if self.shown:
            self._write("\r" + " " * self.shown + "\r")
            self.shown = 0

    def line(self, text: str) -> None:
        self.close()
        self._write(text + "\n")

    def bar(self, share: float, text: str) -> None:
        if not self.live:
            return
        full = int(self.WIDTH * min(max(share, 0.0), 1.0))
        line = f"[{'#' * full}{'.' * (self.WIDTH - full)}] {text}"[: self.columns - 1]
        self._write("\r" + line + " " * max(0, self.shown - len(line)))
        self.shown = len(line)

    def _write(self, text: str) -> None:
        try:
            self.stream.write(text)
            self.stream.flush()
        except (ValueError, OSError):
            pass  # a stream that was closed meanwhile does not end a training

    def _start(self, r: Dict[str, Any]) -> None:
        self.line(
            f"lgode: {r['train_systems']:,} systems to train on, {r['validation_systems']:,} to validate; "
            f"{r['steps_per_epoch']:,} steps per epoch, "
            + ("until the validation error no longer falls" if r["steps"] is None else f"{r['steps']:,} in total")
            + (f", {span(r['least_seconds'], r['seconds'])}" if "seconds" in r else "")
            + "; errors are x 10^-2"
        )
        for key, why in (("without_targets", "nothing to predict"), ("unseen", "nothing to show")):
            if r[key]:
                self.line(f"lgode: {r[key]:,} systems are skipped: they have {why}")
        if r["none_held_out"]:
            self.line("lgode: no system validates, so the last epoch counts as the best")

    def _trial(self, r: Dict[str, Any]) -> None:
        self.bar(r["done"] / max(r["steps"], 1), f"comparing: step {r['done']}/{r['steps']}")

    def _centre(self, r: Dict[str, Any]) -> None:
        kind = "relative to each system's mean" if r["centre"] == "system" else "as in the data"
        self.line(f"lgode: positions are {kind}")

    def _place(self, r: Dict[str, Any]) -> None:
        inputs = "inputs" if r["place"] == "on" else "no inputs"
        self.line(f"lgode: position and heading in the world are {inputs}")

    def _initial(self, r: Dict[str, Any]) -> None:
        self.validation = f"{100 * r['validation']:.4g}"
        self.line(f"lgode: validation error before the first step: {self.validation}")

    def _step(self, r: Dict[str, Any]) -> None:
        # Without a limit of epochs: the share of the time until the earliest end.
        if self.begun is None:
            self.begun = time.monotonic()
        spent = time.monotonic() - self.begun
        share = spent / max(spent + r["least_seconds_left"], 1e-9)
        if r["epochs"] is not None and r["least_seconds_left"] == r["seconds_left"]:
            share = (r["epoch"] - 1 + r["step"] / max(r["steps"], 1)) / max(r["epochs"], 1)
        self.bar(
            share,
            f"epoch {of(r['epoch'], r['epochs'])}  step {r['step']}/{r['steps']}  "
            f"{span(r['least_seconds_left'], r['seconds_left'])} left  "
            f"loss {r['loss']:.4g}  validation {self.validation}",
        )

    def _epoch(self, r: Dict[str, Any]) -> None:
        if r["validation"] is not None:
            self.validation = f"{100 * r['validation']:.4g}"
        # A log gets about fifty lines, without a limit as many for each doubling of the epochs.
        every = 1 if self.live else ((r["epochs"] or r["epoch"]) + 49) // 50
        if self.last_epoch and r["seconds_left"] > 0 and not r["lowered"] and r["epoch"] % every:
            return
        self.last_epoch = r["epoch"]
        self.line(
            f"epoch {of(r['epoch'], r['epochs'])}  loss {r['loss']:.4g}  training {100 * r['mse']:.4g}  "
            f"validation {self.validation}{' (best)' if r['best'] else ''}  {r['step_ms']:.0f} ms per step  "
            f"{span(r['least_seconds_left'], r['seconds_left'])} left"
            + ("; back to the best weights, with a lower learning rate" if r["lowered"] else "")
        )
