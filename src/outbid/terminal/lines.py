"""What is the same at every terminal: `outbid play --plain`, `outbid join` and its `--plain`.

A person is shown a question and a menu, and types a line: the number of a choice, what that choice leaves open (an amount,
cards, one of many moves), a move as text, or a word that asks to see something (`look`, `log`, `legal`, `why`, `clock`,
`chat`, `rules`), or `hint`, which asks a bot. At a table of a server `say` and a text talk to the others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language import i18n
from outbid.core.language.names import quoted
from outbid.core.language.phrases import grouped
from outbid.core.language.written import HOWTO, RULES, written
from outbid.core.menu import Choice
from outbid.core.rulebook import by_id, called

_, ngettext = i18n.words("outbid")

MOST_LISTED = 40  # moves of one choice that are shown at once
MOST_TOLD = 40  # lines of the log that are shown at once
WORDS_ARE = i18n.N_("""  look    the table, and what the codes of its cards mean
  legal   what you may do now
  log     what has happened
  why     what is asked, and what bots thought
  hint    what a strong bot would do
  rules   how to play
  clock   how long each seat has
  chat    what was said at the table
  say …   say something to the others
  brief   line by line: print the table only when asked, or again each time
  quit    leave the match""")
LEAVE = ("quit", "exit", "q")
SAY = "say"
HINT = "hint"
BRIEF = "brief"
SEAT = re.compile(r"\b(with|to) (\d+)\b")
LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that says something tells the language of a terminal


def spoken(wanted: str | None) -> str:
    """The language to speak at this terminal: the one that is wanted, else its own if we speak it. Raises BadSetup."""
    if wanted is None:
        said = next(filter(None, map(os.environ.get, LOCALE)), "")
        wanted = said.partition("_")[0].partition(".")[0].lower()
        return wanted if wanted in i18n.LANGUAGES else i18n.SOURCE
    if wanted not in i18n.LANGUAGES:
        raise BadSetup(f"There is no language {wanted!r}; there are {', '.join(i18n.LANGUAGES)}.")
    return wanted


@dataclass(frozen=True)
class Offer:
    """A choice of the menu (core/menu.py); `moves`: each whole move with its text, if one of them is to be chosen. sample: a
    move of it as one types it, if that is known. words: the choice as a person says it, where its text does not say all."""

    text: str
    move: Mapping[str, Any]
    amounts: range = range(0)
    cards: tuple[Any, ...] | None = None
    moves: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    sample: str = ""
    words: str = ""

    @classmethod
    def of(cls, choice: Choice, spell: Callable[[Mapping[str, Any]], str]) -> Offer:
        """A choice of a match."""
        moves = tuple((spell(move), move) for move in choice.moves)
        return cls(choice.text, choice.move, choice.amounts, choice.cards, moves)

    @property
    def said(self) -> str:
        """What stands in a menu: the words, else the text."""
        return self.words or self.text

    def calling(self, names: Sequence[str]) -> Offer:
        """The same with the names of seats in place of their numbers: "trade cow with Clara"."""
        moves = tuple((_calling(text, move, names), move) for text, move in self.moves)
        text, words = (_calling(said, self.move, names) for said in (self.text, self.words))
        return replace(self, text=text, words=words, moves=moves)

    @property
    def whole(self) -> bool:
        """Nothing is left to choose."""
        return not self.amounts and self.cards is None and not self.moves

    @property
    def only(self) -> Mapping[str, Any] | None:
        """The one move that this can be; none if something is left to choose."""
        if len(self.amounts) == 1:
            return {**self.move, "amount": self.amounts[0]}
        if len(self.moves) == 1:
            return self.moves[0][1]
        return self.move if self.whole else None

    @property
    def example(self) -> str:
        """One move of it as one would type it; nothing if the text says that already."""
        if self.only is not None or "“" in self.text or '"' in self.text:
            return ""
        if self.amounts:
            move = f"{self.move['do']} {self.amounts[0]}"
        elif self.cards is not None:
            move = self.sample or _laying(self, [str(card) for card in self.cards[-1:]])
        else:
            move = self.moves[len(self.moves) // 2][0]
        return move

    @property
    def typed(self) -> str:
        """What one may type, to stand beside what is said; nothing if that says it."""
        if self.only is None:
            return _("such as “{move}”", move=self.example) if self.example else ""
        return _("“{words}”", words=self.text) if self.words else ""

    @property
    def asks(self) -> Ask:
        """What is left to choose, as a question."""
        if self.amounts:
            low, high, by = self.amounts[0], self.amounts[-1], self.amounts.step
            if by == 1 or low == high:
                return Ask(_("How much? From {low} to {high}.", low=low, high=high))
            return Ask(_("How much? From {low} to {high}, in steps of {step}.", low=low, high=high, step=by))
        if self.cards is not None:
            return Ask(_("Which of them? Type cards out of {cards}; or “nothing”.", cards=" ".join(map(str, self.cards))))
        return asked_which([text for text, _move in self.moves])


def _calling(text: str, move: Mapping[str, Any], names: Sequence[str]) -> str:
    """A typed move in which a seat is called by its name, which `Match.typed` reads as well."""

    def name(found: re.Match[str]) -> str:
        key, seat = found[1], int(found[2])
        known = move.get(key) == seat and seat < len(names) and names[seat] and not names[seat][0].isdigit()
        return f"{key} {names[seat]}" if known else found[0]

    return SEAT.sub(name, text)


def asked_which(texts: Sequence[str]) -> Ask:
    """The question which of many moves is meant."""
    if len(texts) <= MOST_LISTED:
        return Ask(_("Which of these?"), tuple(texts))
    example = texts[0].partition(" ")[2] or texts[0]
    return Ask(_("Which of {n}? Type words that are in it, such as “{example}”.", n=len(texts), example=example))


@dataclass(frozen=True)
class Ask:
    """A question back: nothing is played yet. listed: what there is to choose from, by number."""

    sentence: str
    listed: tuple[str, ...] = ()


class Picker:
    """Makes moves of lines; it remembers a choice whose rest is still to be typed."""

    def __init__(self, offers: Sequence[Offer]):
        self.offers = tuple(offers)
        self.picked: Offer | None = None

    def renewed(self, offers: Sequence[Offer]) -> Picker:
        """The same for what may be done now; what was being chosen still is, if there is such a choice."""
        made = Picker(offers)
        if self.picked is not None and not self.picked.moves:
            made.picked = next((one for one in offers if not one.whole and one.move == self.picked.move), None)
        return made

    def meant(self, line: str) -> str | Mapping[str, Any] | Ask:
        """The move of a line, whole or as text that the game reads, or what is to be asked back."""
        picked, self.picked = self.picked, None
        words = line.split()
        if picked is not None:
            found = self._rest(picked, words)
            if found is not None:
                return found
        if not words or not _number(words[0]):
            return line
        place = int(words[0])
        if not 1 <= place <= len(self.offers):
            return Ask(_("There is no choice {number}; there are {n}.", number=place, n=len(self.offers)))
        offer = self.offers[place - 1]
        if offer.whole and len(words) > 1:
            return line
        if offer.only is not None and len(words) == 1:
            return dict(offer.only)
        if len(words) > 1:
            found = self._rest(offer, words[1:])
            if found is not None:
                return found
        if offer.cards == ():  # there are none, so none it is
            return _laying(offer, ())
        self.picked = offer
        return offer.asks

    def _rest(self, offer: Offer, words: Sequence[str]) -> str | Mapping[str, Any] | Ask | None:
        """The move that the words complete; none if they are about something else."""
        if offer.amounts:
            return {**offer.move, "amount": int(words[0])} if len(words) == 1 and _number(words[0]) else None
        if offer.cards is not None:
            return _laid(offer, offer.cards, words)
        if len(words) == 1 and _number(words[0]) and 1 <= int(words[0]) <= len(offer.moves):
            return dict(offer.moves[int(words[0]) - 1][1])
        wanted = {word.casefold() for word in words}
        fitting = [(text, move) for text, move in offer.moves if wanted <= set(text.casefold().split())]
        exact = [move for text, move in fitting if set(text.casefold().split()) == wanted]
        if not words or not fitting:
            return None
        if len(fitting) == 1 or exact:
            return dict(exact[0] if exact else fitting[0][1])
        self.picked = Offer(offer.text, offer.move, moves=tuple(fitting))
        return asked_which([text for text, _move in fitting])


def _laid(offer: Offer, cards: Sequence[Any], words: Sequence[str]) -> str | None:
    """The move with cards that were named, perhaps by their kind alone (Match.typed); none if something else was."""
    named = {str(card).casefold(): str(card) for card in cards}
    if [word.casefold() for word in words] in (["nothing"], ["none"]):
        return _laying(offer, ())
    named |= {kind.casefold(): kind for kind, numbered, _number in (str(card).partition("#") for card in cards) if numbered}
    laid = [named.get(word.casefold().strip(",;")) for word in words]
    return _laying(offer, [card for card in laid if card]) if laid and None not in laid else None


def _laying(offer: Offer, cards: Sequence[str]) -> str:
    """The move as one types it: the game knows what goes without saying."""
    return " ".join([str(offer.move["do"]), *(cards or ["nothing"])])


def _number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


@dataclass(frozen=True)
class Sight:
    """What a person at a terminal may ask to see. reasons: what bots last said of their moves, by name.

    clocks: how long everybody has, in sentences; said: what people said; legend: what colours and codes of cards mean.
    """

    game: str
    question: str
    board: str
    offers: Sequence[Offer]
    log: Sequence[str]
    reasons: Mapping[str, str]
    clocks: Sequence[str] = ()
    said: Sequence[str] = ()
    legend: Sequence[str] = ()


def _help(seen: Sight) -> str:
    """What can be typed now, and the words that always work."""
    said = []
    if seen.offers:
        forms = [f"{n}" if offer.only is not None else f"{n} …" for n, offer in enumerate(seen.offers, 1)]
        typed = [f"  {form:<5} {offer.example or offer.text}" for form, offer in zip(forms, seen.offers, strict=True)]
        said = [_("Type the number of a choice, or the move itself:"), *typed, _("These words work at any time:")]
    return "\n".join([*said, _(WORDS_ARE), *seen.legend])


def _listed(n: int, offer: Offer) -> str:
    return f"{n}: {offer.said}" + (f" – {offer.typed}" if offer.words and offer.typed else "")


def _log(seen: Sight) -> str:
    """The newest lines of the log."""
    earlier = len(seen.log) - MOST_TOLD
    if earlier <= 0:
        return "\n".join(seen.log) or _("Nothing has happened yet.")
    more = ngettext("{n} line before; “log all” shows it.", "{n} lines before; “log all” shows them.", earlier)
    return "\n".join([more, *seen.log[earlier:]])


WORDS: dict[str, Callable[[Sight], str]] = {
    "help": _help,
    "?": _help,
    "look": lambda seen: "\n".join([seen.board, *seen.legend]),
    "log": _log,
    "log all": lambda seen: "\n".join(seen.log) or _("Nothing has happened yet."),
    "legal": lambda seen: "\n".join(_listed(n, offer) for n, offer in enumerate(seen.offers, 1)) or _("nothing"),
    "why": lambda seen: "\n".join([seen.question, *(f"{name}: {said}" for name, said in seen.reasons.items() if said)]),
    "clock": lambda seen: "\n".join(seen.clocks) or _("There is no clock."),
    "chat": lambda seen: "\n".join(seen.said) or _("Nobody has said anything."),
    "rules": lambda seen: how_to_play(seen.game),
    SAY: lambda seen: _("Type “say” and what you want to say, as in: say Good evening!"),
}


def how_to_play(game: str) -> str:
    """How a game is played, as plain text, and where its rulebook is."""
    try:
        book = by_id(game)
        game, text = called(book), written(book, HOWTO)[0] or written(book, RULES)[0]
    except OutbidError:  # a game of the server that is not installed here
        text = ""
    more = _("The whole rulebook: outbid rules {game}", game=game)
    text = re.sub(r"^!\[([^]]*)\]\(card:[^)]*\)$", r"\1", text, flags=re.M)
    text = re.sub(r"^#+ *|\*+", "", text, flags=re.M)
    text = re.sub(r"(?<=[^\n])\n(?=[^\n\d-])", " ", text)
    return f"{text.strip()}\n\n{more}" if text else more


def speech(line: str) -> str:
    """What a line says to the others; nothing if it is something else."""
    word, _space, text = line.strip().partition(" ")
    return text.strip() if word.lower() == SAY else ""


def asked_for(offers: Sequence[Offer] | Sequence[str]) -> str:
    """What is to be typed after a list of choices."""
    if len(offers) == 1:
        return _("Type 1, or a move; ? helps:")
    if len(offers) == 2:
        return _("Type 1 or 2, or a move; ? helps:")
    return _("Type 1 to {n}, or a move; ? helps:", n=len(offers))


def result(names: Sequence[str], scores: Sequence[int], winners: Sequence[int]) -> list[str]:
    """How a match ended, a line for each seat."""
    said = []
    for seat, (name, points) in enumerate(zip(map(quoted, names), scores, strict=True)):
        if seat in winners:
            said.append(ngettext("{name}: {n} point wins", "{name}: {n} points wins", points, name=name, n=grouped(points)))
        else:
            said.append(ngettext("{name}: {n} point", "{name}: {n} points", points, name=name, n=grouped(points)))
    return said
