"""A scene: what templates are given for one viewer. It is made only from copies hidden for that viewer.

The one exception is a replay with open hands, which exists only of a match that is over.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from itertools import takewhile
from types import MappingProxyType
from typing import Any

from outbid.bots.hints import Advice
from outbid.core import contract
from outbid.core.contract import Words
from outbid.core.derived import looks
from outbid.core.errors import OutbidError
from outbid.core.hooks.outcome import BIDDING, Outcome
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.language.names import bare, initial, marked, plain, quoted
from outbid.core.language.phrases import Speaker
from outbid.core.match import SPECTATOR, Line, Match
from outbid.core.menu import Choice, Menu
from outbid.core.rulebook import Rulebook, by_id
from outbid.server.domain import retention, setup
from outbid.server.domain.advice.coach import CoachPanel
from outbid.server.domain.advice.hints import HintPanel
from outbid.server.domain.automatic_moves import OrdersPanel
from outbid.server.domain.commands import UNSAID, Why
from outbid.server.domain.contests import ladder
from outbid.server.domain.generic_table import GenericTable
from outbid.server.domain.people import evening, seating
from outbid.server.domain.people.evening import Victories
from outbid.server.domain.people.votes import Question
from outbid.server.domain.table import Passage, Table, Undone, Veto
from outbid.server.domain.timing import clocks
from outbid.server.domain.timing.clocks import ClockFace
from outbid.server.domain.titles import Titles
from outbid.server.settings import PACES, Refused
from outbid.server.stored import House
from outbid.wire.model import (
    ClockFacts,
    GivenOrder,
    LogEntry,
    Orders,
    PossibleOrder,
    RatedMove,
    SeatFacts,
    Snapshot,
    Status,
    Suggestion,
    TableFacts,
    ends,
    legal_choices,
)


@dataclass(frozen=True)
class About:
    """The table, apart from the match.

    closes: when the clock closes an auction, in ms; seconds: how long it waits. rules: by which it is played, as records say
    it. leaves: the day on which it will be deleted, if that is near. house: what the host decides, and who that is. idle:
    which of the options do nothing here, in sentences. clock: what the clock of the table is, in a sentence; weekends: they
    are off it. hints: whether there are any, in a sentence. paused_by: who paused it. silence, receipt, settle: as in
    Settings. day: whose deal of the day it is. slow: a move waits for the disk longer than usual. notices: who sits here can
    be told that it is their turn; pushes: by a message to the browser. colours: of the seats. watching: how many look on
    without a seat, whose names nobody is told."""

    id: str
    name: str
    game: str
    title: str
    link: str
    status: Status
    pace: str
    paused: bool
    paces: tuple[str, ...]
    options: tuple[tuple[str, Any, str], ...]
    idle: tuple[str, ...]
    closes: int | None
    seconds: float
    secrets: bool
    rules: str
    leaves: str | None
    house: House
    clock: str
    hints: str
    paused_by: tuple[str, ...]
    silence: float
    receipt: float
    settle: float
    day: str | None
    colours: tuple[int, ...]
    slow: bool = False
    weekends: bool = False
    notices: bool = False
    pushes: bool = False
    watching: int = 0

    @cached_property
    def facts(self) -> TableFacts:
        """The table for programs."""
        return TableFacts(
            id=self.id,
            game=self.game,
            title=self.title,
            status=self.status,
            pace=self.pace,
            paused=self.paused,
            paused_by=[bare(name) for name in self.paused_by],
            options={name: value for name, value, _ in self.options},
            closes=self.closes,
            clock=self.clock,
            weekends=self.weekends,
            slow=self.slow,
        )


@dataclass(frozen=True)
class Place:
    """A seat. name: as sentences set it apart (core/language/names.py); kind: human, bot or open; asked: it may answer now;
    online: the seat has the table open; hints: taken so far; plays_as: the bot that plays here until its own is ready;
    agent: a program plays that is no bot of ours."""

    index: int
    name: str
    kind: str
    bot: str | None
    online: bool
    asked: bool
    you: bool
    hints: int
    plays_as: str = ""
    agent: bool = False

    @property
    def called(self) -> str:
        """The name alone."""
        return bare(self.name)

    @property
    def letter(self) -> str:
        """What stands for the name where there is room for one character."""
        return initial(self.called)

    @cached_property
    def facts(self) -> SeatFacts:
        """The seat for programs."""
        return SeatFacts(
            index=self.index,
            name=self.called,
            kind=self.kind,
            asked=self.asked,
            online=self.online,
            hints=self.hints,
            plays_as=self.plays_as or None,
            agent=self.agent,
        )


@dataclass(frozen=True)
class LogLine:
    """A sentence of the log, names set apart; `reason` is why a bot made the move; do: what was done; first: it says that,
    and not what came of it."""

    move: int
    seat: int | None
    text: str
    reason: str | None
    do: str = ""
    first: bool = True

    @property
    def bidding(self) -> bool:
        """It is a bid or a pass."""
        return self.do in BIDDING

    @property
    def folds(self) -> bool:
        """It is a bid or a pass, and tells nothing else."""
        return self.bidding and self.first and not self.outcome

    @property
    def outcome(self) -> Outcome | None:
        """What it tells as a card, if it does."""
        return self.text if isinstance(self.text, Outcome) else None

    @cached_property
    def entry(self) -> LogEntry:
        """The line for programs: made once, as a log only grows."""
        reason = None if self.reason is None else plain(self.reason)
        return LogEntry(move=self.move, seat=self.seat, text=plain(self.text), reason=reason)


@dataclass(frozen=True)
class Replay:
    """Looking back: after `at` of `moves` moves, with the eyes of `seat` (−1: a spectator) or all hands open.

    before, after: where the turn begins that is being played, or the one before if it begins here; where the next begins.
    own: where the seat that looks decides next. review: what stands beside this step (screens/review/view.py), on pages.
    """

    at: int
    moves: int
    open: bool
    seat: int
    before: int | None
    after: int | None
    own: int | None = None
    review: Any = None

    @property
    def eyes(self) -> str | int:
        """From whose eyes, as the address of a replay says it."""
        return "open" if self.open else "spectator" if self.seat < 0 else self.seat


@dataclass(frozen=True)
class Scene:
    """What one viewer sees (docs/server.md, "Regions"). `you` is its seat, −1 for a spectator; opened: the state with all
    hands turned over, when the match is over; meanwhile: what a bot did in this seat since its player last moved; back: what
    is asked for to take one's last move back (votes.py); tally: of the evening, when the match is over (evening.py);
    opinions: what one has said about the match of a playtest (none: nothing is asked)."""

    table: About
    seats: tuple[Place, ...]
    you: int
    view: Mapping[str, Any]
    state: Any
    menu: Menu
    question: str
    log: list[LogLine]
    waiting: tuple[str, ...]
    decision: int | None
    post: str
    replay: Replay | None
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    words: Words
    faces: Mapping[str, Any]
    extras: tuple[str, ...]
    clocks: tuple[ClockFace, ...] = ()
    timed: bool = False
    pausable: bool = True
    questions: tuple[Question, ...] = ()
    orders: OrdersPanel = field(default_factory=OrdersPanel)
    hint: HintPanel = field(default_factory=HintPanel)
    coach: CoachPanel = field(default_factory=CoachPanel)
    opened: Any = None
    meanwhile: tuple[LogLine, ...] = ()
    back: str = ""
    tally: Victories | None = None
    opinions: Mapping[str, int] | None = None

    @cached_property
    def speak(self) -> Speaker:
        """Sentences about the seats, for this viewer."""
        return Speaker([seat.name for seat in self.seats], self.you)

    @cached_property
    def laid(self) -> GenericTable:
        """How the table lies, for a game without a page of its own."""
        opened = self.replay is not None and self.replay.open
        seats = range(len(self.seats)) if opened else ()
        views = [self.view, *(self.words.view(self.state, n) for n in seats)]
        names = [seat.called for seat in self.seats]
        return GenericTable(by_id(self.table.game), self.state, views, names, self.you, self.menu)

    @property
    def ending(self) -> tuple[LogLine, ...]:
        """Why the match ended: the last sentences of the log, but for what a card of it says."""
        return tuple(line for line in self.log[-2:] if not line.outcome)

    @property
    def outcomes(self) -> tuple[LogLine, ...]:
        """The outcome of the viewer's last move and of what the others did since, the newest last."""
        mine = next((line.move for line in reversed(self.log) if line.seat == self.you), 0)
        told = [line for line in self.log[-OUTCOMES:] if line.move >= mine and line.outcome]
        return tuple(line for line in told[:-SHOWN] if line.move == told[-1].move) + tuple(told[-SHOWN:])

    @property
    def outbids(self) -> bool:
        """A bid is one number, so that many of them are one line: who goes up to how much."""
        moves = by_id(self.table.game).moves
        return not moves or len(getattr(moves.kinds.get(BIDDING[0]), "fields", ())) < 2

    def concerns(self, told: LogLine) -> bool:
        """Whether an outcome holds the viewer's next question."""
        before = ((line.seat, line.do) for line in reversed(self.log) if line.move < told.move)
        return self.you >= 0 and told.outcome is not None and told.outcome.concerns(self.you, before)

    def recap(self, told: LogLine) -> list[LogLine]:
        """What was done in the round that an outcome closes, since the last bid: the first line of each move before it."""
        closes = told.outcome is not None and told.outcome.closes
        earlier = (line for line in reversed(self.log) if closes and line.do and line.move < told.move)
        moves = {line.move: line for line in takewhile(lambda line: not line.bidding, earlier)}
        return list(moves.values())[::-1]

    @property
    def unsaid(self) -> bool:
        """A player is awaited whom the question does not name."""
        return any(name not in self.question for name in self.waiting)

    @cached_property
    def bots(self) -> bool:
        """Whether there are bots at the table."""
        return any(seat.kind == "bot" for seat in self.seats)

    def part(self, macro: Callable[..., str], *args: Any) -> str:
        """What a macro makes of the scene."""
        return macro(self, *args)

    @property
    def yours(self) -> bool:
        """You are asked."""
        return self.decision is not None

    @property
    def headline(self) -> str:
        """The title of the page."""
        return _("Your turn · {table}", table=self.table.name) if self.yours and not self.replay else self.table.name


OUTCOMES, SHOWN = 60, 4  # the last lines of the log of which outcomes are shown, and how many; of the last move all


def live(table: Table, you: int, base: str) -> Scene:
    """The table as it is now. Raises Refused while seats are open."""
    match = table.playing
    menu, told = match.legal(you) if you >= 0 else Menu(), lines(table, you)
    meanwhile = _meanwhile(match, you, told) if you >= 0 and not table.seats[you].away else ()
    return _scene(table, match, you, base, menu, told, table.decisions.get(you), None, meanwhile)


def _meanwhile(match: Match, you: int, told: list[LogLine]) -> tuple[LogLine, ...]:
    """The lines of the last moves of a seat, back to the one its player made."""
    numbers = set()
    for n in range(len(match.moves) - 1, -1, -1):
        if match.moves[n]["seat"] == you:
            if n not in match.marks:
                break
            numbers.add(match.numbers[n])
    return tuple(line for line in told if line.move in numbers) if numbers else ()


def replay(table: Table, you: int, base: str, at: int | None, eyes: str | None, since: int = 0) -> Scene:
    """The table after `at` moves, seen by `eyes`: none (your own), a seat, "spectator" or "open". since: of the first moves
    the log says nothing. Raises Refused."""
    match = table.playing
    seat = _eyes(table, you, eyes)
    try:
        earlier = match.at(match.reached if at is None else at)
    except OutbidError as error:
        raise Refused(400, str(error)) from error
    place = match.reached if at is None else at
    turn = table.once(("turns", len(match.moves)), lambda: cache(partial(_turn, match)))
    before = next((n for n in range(place - 1, -1, -1) if _begins(turn, n)), None)
    after = next((n for n in range(place + 1, match.reached + 1) if _begins(turn, n)), None)
    mover = seat if seat >= 0 else you
    own = next((n for n, move in match.numbered if n > place and move["seat"] == mover and move["seat"] is not None), None)
    looking = Replay(place, match.reached, eyes == "open", seat, before, after, own)
    told = _with_reasons(match.log_at(place, seat, since), table.reasons, private=match.over)
    return _scene(table, earlier, seat, base, Menu(), told, None, looking)


def _begins(turn: Callable[[int], Any], moves: int) -> bool:
    """Whether a turn begins after so many moves: what everybody sees of turn and round has changed."""
    return moves == 0 or turn(moves) not in (None, turn(moves - 1))


def _turn(match: Match, moves: int) -> tuple[Any, ...] | None:
    """Whose turn it was then, and in which round; none when the match was over."""
    seen = match.seen_at(moves)
    asked = contract.asked(seen)
    view = match.rulebook.words.view(seen, SPECTATOR)
    named = tuple(view.get(name) for name in ("turn", "turns", "round"))
    return None if not asked else named if any(value is not None for value in named) else (asked,)


def _eyes(table: Table, you: int, eyes: str | None) -> int:
    """The seat that a replay is seen from, if this viewer may."""
    if eyes is None:
        return you
    if eyes in ("spectator", "-1"):
        return SPECTATOR
    if eyes != "open" and not (eyes.isascii() and eyes.isdigit() and int(eyes) < len(table.seats)):
        last = len(table.seats) - 1
        facts = {"name": repr(eyes[:20]), "last": last}
        raise Refused(400, _("There is no seat {name}; it is a number from 0 to {last}, spectator or open.", **facts))
    if eyes == str(you):
        return you
    if table.status != "over":
        raise Refused(403, _("Other hands can be looked at when the match is over."))
    return SPECTATOR if eyes == "open" else int(eyes)


def _scene(
    table: Table,
    match: Match,
    you: int,
    base: str,
    menu: Menu,
    told: list[LogLine],
    decision: int | None,
    looking: Replay | None,
    meanwhile: tuple[LogLine, ...] = (),
) -> Scene:
    state = match.state.copy() if looking and looking.open and table.status == "over" else match.seen(you)
    mask = contract.asked(state)
    seats = table.once(("places", mask), lambda: places(table, mask))
    if you >= 0:
        seats = (*seats[:you], replace(seats[you], you=True), *seats[you + 1 :])
    return Scene(
        table=table.once(("about", base, i18n.language()), lambda: about(table, base)),
        seats=seats,
        you=you,
        view=match.view(you),
        state=state,
        menu=menu,
        question=match.question_marked(you),
        log=told,
        waiting=tuple(seat.name for seat in seats if seat.asked and not seat.you),
        decision=decision,
        post=f"/t/{table.id}/move",
        replay=looking,
        scores=tuple(match.scores) if match.over else (),
        winners=tuple(match.winners),
        words=match.rulebook.words,
        faces=faces(match.rulebook),
        extras=extras(match.rulebook),
        clocks=() if looking else clocks.faces(table, you),
        timed=table.votes.timed,
        pausable=table.votes.pausable,
        questions=() if looking else table.votes.questions(you),
        orders=OrdersPanel() if looking else table.orders.panel(you, state),
        hint=HintPanel() if looking else table.hints.panel(you),
        coach=CoachPanel() if looking else table.coach.panel(you),
        opened=match.state.copy() if match.over and not looking and table.status == "over" else None,
        meanwhile=meanwhile,
        back="" if looking else table.votes.back(you),
        opinions=None if looking else _opinions(table, you),
        tally=table.once("tally", partial(evening.tally, table)) if match.over and not looking else None,
    )


def _opinions(table: Table, you: int) -> Mapping[str, int] | None:
    if you < 0 or table.status != "over" or not table.house.playtest:
        return None
    return {about: answer for (seat, about), answer in table.opinions.items() if seat == you}


def places(table: Table, asked: int) -> tuple[Place, ...]:
    """The seats as a spectator sees them; asked: a bit mask."""
    seats: list[Place] = []
    for n, seat in enumerate(table.seats):
        awaited, stand_in = bool(asked >> n & 1), plays_as(table, n)
        facts = table.online(n), awaited, False, seat.hints, stand_in, seat.agent
        seats.append(Place(n, marked(seat.name), seat.kind, seat.bot, *facts))
    return tuple(seats)


def plays_as(table: Table, seat: int) -> str:
    """The bot that plays a seat because its own is still being prepared."""
    bot = table.seats[seat].bot if table.seats[seat].kind == "bot" else None
    return clocks.STAND_IN if bot and table.status != "over" and not table.executor.ready(table.book.id, bot) else ""


def about(table: Table, base: str) -> About:
    """What everybody may know of a table."""
    options, idle = table.kept("options", partial(_of_options, table))
    return About(
        id=table.id,
        name=table.title,
        game=table.book.id,
        title=table.book.called,
        link=f"{base}/t/{table.id}",
        status=table.status,
        pace=table.pace,
        paused=table.paused,
        paces=tuple(PACES),
        options=options,
        idle=idle,
        closes=round(table.closes * 1000) if table.closes else None,
        seconds=table.settings.auction_seconds,
        secrets=table.book.secrets,
        rules=table.book.rules_id,
        leaves=retention.day(table.leaves) if table.leaves else None,
        house=table.house,
        clock=clocks.meaning(ladder.clock(table), table.clock.off.weekends),
        weekends=table.clock.off.weekends,
        hints=table.hints.sentence,
        paused_by=tuple(map(marked, table.votes.paused_by)),
        notices=table.settings.notices,
        pushes=table.settings.pushes,
        silence=table.settings.silence,
        receipt=table.settings.receipt,
        settle=table.settings.settle,
        slow=table.slow,
        day=table.day,
        colours=setup.colours(table.seats),
        watching=sum(viewer.seat < 0 for viewer in table.viewers),
    )


def _of_options(table: Table) -> tuple[tuple[tuple[str, Any, str], ...], tuple[str, ...]]:
    """What the options of a table are and mean, and which of them do nothing there."""
    say = table.book.say
    meanings = {o.name: say(o.meaning) for o in table.book.options if o.name in table.options}
    options = tuple((name, value, meanings[name]) for name, value in table.options.items())
    return options, tuple(table.book.idle(table.options, len(table.seats), Titles(table.book)))


def lines(table: Table, seat: int) -> list[LogLine]:
    """A seat's log so far; it only ever grows, unless a move is taken back (Table.asides)."""
    match = table.playing
    told = table.lines.get((seat, i18n.language()), [])
    new = match.log(seat)[max(0, len(told) - len(table.asides)) :]
    if new or (table.asides and not told):
        told = told + _with_reasons(new, table.reasons, private=False)
        if table.asides and (seat, i18n.language()) not in table.lines:
            for aside in reversed(table.asides):
                at = next((n for n, line in enumerate(told) if line.move >= aside.left), len(told))
                told.insert(at, _beside(table, aside, seat))
        table.lines[seat, i18n.language()] = told
    return told


def _beside(table: Table, aside: Undone | Passage | Veto, seat: int) -> LogLine:
    """What the log of a seat says beside the moves: that some were taken back (the first of them, as it was told), who
    refuses that, and who comes and goes."""
    speak = Speaker([marked(place.name) for place in table.seats], seat)
    if isinstance(aside, Undone):
        first = next(line for line in aside.was.log(seat) if line.move >= aside.move)
        sentence = speak(aside.seat, _("You take that back: {told}"), _("{who} takes that back: {told}"), told=first.marked)
    elif isinstance(aside, Veto):
        you, who = _("You do not want the move taken back."), _("{who} does not want the move taken back.")
        sentence = speak(aside.seat, you, who)
    elif aside.here:
        sentence = speak(aside.seat, _("You are back."), _("{who} is back."))
    else:
        sentence = speak(aside.seat, _("You were away."), _("{who} is away."))
    return LogLine(aside.left, aside.seat, sentence, None)


def _with_reasons(told: Iterable[Line], reasons: Mapping[int, Why], private: bool) -> list[LogLine]:
    """The lines with the reason of a move at its first line."""
    lines: list[LogLine] = []
    last = -1
    for line in told:
        public, secret = reasons.get(line.move, UNSAID) if line.move != last else UNSAID
        reason = i18n.chosen((secret or public) if private else public) or None
        lines.append(LogLine(line.move, line.seat, line.marked, reason, line.do, line.move != last))
        last = line.move
    return lines


def faces(book: Rulebook) -> Mapping[str, Any]:
    """What the cards of a game look like, by key, named in the language of the moment; empty if it does not say."""
    return _faces(book, i18n.language())


@lru_cache
def _faces(book: Rulebook, spoken: str) -> Mapping[str, Any]:
    module = book.submodule("faces")
    if module is None:
        with i18n.locale(spoken):
            return MappingProxyType(looks.faces(book))
    say = book.say
    with i18n.locale(spoken):
        return MappingProxyType({face.key: face._replace(name=say(face.name)) for face in module.FACES})


EXTRAS = {"table.css": "text/css", "table.js": "text/javascript"}


@lru_cache
def extras(book: Rulebook) -> tuple[str, ...]:
    """Which sheets and scripts of its own a game's table has."""
    return tuple(name for name in EXTRAS if (book.folder / name).exists())


def now(table: Table, you: int, base: str) -> Snapshot:
    """The table as it is now, for programs; also while seats are open."""
    if table.status != "open":
        return snapshot(live(table, you, base))
    changed = seating.changes(table)
    facts = TableFacts(id=table.id, game=table.book.id, title=table.book.called, status="open", changed=changed)
    seats = [SeatFacts(index=n, name=seat.name, kind=seat.kind, agent=seat.agent) for n, seat in enumerate(table.seats)]
    return Snapshot(table=facts, seats=seats, you=you)


def hint(advice: Advice) -> Suggestion:
    """A hint for programs."""
    others = [RatedMove(text=rated.move, chance=None, less=rated.less) for rated in advice.others]
    return Suggestion(
        bot=advice.bot,
        text=advice.move,
        chance=None,
        why=plain(advice.reason),
        others=others,
        lines=advice.lines,
    )


def as_json(scene: Scene) -> dict[str, Any]:
    """A scene for programs."""
    return snapshot(scene).as_json()


def snapshot(scene: Scene) -> Snapshot:
    """What programs are sent of a scene."""
    table, rulebook = scene.table, by_id(scene.table.game)
    names = [quoted(seat.called) for seat in scene.seats]
    return Snapshot(
        table=table.facts,
        seats=[seat.facts for seat in scene.seats],
        you=scene.you,
        view=scene.view,
        question=plain(scene.question),
        board=scene.words.board(scene.state, scene.you, names),
        legal=legal_choices(scene.menu, rulebook, names),
        decision=scene.decision,
        waiting=[bare(name) for name in scene.waiting],
        hint=hint(scene.hint.advice) if scene.hint.advice else None,
        log=[line.entry for line in scene.log],
        scores=list(scene.scores),
        winners=list(scene.winners),
        clocks=[
            ClockFacts(
                seat=clock.index,
                due=clock.due,
                rest=clock.rest,
                missed=clock.missed,
                agree=[bare(name) for name in clock.agree],
                need=clock.need,
                away=clock.away,
                vacation=clock.vacation,
            )
            for clock in scene.clocks
        ],
        orders=Orders(
            given=[GivenOrder(about=order.about, text=plain(order.sentence)) for order in scene.orders.given],
            offers=[_possible(choice, amounts) for amounts, choices in scene.orders.offers for choice in choices],
        ),
    )


def _possible(choice: Choice, amounts: range) -> PossibleOrder:
    if not amounts:
        return PossibleOrder(text=plain(choice.text), order=choice.move)
    return PossibleOrder(text=plain(choice.text), order=choice.move, amounts=ends(amounts))
