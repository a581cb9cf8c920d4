"""The faces (core/hooks/faces.py) of the components of a game (components.py)."""

from base64 import b64encode
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from outbid.core.components import COLOURS, ENDING, LARGEST, SYMBOLS, Dice, Look, Money
from outbid.core.declaration import Declaration
from outbid.core.errors import BadRulebook
from outbid.core.fields import Field, Layout
from outbid.core.hooks.faces import Face, Layer
from outbid.core.moves import Moves

HIDDEN, PLAIN = "?", "#7d8290"


def looks_of(field: Field) -> tuple[Look, ...]:
    """The looks of a field's things, from the kind 1 on; dice without any have their pips, money a coin."""
    if field.face is None or field.face.looks:
        return field.face.looks if field.face else ()
    if isinstance(field.face, Dice):
        return tuple(Look(figure=str(n), colour=PLAIN) for n in range(1, field.top + 1))
    return (Look(symbol="circle", colour="#b07d00"),) if isinstance(field.face, Money) else ()


def key(book: Declaration, field: Field, kind: int | None) -> str:
    """The name of the face of a kind on pages; of the back for the kind 0; "" if it has none."""
    looks = looks_of(field)
    if field.face is None or not field.face.kind or kind is None or not 0 <= kind <= len(looks):
        return ""
    return f"{book.id}-{_numbers(book.layout)[field.name]}-{kind}"


@lru_cache(maxsize=16)
def _numbers(layout: Layout) -> dict[str, int]:
    """The number of what each field is made of; fields of the same things have the same."""
    components = {field.name: (type(field.face), looks_of(field)) for field in layout.facts if field.face}
    return {name: [*components.values()].index(component) for name, component in components.items()}


def faces(book: Declaration) -> dict[str, Face]:
    """All faces of a game, by key."""
    return {face.key: face for field in book.layout.facts for face in _faces(book, field)}


def _faces(book: Declaration, field: Field) -> Iterator[Face]:
    if field.face is None or not field.face.kind:
        return
    for n, look in enumerate((Look(figure=HIDDEN, colour=PLAIN), *looks_of(field))):
        path = SYMBOLS.get(look.symbol, "")
        layers = (Layer("fill", path), Layer("ink", path, 3)) if path else ()
        text = book.say(look.text) if look.text else ""
        yield Face(
            key=key(book, field, n),
            kind=field.face.kind,  # type: ignore[arg-type]
            name=text,
            figure=look.figure,
            hue=look.colour or COLOURS[n % len(COLOURS)],
            letter=(text or look.figure)[:1].upper(),
            symbol=layers,
            lobes=5 + n % 12,
            sign="" if path else look.symbol,
            picture=_picture(book, look.picture) if look.picture else "",
        )


def check(book: Declaration) -> None:
    """Raises BadRulebook if a component cannot be drawn, or touching a field makes no move of one field."""
    kinds = {do: row.fields for do, row in book.moves.kinds.items()} if isinstance(book.moves, Moves) else {}
    for field in book.layout.facts:
        if field.touch and len(kinds.get(field.touch, ())) != 1:
            reason = f"the field {field.name} is touched for the move {field.touch!r}; it must be a move with one field"
            raise BadRulebook(f"In the game {book.id}, {reason}.")
        if field.at and not any(other.name == field.at and other.shape for other in book.layout.facts):
            raise BadRulebook(f"In the game {book.id}, the field {field.name} names a place of {field.at}, which has none.")
        for look in field.face.looks if field.face else ():
            if wrong := _fault(look):
                raise BadRulebook(f"In the game {book.id}, what lies in the field {field.name} is drawn {wrong}.")
            if look.picture:
                _picture(book, look.picture)


def _fault(look: Look) -> str:
    hue = look.colour.removeprefix("#")
    if look.colour and (len(hue) != 6 or len(look.colour) != 7 or set(hue) - set("0123456789abcdef")):
        return f"in {look.colour!r}; a colour is such as '#0072b2'"
    if look.symbol not in SYMBOLS and len(look.symbol) > 3:
        return f"with {look.symbol!r}; a symbol is up to three characters, or one of {', '.join(SYMBOLS)}"
    return ""


def _picture(book: Declaration, name: str) -> str:
    """A picture as the address of an image, which runs and loads nothing. Raises BadRulebook."""
    file = Path(book.modules[-1].__file__ or "").parent / name
    where = f"The picture {name} of the game {book.id}"
    if file.suffix != ENDING or not file.is_file():
        raise BadRulebook(f"{where} is not there; it is an SVG file, found from the folder of the game.")
    data = file.read_bytes()
    if len(data) > LARGEST:
        raise BadRulebook(f"{where} has {len(data)} bytes; it may have {LARGEST}.")
    return f"data:image/svg+xml;base64,{b64encode(data).decode()}"
