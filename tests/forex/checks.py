"""What must hold in every state of For-Ex, its rulings, and wrong moves: what the tests of every game ask for."""

from __future__ import annotations

from typing import Any

from outbid.games.forex.state import (
    CONTRACTED,
    CURRENCIES,
    DIVESTING,
    FREE,
    KINDS,
    LENT,
    NOBODY,
    OVER,
    REPLY,
    SEATS,
    SETS,
    STACK,
    START,
    STRENGTHEN,
    STRONGEST,
    TURN,
    UNLIMITED,
)  # fmt: skip

RULINGS = [f"R{n}" for n in range(1, 20)]
SENTENCES = 32  # of the seed
STEADY = (4, 95)  # at a table of so many, it beats the others, random, so often in 100 matches
ALL_KNOWN = True  # after the deal nothing is hidden and nothing is left to chance
NAMES = ("GBP", "gbp", "SEK", "", None, 1, True, ["GBP"])
AMOUNTS = (0, -1, 0.25, 1.0, 1.5, 14, 10**12, 1e300, True, "1", None, [1])
WRONG: list[dict[str, Any]] = [
    *({"do": "contract", "pay": ["GBP", n], "receive": ["CNY", 14]} for n in AMOUNTS),
    *({"do": "contract", "pay": ["GBP", 4], "receive": ["CNY", n]} for n in AMOUNTS),
    *({"do": "contract", "pay": [name, 4], "receive": ["CNY", 14]} for name in NAMES),
    *({"do": "contract", "pay": sums, "receive": sums} for sums in (["GBP", 4], ["GBP"], "GBP", None, 4, {"GBP": 4})),
    *({"do": "contract", "pay": ["GBP", n], "receive": ["USD", n]} for n in (11, 21, 10**9)),
    *({"do": "spot", "with": p, "give": ["GBP", 1], "get": ["USD", 1]} for p in (-1, 0, 1, 6, True, 1.0, "1", None)),
    *({"do": "spot", "with": 1, "give": ["GBP", n], "get": ["EUR", 1.5]} for n in AMOUNTS),
    {"do": "spot", "with": 1, "give": ["GBP", 1], "get": ["GBP", 1]},
    *({"do": "invest", "in": names} for names in ([], ["CNY", "CNY"], ["GBP", "EUR", "USD"], "CNY", None, [["CNY"]])),
    *({"do": "invest", "in": [name]} for name in NAMES),
    *({"do": "divest", "currency": "CNY", "count": n} for n in (-1, 0, 1, 5, 17, True, 1.0, "1", None)),
    *({"do": "divest", "currency": name, "count": 1} for name in NAMES),
    *({"do": do, "currency": name} for do in ("strengthen", "strongest") for name in NAMES),
    {"do": "pass"},
    {"do": ["resolve"]},
]


def check(s: Any) -> None:
    """Rates are mirrored, certificates all there, the queue, the sets and the loans fit together, and so do the phases."""
    check_rates(s)
    check_certificates(s)
    check_queue(s)
    check_phase(s)
    for field in ("kept_money", "kept_table", "kept_sets"):
        assert not any(map(any, getattr(s, field))), field
    assert not any(s.kept_line)


def check_rates(s: Any) -> None:
    """Each pair stands on one space, seen from both sides."""
    for one in range(KINDS):
        assert s.scale[one][one] == 0
        assert s.strength[one] == sum(s.scale[one][two] > 0 for two in range(s.currencies))
        for two in range(KINDS):
            assert s.scale[one][two] == -s.scale[two][one]
            assert one == two or 1 <= abs(s.scale[one][two]) <= s.track


def check_certificates(s: Any) -> None:
    """Hands and stock; what is sold or removed is out of the game."""
    for kind in range(KINDS):
        assert s.held[kind] == sum(s.certs[p][kind] for p in range(s.players))
        assert s.stock[kind] >= 0
        assert s.held[kind] + s.stock[kind] <= s.certificates
        assert all(0 <= s.certs[p][kind] <= s.hand_limit for p in range(s.players))
        assert all(s.money[p][kind] >= 0 for p in range(SEATS))
    total = s.currencies * s.certificates
    assert sum(s.held) + sum(s.stock) <= total - min(s.removed_certificates, total)
    for kind in range(s.currencies, KINDS):
        assert s.stock[kind] == s.held[kind] == 0
        assert not any(row[kind] for row in [*s.money, *s.debt])
        assert not s.choices >> kind & 1
        assert kind not in s.pays
        assert kind not in s.gets
        assert s.strongest != kind


def check_queue(s: Any) -> None:
    """Every set used is in the queue or a part of the loan that is; the dividends are there until the last is paid."""
    line = s.queue[: s.queued]
    assert len(set(line)) == len(line)
    assert set(s.queue[s.queued :]) <= {NOBODY}
    assert (STACK in line) == (s.dividend < s.dividend_cards)
    for letter in range(SETS):
        assert (s.use[letter] == FREE) == (s.owner[letter] == NOBODY)
        if s.use[letter] == FREE:
            assert letter not in line
        elif s.use[letter] == CONTRACTED:
            assert letter in line
            assert s.pays[letter] != s.gets[letter]
            assert s.paid[letter] > 0
            assert s.got[letter] > 0
        else:
            assert (letter in line) == (s.loan[s.owner[letter]] == letter)
        if s.use[letter] != CONTRACTED:
            assert (s.pays[letter], s.gets[letter], s.paid[letter], s.got[letter]) == (NOBODY, NOBODY, 0, 0)
    for seat in range(SEATS):
        assert (s.loan[seat] == NOBODY) == (not any(s.debt[seat]))
        if s.loan[seat] != NOBODY:
            assert s.use[s.loan[seat]] == LENT
            assert s.owner[s.loan[seat]] == seat
        assert all(n >= 0 for n in s.debt[seat])


def check_phase(s: Any) -> None:
    """Who is asked, and what has been said so far."""
    assert (s.asking == NOBODY) == (s.phase == OVER)
    assert (s.partner != NOBODY) == (s.phase == REPLY or (s.phase == TURN and s.step >= 5))
    assert (s.unit != NOBODY) == (s.phase == REPLY)
    assert s.unit in (NOBODY, s.give, s.get)
    assert s.phase == TURN or s.step == START
    assert (s.choices != 0) == (s.phase in (STRENGTHEN, STRONGEST))
    assert (s.strongest != NOBODY) == (s.phase == OVER)
    assert s.bankrupt == NOBODY or s.phase in (STRONGEST, OVER)
    if s.phase in (TURN, STRENGTHEN, STRONGEST):
        assert s.asking == s.turn
    if s.phase == DIVESTING:
        assert s.certs[s.asking][s.give] > 0
        assert s.asking != s.turn
    if s.phase == STRENGTHEN:
        assert s.choices == sum(1 << kind for kind in range(s.currencies) if s.held[kind] == max(s.held))
    if s.phase == OVER:
        strengths = [s.strength[kind] for kind in range(s.currencies)]
        best = [kind for kind, strength in enumerate(strengths) if strength == max(strengths)]
        assert s.strongest in best
    assert s.max_spot_offers == UNLIMITED or s.offers <= s.max_spot_offers
    assert s.offers == sum(mask.bit_count() for row in s.refused for mask in row)
    assert len(CURRENCIES) == KINDS
