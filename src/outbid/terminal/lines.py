"""What is the same at every terminal: `outbid play --plain`, `outbid join` and its `--plain`.

A person is shown a question and a menu, and types a line: the number of a choice, what that choice leaves open (an amount,
cards, one of many moves), a move as text, or a word that asks to see something (`look`, `log`, `legal`, `why`, `clock`,
`chat`, `rules`), or `hint`, which asks a bot. At a table of a server `say` and a text talk to the others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbid.core.errors import BadSetup
from outbid.core.language import i18n
from outbid.core.language.names import quoted
from outbid.core.language.phrases import grouped
from outbid.core.menu import Choice

_, ngettext = i18n.words("outbid")

MOST_LISTED = 40  # moves of one choice that are shown at once
HELP = i18n.mark("""Type a move as the menu ("You may") shows it, or its number; or
  look   the table and what you hold    log    all you were told
  legal  what you may do now            why    what the question means and what bots last thought they were doing
  clock  how long each seat has         chat   what was said at the table
  rules  where the rulebook is          say …  say something to the others at the table
  hint   what a strong bot would do     quit   leave the match""")
LEAVE = ("quit", "exit", "q")
SAY = "say"
HINT = "hint"
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
    """A choice of the menu (core/menu.py); `moves`: each whole move with its text, if one of them is to be chosen."""

    text: str
    move: Mapping[str, Any]
    amounts: range = range(0)
    cards: tuple[Any, ...] | None = None
    moves: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    @classmethod
    def of(cls, choice: Choice, spell: Callable[[Mapping[str, Any]], str]) -> Offer:
        """A choice of a match."""
        moves = tuple((spell(move), move) for move in choice.moves)
        return cls(choice.text, choice.move, choice.amounts, choice.cards, moves)

    @property
    def whole(self) -> bool:
        """Nothing is left to choose."""
        return not self.amounts and self.cards is None and not self.moves

    @property
    def asks(self) -> str:
        """What is left to choose, as a question."""
        if self.amounts:
            low, high, by = self.amounts[0], self.amounts[-1], self.amounts.step
            if by == 1 or low == high:
                return _("How much? From {low} to {high}.", low=low, high=high)
            return _("How much? From {low} to {high}, in steps of {step}.", low=low, high=high, step=by)
        if self.cards is not None:
            return _("Which of them? Type cards out of {cards}; or “nothing”.", cards=" ".join(map(str, self.cards)))
        return asked_which([text for text, _move in self.moves])


def asked_which(texts: Sequence[str]) -> str:
    """The question which of many moves is meant."""
    if len(texts) <= MOST_LISTED:
        return _("Which of these? {moves}", moves=numbered(texts))
    example = texts[0].partition(" ")[2] or texts[0]
    return _("Which of {n}? Type words that are in it, such as “{example}”.", n=len(texts), example=example)


def numbered(texts: Sequence[str]) -> str:
    """ "1: bid 10 to 90; 2: pass"."""
    return "; ".join(f"{n}: {text}" for n, text in enumerate(texts, 1))


@dataclass(frozen=True)
class Ask:
    """A question back: nothing is played yet."""

    sentence: str


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
        if offer.whole:
            return dict(offer.move) if len(words) == 1 else line
        if len(words) > 1:
            found = self._rest(offer, words[1:])
            if found is not None:
                return found
        if offer.cards == ():  # there are none, so none it is
            return _laying(offer, ())
        self.picked = offer
        return Ask(offer.asks)

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
        return Ask(asked_which([text for text, _move in fitting]))


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

    clocks: how long everybody has, in sentences; said: what people said.
    """

    game: str
    question: str
    board: str
    offers: Sequence[Offer]
    log: Sequence[str]
    reasons: Mapping[str, str]
    clocks: Sequence[str] = ()
    said: Sequence[str] = ()


WORDS: dict[str, Callable[[Sight], str]] = {
    "help": lambda seen: _(HELP),
    "?": lambda seen: _(HELP),
    "look": lambda seen: seen.board,
    "log": lambda seen: "\n".join(seen.log) or _("Nothing has happened yet."),
    "legal": lambda seen: "\n".join(f"{n}: {offer.text}" for n, offer in enumerate(seen.offers, 1)) or _("nothing"),
    "why": lambda seen: "\n".join([seen.question, *(f"{name}: {said}" for name, said in seen.reasons.items() if said)]),
    "clock": lambda seen: "\n".join(seen.clocks) or _("There is no clock."),
    "chat": lambda seen: "\n".join(seen.said) or _("Nobody has said anything."),
    "rules": lambda seen: f"outbid rules {seen.game}",
    SAY: lambda seen: _("Type “say” and what you want to say, as in: say Good evening!"),
}


def speech(line: str) -> str:
    """What a line says to the others; nothing if it is something else."""
    word, _space, text = line.strip().partition(" ")
    return text.strip() if word.lower() == SAY else ""


def may(offers: Sequence[Offer], more: Sequence[str] = ()) -> str:
    """The menu in one line."""
    listed = "; ".join([*([numbered([offer.text for offer in offers])] if offers else []), *more])
    return _("You may: {choices}", choices=listed or _("nothing"))


def result(names: Sequence[str], scores: Sequence[int], winners: Sequence[int]) -> list[str]:
    """How a match ended, a line for each seat."""
    said = []
    for seat, (name, points) in enumerate(zip(map(quoted, names), scores, strict=True)):
        if seat in winners:
            said.append(ngettext("{name}: {n} point wins", "{name}: {n} points wins", points, name=name, n=grouped(points)))
        else:
            said.append(ngettext("{name}: {n} point", "{name}: {n} points", points, name=name, n=grouped(points)))
    return said
