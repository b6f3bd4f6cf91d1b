"""What a notebook shows of data sets, models, scores and forecasts. All text is escaped."""

from __future__ import annotations

from html import escape
from typing import Any, Iterable, Tuple


def card(title: str, rows: Iterable[Tuple[str, Any]], below: str = "") -> str:
    """A title, names with values, and finished HTML below them."""
    cells = "".join(
        f'<tr><th style="text-align:left">{escape(str(name))}</th>'
        f'<td style="text-align:left">{escape(str(value))}</td></tr>'
        for name, value in rows
    )
    return f"<div><strong>{escape(title)}</strong><table><tbody>{cells}</tbody></table>{below}</div>"


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
