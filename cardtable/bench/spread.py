"""A measurement as its median with the spread beside it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, quantiles


def spread(values: Sequence[float], digits: int = 2) -> dict[str, float | int | list[float]]:
    """`ms`: the median of `values`; `quartiles_ms`, `worst_ms` and the number of `runs` say how far to trust it."""
    low, _, high = quantiles(values, n=4) if len(values) > 1 else (values[0],) * 3
    return {
        "ms": round(median(values), digits),
        "quartiles_ms": [round(low, digits), round(high, digits)],
        "worst_ms": round(max(values), digits),
        "runs": len(values),
    }
