"""`outbid play --plain`: a match against bots in the terminal, line by line; for screen readers and pipes too.

The person has seat 0. In an open outcry (bidding = realtime) the bots speak first, and `wait` lets the hammer fall. What
is printed is what the seat is told (Match.log), the question it is asked, its menu.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from outbid.bots import LookAhead, Seat, bot, called, choose, prepare
from outbid.bots.hints import advise
from outbid.bots.personas import Ahead, introduced
from outbid.bots.strong import ready
from outbid.core.chance import stream
from outbid.core.errors import OutbidError
from outbid.core.language import i18n
from outbid.core.language.names import plain, quoted
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook
from outbid.terminal.lines import HINT, LEAVE, WORDS, Ask, Offer, Picker, Sight, may, result, speech

_, ngettext = i18n.words("outbid")

YOU = 0


def play_plain(book: Rulebook, options: Mapping[str, Any], name: str, bots: Sequence[str], seed: int) -> None:
    """Play one match; ends with the match, with `quit`, or with the input."""
    names = [name]
    for _bot in bots:
        names.append(called(names))
    match = Match.new(book, options, len(names), seed, names)
    others = ", ".join(f"{other} ({introduced(book, bot)})" for other, bot in zip(names[1:], bots, strict=True))
    print(_("{game} with {others}. Type help for help.", game=book.title, others=others))
    seats = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
    print(_("In a move, write a seat as its number or its name: {seats}.", seats=seats), end="\n\n")
    _prepare(book, bots)
    told, reasons = 0, dict.fromkeys(range(1, len(names)), "")
    while not match.over:
        told = _tell(match, told)
        if match.clock or YOU not in match.asked:
            if _a_bot_moves(match, bots, seed, reasons):
                continue
            if YOU not in match.asked:
                match.play(None, "close")
                continue
        if not _ask(match, reasons, stream(seed, YOU)):
            print(_("You leave the match."))
            return
    _tell(match, told)
    for line in result(names, match.scores, match.winners):
        print(line)


def _prepare(book: Rulebook, bots: Sequence[str]) -> None:
    """Compile what bots need to look ahead, or load it."""
    for name in dict.fromkeys(bots):
        who = bot(name, book)
        if isinstance(who, LookAhead | Ahead) and not ready(book):
            said = _("The bot {bot} prepares itself for this game; once, that takes a minute or two.", bot=_(who.name))
            print(said, flush=True)
        prepare(name, book)


def _tell(match: Match, told: int) -> int:
    lines = match.log(YOU)
    for line in lines[told:]:
        print(line.text)
    return len(lines)


def _a_bot_moves(match: Match, bots: Sequence[str], seed: int, reasons: dict[int, str]) -> bool:
    """One move of the first bot that is asked and has something to say; False if none has."""
    for seat in match.asked:
        if seat != YOU:
            decision = choose(match, seat, bots[seat - 1], stream(seed, seat))
            if decision.actions:
                match.play_steps(seat, decision.actions)
                reasons[seat] = plain(i18n.chosen(decision.public))
                return True
    return False


def _ask(match: Match, reasons: dict[int, str], seed: int) -> bool:
    """One move of the person; False to leave. seed: the stream of hints."""
    print(f"\n{match.question(YOU)}")
    picker = Picker(_offers(match))
    print(f"  {may(picker.offers, ('wait',) if match.clock else ())}")
    while True:
        try:
            line = input("> ").strip()
        except EOFError:
            return False
        if line.lower() in LEAVE:
            return False
        if line.lower() == "wait" and match.clock:
            match.play(None, "close")  # nobody else has anything to say
            return True
        if line.lower() == HINT:
            print("\n".join(advise(Seat.of(match, YOU, seed)).lines))
        elif line.lower() in WORDS:
            print(WORDS[line.lower()](_sight(match, reasons)))
        elif speech(line):
            print(_("Only bots sit here, and they do not listen."))
        elif line:
            meant = picker.meant(line)
            try:
                if not isinstance(meant, Ask):
                    match.play(YOU, meant)
                    return True
                print(meant.sentence)
            except OutbidError as error:
                print(error)
        sys.stdout.flush()


def _offers(match: Match) -> list[Offer]:
    return [Offer.of(choice, match.rulebook.words.text) for choice in match.legal(YOU)]


def _sight(match: Match, reasons: Mapping[int, str]) -> Sight:
    """What the person may ask to see."""
    names = [quoted(name) for name in match.names]
    board = match.rulebook.words.board(match.hidden(YOU), YOU, names)
    said = {names[seat]: reason for seat, reason in reasons.items()}
    log = [line.text for line in match.log(YOU)]
    return Sight(match.rulebook.id, match.question(YOU), board, _offers(match), log, said)
