"""Claim in German: who is spoken to, all expansions, every reason, refusals, and what the table says beside its drawings."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import outbid
from outbid.core.language import i18n
from outbid.core.language.phrases import Speaker
from outbid.core.match import Match
from outbid.games.claim import bot
from outbid.games.claim.text import captions, terms
from outbid.games.claim.text.reasons import reason
from outbid.server.web.pages import environment
from tests.support.english import ENGLISH, refusals

from .table import ALL, BOOK, NAMES, play, position


def told(match: Match, seat: int, last: int = 1) -> list[str]:
    """The last lines of a seat's log in German."""
    with i18n.locale("de"):
        return [line.text for line in match.log(seat)][-last:]


def test_the_log_speaks_to_whoever_reads_it():
    match = play(position([["3", "3"]], {3: ["3"]}), "0 play 3 / 0 push 3 to 1")
    assert told(match, 0, 4)[:3] == [
        "Du spielst eine 3 (Stapel jetzt 6 wert).", "Die 3er sind voll.", "Du schiebst Ben die 3er (Wert 6) zu.",
    ]  # fmt: skip
    assert "Ada schiebt dir die 3er (Wert 6) zu." in told(match, 1, 2)
    match = play(position([["3", "3"]], {3: ["3"]}), "0 play 3 / 0 push 3 to 0")
    assert [told(match, seat, 2)[0] for seat in (0, 1)] == [
        "Du schiebst dir selbst die 3er (Wert 6) zu.", "Ada nimmt die 3er (Wert 6).",
    ]  # fmt: skip


def test_a_wild_bill_is_a_joker():
    match = play(position([["w", "1"]], {2: ["2"]}, wild_wagers=True), "0 play w on 2")
    assert told(match, 2) == ["Ada spielt einen Joker auf die 2er (jetzt 4 wert)."]
    with i18n.locale("de"):
        titles = [terms.title(name) for name in ("w", "-2", "3:vault", "1/3=1")]
        assert titles == ["Joker", "−2", "3 mit Tresor", "1/3 als 1"]
        assert terms.bills_in_a_row(["1", "3:u_turn", "w"]) == "1, 3 mit Kehrtwende und W"


def test_no_template_takes_the_capitals_from_nouns():
    """Python's and Jinja's `capitalize` writes all but the first letter small: "2 mit tresor"; `capitalized` does not."""
    folder = Path(outbid.__file__).parent
    assert [one.name for one in folder.rglob("*.html") if re.search(r"\|\s*capitalize\b", one.read_text())] == []
    assert environment().filters["capitalized"]("wilder Schein mit Tresor") == "Wilder Schein mit Tresor"


def test_victories_are_told_in_both_languages():
    match = play(position([["1"], []], rows=[[], [["1"]]], players=2), "0 play 1 / 0 end")
    assert match.log(1)[-1].text == "All hands are empty: the match is over. You win."
    assert told(match, 1) == ["Niemand hat noch Scheine auf der Hand: Die Partie ist zu Ende. Du gewinnst."]
    match = play(position([["1"], []], rows=[[["2"]], [["2"]]], players=2), "0 play 1 / 0 end")
    assert match.log(1)[-1].text == "All hands are empty: the match is over. Ada and you win."
    assert told(match, 1) == ["Niemand hat noch Scheine auf der Hand: Die Partie ist zu Ende. Sieg für Ada und dich."]


@pytest.mark.parametrize("seed", range(6))
def test_a_match_with_all_expansions_has_no_english_left(seed):
    match, rng = Match.new(BOOK, ALL, 2 + seed % 4, seed, NAMES[: 2 + seed % 4]), random.Random(seed)
    seats = range(-1, match.players)
    with i18n.locale("de"):
        while not match.over:
            match.random_move(rng.choice(match.asked), rng.randrange(1 << 30))
            said = [match.question(seat) for seat in seats]
            assert not [line for line in said if ENGLISH.search(line) or "{" in line]
        said = [line.text for seat in seats for line in match.log(seat)]
        assert not [line for line in said if ENGLISH.search(line) or "{" in line]


@pytest.mark.parametrize("code", range(bot.WHY_FORECAST + 1))
def test_every_reason_is_german(code):
    with i18n.locale("de"):
        for other in (-1, 1):
            sentence = reason([code, 3, other, 5, 2, 130], NAMES, True)
            assert sentence.endswith(".")
            assert not ENGLISH.search(sentence)
            assert "{" not in sentence


@pytest.mark.parametrize("move", ["play 7", "play w on 3", "claim 3", "push 3 to 9", "end", "skip", "play", "", "sell"])
def test_refusals_are_german(move):
    match = position([["1", "3"]], {3: ["3"]})
    english, german = refusals(match, move)
    assert english != german
    assert not ENGLISH.search(re.sub(r"„.*?“|'.*?'", "", german))  # what one types is English


def test_the_table_says_what_a_bill_does_in_german():
    match = position([["3", "4", "1"]], {3: ["3"]}, rows=[[], [["1"]], [["3"]]])
    s, speak = match.hidden(0), Speaker(NAMES[:4], 0)
    assert captions.landing(s, speak, 3, 3) == "The 3s become worth 6: full. You can push them to yourself or Dot."
    with i18n.locale("de"):
        full = "Die 3er sind dann 6 wert: voll. Du kannst sie dir selbst oder Dot zuschieben."
        assert captions.landing(s, speak, 3, 3) == full
        assert captions.brief(s, 4, 4) == "neuer Stapel"
        assert captions.ways(s, speak, 3) == (
            "Sie können dir und Dot zugeschoben werden, nicht Ben (hat 1 Stapel, das Minimum ist 0) und "
            "Cem (hat 1 Stapel, das Minimum ist 0)."
        )
        assert captions.standing(s, speak, 0, 3, [0, 3]) == ("can", "Du: Geld 0 → 3")
