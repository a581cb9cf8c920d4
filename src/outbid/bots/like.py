"""Bots that were fitted to people: `like@FILE` plays by the policy parameters and the slip rate of a file that `outbid lab
people --fit` has written (lab/people.py)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from outbid.bots.decision import Decision
from outbid.bots.heuristic import Stepwise
from outbid.bots.seat import Seat
from outbid.bots.slips import PARTS, slipping
from outbid.core import contract
from outbid.core.errors import BadSetup
from outbid.core.hooks.policy_params import PolicyParams
from outbid.core.language.i18n import N_
from outbid.core.rulebook import Rulebook, by_id

LIKE = "like@"  # before the file
FORMAT = "outbid-like/1"
MOST = 10**9  # of a policy parameter


@dataclass(frozen=True)
class LikeBot:
    """A bot that plays as people did. slip: in so many of PARTS steps any legal one."""

    name: str
    book: Rulebook
    params: PolicyParams
    slip: int
    summary: str = N_("plays as certain people did")

    @classmethod
    def load(cls, name: str) -> LikeBot:
        """The bot `like@FILE`. Raises BadSetup."""
        path = Path(name.removeprefix(LIKE)).expanduser().resolve()
        try:
            facts = _facts(path, path.stat().st_mtime_ns)
            book, changes, slip = by_id(facts["game"]), facts["params"], facts["slip"]
            if facts["format"] != FORMAT or not all(type(n) is int and abs(n) <= MOST for n in changes.values()):
                raise ValueError(f"its format is not {FORMAT}, or a parameter is no whole number")
            return cls(name, book, book.personas.usual.but(changes), round(PARTS * min(1.0, max(0.0, float(slip)))))
        except OSError as error:
            raise BadSetup(f"{name}: {error.strerror or error}.") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadSetup(f"{name} was not written by `outbid lab people --fit`: {error}.") from error

    def of(self, book: Rulebook) -> LikeBot:
        """The bot, if it was fitted in this game or in one of which this one changes a rule. Raises BadSetup."""
        if book.id.partition("+")[0] != self.book.id.partition("+")[0]:
            raise BadSetup(f"{self.name} was fitted to people who played {self.book.title}, not {book.title}.")
        return self

    def decide(self, seat: Seat) -> Decision:
        """Its move."""
        out = [0] * (seat.rulebook.actions + contract.MOST_ACTIONS)

        def act(state: Any, place: int, seed: int, note: list[int]) -> int:
            return int(slipping(state, place, seed, note[-1], self.slip, note, out, self.params))

        return Stepwise(self.name, self.summary, act, speaks=False).decide(seat)


@lru_cache(maxsize=64)
def _facts(path: Path, _when: int) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
