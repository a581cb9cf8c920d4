"""In place of `prometheus_client` where that is not installed: the same calls, and nothing is counted."""

from __future__ import annotations

from typing import Any


class Uncounted:
    """A number that nobody reads."""

    def __init__(self, *_about: Any, **_more: Any) -> None:
        """Take what a number is about."""

    def labels(self, *_values: str) -> Uncounted:
        """The number of these labels."""
        return self

    def inc(self, _by: float = 1) -> None:
        """Count nothing."""

    set = observe = inc


CollectorRegistry = Counter = Gauge = Histogram = ProcessCollector = Uncounted


def disable_created_metrics() -> None:
    """There are none."""
