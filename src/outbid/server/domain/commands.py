"""What a form or a socket frame says, made into a command (docs/server.md, "Move fields")."""

import hashlib
import json
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from outbid.core import record
from outbid.core.contract import Words
from outbid.core.errors import Unreadable
from outbid.core.language.i18n import _

Act = Sequence[int] | dict[str, Any]  # a move as action ids or as in a record
Why = tuple[Mapping[str, str], Mapping[str, str]]  # a bot's reason for everybody and for after the match, by language
UNSAID: Why = ({}, {})

MOST_CARDS = 200
WHOLE = re.compile(r"-?\d{1,9}")

Fields = list[tuple[str, str]]


@dataclass(frozen=True)
class Command:
    """A move of a seat: an id of its own, the question it answers, the move as in a record or as a person typed it."""

    id: str
    decision: int
    move: dict[str, Any] | str


def command(fields: Fields, name: str | None = None) -> Command:
    """The command that fields say; `name` is its id if the message gave one. Raises Unreadable."""
    single = {key: value for key, value in fields if not key.startswith("cards")}
    if len(single) < sum(not key.startswith("cards") for key, _ in fields):
        raise Unreadable(_("A field stands in the move twice."))
    decision = single.pop("decision", "")
    if not WHOLE.fullmatch(decision):
        raise Unreadable(_("A move needs the field 'decision': the number of the question it answers."))
    name = single.pop("command", name)
    cards = [(key, value) for key, value in fields if key.startswith("cards")]
    move: dict[str, Any] | str
    if "text" in single:
        move = _typed(single, cards)
    else:
        move = _spelled(single, cards) if "move" not in single else _whole(single, cards)
    return Command(_named(name) if name else _derived(int(decision), move), int(decision), move)


def _whole(single: dict[str, str], cards: Fields) -> dict[str, Any]:
    """A move that is one JSON object."""
    move = record.parse(single.pop("move"))
    _only(single, cards)
    if not isinstance(move, dict):
        raise Unreadable(_("The field 'move' must be a JSON object."))
    move = cast("dict[str, Any]", move)
    if "seat" in move:
        raise Unreadable(_("A move does not name a seat; it is made by the seat of this browser."))
    return move


def _typed(single: dict[str, str], cards: Fields) -> str:
    """A move as a person types it; what it means is for the game to say."""
    text = single.pop("text")
    _only(single, cards)
    return text


def _spelled(single: dict[str, str], cards: Fields) -> dict[str, Any]:
    """A move in typed fields."""
    if "do" not in single:
        raise Unreadable(_("A move needs the field 'move', the field 'do' or the field 'text'."))
    move: dict[str, Any] = {"do": single.pop("do")}
    for key in list(single):
        kind, _colon, name = key.partition(":")
        if kind == "int" and name:
            move[name] = _number(name, single.pop(key))
        elif kind == "str" and name:
            move[name] = single.pop(key)
        elif kind == "bool" and name:
            move[name] = _truth(name, single.pop(key))
    _only(single, [])
    if cards:
        move["cards"] = _cards(cards)
    return move


def _cards(cards: Fields) -> list[Any]:
    """The list of cards that `cards:VALUE` = how many say."""
    laid: list[Any] = []
    for key, value in cards:
        kind, _colon, card = key.partition(":")
        if kind != "cards" or (not card and value):
            raise Unreadable(_unknown(key))
        n = _number(card, value) if card and value else 0
        if n < 0 or len(laid) + n > MOST_CARDS:
            raise Unreadable(_("{card} cannot be laid {n} times.", n=value[:12], card=card[:12]))
        laid += [int(card) if WHOLE.fullmatch(card) else card] * n
    return laid


def _number(name: str, text: str) -> int:
    if not WHOLE.fullmatch(text.strip()):
        facts = {"name": repr(name[:40]), "said": repr(text[:40])}
        raise Unreadable(_("The field {name} must be a whole number, not {said}.", **facts))
    return int(text)


def _truth(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        facts = {"name": repr(name[:40]), "said": repr(text[:40])}
        raise Unreadable(_("The field {name} must be true or false, not {said}.", **facts))
    return text == "true"


def _only(single: dict[str, str], cards: Fields) -> None:
    for key in [*single, *(key for key, _value in cards)]:
        raise Unreadable(_unknown(key))


def _unknown(key: str) -> str:
    return _("The field {name} is unknown.", name=repr(key[:40]))


def _named(name: str) -> str:
    try:
        return str(uuid.UUID(name))
    except ValueError:
        raise Unreadable(_("The id of a command must be a UUID.")) from None


def _derived(decision: int, move: dict[str, Any] | str) -> str:
    """The id of a command that brought none: the same move for the same question is the same command."""
    text = json.dumps(move, sort_keys=True)
    return f"{decision}-{hashlib.sha256(text.encode()).hexdigest()[:32]}"


def meant(words: Words, move: dict[str, Any]) -> dict[str, Any]:
    """The move, if the game has a use for each of its keys. Raises Unreadable."""
    canonical = words.canonical(move)
    for key in move.keys() - canonical.keys():
        if key not in words.canonical({**move, key: ""}):  # else it is a key whose value went without saying
            raise Unreadable(_("The key {name} is unknown in this move.", name=repr(key[:40])))
    return move


def flat(fields: Any) -> Fields:
    """The fields of a socket frame as a form would have them. Raises Unreadable."""
    if not isinstance(fields, dict):
        raise Unreadable(_("A move has 'fields', an object."))
    flat: Fields = []
    for key, value in cast("dict[str, Any]", fields).items():
        several: list[Any] = value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
        flat += [(key, _text(key, item)) for item in several]
    return flat


def _text(key: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise Unreadable(_("The field {name} must be text or a whole number.", name=repr(key[:40])))
    return str(value)


def known(fields: Iterable[tuple[str, str]], allowed: Iterable[str]) -> dict[str, str]:
    """The fields of a form, each at most once and only those allowed. Raises Unreadable."""
    values: dict[str, str] = {}
    names = set(allowed)
    for key, value in fields:
        if key not in names:
            if len(names) >= 10 or not names:
                raise Unreadable(_unknown(key))
            facts = {"name": repr(key[:40]), "fields": ", ".join(sorted(names))}
            raise Unreadable(_("The field {name} is unknown; the fields are {fields}.", **facts))
        if key in values:
            raise Unreadable(_("The field {name} stands in the form twice.", name=repr(key[:40])))
        values[key] = value
    return values
