"""What is the same at every terminal: `outbid play --plain`, `outbid join` and its `--plain`.

A person is shown a question and a menu, and types a line: the number of a choice, what that choice leaves open (an amount,
cards, one of many moves), a move as text, or a word that asks to see something (`look`, `log`, `legal`, `why`, `clock`,
`chat`, `rules`), or `hint`, which asks a bot. At a table of a server `say` and a text talk to the others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language import i18n
from outbid.core.language.i18n import _, ngettext
from outbid.core.language.written import HOWTO, RULES, written
from outbid.core.rulebook import by_id, called
from outbid.terminal import times
from outbid.terminal.suits import suits_of
from outbid.wire.offers import Offer
from outbid.wire.session import Session

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
LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that says something tells the language of a terminal


def spoken(wanted: str | None) -> str:
    """The language to speak at this terminal: the one that is wanted, else its own if we speak it. Raises BadSetup."""
    if wanted is None:
        variable = next(filter(None, map(os.environ.get, LOCALE)), "")
        wanted = variable.partition("_")[0].partition(".")[0].lower()
        return wanted if wanted in i18n.LANGUAGES else i18n.SOURCE
    if wanted not in i18n.LANGUAGES:
        raise BadSetup(f"There is no language {wanted!r}; there are {', '.join(i18n.LANGUAGES)}.")
    return wanted


def asked(offer: Offer) -> Ask:
    """What is left to choose of an offer, as a question."""
    if offer.amounts:
        low, high, by = offer.amounts[0], offer.amounts[-1], offer.amounts.step
        if by == 1 or low == high:
            return Ask(_("How much? From {low} to {high}.", low=low, high=high))
        return Ask(_("How much? From {low} to {high}, in steps of {step}.", low=low, high=high, step=by))
    if offer.cards is not None:
        return Ask(_("Which of them? Type cards out of {cards}; or “nothing”.", cards=" ".join(map(str, offer.cards))))
    return asked_which([text for text, _move in offer.moves])


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
        """A picker for what may be done now; what was being chosen still is, if there is such a choice."""
        picker = Picker(offers)
        if self.picked is not None and not self.picked.moves:
            picker.picked = next((offer for offer in offers if not offer.whole and offer.move == self.picked.move), None)
        return picker

    def meant(self, line: str) -> str | Mapping[str, Any] | Ask:
        """The move of a line, whole or as text that the game reads, or what is to be asked back."""
        picked, self.picked = self.picked, None
        words = line.split()
        if picked is not None:
            move = self._rest(picked, words)
            if move is not None:
                return move
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
            move = self._rest(offer, words[1:])
            if move is not None:
                return move
        if offer.cards == ():  # there are none, so none it is
            return offer.typed_with(())
        self.picked = offer
        return asked(offer)

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
        return offer.typed_with(())
    named |= {kind.casefold(): kind for kind, numbered, _number in (str(card).partition("#") for card in cards) if numbered}
    laid = [named.get(word.casefold().strip(",;")) for word in words]
    return offer.typed_with([card for card in laid if card]) if laid and None not in laid else None


def _number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def legend(session: Session) -> list[str]:
    """What the codes of cards mean that can be seen now."""
    now = session.now
    texts = [now.board, now.question, *(offer.text for offer in session.offers)] if now else []
    key = suits_of(session.game).key("\n".join(texts))
    return [_("Cards: {key}.", key=key)] if key else []


def _help(session: Session) -> str:
    """What can be typed now, and the words that always work."""
    lines, offers = [], session.offers
    if offers:
        forms = [f"{n}" if offer.only is not None else f"{n} …" for n, offer in enumerate(offers, 1)]
        typed = [f"  {form:<5} {offer.example or offer.text}" for form, offer in zip(forms, offers, strict=True)]
        lines = [_("Type the number of a choice, or the move itself:"), *typed, _("These words work at any time:")]
    return "\n".join([*lines, _(WORDS_ARE), *legend(session)])


def _legal(session: Session) -> str:
    def line(offer: Offer) -> str:
        return offer.label + (f" – {offer.typed}" if offer.words and offer.typed else "")

    return "\n".join(f"{n}: {line(offer)}" for n, offer in enumerate(session.offers, 1)) or _("nothing")


def _log(session: Session, most: int = MOST_TOLD) -> str:
    """The newest lines of the log."""
    lines = [line.text for line in session.log]
    earlier = len(lines) - most
    if earlier <= 0:
        return "\n".join(lines) or _("Nothing has happened yet.")
    more = ngettext("{n} line before; “log all” shows it.", "{n} lines before; “log all” shows them.", earlier)
    return "\n".join([more, *lines[earlier:]])


def _why(session: Session) -> str:
    question = session.now.question if session.now else ""
    return "\n".join([question, *(f"{name}: {reason}" for name, reason in session.reasons.items() if reason)])


def _clock(session: Session) -> str:
    clocks = times.sentences(session.now, session.at) if session.now else []
    return "\n".join(clocks) or _("There is no clock.")


WORDS: dict[str, Callable[[Session], str]] = {
    "help": _help,
    "?": _help,
    "look": lambda session: "\n".join([session.now.board if session.now else "", *legend(session)]),
    "log": _log,
    "log all": lambda session: _log(session, len(session.log)),
    "legal": _legal,
    "why": _why,
    "clock": _clock,
    "chat": lambda session: "\n".join(message.sentence for message in session.said.values())
    or _("Nobody has said anything."),
    "rules": lambda session: how_to_play(session.game),
    SAY: lambda session: _("Type “say” and what you want to say, as in: say Good evening!"),
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
