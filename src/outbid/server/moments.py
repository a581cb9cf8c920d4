"""The time by which clocks run: that of the wall when the server begins, and steady from then on.

Setting the clock on the wall, forward or back, gives nobody time and takes none: deadlines lie in the database as
moments of this time, and what is left of them is counted by it. Servers that share a database agree on it by the note that
each of them leaves there (deadlines.py): who is behind that note takes its time over, so it never goes back, not even from
one run to the next. Who is before it was away, or all others were, and the deadlines are put off.
"""

import time
from collections.abc import Callable


class Moments:
    """Moments in seconds. wall: a clock that may be set; even: one that never is, and may rest while the machine sleeps."""

    def __init__(self, wall: Callable[[], float] = time.time, even: Callable[[], float] = time.monotonic):
        self._wall = wall
        self._even = even
        self._ahead = wall() - even()

    def now(self) -> float:
        """Return this moment, in seconds."""
        return self._even() + self._ahead

    def reach(self, noted: float) -> None:
        """Go on from a moment that was noted, if it is later."""
        self._ahead += max(0.0, noted - self.now())

    def by_wall(self, moment: float) -> float:
        """When that is by the clock on the wall, to the second."""
        return moment + round(self._wall() - self.now())
