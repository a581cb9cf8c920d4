"""Who was winning, in a browser tab: the curve of a match that is over, drawn point by point between two requests.

Every decision judged, as a review has it, is a matter of minutes even with compiled code; `Reviews.begin` is not there.
"""

import asyncio
import logging
from typing import Any

from outbid.core.record import read_record
from outbid.review.plain import course
from outbid.server.domain.advice.reviews import Job, Reviews
from outbid.server.storage.store import Store

log = logging.getLogger("outbid")


class Curves(Reviews):
    """The curves of a tab: those of the matches that were looked at last."""

    def __init__(self, store: Store):
        super().__init__(store)
        self._drawn: set[asyncio.Task[None]] = set()

    def _wait(self, job: Job, address: str, own: bool) -> None:
        """Draw a curve in the time that is left."""
        job.begun = True
        self.jobs[job.table] = job
        task = asyncio.get_running_loop().create_task(self._draw(job))
        self._drawn.add(task)
        task.add_done_callback(self._drawn.discard)

    async def _draw(self, job: Job) -> None:
        points, curve = list[dict[str, Any]](), dict[str, Any]()
        try:
            match = read_record(job.record)
            for point in course(match):
                points.append(point)
                job.done = point["move"] / max(1, len(match.moves))
                await asyncio.sleep(0)
            if points:
                curve = {"game": match.rulebook.id, "players": list(match.names), "course": points}
        except Exception:
            log.exception("The curve of table %s could not be drawn.", job.table)
        finally:
            del self.jobs[job.table]
            self._sketched(job.table, curve)
