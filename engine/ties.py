"""When two slaps are a tie: closer than 200 µs, or than the uncertainties of their stamps together."""

from __future__ import annotations

from typing import Protocol

WINDOW_NS = 200_000
"""Slaps closer than this are tied however well their times are known."""


class Stamped(Protocol):
    """What is known of a slap's time, beside the time itself."""

    @property
    def source(self) -> str:
        """Which adapter saw it; empty: not known."""
        ...

    @property
    def within_ns(self) -> int:
        """The true moment lies at most this far from the stamp."""
        ...

    @property
    def jitter_ns(self) -> int | None:
        """The same beside other stamps of this source, where it is less; None: not known."""
        ...


def window_ns(one: Stamped, other: Stamped, *, floor_ns: int = WINDOW_NS) -> int:
    """How far apart two slaps must be for their order to be known.

    What two slaps of one source have in common cancels out; between sources both errors count in full.
    """
    if one.source == other.source and one.jitter_ns is not None and other.jitter_ns is not None:
        return max(floor_ns, one.jitter_ns + other.jitter_ns)
    return max(floor_ns, one.within_ns + other.within_ns)
