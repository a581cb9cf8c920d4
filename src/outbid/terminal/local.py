"""`outbid play --plain` and `--screen`: a match against bots in this process, as a session (wire/session.py).

The person has seat 0. Choices with one possibility are made for it. In an open outcry (bidding = realtime) the bots speak
first, and `wait` lets the hammer fall. Bots think in a thread, so that the screen stays alive.
"""

import asyncio
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from outbid.bots import LookAhead, Seat, bot, called, choose, prepare
from outbid.bots.hints import advise
from outbid.bots.personas import Ahead, introduced
from outbid.bots.strong import ready
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.errors import OutbidError
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.language.names import plain, quoted
from outbid.core.match import Match
from outbid.core.menu import Choice, Menu
from outbid.core.rulebook import Rulebook
from outbid.terminal import check_screen
from outbid.wire.model import Ack, LogEntry, SeatFacts, Snapshot, TableFacts, legal_choices
from outbid.wire.offers import Offer
from outbid.wire.session import Session

YOU = 0
WAIT = "wait"


def play(
    book: Rulebook, options: Mapping[str, Any], name: str, bots: Sequence[str], seed: int, screen: bool = False
) -> None:
    """Play one match, line by line or on the full screen; ends with the match, with `quit`, or with the input."""
    if screen:
        check_screen()
    match = LocalMatch(book, options, name, bots, seed)
    prepare_bots(book, bots)
    if screen:
        from outbid.terminal.full_screen import FullScreen

        asyncio.run(FullScreen(match).sit())
        return
    from outbid.terminal.line_mode import LineMode

    asyncio.run(LineMode(match, eager=sys.stdin.isatty()).run())


def prepare_bots(book: Rulebook, bots: Sequence[str]) -> None:
    """Compile what bots need to look ahead, or load it."""
    for name in dict.fromkeys(bots):
        who = bot(name, book)
        if isinstance(who, LookAhead | Ahead) and not ready(book):
            sentence = _("The bot {bot} prepares itself for this game; once, that takes a minute or two.", bot=_(who.name))
            print(sentence, flush=True)
        prepare(name, book)


class LocalMatch(Session):
    """A match against bots."""

    def __init__(self, book: Rulebook, options: Mapping[str, Any], name: str, bots: Sequence[str], seed: int):
        super().__init__()
        names = [name]
        for _bot in bots:
            names.append(called(names))
        self.bots, self.seed = tuple(bots), seed
        self.match = Match.new(book, options, len(names), seed, names)
        self._reasons: dict[int, str] = {}
        self._open = False  # the person is asked
        self._moved = asyncio.Event()

    @property
    def at(self) -> float:
        """The clock of this machine, in ms."""
        return time.time() * 1000

    @property
    def farewell(self) -> str:
        """The sentence on leaving; a local match is not kept."""
        return _("You leave the match.")

    @property
    def introduction(self) -> str:
        """What the game is about, and who plays."""
        book, you = self.match.rulebook, quoted(self.match.names[YOU])
        seats = zip(self.match.names[1:], self.bots, strict=True)
        others = ", ".join(f"{quoted(name)} ({introduced(self.match.rulebook, bot)})" for name, bot in seats)
        who = _("You are {name}, and play with {others}. Type ? for help, rules for how to play.", name=you, others=others)
        return f"{book.called} – {book.say(book.summary)}\n{who}"

    @property
    def offers(self) -> list[Offer]:
        """What we may do; seats are called by their names."""
        if self.decision is None:
            return []
        rulebook, names = self.match.rulebook, self.match.names
        spell, choices, samples = rulebook.words.text, [], []
        for choice in self.match.legal(YOU):
            only = self._moves_of(choice.move["do"]) if choice.cards else []
            choices.append(Choice(spell(only[0]), only[0]) if len(only) == 1 else choice)  # the one payment there is
            samples.append(spell(only[0]) if only and only[0].get("cards", True) else "")
        legal = legal_choices(Menu(tuple(choices)), rulebook, [quoted(name) for name in names])
        offers = [replace(choice.offer, sample=sample).calling(names) for choice, sample in zip(legal, samples, strict=True)]
        if not self.match.clock:
            return offers
        return [*offers, Offer(WAIT, {"do": WAIT}, words=_("let the hammer fall") if offers and offers[0].words else "")]

    def _moves_of(self, do: str) -> list[dict[str, Any]]:
        """Moves of one kind that we may make, two at most."""
        words, start, out = self.match.rulebook.words, self.match.state, [0] * self.match.rulebook.actions
        moves: list[dict[str, Any]] = []
        paths: list[tuple[Any, tuple[int, ...]]] = [(start, ())]
        while paths and len(moves) < 2:
            state, taken = paths.pop()
            for action in out[: contract.legal(state, YOU, out)]:
                after = state.copy()
                contract.apply(after, YOU, action)
                if contract.midway(after, YOU):
                    paths.append((after, (*taken, action)))
                elif (move := words.move(start, YOU, [*taken, action]))["do"] == do:
                    moves.append(move)
        return moves

    async def watch(self) -> None:
        """Play until the match is over."""
        match = self.match
        self._tell()
        while not match.over:
            if match.clock or YOU not in match.asked:
                if await asyncio.to_thread(self._a_bot_moves):
                    self._tell()
                    continue
                if YOU not in match.asked:
                    match.play(None, "close")
                    self._tell()
                    continue
            menu = match.legal(YOU)
            if menu.forced and not match.clock:
                match.play(YOU, menu.choices[0].move)
                self._tell()
                continue
            self._open = True
            self._tell()
            await self._moved.wait()
            self._moved.clear()

    def _a_bot_moves(self) -> bool:
        """One move of the first bot that is asked and has something to say; False if none has."""
        match = self.match
        for seat in match.asked:
            if seat != YOU:
                decision = choose(match, seat, self.bots[seat - 1], stream(self.seed, seat))
                if decision.actions:
                    match.play_steps(seat, decision.actions)
                    self._reasons[seat] = plain(i18n.chosen(decision.public))
                    return True
        return False

    def _tell(self) -> None:
        """What has become of the table."""
        match, book = self.match, self.match.rulebook
        names, lines = [quoted(name) for name in match.names], match.log(YOU)
        fresh = [LogEntry(seat=line.seat, text=line.text) for line in lines[len(self.log) :]]
        self.log += fresh
        self.now = Snapshot(
            table=TableFacts(id="", game=book.id, title=book.called, status="over" if match.over else "playing"),
            seats=[SeatFacts(name=name) for name in match.names],
            you=YOU,
            question=match.question(YOU),
            board=book.words.board(match.hidden(YOU), YOU, names),
            decision=len(match.moves) if self._open else None,
            log=self.log,
            scores=match.scores if match.over else [],
            winners=match.winners if match.over else [],
        )
        self._changed(fresh)

    @property
    def reasons(self) -> dict[str, str]:
        """What bots last said of their moves, by name."""
        return {quoted(self.match.names[seat]): reason for seat, reason in sorted(self._reasons.items()) if reason}

    async def play(self, move: str | Mapping[str, Any]) -> Ack:
        """Answer the question: a move as text or as in a record."""
        kind = move if isinstance(move, str) else move.get("do")
        try:
            if kind == WAIT and self.match.clock:
                self.match.play(None, "close")  # nobody else has anything to say
            else:
                self.match.play(YOU, move)
        except OutbidError as error:
            return Ack(ok=False, error=str(error))
        self._open = False
        self._tell()
        self._moved.set()
        return Ack(ok=True)

    async def hint(self) -> str:
        """What a bot would do in our place, and why. Raises OutbidError."""
        seat = Seat.of(self.match, YOU, stream(self.seed, YOU))
        return "\n".join((await asyncio.to_thread(advise, seat)).lines)

    async def say(self, text: str) -> None:
        """Refuse: at a local match nobody reads the chat. Raises OutbidError."""
        raise OutbidError(_("Only bots sit here, and they do not listen."))
