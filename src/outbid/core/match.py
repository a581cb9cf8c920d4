"""A match in progress: the true state, the moves so far, and what each seat may see of them.

A `Match` is on the plain backend. What a game says of it is declared in contract.Words.

A move has one number, in records, logs, replays and reviews: its place in the record. Where several seats are asked at once,
and no clock decides who is first, the answers are sealed: their numbers follow the order of the seats.

Everything a seat is given — view, menu, log, question — is made from a copy of the state after `hide`; the log of a seat
is told from the hidden states before and after each move and the move as that seat may know it.
"""

from __future__ import annotations

import contextlib
import copy
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from outbid.core import contract
from outbid.core.chance import below, step, stream
from outbid.core.errors import BadRecord, BadSetup, Illegal, NotYourTurn, OutbidError, Unreadable
from outbid.core.language import i18n
from outbid.core.language.i18n import _, ngettext
from outbid.core.language.names import check_seen, check_shown, marked, plain, quoted, told_apart
from outbid.core.language.phrases import listed, of_a_file, plural
from outbid.core.menu import Menu
from outbid.core.rulebook import Rulebook, check_seed
from outbid.core.talk import Remark, remark

if TYPE_CHECKING:
    from outbid.core.trajectory import Trajectory

FORMAT = "outbid-record/1"
SPECTATOR = -1
FORGOTTEN = ("_logs", "_shown", "_past", "_seen", "_walk")  # of a match that is pickled
NONE = re.compile(r"\bNone\b")
ELSE = re.compile(r"[,;][^,;]*\bNone\b")  # the part of a sentence about what is there instead: "; it has None"
MOST_TEXT = 400  # characters of a typed move


@dataclass(frozen=True)
class Line:
    """One sentence of a log: the number of the move it belongs to, the seat that moved (None: the clock), the words, in
    which names are set apart (names.py), and what was done."""

    move: int
    seat: int | None
    marked: str
    do: str = ""

    @cached_property
    def text(self) -> str:
        """The sentence as text, in which names are not set apart."""
        return plain(self.marked)


class Step(NamedTuple):
    """A step of a match as a seat knows it. The states are records of the layout, or nothing where they tell nothing new.

    seat: who made it; contract.CLOCK: the clock; −1: nobody, the match begins. action: an action id; −1: the whole move is a
    secret of others. before: the state before it as everybody saw it, where all see the move that it begins. after: where
    particles are kept from move to move (contract.observe_chance), what the seat sees after a move of which all depends on
    what lies hidden. shown: whether all see it."""

    seat: int
    action: int
    before: bytes = b""
    after: bytes = b""
    shown: bool = True


class Attempt(NamedTuple):
    """A move that was tried and can be made (`Match.commit`). seat: who makes it, None for the clock; move: as it will stand
    in the record; actions: its steps; state: the one that it leads to; moves: how many were made before it."""

    seat: int | None
    move: dict[str, Any]
    actions: tuple[int, ...]
    state: Any
    moves: int


@dataclass
class _Log:
    """A seat's log as far as it has been told, and the state there: the true one, and what the seat may know of it."""

    state: Any
    seen: Any
    lines: list[Line] = field(default_factory=list)
    moves: int = 0


class Match:
    """A match of one game. Seats are 0 … players − 1, clockwise; seat −1 is a spectator.

    Made by `Game.new`, `Game.load` or `outbid.read`. `options` are those that differ from the default."""

    def __init__(self, rulebook: Rulebook, options: Mapping[str, Any], names: Sequence[str], state: Any):
        self.rulebook = rulebook
        self.options = rulebook.changed(options)
        self.names = list(names)
        self.state = state
        self.deal: dict[str, Any] = rulebook.words.deal_of(state)
        self.moves: list[dict[str, Any]] = []  # as they were made
        self.numbers: list[int] = []  # of these moves
        self.marks: dict[int, dict[str, Any]] = {}  # what the record says beside a move, by its place in `moves`
        self.talk: list[Remark] = []  # what was said, in order
        self._sealed: tuple[int, tuple[int, ...]] = (0, ())  # the sealed answers: the number of the first, and their seats
        self._start = state.copy()
        self._forget()

    def _forget(self) -> None:
        """Begin without what can be told again from the moves."""
        self._logs: dict[tuple[int, str], _Log] = {}  # by seat and language
        self._shown: dict[bytes, bytes] = {}  # what all saw, once for all seats
        self._past: dict[int, tuple[Any, int, tuple[Step, ...]]] = {}  # by seat: a state, its moves, their steps
        self._seen: dict[int, tuple[Any, Any]] = {}  # by seat: a state, and what the seat may know of it
        self._walk: _Walk | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in FORGOTTEN}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        vars(self).update(attributes)
        self._forget()

    @classmethod
    def new(
        cls, rulebook: Rulebook, options: Mapping[str, Any], players: int, seed: int, names: Sequence[str] | None = None
    ) -> Match:
        """A match with a deal drawn from `seed`. Raises BadSetup, BadOption."""
        players = rulebook.check_players(players, options)
        state = rulebook.fresh(options)
        contract.deal(state, players, check_seed(seed))
        named = [check_seen(name) for name in check_names(names or seat_names(players), players)]
        return cls(rulebook, options, named, state)

    @classmethod
    def load(cls, rulebook: Rulebook, options: Mapping[str, Any], names: Sequence[str], deal: Any) -> Match:
        """A match with a given deal, perhaps an old one, that may lack what a new one needs. Raises BadSetup, BadOption."""
        players = rulebook.check_players(len(names), options, new=False)
        state = rulebook.fresh(options)
        rulebook.words.load(state, players, deal)
        return cls(rulebook, options, check_names(names, players), state)

    # --- whose turn, and what ---

    @property
    def players(self) -> int:
        """The number of seats, 1 to 6."""
        return len(self.names)

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that may answer now; empty when the match is over (or waits for the clock alone)."""
        mask = contract.asked(self.state)
        return tuple([seat for seat in range(len(self.names)) if mask >> seat & 1])

    @property
    def clock(self) -> bool:
        """Whether the table's clock may act now (`play(None, "close")`)."""
        return bool(contract.asked(self.state) >> contract.CLOCK & 1)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return contract.asked(self.state) == 0

    def legal(self, seat: int) -> Menu:
        """What a seat may do now; empty if it is not asked."""
        self.check_seat(seat)
        return self.rulebook.words.menu(self.seen(seat), seat) if seat in self.asked else Menu()

    # --- playing ---

    def play(self, seat: int | None, move: str | Mapping[str, Any]) -> dict[str, Any]:
        """Play a move, as text ("bid 40") or as in a record ({"do": "bid", "amount": 40}); seat None is the clock.

        Returns the move as it will stand in the record. Raises Unreadable, NotYourTurn or Illegal; then nothing changed.
        """
        return self.commit(self.attempt(seat, move))

    def play_steps(self, seat: int | None, actions: Sequence[int]) -> dict[str, Any]:
        """Play a complete move given as action ids; returns it as it stands in the record. Raises NotYourTurn or Illegal;
        then nothing changed."""
        return self.commit(self.attempt_steps(seat, actions))

    def attempt(self, seat: int | None, move: str | Mapping[str, Any]) -> Attempt:
        """Try a move as `play` does, and change nothing: `commit` makes it. Raises Unreadable, NotYourTurn or Illegal."""
        place = self._place(seat)
        if isinstance(move, str):
            move = self.typed(seat, move)
        if not isinstance(move, Mapping):
            raise Unreadable(_("A move is text or an object with a key 'do', not {move!r}.", move=move))
        if not contract.asked(self.state) >> place & 1:
            raise NotYourTurn(self._not_asked(seat))
        words = self.rulebook.words
        keys = _Keys(words.canonical(move))
        try:
            actions = words.steps(self.state, place, keys)
        except Unreadable as error:
            raise keys.unreadable(error) from error
        after = self._after(place, actions, lambda: words.text(keys))
        understood = words.move(self.state, place, actions)  # what else was keys has no meaning here, and is not told
        entry = {key: _own(value) for key, value in keys.items() if key in understood}
        return Attempt(seat, entry, tuple(actions), after, len(self.moves))

    def attempt_steps(self, seat: int | None, actions: Sequence[int]) -> Attempt:
        """Try a complete move given as action ids, and change nothing. Raises NotYourTurn or Illegal."""
        place = self._place(seat)
        if not contract.asked(self.state) >> place & 1:
            raise NotYourTurn(self._not_asked(seat))
        after = self._after(place, actions, lambda: f"[{', '.join(map(str, actions))}]")
        move = self.rulebook.words.move(self.state, place, list(actions))
        return Attempt(seat, move, tuple(actions), after, len(self.moves))

    def commit(self, attempt: Attempt) -> dict[str, Any]:
        """Make a move that was tried; returns it as it stands in the record. Raises NotYourTurn if the match has gone on."""
        if attempt.moves != len(self.moves):
            raise NotYourTurn("The match has gone on since this move was tried.")
        self.numbers.append(self._number(contract.CLOCK if attempt.seat is None else attempt.seat))
        self.state = attempt.state
        self.moves.append({"seat": attempt.seat, **attempt.move})
        return attempt.move

    def after(self, attempt: Attempt) -> Match:
        """The match as it will be when the move is made; this one stays as it is."""
        twin = self._twin(len(self.moves))
        twin.commit(attempt)
        return twin

    def _twin(self, moves: int) -> Match:
        """The match with so many of its moves, by its own state, which no move changes in place."""
        twin = copy.copy(self)
        twin.moves, twin.numbers, twin.marks = self.moves[:moves], self.numbers[:moves], dict(self.marks)
        twin.talk = [each for each in self.talk if each.after <= moves]
        return twin

    def take_back(self, count: int = 1) -> None:
        """Undo the moves that were made last: so many of them, at least one."""
        state, left = self._start.copy(), len(self.moves) - count
        self._apply(state, *self.moves[:left])
        self.state = state
        del self.moves[left:], self.numbers[left:]
        self.marks = {number: mark for number, mark in self.marks.items() if number < left}
        self.talk = [each for each in self.talk if each.after <= left]
        self._forget()

    def sealed(self, place: int) -> bool:
        """Whether the move at a place in `moves` is one of the answers that several seats give or gave at once, with none
        since that one seat gave alone."""
        first, seats = self._sealed
        return bool(seats) and self.numbers[place] >= first

    def say(self, seat: int, text: str, to: int | None = None) -> Remark:
        """Say something to all, or to one seat alone; it is no move. Raises BadSetup."""
        self.talk.append(remark(seat, text, to, self.reached, self.players))
        return self.talk[-1]

    def in_world(self, seat: int, seed: int) -> Match:
        """A match that has come as far, in which all that a seat (−1: a spectator) cannot know is drawn anew."""
        twin = self.copy()
        twin._forget()
        twin.talk = [each for each in self.talk if each.heard_by((seat,))]
        contract.hide(twin.state, seat)
        contract.redeal(twin.state, seat, seed)
        return twin

    def typed(self, seat: int | None, line: str) -> dict[str, Any]:
        """A move that a person typed. A seat may also be named ("trade cow with Clara"), and of the cards that the menu
        offers the number may be left out that says which of its kind is meant ("bid USD20"). Raises Unreadable."""
        if len(line) > MOST_TEXT:
            raise Unreadable(_("A typed move has at most {most} characters.", most=MOST_TEXT))
        parse = self.rulebook.words.parse
        try:
            return parse(line)
        except Unreadable:
            offered = [] if seat is None else [str(card) for choice in self.legal(seat) for card in choice.cards or ()]
            full = _with_numbers(_with_seats(line, self.names), offered)
            if full != line:
                with contextlib.suppress(Unreadable):
                    return parse(full)
            raise

    def _after(self, place: int, actions: Sequence[int], text: Callable[[], str]) -> Any:
        """The state after a move; text: what an error calls it. Raises Illegal."""
        after = self.state.copy()
        out = [0] * self.rulebook.actions
        for n, action in enumerate(actions):
            open_now = out[: contract.legal(after, place, out)]
            if action not in open_now or (n > 0 and not contract.midway(after, place)):
                raise Illegal(_("{move} is not possible.", move=text()), self.legal_texts(place))
            contract.apply(after, place, action)
        if not actions or contract.midway(after, place):
            raise Illegal(_("{move} is not complete.", move=text()), self.legal_texts(place))
        return after

    def _number(self, place: int) -> int:
        """The number of the next move, if this place makes it."""
        count, (first, seats) = len(self.moves), self._sealed
        if place not in seats or not first <= count < first + len(seats):
            asked = self.asked
            first, seats = self._sealed = count, asked if len(asked) > 1 and not self.clock else ()
        return first + seats.index(place) if seats else count

    def stepped(self, state: Any, moves: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, list[int]]]:
        """Who makes each of these moves of the match (a bit of `asked`), and its action ids. They are made in the state, in
        place, before the next one is asked for."""
        for move in moves:
            place = self._place(move["seat"])
            actions = self.rulebook.words.steps(state, place, without_seat(move))
            yield place, actions
            for action in actions:
                contract.apply(state, place, action)

    def _apply(self, state: Any, *moves: Mapping[str, Any]) -> None:
        """Make moves of this match in a state."""
        for _place, _actions in self.stepped(state, moves):
            pass

    def random_move(self, seat: int, seed: int) -> dict[str, Any]:
        """Play uniformly random steps of a seat until its move is complete.

        A seat may be asked and only able to wait, since that it is asked must not betray a secret limit: then the clock
        moves in its place. Raises NotYourTurn if the seat is not asked."""
        state, out = self.state.copy(), [0] * self.rulebook.actions
        actions: list[int] = []
        r = stream(seed, len(self.moves))
        while not actions or contract.midway(state, seat):
            n = contract.legal(state, seat, out)
            if n == 0 and not actions and seat in self.asked and self.clock:
                seat = contract.CLOCK
                n = contract.legal(state, seat, out)
            if n == 0:
                raise NotYourTurn(f"Seat {seat} can do nothing now.")
            r = step(r)
            actions.append(out[below(r, n)])
            contract.apply(state, seat, actions[-1])
        return self.play_steps(None if seat == contract.CLOCK else seat, actions)

    # --- what a seat sees ---

    def hidden(self, seat: int) -> Any:
        """A copy of the state in which everything the seat may not know is overwritten."""
        return hidden(self.state, seat)

    def seen(self, seat: int) -> Any:
        """The hidden state of a seat, to be read only: made once a move, which replaces the state and leaves the old one."""
        of, seen = self._seen.get(seat, (None, None))
        if of is not self.state:
            seen = self.hidden(seat)
            self._seen[seat] = (self.state, seen)
        return seen

    def view(self, seat: int = SPECTATOR) -> dict[str, Any]:
        """What a seat (−1: a spectator) sees, as JSON values."""
        self.check_seat(seat, spectator=True)
        seen = self.rulebook.words.view(self.seen(seat), seat)
        view = {"game": self.rulebook.id, "seat": seat, "names": list(self.names), "asked": list(self.asked), **seen}
        view.setdefault("phase", "over" if self.over else "play")
        return view

    def question(self, seat: int = SPECTATOR) -> str:
        """What is being decided now, in one sentence for that seat."""
        return plain(self.question_marked(seat))

    def question_marked(self, seat: int = SPECTATOR) -> str:
        """The question of a seat, with names set apart (names.py)."""
        self.check_seat(seat, spectator=True)
        return self.rulebook.words.question(self.seen(seat), seat, self.marked)

    @property
    def marked(self) -> list[str]:
        """The names as sentences set them apart."""
        return [marked(name) for name in self.names]

    def log(self, seat: int = SPECTATOR) -> list[Line]:
        """What a seat (−1: a spectator) was told so far."""
        self.check_seat(seat, spectator=True)
        log = self._logs.get((seat, i18n.language()))
        if log is None:
            log = self._logs[seat, i18n.language()] = _Log(self._start, hidden(self._start, seat))
        words, names = self.rulebook.words, self.marked
        while log.moves < len(self.moves):
            move = self.moves[log.moves]
            place, entry = self._place(move["seat"]), without_seat(move)
            if log.moves == len(self.moves) - 1:
                after, now = self.state, self.seen(seat)
            else:
                after = log.state.copy()
                self._apply(after, move)
                now = hidden(after, seat)
            shown = words.masked(log.state, place, entry, seat)
            for text in words.told(log.seen, place, shown, now, seat, names):
                log.lines.append(Line(self.numbers[log.moves], move["seat"], text, shown["do"]))
            log.state, log.seen, log.moves = after, now, log.moves + 1
        return list(log.lines)

    def tidings(self, after: Match, seat: int) -> list[str]:
        """What a seat will be told of the last move of `after`, which is this match one move later."""
        place, entry = self._place(after.moves[-1]["seat"]), without_seat(after.moves[-1])
        words = self.rulebook.words
        shown = words.masked(self.state, place, entry, seat)
        return words.told(self.seen(seat), place, shown, after.hidden(seat), seat, self.marked)

    def past(self, seat: int = SPECTATOR) -> tuple[Step, ...]:
        """Every step so far that a seat (−1: a spectator) knows, and where particles are kept, that there was a move of
        which it does not."""
        secret = self.rulebook.secrets
        keeps = secret and self.rulebook.function("observe_chance") is not contract.nothing_observed
        seat = seat if keeps else SPECTATOR
        begun = (Step(-1, -1, after=hidden(self._start, seat).packed(), shown=False),) if keeps else ()
        state, count, steps = self._past.get(seat, (self._start, 0, begun))
        known = list(steps)
        for move in self.moves[count:]:
            place, entry = self._place(move["seat"]), without_seat(move)
            actions = self.rulebook.words.steps(state, place, entry)
            public = 1 if not secret or place == contract.CLOCK else int(contract.is_public(state, place, actions[0]))
            new = []
            for number, action in enumerate(actions):
                before, state = state, state.copy()
                contract.apply(state, place, action)
                seen = b""
                if public and place != contract.CLOCK and not (secret and number):
                    seen = hidden(before, SPECTATOR).packed()
                    seen = self._shown.setdefault(seen, seen)
                new.append(Step(place, action, seen, shown=bool(public)))
            if keeps and not public and place != seat:
                new = [Step(place, -1, shown=False)]
            if keeps and public != 1:
                new[-1] = new[-1]._replace(after=hidden(state, seat).packed())
            if keeps or (public and place != contract.CLOCK):
                known += new
        past = tuple(known)
        self._past[seat] = state, len(self.moves), past
        return past

    # --- the end, and the record ---

    def trajectory(self, seat: int) -> Trajectory:
        """What a seat decided so far, as arrays to learn from (trajectory.py)."""
        from outbid.core.trajectory import trajectory

        return trajectory(self, self.check_seat(seat))

    @property
    def scores(self) -> list[int]:
        """Points per seat, as if the match ended now."""
        points = [0] * self.players
        contract.score(self.state, points)
        return points

    @property
    def winners(self) -> list[int]:
        """The winning seats; empty until the match is over."""
        mask = contract.winners(self.state, [0] * self.players) if self.over else 0
        return [seat for seat in range(self.players) if mask >> seat & 1]

    def record(self, parties: Collection[int] = ()) -> dict[str, Any]:
        """The match as a record (RECORD.md): it gives away the deal, so show it to players only when it is over. Of what
        was said in private it has what these seats said or heard."""
        order = sorted(range(len(self.moves)), key=self.numbers.__getitem__)
        record: dict[str, Any] = {
            "format": FORMAT,
            "game": self.rulebook.id,
            "rules": self.rulebook.rules_id,
            "options": self.options,
            "players": self.names,
            "deal": self.deal,
            "moves": [{**self.moves[k], **self.marks.get(k, {})} for k in order],
        }
        if self.over:
            record |= {"scores": self.scores, "winners": self.winners}
        if spoken := [each.as_dict() for each in self.talk if each.heard_by(parties)]:
            record["said"] = spoken
        return copy.deepcopy(record)

    @property
    def numbered(self) -> list[tuple[int, dict[str, Any]]]:
        """The moves with their numbers, in the order of a record."""
        # another may just be made in another thread than this pair, which reads a replay: then pair list is longer
        return sorted(zip(self.numbers, self.moves, strict=False), key=lambda pair: pair[0])

    @property
    def reached(self) -> int:
        """The highest number of a move, and one: how many moves there are, unless a sealed answer is still awaited."""
        return max(self.numbers[-self.players :], default=-1) + 1

    def at(self, moves: int) -> Match:
        """A match after the first `moves` moves of this one, as a record numbers them."""
        if not 0 <= moves <= self.reached:
            sentence = ngettext(
                "The match has {n} move, not {said}.", "The match has {n} moves, not {said}.", self.reached, said=moves
            )
            raise BadSetup(sentence)
        earlier = self._walked().at(moves)
        earlier.talk = [each for each in self.talk if each.after <= moves]
        return earlier

    def seen_at(self, moves: int, seat: int = SPECTATOR) -> Any:
        """What a seat saw then: a state to be read only."""
        return self._walked().seen(moves, seat)

    def log_at(self, moves: int, seat: int = SPECTATOR, since: int = 0) -> list[Line]:
        """What a seat had been told after the first `moves` moves, without what the first `since` moves told it."""
        return self._walked().log(moves, seat, since)

    def _walked(self) -> _Walk:
        numbered, walk = self.numbered, self._walk
        if walk is None or walk.numbered != numbered[: len(walk.numbered)]:
            walk = self._walk = _Walk(Match(self.rulebook, self.options, self.names, self._start.copy()))
        walk.numbered = numbered
        return walk

    def copy(self) -> Match:
        """An independent copy."""
        twin = self._twin(len(self.moves))
        twin.names, twin.state, twin._start = list(self.names), self.state.copy(), self._start.copy()
        twin.moves, twin._logs = [dict(move) for move in self.moves], {}
        return twin

    def __repr__(self) -> str:
        state = "over" if self.over else f"waiting for {', '.join(self.names[p] for p in self.asked) or 'the clock'}"
        return f"<{self.rulebook.title}, {self.players} players, {plural(len(self.moves), 'move')}, {state}>"

    # --- sentences of refusal ---

    def legal_texts(self, place: int) -> tuple[str, ...]:
        """What a place (a seat or the clock) may do now, as text."""
        return self.rulebook.words.menu(self.state, place).texts

    def check_seat(self, seat: object, spectator: bool = False) -> int:
        """The seat, if there is one (−1: a spectator, if it may be). Raises BadSetup."""
        low = SPECTATOR if spectator else 0
        if not isinstance(seat, int) or isinstance(seat, bool):
            raise BadSetup(_("A seat is a whole number, not {seat!r}.", seat=seat))
        if not low <= seat < self.players:
            raise BadSetup(_("There is no seat {seat!r}; the seats are 0 to {last}.", seat=seat, last=self.players - 1))
        return seat

    def _place(self, seat: int | None) -> int:
        """The bit of `asked` for who makes a move. Raises BadSetup."""
        return contract.CLOCK if seat is None else self.check_seat(seat)

    def _not_asked(self, seat: int | None) -> str:
        who = _("The clock") if seat is None else _("Seat {seat} ({name})", seat=seat, name=quoted(self.names[seat]))
        if self.over:
            return _("{who} cannot move: the match is over.", who=who)
        asked = list(self.awaited().values())
        facts = {"who": who, "others": listed(asked)}
        return ngettext("{who} is not asked now; {others} is.", "{who} is not asked now; {others} are.", len(asked), **facts)

    def awaited(self) -> dict[int, str]:
        """The places that may act now, and what they are called."""
        asked = {seat: _("seat {seat} ({name})", seat=seat, name=quoted(self.names[seat])) for seat in self.asked}
        return asked | {contract.CLOCK: _("the clock")} if self.clock else asked


class _Walk:
    """The steps of a match, in the order of its record, each made once: a reader goes to and fro."""

    def __init__(self, match: Match):
        self.match = match
        self.numbered: list[tuple[int, dict[str, Any]]] = []
        self.states, self.sealed = [match.state], [match._sealed]

    def at(self, moves: int) -> Match:
        """The match after its first `moves` moves, independent of this one."""
        count = self._go(moves)
        earlier = self.match._twin(count).copy()
        earlier.state, earlier._sealed = self.states[count].copy(), self.sealed[count]
        return earlier

    def seen(self, moves: int, seat: int) -> Any:
        """What a seat saw then."""
        return hidden(self.states[self._go(moves)], seat)

    def log(self, moves: int, seat: int, since: int) -> list[Line]:
        """What a seat had been told by then."""
        self._go(moves)
        lines = self.match.log(seat)
        begin, end = (bisect_left(lines, number, key=lambda line: line.move) for number in (since, moves))
        return lines[begin:end]

    def _go(self, moves: int) -> int:
        """How many moves have a lower number; the states are known up to there."""
        count = bisect_left(self.numbered, moves, key=lambda pair: pair[0])  # a sealed answer may be awaited still
        for _number, move in self.numbered[len(self.states) - 1 : count]:
            self.match.play(move["seat"], move)
            self.states.append(self.match.state)
            self.sealed.append(self.match._sealed)
        return count


def seat_names(players: int) -> list[str]:
    """Names for seats that have none."""
    return [f"Player {seat + 1}" for seat in range(players)]


def without_seat(move: Mapping[str, Any]) -> dict[str, Any]:
    """A move without who made it."""
    return {key: value for key, value in move.items() if key != "seat"}


def _own(value: Any) -> Any:
    """A copy, where it is a list that belongs to the author of the move."""
    return list(value) if isinstance(value, list) else value


def hidden(state: Any, seat: int) -> Any:
    """A copy of a state in which everything that a seat may not know is overwritten."""
    twin = state.copy()
    contract.hide(twin, seat)
    return twin


class _Keys(dict[str, Any]):
    """The keys of a move, for the words of a game. missing: the last one that they asked for and did not find."""

    missing: str | None = None

    def get(self, key: str, default: Any = None) -> Any:
        """As a dict has it."""
        if key not in self:
            self.missing = key
        return super().get(key, default)

    def unreadable(self, error: Unreadable) -> Unreadable:
        """The error; where words say "it has None" of what is missing, that it is, and what else they say of it."""
        if self.missing is None or not NONE.search(str(error)):
            return error
        reason, rest = _("The move needs {key}; it is missing.", key=repr(self.missing)), ELSE.sub("", str(error))
        return Unreadable(reason if NONE.search(rest) else f"{reason} {rest}")


def check_names(names: object, players: int) -> list[str]:
    """One name for each seat, which can be shown. Raises BadSetup."""
    if not isinstance(names, Sequence) or isinstance(names, str) or len(names) != players:
        raise BadSetup(_("There must be {players} names, one for each seat.", players=players))
    return [check_shown(name) for name in names]


def replay(rulebook: Rulebook, record: Mapping[str, Any]) -> Match:
    """A match from a record whose keys are there (record.py), with every move checked. Raises BadRecord."""
    try:
        names = told_apart([check_seen(name) for name in record["players"]])
        match = Match.load(rulebook, record["options"], names, record["deal"])
    except OutbidError as error:
        raise BadRecord(str(error)) from error
    with of_a_file():
        for number, move in enumerate(record["moves"]):
            try:
                if not isinstance(move, Mapping) or "seat" not in move:
                    raise Unreadable(_("A move is an object with seat and do, not {move!r}.", move=move))
                match.play(move["seat"], move)
            except OutbidError as error:
                reason = error.reason if isinstance(error, Illegal) else str(error)
                raise BadRecord(" ".join([reason, *_legal(match, move)]), number) from error
    return match


def _legal(match: Match, move: object) -> list[str]:
    """What was legal instead: for the seat of the move, or for all who are asked if it is not one of them."""
    asked = match.awaited()
    seat = move.get("seat") if isinstance(move, Mapping) else None
    mine = [place for place in asked if (None if place == contract.CLOCK else place) == seat]
    moves = {place: "; ".join(match.legal_texts(place)) or _("nothing") for place in mine or asked}
    return [_("Legal for {who}: {moves}.", who=asked[place], moves=moves[place]) for place in moves]


def _with_seats(line: str, names: Sequence[str]) -> str:
    """A typed line with the numbers of seats in place of their names, but for its first word."""
    seats = {name.casefold(): str(seat) for seat, name in enumerate(names)}
    some = "|".join(re.escape(name) for name in sorted(seats, key=len, reverse=True))
    return re.sub(
        rf"(?<=\s)(?:{some})(?!\w)", lambda match: seats.get(match[0].casefold(), match[0]), line, flags=re.IGNORECASE
    )


def _with_numbers(line: str, offered: Sequence[str]) -> str:
    """A typed line in which cards named by their kind alone are those offered. Raises Unreadable if that may be several."""
    kinds: dict[str, list[str]] = {}
    for card in offered:
        kind, numbered, _number = card.partition("#")
        if numbered and card.casefold() not in line.casefold().split():
            kinds.setdefault(kind.casefold(), []).append(card)
    named = [word for word in re.split(r"[\s,;]+", line.casefold()) if word in kinds]
    for kind in named:
        if named.count(kind) < len(kinds[kind]):
            either = listed(kinds[kind], "or")
            raise Unreadable(_("{name} may be {cards}; say which.", name=kinds[kind][0].partition("#")[0], cards=either))
    return re.sub(r"[^\s,;]+", lambda match: kinds[key].pop(0) if kinds.get(key := match[0].casefold()) else match[0], line)
