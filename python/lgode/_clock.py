"""Times of a data set, a table or a stream, as the caller counts them: numbers, frames, or dates in their zone."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

from ._errors import ConfigError
from ._lazy import np, pd

#: A column of dates without a zone, whatever the data has.
NAIVE = "naive"


class Clock:
    """Between the caller's times and those of the library, which count seconds or the data's own unit.

    ``about``: ``origin_ns``, from which dates count (None: times are numbers), and ``zone``, the offset in which they
    were written. ``rate``: counts per second; 0: times are times. ``zone``: in which dates come back; None: that offset.
    """

    def __init__(
        self, about: Dict[str, Any], parse: Callable[[str], Optional[float]], rate: float, zone: Any = None
    ) -> None:
        self._origin = about["origin_ns"]
        self._offset = about["zone"]
        self._parse = parse
        self._rate = rate
        self._zone = zone

    def seconds(self, times: Any, what: str) -> List[float]:
        """Times of the caller as the library counts them: numbers, or dates where the data has them."""
        numbers = self._numbers(times, what)
        return [time / self._rate for time in numbers] if self._rate else numbers

    def _numbers(self, times: Any, what: str) -> List[float]:
        if times is None:
            return []
        if np.ndim(times) == 0:
            times = [times]
        array = np.asarray(times)
        if array.dtype.kind in "fiu":
            return array.astype("float64").tolist()  # type: ignore[no-any-return]
        if array.dtype.kind == "m":
            return (array.astype("timedelta64[ns]").astype("int64") / 1e9).tolist()  # type: ignore[no-any-return]
        if array.dtype.kind == "M":
            return self._since(array, what)
        result = []
        for entry in array.tolist():
            if isinstance(entry, (int, float)):
                result.append(float(entry))
                continue
            text = entry.isoformat() if hasattr(entry, "isoformat") else str(entry)
            value = self._parse(text)
            if value is None:
                dates = " or a date such as 2024-03-01T12:00:00" if self._origin is not None else ""
                raise ConfigError(f"`{what}` {text}: expected a number{dates}")
            result.append(value)
        return result

    def _since(self, array: Any, what: str) -> List[float]:
        if self._origin is None:
            raise ConfigError(f"`{what}` {array[0]}: expected a number; the data's times are not dates")
        instants = array.astype("datetime64[ns]")
        seconds = (instants.astype("int64") - self._origin) / 1e9
        return np.where(np.isnat(instants), np.nan, seconds).tolist()  # type: ignore[no-any-return]

    def own(self, seconds: Any) -> Any:
        """Times of the library as the caller counts them: counts where there is a rate."""
        if not self._rate:
            return seconds
        counts = np.asarray(seconds) * self._rate
        whole = np.rint(counts)
        # A time since another one has the rounding errors of both.
        counts = np.where(np.abs(whole - counts) <= 1e-9 + 1e-13 * np.abs(counts), whole, counts)
        return counts.astype("int64") if bool((counts == whole).all()) else counts

    def shown(self, seconds: Any, relative: bool = False) -> Any:
        """The same for people: dates, in UTC, where the data has them, unless times count from an origin."""
        if self._rate or relative or self._origin is None:
            return self.own(seconds)
        instants = np.rint(np.asarray(seconds) * 1e9).astype("int64") + self._origin
        return instants.astype("datetime64[ns]")

    def column(self, seconds: Any, relative: bool = False) -> Any:
        """The same for a DataFrame: dates in the zone that they came in with."""
        times = self.shown(seconds, relative)
        if relative or self._rate or self._origin is None or self._zone == NAIVE:
            return times
        zone = self._zone
        if zone is None:
            if not self._offset:
                return times
            zone = pd.Timestamp("2000-01-01T00:00:00" + self._offset).tz
        return pd.DatetimeIndex(times).tz_localize("UTC").tz_convert(zone)

    def one(self, seconds: float) -> Any:
        """One time: a number, or a Timestamp."""
        time = self.column(np.asarray([seconds]))[0]
        return pd.Timestamp(time) if isinstance(time, np.datetime64) else time.item() if hasattr(time, "item") else time


__all__ = ["NAIVE", "Clock"]
