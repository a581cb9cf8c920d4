"""What the server counts of itself, as Prometheus reads it at /metrics. Numbers only: no names, no links, no cards."""

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

try:
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, disable_created_metrics
except ModuleNotFoundError:  # in a browser tab, where nobody would read the numbers
    from outbid.server.uncounted import (  # type: ignore[assignment]
        CollectorRegistry,
        Counter,
        Gauge,
        Histogram,
        ProcessCollector,
        disable_created_metrics,
    )  # fmt: skip

P = ParamSpec("P")
S = TypeVar("S")


class Answer(Protocol):
    """The answer to a command."""

    @property
    def ok(self) -> bool:
        """The move was made."""


A = TypeVar("A", bound=Answer)

disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

MOVES = Counter("outbid_moves", "Moves that were made.", ["by"], registry=REGISTRY)
REFUSALS = Counter("outbid_refusals", "What was refused, by HTTP status.", ["status"], registry=REGISTRY)
PUBLISH = Histogram(
    "outbid_publish_seconds",
    "From the arrival of a command until its move is on disk and everybody who looks is being told.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
    registry=REGISTRY,
)
COMMIT = Histogram(
    "outbid_commit_seconds",
    "From the moment a move is to be written until it is on disk.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15),
    registry=REGISTRY,
)
BATCH = Histogram(
    "outbid_commit_moves", "Moves that share a transaction.", buckets=(1, 2, 5, 10, 20, 50, 100, 500), registry=REGISTRY
)
TABLES = Gauge("outbid_tables", "Tables in the database.", ["status"], registry=REGISTRY)
LIVE = Gauge("outbid_live_tables", "Tables in memory.", registry=REGISTRY)
CONNECTIONS = Gauge("outbid_connections", "Connections, of sockets and others.", registry=REGISTRY)
LAG = Gauge("outbid_lag_seconds", "How late the event loop was in the last seconds.", registry=REGISTRY)
DRAINING = Gauge("outbid_draining", "1 while no table is made and no match begins.", registry=REGISTRY)
SOCKETS = Gauge("outbid_sockets", "Open sockets at tables.", registry=REGISTRY)
DUE = Gauge("outbid_notices_due", "Letters that are due and not being sent yet, by kind.", ["kind"], registry=REGISTRY)
FAILED = Gauge("outbid_notices_not_sent", "Letters that could not be sent and are tried again.", ["kind"], registry=REGISTRY)
NOTICES = Counter("outbid_notices", "Letters to people whose turn it is, by what came of them.", ["end"], registry=REGISTRY)

BACKUP = Gauge(
    "outbid_backup_age_seconds",
    "Seconds since a copy of the database was made, where copies are made (newest), since all that was committed was there "
    "(log), and since the copies were restored and replayed without a fault (rehearsal); +Inf: there is none.",
    ["copy"],
    registry=REGISTRY,
)
REHEARSALS = Counter("outbid_rehearsals", "Rehearsals of a restore, by what came of them.", ["end"], registry=REGISTRY)

for by in ("human", "bot", "clock"):
    MOVES.labels(by)
for status in ("429", "500", "503"):  # an alert sees the first one, too
    REFUSALS.labels(status)
for outcome in ("sent", "failed", "refused", "given up"):
    NOTICES.labels(outcome)
for outcome in ("good", "failed", "no_room"):
    REHEARSALS.labels(outcome)


def answered(play: Callable[Concatenate[S, P], Awaitable[A]]) -> Callable[Concatenate[S, P], Awaitable[A]]:
    """Around what answers a command: how long it took if the move was made."""

    @wraps(play)
    async def measured(self: S, /, *args: P.args, **kwargs: P.kwargs) -> A:
        begun = time.perf_counter()
        outcome = await play(self, *args, **kwargs)
        if outcome.ok:
            PUBLISH.observe(time.perf_counter() - begun)
        return outcome

    return measured


def refused(status: int) -> None:
    """Something was answered with this status; below 400 it was not refused."""
    if status >= 400:
        REFUSALS.labels(str(status)).inc()


def page(
    statuses: Mapping[str, int], viewers: Sequence[int], letters: Iterable[tuple[str, int, int]] = ()
) -> tuple[bytes, str]:
    """All numbers as they are now, and their content type. statuses: how many tables the database has of each; viewers: how
    many look at each table in memory; letters: of each kind how many are due, and how many could not be sent yet."""
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

    for kind, due, failed in letters:
        DUE.labels(kind).set(due)
        FAILED.labels(kind).set(failed)
    for status, number in statuses.items():
        TABLES.labels(status).set(number)
    LIVE.set(len(viewers))
    SOCKETS.set(sum(viewers))
    return generate_latest(REGISTRY), CONTENT_TYPE_LATEST
