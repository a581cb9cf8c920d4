"""What a server says, checked; what it says beyond that is left out, so that a newer server can be spoken to."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, ValidationError

from outbid.core.errors import OutbidError
from outbid.core.language import i18n
from outbid.core.language.names import quoted
from outbid.core.language.phrases import listed
from outbid.terminal.lines import Offer

_, ngettext = i18n.words("outbid")


JOINERS = "\u200c\u200d"  # within names, of scripts and emoji that need them


def printable(text: str) -> str:
    """Text without anything that would do something to a terminal; lines stay lines, and every space is a plain one."""
    return "\n".join("".join(_shown(c) for c in line) for line in text.split("\n"))


def _shown(character: str) -> str:
    if character.isprintable() or character in JOINERS:
        return character
    return " " if character.isspace() else "\ufffd"


def one_line(text: str) -> str:
    """The same on one line."""
    return " ".join(printable(text).split())


Text = Annotated[str, AfterValidator(printable)]
Words = Annotated[str, AfterValidator(one_line)]
Time = Annotated[float, Field(ge=0, lt=1e15)]  # ms of the server's clock, or seconds


class Facts(BaseModel):
    """The table."""

    id: str
    game: Text
    title: Text = ""
    status: Literal["open", "playing", "over"]
    options: dict[str, Any] = {}
    clock: Words = ""
    closes: Time | None = None
    paused: bool = False
    paused_by: list[Words] = []


class Seat(BaseModel):
    """A seat."""

    name: Text | None = None
    kind: Text = ""
    plays_as: Words | None = None


class Clock(BaseModel):
    """How long a seat has: until `due` (ms) while its time runs, else `rest` seconds."""

    seat: int
    due: Time | None = None
    rest: Time | None = None
    missed: int = 0
    agree: list[Words] = []
    need: int = 0
    away: bool = False


class Choice(BaseModel):
    """A choice of the menu."""

    text: Text
    move: dict[str, Any]
    amounts: tuple[int, int, Annotated[int, Field(gt=0)]] | None = None
    cards: list[int | Text] | None = None
    moves: list[dict[str, Any]] = []
    texts: list[Text] = []
    words: Words = ""

    @property
    def offer(self) -> Offer:
        """The same for a person at a terminal."""
        amounts = range(self.amounts[0], self.amounts[1] + 1, self.amounts[2]) if self.amounts else range(0)
        cards = None if self.cards is None else tuple(self.cards)
        moves = tuple(zip(self.texts, self.moves, strict=False))
        return Offer(self.text, self.move, amounts, cards, moves, words=self.words)


class Told(BaseModel):
    """A line of the log."""

    seat: int | None = None
    text: Text
    reason: Text | None = None


class Now(BaseModel):
    """A table as it is."""

    table: Facts
    seats: list[Seat]
    you: int
    question: Text = ""
    board: Text = ""
    legal: list[Choice] = []
    decision: int | None = None
    log: list[Told] = []
    scores: list[int] = []
    winners: list[int] = []
    clocks: list[Clock] = []

    @property
    def notices(self) -> list[str]:
        """What one should know beside the question: who paused the table, and who is stood in for."""
        said: list[str] = []
        if self.table.paused and self.table.paused_by:
            said.append(_("Paused by {names}.", names=listed([quoted(name) for name in self.table.paused_by])))
        elif self.table.paused:
            said.append(_("The table is paused."))
        waiting = [(seat.name or "", seat.plays_as) for seat in self.seats if seat.plays_as]
        return said + [_("{name} plays as {bot} until it is ready.", name=quoted(name), bot=_(bot)) for name, bot in waiting]


class Said(BaseModel):
    """A message of the chat."""

    id: int
    name: Words
    text: Words
    mine: bool = False

    @property
    def sentence(self) -> str:
        """Who said what."""
        if self.mine:
            return _("You say: {text}", text=self.text)
        return _("{name} says: {text}", name=quoted(self.name), text=self.text)


class Hint(BaseModel):
    """What a bot would do, in sentences."""

    lines: list[Words]


class State(BaseModel):
    """The table has changed, or there is a new message; its log has the lines from `since` on. time: the server's clock."""

    type: Literal["table"]
    since: int
    now: Now
    time: Time | None = None
    said: list[Said] = []


class Answer(BaseModel):
    """The answer to a command."""

    type: Literal["ack"] = "ack"
    id: str | None = None
    ok: bool
    error: Text | None = None
    stale: bool = False


class Receipt(BaseModel):
    """A command has arrived; nothing has been done about it yet."""

    type: Literal["receipt"]
    id: str


class Beat(BaseModel):
    """The server is there, and nothing has happened. time: its clock."""

    type: Literal["beat"]
    time: Time


class Reload(BaseModel):
    """The table is not what it was."""

    type: Literal["reload"]


class Error(BaseModel):
    """The socket is closed, and why."""

    type: Literal["error"]
    error: Text


Message = State | Answer | Receipt | Beat | Reload | Error
KINDS = {"table", "ack", "receipt", "beat", "reload", "error"}
_message: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


def message(said: Any) -> Message | None:
    """What a frame says; none if it is of a kind that is not for us. Raises OutbidError."""
    if isinstance(said, dict) and said.get("type") not in KINDS:
        return None
    try:
        return _message.validate_python(said)
    except ValidationError as error:
        raise _strange() from error


def table(said: Any) -> Now:
    """What a server answers of a table. Raises OutbidError."""
    try:
        return Now.model_validate(said)
    except ValidationError as error:
        raise _strange() from error


def hint(said: Any) -> Hint:
    """What a server answers to who asks for a hint. Raises OutbidError."""
    try:
        return Hint.model_validate(said["hint"])
    except (ValidationError, KeyError, TypeError) as error:
        raise _strange() from error


def _strange() -> OutbidError:
    return OutbidError(_("The server says something that this outbid does not understand; perhaps one of them is older."))
