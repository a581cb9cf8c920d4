"""What is not there in a browser tab, for the people at one device alone (site/tab.py): it is chosen here.

Nobody else comes, so there are no names with passwords, no ladder, desk, numbers, notices, chat, waiting rooms and their
codes; no bot looks ahead, which needs NumPy and Numba, so a review is the curve alone (site/curves.py), and no bot is
measured. Templates ask `alone()`.
"""

from contextvars import ContextVar

BOTS = ("random", "easy", "steady")  # who answers in plain Python, at once
ROUTES = (
    "/metrics", "/code", "/name", "/ladder", "/desk", "/notices", "/sw.js", "/t/{table}/chat", "/t/{table}/mute",
    "/t/{table}/seat", "/playtest", "/t/{table}/opinion",
)  # fmt: skip

_alone: ContextVar[bool] = ContextVar("alone", default=False)
be = _alone.set


def alone() -> bool:
    """The program runs in a browser tab."""
    return _alone.get()


def there(path: str) -> bool:
    """Whether a route is there, too, where the program runs alone."""
    return not any(path == route or path.startswith(f"{route}/") for route in ROUTES)
