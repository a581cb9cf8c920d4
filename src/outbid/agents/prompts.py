"""The prompt of a seat: what a language model is told when it plays, in words.

    text(match, seat, legal=True, obfuscate=None, history="full", rules="short")

Its parts, each of them also by itself: `rules_of` (the rulebook), `told` (the log), `moves` (what may be done),
`first_move` (a move that is legal now). All is made of what the seat may know (match.py) and is in English. answers.py
reads what the model says to it.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import permutations
from typing import Any

from outbid.agents.obfuscation import Disguise
from outbid.core.errors import BadSetup, OutbidError
from outbid.core.hooks.choices import worded
from outbid.core.language import i18n
from outbid.core.language.names import quoted
from outbid.core.language.written import forms
from outbid.core.match import Line, Match
from outbid.core.menu import Choice
from outbid.core.rulebook import Rulebook
from outbid.core.talk import LONGEST, TALKS

HISTORIES = ("full", "compact", "none")
RULES = ("whole", "short", "none")
LAST = 12  # lines of a compact history
MOST_SHOWN = 60  # moves of one choice that are listed; of more only how many they are, if the choice says which, else some
HOW = "How moves are written"  # sections of a rulebook: how moves are typed, and those that come after the rules themselves
AFTER = "Options|How moves are written|Rulings"
RECORDED = "| typed | in a record |"  # how the table there begins; a prompt has the first of these columns
READINGS = "Readings"  # a part of the rulings: what the options mean
CHANGES = "Where the rules say otherwise, this holds:"
MARK = "ANSWER:"
MOST_REMARKS = 3  # before a move
SPEECH = re.compile(r"^[ >*_#`-]*SAY(?: TO SEAT (\d+))?[ *_`]*:[ *_`]*(\S.*)$", re.I | re.M)  # no part of a move
_TALK = (
    f"## Talk\n\nBefore your move you may say up to {MOST_REMARKS} things, of at most {LONGEST} characters each; nothing "
    "that is said binds anybody. A line that begins with SAY: is heard by all"
)
HOW_TO_TALK = {
    "none": "",
    "public": f"{_TALK}.",
    "private": f"{_TALK}, one that begins with SAY TO SEAT and its number, as in SAY TO SEAT 0:, by that seat alone.",
}


def text(
    match: Match,
    seat: int,
    legal: bool = True,
    obfuscate: int | None = None,
    history: str = "full",
    rules: str = "short",
    talk: str = "none",
) -> str:
    """The prompt of a seat (−1: a spectator).

    legal: list the legal moves; otherwise say how moves are written. obfuscate: a seed; the names of the game are replaced
    by made-up ones (obfuscation.py). history: all lines the seat was told ("full"), the last 12 and how much was before
    ("compact"), or "none". rules: the "whole" rulebook, the rules that hold in this match, without rulings ("short"), or
    "none". talk: whether players talk: "none", to all ("public"), or to one alone, too ("private"). Raises BadSetup."""
    for name, value, allowed in (("history", history, HISTORIES), ("rules", rules, RULES), ("talk", talk, TALKS)):
        if value not in allowed:
            raise BadSetup(f"{name} is {value!r}; it must be one of {', '.join(allowed)}.")
    match.check_seat(seat, spectator=True)
    with i18n.locale(i18n.SOURCE):
        parts = [who(match, seat), rules_of(match.rulebook, rules, match.options)]
        parts.append(changed(match.rulebook, match.options))
        if rules == "none" and not legal:
            parts.append(how(match.rulebook, match.options))
        # what was told before stays as it is, so that a provider's cache of prefixes holds
        spoken = _titled("What was said", "\n".join(remarks(match, seat)))
        parts += [told(match.log(seat), match.names, seat, history), spoken, decision(match, seat, legal, talk)]
        prompt = "\n\n".join(filter(None, parts))
    return Disguise(match.rulebook, obfuscate).cover(prompt) if obfuscate is not None else prompt


def decision(match: Match, seat: int, legal: bool = True, talk: str = "none") -> str:
    """The end of a prompt: the table, what is being decided, what may be done and how it is answered; or the result."""
    parts = [_titled("What you see", board(match, seat)), _titled("Now", match.question(seat))]
    if seat in match.asked:
        parts += [moves(match, seat) if legal else "", HOW_TO_TALK[talk], _asked(match, seat)]
    elif match.over:
        parts.append(result(match))
    return "\n\n".join(filter(None, parts))


def _titled(title: str, body: str) -> str:
    return f"## {title}\n\n{body}" if body else ""


def who(match: Match, seat: int) -> str:
    """Who the seat is, and who else plays."""
    called = [quoted(name) for name in match.names]
    names = ", ".join(f"{name} (seat {p}{', you' if p == seat else ''})" for p, name in enumerate(called))
    if seat < 0:
        return f"You watch a match of {match.rulebook.title}. The players, clockwise: {names}."
    return (
        f"You are {called[seat]}, seat {seat}, in a match of {match.rulebook.title}, and you want to win it. "
        f"The players, clockwise: {names}."
    )


# --- the rules --------------------------------------------------------------------------------------------------------


def rules_of(book: Rulebook, wanted: str = "short", options: Mapping[str, Any] | None = None) -> str:
    """The rulebook; in short, its sections before options, moves and rulings, without references to them, and how
    moves are written.
    options: those of a match that differ; in short, only what holds with them is told. None: of all matches."""
    if wanted == "none":
        return ""
    if wanted == "whole":
        return book.written.strip()
    before = re.split(rf"^## \d+ (?:{AFTER})$", _written(book, options), flags=re.M)[0]
    head, *sections = re.split(r"^(?=## )", before, flags=re.M)
    head = "\n\n".join(part for part in head.split("\n\n") if not part.startswith("This is the rulebook of the program"))
    short = _without_rulings(head + "".join(sections)).strip()
    return "\n\n".join(filter(None, [short, how(book, options)]))


def _without_rulings(text: str) -> str:
    return re.sub(r"\s*\((?:[A-Z]\d+(?:, | and | to )?)+\)", "", text)


def _written(book: Rulebook, options: Mapping[str, Any] | None) -> str:
    return book.written if options is None else book.written_for(options)


def how(book: Rulebook, options: Mapping[str, Any] | None = None) -> str:
    """How moves are typed: the rulebook's section without what it says of records and deals."""
    _before, *sections = re.split(rf"^## \d+ {HOW}$", _written(book, options), maxsplit=1, flags=re.M)
    if not sections:
        return _titled(HOW, "\n".join(forms(book)))
    section = sections[0].split("\n## ")[0].strip()
    typed = re.sub(r" ?The left form is typed, the right one stands in a\srecord\.", "", section[: section.rindex("|") + 1])
    if RECORDED in typed:
        typed = re.sub(r"^(\|[^|\n]*\|)[^|\n]*\|", r"\1", typed, flags=re.M)
    return _titled(HOW, typed)


def changed(book: Rulebook, options: Mapping[str, Any]) -> str:
    """The options of a match that are not the rulebook's, each with what it does and how the program reads it."""
    known = {option.name: option for option in book.options}
    lines = []
    for name, value in options.items():
        lines.append(f"- {name} = {_value(value)} ({known[name].meaning})")
        lines += [f"  {reading}" for reading in _readings(book, name, value)]
    return _titled("What is different in this match", "\n".join([CHANGES, "", *lines]) if lines else "")


def _readings(book: Rulebook, name: str, value: Any) -> list[str]:
    """How the program reads a value of an option: items of the rulebook's section that begin with it."""
    section = book.written.partition(f"### {READINGS}\n")[2].partition("\n## ")[0]
    readings = []
    for item in re.split(r"^- ", section, flags=re.M)[1:]:
        about = [option or other for option, other in re.findall(r"(?:^|^With |and )`([^`]+)`|`([^`]+)`:", item)]
        first = about[0].partition(" = ")[0] if about else ""
        if {name, f"{name} = {_value(value)}"} & {*about, *(f"{first} = {alternative}" for alternative in about)}:
            readings.append(_without_rulings(" ".join(item.split())))
    return readings


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- what the seat knows ----------------------------------------------------------------------------------------------


def board(match: Match, seat: int) -> str:
    """The table in words as the seat sees it."""
    return match.rulebook.words.board(match.hidden(seat), seat, [quoted(name) for name in match.names])


def told(lines: list[Line], names: list[str], seat: int, history: str = "full") -> str:
    """What the seat was told."""
    if history == "none":
        return ""
    left = lines[:-LAST] if history == "compact" else []
    texts = [line.text for line in lines[len(left) :]] or ["Nothing has happened yet."]
    if left:
        counts = Counter(place for _number, place in {(line.move, line.seat) for line in left} if place is not None)
        moved = ", ".join(f"{quoted(names[p])}{' (you)' if p == seat else ''} {counts[p]}" for p in sorted(counts))
        texts.insert(0, f"({len(left)} earlier lines are left out; moves they told of: {moved or 'none'}.)")
    return _titled("What you were told", "\n".join(texts))


def remarks(match: Match, seat: int, first: int = 0) -> list[str]:
    """What the seat heard and said itself, a line each; first: of the remarks of the match, the number of the first."""

    def who(place: int) -> str:
        return "you" if place == seat else f"{quoted(match.names[place])} (seat {place})"

    return [
        f"{who(each.seat)} to {'all' if each.to is None else who(each.to)}: {each.text}"
        for each in match.talk[first:]
        if each.heard_by((seat,))
    ]


def result(match: Match) -> str:
    """How the match ended."""
    lines = [
        f"{quoted(name)}: {points}{' (wins)' if seat in match.winners else ''}"
        for seat, (name, points) in enumerate(zip(match.names, match.scores, strict=True))
    ]
    return _titled("Result", "\n".join(lines))


# --- what it may do ---------------------------------------------------------------------------------------------------


def moves(match: Match, seat: int, every: bool = False) -> str:
    """The menu of a seat (`menu`). every: none of many moves are left out."""
    spell = match.rulebook.words.text
    open_now: list[Open] = []
    for choice in match.legal(seat):
        if words := meant(match.rulebook, choice, [quoted(name) for name in match.names]):
            open_now.append((choice.text, words, range(0), None, []))
            continue
        move = None if choice.whole else first_of(match, seat, choice)
        texts = [spell(whole) for whole in choice.moves]
        open_now.append(("" if move is None else spell(move), choice.text, choice.amounts, choice.cards, texts))
    return menu(open_now, every)


def meant(book: Rulebook, choice: Choice, names: Sequence[str]) -> str:
    """What a move says in the words of a game that only declares its moves; empty if that is what one types."""
    return worded(book, choice, names) if choice.whole and book.submodule("choices") is None else ""


Open = tuple[str, str, range, tuple[Any, ...] | None, Sequence[str]]


def menu(open_now: Sequence[Open], every: bool = False) -> str:
    """Choices, each a move of it as it can be sent, its text, amounts, cards and moves as one types them. Each line begins
    with a move that can be sent as it is written; of a choice that leaves something open it is an example, and what else
    there is to choose stands behind it."""
    told: dict[str, tuple[str, ...]] = {}  # what follows a beginning
    lines = []
    for sample, text, amounts, cards, texts in open_now:
        shorter = text.replace(f', such as "{sample}"', "") if sample else text  # the example need not be given again
        description = f"{shorter}{_left_open(text, amounts, cards, texts, told, every)}"
        lines.append(f"- {sample} [{description}]" if sample not in ("", description) else f"- {description}")
    return _titled("Your legal moves", "\n".join(lines))


def _left_open(
    text: str,
    amounts: range,
    cards: Sequence[Any] | None,
    texts: Sequence[str],
    told: dict[str, tuple[str, ...]],
    every: bool,
) -> str:
    if amounts:
        return f" (in steps of {amounts.step})" if amounts.step > 1 and len(amounts) > 1 else ""
    if cards is not None:
        listed = " ".join(map(str, cards))
        return "" if listed in text else f" (out of: {listed or 'none'})"
    if len(texts) < 2 or _counts(text, texts):
        return ""
    if len(texts) > MOST_SHOWN and not every:
        if any(move in text for move in texts):
            return f" ({len(texts)} moves)"
        return f" ({len(texts)} moves, for example: {folded(texts[:: len(texts) // MOST_SHOWN + 1])})"
    begun, rest = _begun(texts)
    if _all_pairs(text, rest):
        return f" (in any order, such as: {begun} {max(rest, key=len)})"
    forms = [folded(texts), *(f"as after {first}{_but(rest, known)}" for first, known in told.items())]
    if begun:
        told.setdefault(begun, rest)
    return f" ({min(forms, key=len)})"


def _counts(text: str, texts: Sequence[str]) -> bool:
    """The text of a choice counts its moves: "divest 1 to 3 USD"."""
    match = re.fullmatch(r"(.*?)(\d+) to (\d+)(.*)", text)
    return match is not None and [*texts] == [f"{match[1]}{n}{match[4]}" for n in range(int(match[2]), int(match[3]) + 1)]


def _all_pairs(text: str, rest: Sequence[str]) -> bool:
    """These are words that the text of a choice lists, and all pairs of them: "GBP", "GBP EUR", "EUR", "EUR GBP"."""
    words = [word for word in rest if " " not in word and re.search(rf"\b{re.escape(word)}\b", text)]
    return len(words) > 1 and {*words, *(" ".join(pair) for pair in permutations(words, 2))} == set(rest)


def _but(rest: Sequence[str], known: Sequence[str]) -> str:
    """What some moves have not that others have, and what else they have."""
    without, also = [move for move in known if move not in rest], [move for move in rest if move not in known]
    return "".join(f", {word} {min(_shapes(some), key=len)}" for word, some in (("without", without), ("and", also)) if some)


def folded(texts: Sequence[str]) -> str:
    """Texts with what they have in common said once: "give … 1 GBP get 1 EUR, 1 USD; 1 GBP, 1 EUR get 1 CAD"."""
    begun, rest = _begun(texts)
    shapes = [*_shapes(texts), *(f"{begun} …: {shape}" for shape in _shapes(rest) if begun)]
    return min(shapes, key=len)


def _shapes(texts: Sequence[str]) -> list[str]:
    amounts = any(re.search(r"\d \S+$", text) for text in texts)  # they stay with what they are amounts of
    return [*(_folded(texts, last) for last in ((0, 2) if amounts else (0, 1, 2))), _gathered(texts, 2)]


def _begun(texts: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The words that all texts begin with, and what follows them in each: none of them nothing; amounts are not cut."""
    rows = [text.split(" ") for text in texts]
    same = 0
    while all(len(row) > same + 1 and row[same] == rows[0][same] for row in rows):
        same += 1
    while same and re.fullmatch(r"[\d.]+", rows[0][same - 1]):
        same -= 1
    return " ".join(rows[0][:same]), tuple(" ".join(row[same:]) for row in rows)


def _folded(texts: Sequence[str], last: int) -> str:
    """Texts that differ in their last words, so many, with what comes before said once."""
    rows: dict[str, list[str]] = {}
    for text in texts:
        words = text.split(" ")
        at = len(words) - last if 0 < last < len(words) else len(words)
        rows.setdefault(" ".join(words[:at]), []).append(" ".join(words[at:]))
    parts = []
    for head, ends in rows.items():
        more = [end for end in ends if end]
        parts += [head] if len(more) < len(ends) else []
        parts += [f"{head} {', '.join(more)}".strip()] if more else []
    return "; ".join(parts)


def _gathered(texts: Sequence[str], first: int) -> str:
    """Texts that differ in their first words, so many, with what follows said once."""
    rows: dict[tuple[bool, str], list[str]] = {}
    for text in texts:
        words = text.split(" ")
        longer = first < len(words)
        rows.setdefault((longer, " ".join(words[first * longer :])), []).append(" ".join(words[: first * longer]))
    return "; ".join(f"{', '.join(heads)} {end}" if longer else end for (longer, end), heads in rows.items())


def first_move(match: Match, seat: int) -> dict[str, Any] | None:
    """A move that is legal now: the menu's first, with the least that it leaves open; none if there is none."""
    return next((move for choice in match.legal(seat) if (move := first_of(match, seat, choice))), None)


def first_of(match: Match, seat: int, choice: Choice) -> dict[str, Any] | None:
    """A legal move of one choice, with the least that it leaves open; none if there is none."""
    if choice.whole:
        return dict(choice.move)
    if choice.amounts:
        return {**choice.move, "amount": choice.amounts[0]}
    if choice.moves:
        return dict(choice.moves[0])
    return _first_cards(match, seat, choice.move["do"], choice.cards or ())


def _first_cards(match: Match, seat: int, do: str, cards: tuple[Any, ...]) -> dict[str, Any] | None:
    """A move with few cards: one, none, or as many from the front as it takes."""
    for some in (cards[:1], (), *(cards[:n] for n in range(2, len(cards) + 1))):
        with suppress(OutbidError):
            return match.attempt(seat, " ".join([do, *(map(str, some) if some else ("nothing",))])).move
    return match.copy().random_move(seat, 0)


def _asked(match: Match, seat: int) -> str:
    move = first_move(match, seat)
    if move is None:
        return ""
    return _titled(
        "Your answer",
        f"Think as long as you like, then write your move alone in the last line, after {MARK}. "
        f"The form, with a move that is legal now (not advice):\n\n{MARK} {spelled(match.rulebook, move)}",
    )


def spelled(book: Rulebook, move: Mapping[str, Any]) -> str:
    """A move as one types it."""
    return str(book.words.text(dict(move)))
