"""What a bot is given: a seat, never the match.

A `Seat` holds the state hidden for it, the names at the table, how many moves were made and a random stream of its own;
where the steps of others tell who they are (`learns`), also every step so far that it knows, with what all saw before it
or the seat after it. From the hidden state alone it deals worlds that agree with everything the seat has seen. It can be
packed and sent to another process, which holds nothing but seats; what it has learned in one it remembers for that one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from outbid.bots.decision import Decision
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.hooks.contrast import blindly
from outbid.core.language import i18n
from outbid.core.language.names import marked
from outbid.core.match import Match, Step, hidden
from outbid.core.menu import Menu
from outbid.core.rulebook import Rulebook, by_id

WORLDS_FROM = 1 << 50  # streams of a decision: the worlds that are dealt for it
ORDERS = 4  # worlds in which a move must be told alike

Packed = tuple[str, tuple[str, ...], int, int, int, dict[str, Any], tuple[Step, ...], tuple[int, ...], bool]


def learns(book: Rulebook) -> bool:
    """Whether the moves of a match tell the opponents' types (opponent_types.py): some moves are public, and there is more
    than one type."""
    return bool(book.search.opponent_types) and not (book.secrets and book.function("is_public") is contract.nothing_public)


@dataclass(frozen=True)
class Seat:
    """An asked seat of a match as it sees it. state: hidden; number: moves made so far; seed: the bot's own stream; past:
    what was done, as far as the seat knows it (Match.past); meant: a move that the player thinks of making, to be
    weighed against the best (action ids; empty: none); counsel: a person asks for advice, so that moves are weighed in the
    same worlds (weighing.py); until: how far the processor time of this process may be when it answers (time.process_time),
    if that matters."""

    rulebook: Rulebook
    names: tuple[str, ...]
    seat: int
    number: int
    seed: int
    state: Any
    past: tuple[Step, ...] = field(default=(), repr=False)
    until: float | None = field(default=None, compare=False)
    meant: tuple[int, ...] = ()
    counsel: bool = False
    _dealt: dict[int, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, match: Match, seat: int, seed: int) -> Seat:
        """A seat of a match."""
        past = match.past(seat) if learns(match.rulebook) else ()
        return cls(match.rulebook, tuple(match.names), seat, len(match.moves), seed, match.hidden(seat), past)

    @property
    def stream(self) -> int:
        """The random stream of this decision."""
        return stream(self.seed, self.number)

    def world(self, number: int) -> Any:
        """The `number`-th world: a state in which what the seat cannot know is dealt anew, once for this decision."""
        if number not in self._dealt:
            state = self.state.copy()
            contract.redeal(state, self.seat, stream(self.stream, WORLDS_FROM + number))
            self._dealt[number] = state
        return self._dealt[number].copy()

    def whole(self, step: Callable[[Any, int], int]) -> tuple[int, ...]:
        """A whole move, made step by step: step(hidden state, number of the step) → action id, or −1 for nothing to say."""
        world = self.world(0)
        actions: list[int] = []
        while not actions or contract.midway(world, self.seat):
            seen = hidden(world, self.seat)
            action = step(seen, len(actions))
            if action < 0:
                return ()
            actions.append(action)
            contract.apply(world, self.seat, action)
        return tuple(actions)

    def view(self) -> dict[str, Any]:
        """What the seat sees, as JSON values, as `Match.view` has it."""
        seen = self.rulebook.words.view(self.state, self.seat)
        mask = contract.asked(self.state)
        asked = [seat for seat in range(len(self.names)) if mask >> seat & 1]
        about = {"game": self.rulebook.id, "seat": self.seat, "names": list(self.names), "asked": asked, "phase": "play"}
        return about | seen

    def menu(self) -> Menu:
        """What the seat may do, as `Match.legal` has it."""
        return self.rulebook.words.menu(self.state, self.seat)

    def move(self, said: str | Mapping[str, Any] | None, why: str = "") -> Decision:
        """A move as one types it ("bid 40") or as in a record, as a bot answers it; None: nothing to say. why: for itself.

        Raises Unreadable, Illegal."""
        if said is None:
            return Decision(())
        attempt = Match(self.rulebook, {}, self.names, self.world(0)).attempt(self.seat, said)
        return Decision(attempt.actions, dict.fromkeys(i18n.LANGUAGES, why) if why else {})

    def said(self, actions: Sequence[int]) -> str:
        """A move as one would type it."""
        words = self.rulebook.words
        return str(words.text(words.move(self.world(0), self.seat, list(actions))))

    def told(self, actions: Sequence[int]) -> dict[str, str]:
        """What the seat would be told of a move, names set apart, by language (i18n.py); empty where it is not certain."""
        return i18n.everywhere(partial(self._told, actions))

    def _told(self, actions: Sequence[int]) -> str:
        words, sentences, names = self.rulebook.words, set[str](), [marked(name) for name in self.names]
        for number in range(ORDERS):
            before = self.world(number)
            after, move = before.copy(), words.move(before, self.seat, list(actions))
            for action in actions:
                contract.apply(after, self.seat, action)
            before, after = hidden(before, self.seat), hidden(after, self.seat)
            sentences.add("".join(words.told(before, self.seat, move, after, self.seat, names)[:1]))
        if len(sentences) == 1 and "" not in sentences:
            return sentences.pop()
        return blindly(self.rulebook, words.move(self.world(0), self.seat, list(actions)), self.seat, names, self.seat)

    def packed(self) -> Packed:
        """The seat as plain values, for another process."""
        fields = {field.name: getattr(self.state, field.name) for field in self.rulebook.layout.fields}
        return self.rulebook.id, self.names, self.seat, self.number, self.seed, fields, self.past, self.meant, self.counsel

    @classmethod
    def unpacked(cls, packed: Packed) -> Seat:
        """What another process has packed."""
        game, names, seat, number, seed, fields, past, meant, counsel = packed
        book = by_id(game)
        state = book.plain()
        for name, value in fields.items():
            setattr(state, name, value)
        return cls(book, names, seat, number, seed, state, past, meant=meant, counsel=counsel)
