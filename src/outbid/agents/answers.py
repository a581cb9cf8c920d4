"""What a language model answers, read as a move.

    read(match, seat, answer)    the move, checked and not played; or one error to rethink from
    meant(book, answer)          the move, not checked

An answer is read in units: JSON objects, lines, and the sentences of a line. What follows a mark ("ANSWER:", "Final move:")
counts before everything else; otherwise the last unit that names a move. A unit that is a move and nothing else is meant; a
sentence with a move in it is, unless it speaks of what is not done ("not", "rather than", "instead"); an item of a list
stands for itself only if no other does. Whatever could be meant differently is asked back: it is never guessed.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from outbid.agents.obfuscation import Disguise
from outbid.agents.prompts import MARK, SPEECH, first_move
from outbid.core.errors import Ambiguous, Illegal, OutbidError, Unreadable
from outbid.core.language import i18n
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook

LONGEST = 20_000  # characters of an answer that are read, from its end
WORDS = 24  # most words of a move in a sentence
SHOWN = 80  # characters of an unreadable answer that are quoted
KEYS = ("move", "answer", "action")  # of an object around a move

MARKED = re.compile(
    r"^[\s>*_#`-]*(?:(?:my|the)\s+)?(?:(?:final|chosen)\s+)?(?:answer|move|action|decision)(?:\s+is)?[\s*_`]*[:=]",
    re.I | re.M,
)
HEDGED = re.compile(
    r"\b(?:not|never|no|without|unless|instead|rather|than|if|could|might|cannot|avoid)\b|n['’]t\b", re.I
)
ITEM = re.compile(r"^\s*(?:[-*•+]|\d+[.)])\s+")
BRACKET = re.compile(r"\s+\[.*\]\W*$")  # what the menu says of a move, behind it
EDGES = " \t\r\n.,;:!?\"'`*_()“”‘’\\$"


def read(match: Match, seat: int, answer: str, legal: bool = True, obfuscate: int | None = None) -> dict[str, Any]:
    """The move that a seat's answer means, as in a record. It is legal now and has not been played.

    legal, obfuscate: as in the prompt. Raises Unreadable, Ambiguous (with what could be meant), Illegal (with the reason
    and, unless the legal moves are withheld, what is legal) or NotYourTurn, each in the names of the prompt."""
    disguise = Disguise(match.rulebook, obfuscate) if obfuscate is not None else None
    try:
        with i18n.locale(i18n.SOURCE):
            if seat not in match.asked:
                match.attempt(seat, {"do": ""})
            menu = match.legal(seat)
            kinds = {choice.move["do"] for choice in menu}
            answer = SPEECH.sub("", answer)
            bare = disguise.uncover(answer) if disguise else answer
            move = meant(match.rulebook, bare, kinds, first_move(match, seat), seat)
            return match.attempt(seat, move).move
    except Illegal as error:
        shown = error if legal else Illegal(error.reason)
        raise (disguise.covered(shown) if disguise else shown) from None
    except OutbidError as error:
        raise (disguise.covered(error) if disguise else error) from None


@dataclass
class _Unit:
    """A piece of an answer and the moves it names. sure: it does not speak of what is not done, and is no item of a list."""

    text: str
    moves: list[dict[str, Any]] = field(default_factory=list)
    sure: bool = True
    item: bool = False


def meant(
    book: Rulebook,
    answer: str,
    kinds: set[str] | None = None,
    example: Mapping[str, Any] | None = None,
    seat: int | None = None,
) -> dict[str, Any]:
    """The move that an answer means. kinds: what is done now ("bid", "pass"); a sentence that names such a move and others
    means that one. example: a legal move, for the error. seat: whose it is; an object may name no other. Raises Unreadable,
    Ambiguous."""
    tail = answer[-LONGEST:]
    marks = list(MARKED.finditer(tail))
    parts = [tail[marks[-1].end() :]] if marks else []
    for part in (*parts, tail):
        units = list(_units(book, part, kinds or set()))
        if part is not tail:  # what is marked is its first line, or the object that begins there
            units = units[:1] if units and units[0].moves else units
        named = [unit for unit in units if unit.moves]
        if not named:
            continue
        sure = [unit for unit in named if unit.sure and not unit.item]
        moves = sure[-1].moves if sure else _distinct(move for unit in named for move in unit.moves)
        if len(moves) == 1 and (sure or all(unit.item for unit in named)):
            move = _full(book, moves[0], (sure or named)[-1].text)
            whose = move.pop("seat", seat)
            if seat is not None and str(whose) != str(seat):
                raise Unreadable(f"The move is said to be that of seat {json.dumps(whose)}; you are seat {seat}.")
            return move
        raise _ambiguous(book, moves, example)
    raise _unreadable(book, parts[0] if parts and parts[0].strip(EDGES) else tail)


def _units(book: Rulebook, part: str, kinds: set[str]) -> Iterator[_Unit]:
    """The units of a text in order."""
    place = 0
    for start, end, value in _objects(part):
        yield from _lines(book, part[place:start], kinds)
        yield _Unit(part[start:end], _in_object(book, value, kinds))
        place = end
    yield from _lines(book, part[place:], kinds)


def _objects(part: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """The JSON objects in a text: start, end, value."""
    decoder, place = json.JSONDecoder(), 0
    while (start := part.find("{", place)) >= 0:
        try:
            value, end = decoder.raw_decode(part, start)
        except (ValueError, RecursionError):
            place = start + 1
            continue
        place = end
        yield start, end, value


def _in_object(book: Rulebook, value: dict[str, Any], kinds: set[str]) -> list[dict[str, Any]]:
    if isinstance(value.get("do"), str):
        move = dict(book.words.canonical({**value, "do": value["do"].lower()}))
        return [{**move, "seat": value["seat"]} if "seat" in value else move]
    for key in KEYS:
        within = next((value[name] for name in value if name.lower() == key), None)
        whose = {"seat": value["seat"]} if "seat" in value else {}
        if isinstance(within, dict):
            return _in_object(book, whose | within, kinds)
        if isinstance(within, str):
            return [move | whose for move in _distinct(m for unit in _lines(book, within, kinds) for m in unit.moves)]
    return []


def _lines(book: Rulebook, part: str, kinds: set[str]) -> Iterator[_Unit]:
    """The lines of a text, or their sentences."""
    for line in part.splitlines():
        item = ITEM.match(line)
        text = BRACKET.sub("", line[item.end() :] if item else line)
        whole = _whole(book, text)
        if whole:
            yield _Unit(text.strip(EDGES), [whole], item=bool(item))
            continue
        for sentence in re.split(r"(?<=[.!?:])\s+|`", text):
            stripped = sentence.strip(EDGES)
            if not stripped:
                continue
            whole = _whole(book, sentence)
            moves = [whole] if whole else _in_sentence(book, stripped, kinds)
            yield _Unit(stripped, moves, bool(whole) or not HEDGED.search(_without(book, stripped, moves)), bool(item))


def _whole(book: Rulebook, text: str) -> dict[str, Any] | None:
    """The move, if the text is one and nothing else."""
    try:
        return book.words.parse(text.strip(EDGES))
    except OutbidError:
        return None


def _in_sentence(book: Rulebook, sentence: str, kinds: set[str]) -> list[dict[str, Any]]:
    """The moves that a sentence names, those of the kinds that are done now if there are any."""
    words = sentence.split()
    verbs = set(book.words.EXPECTED) | kinds
    moves, place = [], 0
    while place < len(words):
        if words[place].strip(EDGES).lower() not in verbs:
            place += 1
            continue
        move, used = _longest(book, words[place : place + WORDS])
        if move is not None and not _range(words[place + used :]):
            moves.append(move)
        place += max(used, 1)
    now = [move for move in moves if move["do"] in kinds]
    return _distinct(now or moves)


def _longest(book: Rulebook, words: list[str]) -> tuple[dict[str, Any] | None, int]:
    """The move that the most of these words make, from the first on, and how many they are."""
    for used in range(len(words), 0, -1):
        text = " ".join(words[:used]).strip(EDGES)
        move = _whole(book, text)
        if move is not None and not _lacks(book, move, text):
            return move, used
    return None, 0


def _range(rest: list[str]) -> bool:
    """What follows makes a range of an amount: "bid 10 to 90", "bid 10 or 20"."""
    return len(rest) > 1 and rest[0] in ("to", "or", "-", "–") and rest[1][:1].isdigit()


def _without(book: Rulebook, sentence: str, moves: list[dict[str, Any]]) -> str:
    """A sentence without the words of its moves ("offer nothing" denies nothing)."""
    for move in moves:
        sentence = re.sub(re.escape(book.words.text(move)), " ", sentence, flags=re.I)
    return sentence


def _lacks(book: Rulebook, move: Mapping[str, Any], text: str) -> bool:
    """The text leaves out what the move lays, and does not say that it is nothing."""
    if not any(value is None or value == [] for key, value in move.items() if key != "do"):
        return False
    full = re.findall(r"[\w#]+", book.words.text(dict(move)).lower())
    return not set(full) <= set(re.findall(r"[\w#]+", text.lower()))


def _full(book: Rulebook, move: dict[str, Any], text: str) -> dict[str, Any]:
    """The move, if it was said in full."""
    if not text.startswith("{") and _lacks(book, move, text):
        raise Unreadable(f"{_quoted(text)} leaves open what is laid; if it is nothing, say {book.words.text(move)!r}.")
    return move


def _distinct(moves: Any) -> list[dict[str, Any]]:
    distinct: list[dict[str, Any]] = []
    for move in moves:
        if move not in distinct:
            distinct.append(move)
    return distinct


def _ambiguous(book: Rulebook, moves: list[dict[str, Any]], example: Mapping[str, Any] | None) -> Ambiguous:
    candidates = tuple(_spelled(book, move) for move in moves)
    shown = f"{MARK} {_spelled(book, example if example else moves[0])}"
    return Ambiguous(
        f"It is not clear which move is meant ({'; '.join(candidates)}); write one alone in the last line, as in {shown!r}.",
        candidates,
    )


def _spelled(book: Rulebook, move: Mapping[str, Any]) -> str:
    try:
        return book.words.text(dict(move))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return json.dumps(move)


def _unreadable(book: Rulebook, text: str) -> OutbidError:
    """What is wrong with an answer that names no move, about its last line."""
    lines = [line.strip(EDGES) for line in text.splitlines() if line.strip(EDGES)]
    last = lines[-1] if lines else ""
    try:
        book.words.parse(last[:SHOWN] + ("…" if len(last) > SHOWN else ""))
    except OutbidError as error:
        return error
    return Unreadable(f"{_quoted(last)} is not a move.")


def _quoted(text: str) -> str:
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "…")
