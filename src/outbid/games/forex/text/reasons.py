"""One sentence in the first person for each reason of the game's own player (bot.py).

Nothing is hidden in For-Ex, so what is said in public and in private differs in one thing: the private sentence adds what
the seat expects to gain.
"""

from collections.abc import Sequence
from typing import Any

from outbid.core.language.i18n import N_
from outbid.games.forex import bot
from outbid.games.forex.text.sentences import figure
from outbid.games.forex.state import BUCK, CURRENCIES
from outbid.games.forex.text import _, ngettext
from outbid.games.forex.text.views import bucks


class _Facts:
    """The numbers of a note as words: {one}, {two}, {number}, {certificates}, {other}, {gain}."""

    def __init__(self, note: Sequence[int], names: Sequence[str]):
        first, second, number, seat, gain = (int(n) for n in note[1:6])
        self.words: dict[str, Any] = {
            "one": CURRENCIES[first] if 0 <= first < len(CURRENCIES) else _("currency"),
            "two": CURRENCIES[second] if 0 <= second < len(CURRENCIES) else _("another currency"),
            "number": number,
            "certificates": ngettext("my certificate", "my {n} certificates", number),
            "other": names[seat] if 0 <= seat < len(names) else _("the others"),
            "gain": _gain(gain),
        }

    def say(self, sentence: str) -> str:
        return _(sentence, **self.words)


def _gain(parts: int) -> str:
    """An expected gain in bucks, to the nearest half."""
    halves = (2 * parts + bot.WHOLE // 2) // bot.WHOLE
    if halves <= 0:
        return _("a little")
    return _("about 1 buck") if halves == BUCK else _("about {n} bucks", n=figure(bucks(halves)))


EXPECTED = N_("If everybody only resolved from now on, it would be worth {gain} to me.")

# code: (said to all, added for the seat itself)
_SENTENCES: dict[int, tuple[str, str]] = {
    bot.WHY_NOTHING: (N_("There was nothing to choose."), ""),
    bot.WHY_RESOLVE: (N_("I resolve: I see nothing better than to let the queue go on."), ""),
    bot.WHY_RESOLVE_DIVIDEND: (N_("I resolve the dividends: that pays {certificates} sooner."), ""),
    bot.WHY_RESOLVE_CHASE: (N_("I resolve: let {other} pay that debt, or fail to."), ""),
    bot.WHY_RESOLVE_WINS: (N_("I resolve: that ends the match, and I win it."), ""),
    bot.WHY_INVEST: (N_("I invest in {one}: its dividends, and a stronger {one}, are good for me."), EXPECTED),
    bot.WHY_INVEST_TWO: (
        N_("I invest in {one} and {two}: their dividends, and the stronger rates, are good for me."), EXPECTED),
    bot.WHY_DIVEST: (N_("I sell {one}: I would rather have the money, and a weaker {one}."), EXPECTED),
    bot.WHY_CONTRACT: (
        N_("I sign a contract to pay {one} and receive {two}: I expect the rates to move my way before it is due."),
        EXPECTED),
    bot.WHY_COVER: (
        N_("I sign a contract to pay {one} and receive {two}: without it I could not pay my debts."), ""),
    bot.WHY_SPOT: (N_("I ask {other} for {two} against {one}: without it I could not pay my debts."), ""),
    bot.WHY_AGREE: (N_("I agree with {other}: {two} will be of more use to me than {one}."), EXPECTED),
    bot.WHY_REFUSE: (N_("I refuse: I would rather keep my {one} than take the {two} of {other}."), ""),
    bot.WHY_SELL_TOO: (N_("I sell {one} too, before it is weaker still."), EXPECTED),
    bot.WHY_KEEP: (N_("I keep {one}: selling would cost me more than it brings."), ""),
    bot.WHY_STRENGTHEN: (N_("I strengthen {one}: of the tied currencies that suits me best."), ""),
    bot.WHY_STRONGEST: (N_("I name {one} the strongest: converted to it, my money compares best."), ""),
}  # fmt: skip


def reason(note: Sequence[int], names: Sequence[str], private: bool) -> str:
    """The sentence for a note. names: by seat. private: for the seat itself; it adds what the seat expects."""
    if int(note[0]) in (bot.WHY_NOTHING, bot.WHY_RESOLVE) and not private:  # in public the move says as much
        return ""
    public, own = _SENTENCES.get(int(note[0]), _SENTENCES[bot.WHY_NOTHING])
    facts = _Facts(note, names)
    return f"{facts.say(public)} {facts.say(own)}" if private and own else facts.say(public)
