"""What a table server sends, as models: a table as one viewer sees it (`Snapshot`), and the messages of the socket.

The server builds them and dumps them (`as_json`): fields stand in the order of their declaration, and a field that was not
set is left out. A client reads them (`read_table`, `read_message`, `read_hint`): a field that it does not know is left out,
one that an older server does not send has a default, and text loses whatever would do something to a terminal.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, ValidationError, ValidationInfo

from outbid.core.errors import OutbidError
from outbid.core.hooks.choices import worded
from outbid.core.language.i18n import _
from outbid.core.language.names import quoted
from outbid.core.language.phrases import listed
from outbid.core.menu import Menu
from outbid.core.rulebook import Rulebook
from outbid.wire.offers import Offer

JOINERS = "\u200c\u200d"  # within names, of scripts and emoji that need them
Shape = TypeVar("Shape")
RECEIVED = True  # the context of a validation: what comes from a server is cleaned, what the server builds is left alone


def printable(text: str) -> str:
    """Text without anything that would do something to a terminal; lines stay lines, and every space is a plain one."""
    return "\n".join("".join(map(_printable, line)) for line in text.split("\n"))


def _printable(character: str) -> str:
    if character.isprintable() or character in JOINERS:
        return character
    return " " if character.isspace() else "\ufffd"


def one_line(text: str) -> str:
    """Printable text on one line."""
    return " ".join(printable(text).split())


def _lines(text: str, info: ValidationInfo) -> str:
    return printable(text) if info.context else text


def _line(text: str, info: ValidationInfo) -> str:
    return one_line(text) if info.context else text


Text = Annotated[str, AfterValidator(_lines)]
Words = Annotated[str, AfterValidator(_line)]
Time = Annotated[int | float, Field(ge=0, lt=1e15)]  # ms of the server's clock, or seconds
Status = Literal["open", "playing", "over"]  # seats are open, a match is played, it is over
Amounts = tuple[int, int, Annotated[int, Field(gt=0)]]  # the first, the last, the step


class TableFacts(BaseModel):
    """The table, apart from the match."""

    id: str
    game: Text
    title: Text = ""
    status: Status
    pace: str = ""
    paused: bool = False
    paused_by: list[Words] = []
    options: dict[str, Any] = {}
    closes: Time | None = None
    clock: Words = ""
    weekends: bool = False
    slow: bool = False
    changed: list[Words] = []


class SeatFacts(BaseModel):
    """A seat, and who plays there."""

    index: int = 0
    name: Text | None = None
    kind: Text = ""
    asked: bool = False
    online: bool = False
    hints: int = 0
    plays_as: Words | None = None
    agent: bool = False


class LegalChoice(BaseModel):
    """A choice of the menu (core/menu.py). words: the choice as a person says it; texts: those of `moves`."""

    text: Text
    move: dict[str, Any]
    words: Words = ""
    amounts: Amounts | None = None
    cards: list[int | Text] | None = None
    moves: list[dict[str, Any]] = []
    texts: list[Text] = []

    @property
    def offer(self) -> Offer:
        """The choice for a person at a terminal or an agent."""
        amounts = range(self.amounts[0], self.amounts[1] + 1, self.amounts[2]) if self.amounts else range(0)
        cards = None if self.cards is None else tuple(self.cards)
        moves = tuple(zip(self.texts, self.moves, strict=False))
        return Offer(self.text, self.move, amounts, cards, moves, words=self.words)


def legal_choices(menu: Menu, rulebook: Rulebook, names: Sequence[str]) -> list[LegalChoice]:
    """The choices of a menu; names: of the seats, as sentences have them."""
    choices = []
    for choice in menu:
        facts: dict[str, Any] = {"text": choice.text, "move": choice.move}
        if words := worded(rulebook, choice, names):
            facts["words"] = words
        if choice.amounts:
            facts["amounts"] = ends(choice.amounts)
        if choice.cards is not None:
            facts["cards"] = list(choice.cards)
        if choice.moves:
            facts |= {"moves": list(choice.moves), "texts": [rulebook.words.text(move) for move in choice.moves]}
        choices.append(LegalChoice(**facts))
    return choices


def ends(amounts: range) -> Amounts:
    """A range of amounts as it is sent."""
    return amounts.start, amounts[-1], amounts.step


class RatedMove(BaseModel):
    """A move that a bot thought about; less: how much less it promises to win than the one that is advised, in per cent.
    chance: what older servers said instead; older clients want the field."""

    text: str | None
    chance: int | None
    less: int | None = None


class Suggestion(BaseModel):
    """A hint: what a bot would do, and why; lines: all of it in sentences."""

    bot: str = ""
    text: str | None = None
    chance: int | None = None
    why: str = ""
    others: list[RatedMove] = []
    lines: list[Words]


class LogEntry(BaseModel):
    """A line of the log; reason: why a bot made the move."""

    move: int = 0
    seat: int | None = None
    text: Text
    reason: Text | None = None


class ClockFacts(BaseModel):
    """How long a seat has: until `due` (ms) while its time runs, else `rest` seconds. vacation: when it ends (ms)."""

    seat: int
    due: Time | None = None
    rest: Time | None = None
    missed: int = 0
    agree: list[Words] = []
    need: int = 0
    away: bool = False
    vacation: Time | None = None


class GivenOrder(BaseModel):
    """An automatic move that stands."""

    about: str
    text: str


class PossibleOrder(BaseModel):
    """An automatic move that may be ordered."""

    text: str
    order: dict[str, Any]
    amounts: Amounts | None = None


class Orders(BaseModel):
    """The automatic moves of the viewer's seat."""

    given: list[GivenOrder] = []
    offers: list[PossibleOrder] = []


class Snapshot(BaseModel):
    """A table as one viewer sees it. you: its seat, −1 for a spectator; view: as `Match.view` has it."""

    table: TableFacts
    seats: list[SeatFacts]
    you: int
    view: Any = None
    question: Text = ""
    board: Text = ""
    legal: list[LegalChoice] = []
    decision: int | None = None
    waiting: list[Words] = []
    hint: Suggestion | None = None
    log: list[LogEntry] = []
    scores: list[int] = []
    winners: list[int] = []
    clocks: list[ClockFacts] = []
    orders: Orders = Orders()

    def as_json(self, log: bool = True) -> dict[str, Any]:
        """The snapshot as it is sent. log: the lines of the log are in it, if there is a match."""
        return self.model_dump(exclude_unset=True, exclude=None if log else {"log"})

    @property
    def notices(self) -> list[str]:
        """What one should know beside the question: who paused the table, and who is stood in for."""
        notices: list[str] = []
        if self.table.paused and self.table.paused_by:
            notices.append(_("Paused by {names}.", names=listed([quoted(name) for name in self.table.paused_by])))
        elif self.table.paused:
            notices.append(_("The table is paused."))
        if self.table.changed:
            notices.append(_("This has been changed: {what}", what="; ".join(self.table.changed)))
        for seat in self.seats:
            if seat.plays_as:
                name, bot = quoted(seat.name or ""), _(seat.plays_as)
                notices.append(_("{name} plays as {bot} until it is ready.", name=name, bot=bot))
        return notices


class ChatMessage(BaseModel):
    """What a person said at the table. to: the seat that alone heard it."""

    id: int
    name: Words
    text: Words
    mine: bool = False
    to: int | None = None

    @property
    def sentence(self) -> str:
        """Who said what."""
        if self.mine and self.to is None:
            return _("You say: {text}", text=self.text)
        if self.mine:
            return _("You say to one alone: {text}", text=self.text)
        if self.to is not None:
            return _("{name} says to you alone: {text}", name=quoted(self.name), text=self.text)
        return _("{name} says: {text}", name=quoted(self.name), text=self.text)


class TableChange(BaseModel):
    """The table has changed, or there is a new message; its log has the lines from `since` on. time: the server's clock."""

    type: Literal["table"]
    version: int = 0
    time: Time | None = None
    now: Snapshot
    since: int
    said: list[ChatMessage] = []


class Ack(BaseModel):
    """The answer to a command."""

    type: Literal["ack"] = "ack"
    id: str | None = None
    ok: bool
    error: Text | None = None
    stale: bool = False


class Receipt(BaseModel):
    """A command has arrived; nothing has been done about it yet."""

    type: Literal["receipt"] = "receipt"
    id: str


class Beat(BaseModel):
    """The server is there, and nothing has happened. time: its clock."""

    type: Literal["beat"] = "beat"
    time: Time


class Reload(BaseModel):
    """The table is not what it was."""

    type: Literal["reload"] = "reload"


class Closing(BaseModel):
    """The socket is closed, and why."""

    type: Literal["error"] = "error"
    error: Text


Message = TableChange | Ack | Receipt | Beat | Reload | Closing
KINDS = {"table", "ack", "receipt", "beat", "reload", "error"}
_message: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])
_table = TypeAdapter(Snapshot)
_hint = TypeAdapter(Suggestion)


def read_message(frame: Any) -> Message | None:
    """The message of a frame; none if it is of a kind that is not for us. Raises OutbidError."""
    return None if isinstance(frame, dict) and frame.get("type") not in KINDS else _read(_message, frame)


def read_table(answer: Any) -> Snapshot:
    """The table of an answer to `GET /t/{table}`. Raises OutbidError."""
    return _read(_table, answer)


def read_hint(answer: Any) -> Suggestion:
    """The hint of an answer to `POST /t/{table}/hint`. Raises OutbidError."""
    return _read(_hint, answer.get("hint") if isinstance(answer, dict) else None)


def _read(model: TypeAdapter[Shape], value: Any) -> Shape:
    try:
        return model.validate_python(value, context=RECEIVED)
    except ValidationError as error:
        sentence = _("The server says something that this outbid does not understand; perhaps one of them is older.")
        raise OutbidError(sentence) from error
