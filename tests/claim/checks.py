"""What must hold in every state of Claim, its rulings, and wrong moves: what the tests of every game ask for."""

from __future__ import annotations

from collections import Counter
from typing import Any

from outbid.games.claim import rules, stacks
from outbid.games.claim.hidden import drawn
from outbid.games.claim.shop import printed
from outbid.games.claim.state import (
    AGAIN,
    ANSWERING,
    BESIDE,
    CODE,
    GIVING,
    ICON,
    KINDS,
    LOW,
    NOBODY,
    NUMBERS,
    ONE,
    OVER,
    PLACES,
    PLAYING,
    REFUSING,
    RETURNING,
    SEVEN,
    UNDER,
    WILD,
    WINDOW,
)  # fmt: skip

RULINGS = [f"C{n}" for n in range(1, 41)]
SENTENCES = 72  # of the seed
STEADY = (3, 80)  # at a table of so many, it beats the others, random, so often in 100 matches
WRONG: list[dict[str, Any]] = [
    *({"do": "play", "bill": bill} for bill in ("1", "3", "6", "-2", "w", "9", 3, None, "3:vault", "1/3", "3:merger")),
    *({"do": "play", "bill": "w", "on": on} for on in (1, 3, True, 10**9, None)),
    *({"do": "play", "bill": "1/2", "as": up, "on": on} for up in (1, 2, 3) for on in (1, 2, None)),
    {"do": "play", "bill": "2", "as": 3},
    *({"do": "claim", "stack": stack} for stack in (-3, -1, 0, 1, 2, 3, 5, 8, 10**9, True, "3")),
    *({"do": "push", "stack": stack, "to": to} for stack in (1, 3, 5) for to in (-1, 0, 1, 5, 6, True)),
    {"do": "icon", "icon": "vault", "stack": 3, "lock": "open"},
    {"do": "icon", "icon": "audit", "of": 1, "number": 3},
    {"do": "icon", "icon": "fast_track", "next": 0},
    {"do": "give", "bill": "3"},
    {"do": "buy", "product": "Collector", "pay": [3, 3]},
    {"do": "buy", "product": "Forecast", "pay": []},
    {"do": "purchase", "from": 0, "stack": 3, "bill": "3"},
    {"do": "offer", "to": 1, "give": {"bills": ["3"]}, "get": {"coins": 1}},
    {"do": "offer", "to": 1, "give": {}, "get": {}},
]


def nodes_of(s: Any, top: int) -> list[int]:
    """The nodes of a stack, top first."""
    found = []
    while top > 0:
        found.append(top)
        assert len(found) <= s.used
        top = s.nodes[UNDER + 4 * top]
    return found


def tops_of(s: Any, seat: int) -> list[int]:
    """The tops of a row, the last taken first."""
    found = []
    top = s.row[seat]
    while top > 0:
        found.append(top)
        assert len(found) <= s.used
        top = s.nodes[BESIDE + 4 * top]
    return found


def check(s: Any) -> None:
    """All bills are somewhere, all sums are right, nobody knows more of a hand than is there."""
    bills(s)
    table(s)
    rows(s)
    hands(s)
    assert s.phase == OVER or s.asking in range(s.players)
    assert (s.phase == OVER) == (s.asking == NOBODY)
    if s.phase in (PLAYING, WINDOW):
        assert s.asking == s.turn
        assert s.icon == NOBODY
        assert s.touched == 0
    assert (s.icon != NOBODY) == (s.phase == ICON)
    assert (s.pushed != NOBODY) == (s.phase in (REFUSING, AGAIN)) or s.phase == OVER
    assert (s.whom != NOBODY) == (s.phase in (REFUSING, AGAIN, GIVING, RETURNING, ANSWERING)) or s.phase == OVER


def bills(s: Any) -> None:
    """Every bill of the deck and the two drawn from the reserve lie somewhere, once."""
    deck = sum(rules.copies_of(s, s.players, kind) for kind in range(KINDS))
    lying = [node for place in range(PLACES) for node in nodes_of(s, s.top[place])]
    lying += [node for p in range(s.players) for top in tops_of(s, p) for node in nodes_of(s, top)]
    assert len(set(lying)) == len(lying)
    free = nodes_of(s, s.free)
    assert sorted(lying + free) == list(range(1, s.used + 1))
    assert s.held == sum(s.size[p] for p in range(s.players))
    assert deck + drawn(s) == len(lying) + s.held + s.aside + s.gone
    covered = sum(s.size[p] - sum(s.open[p]) for p in range(s.players))
    assert sum(s.unseen) == covered + s.aside
    assert all(n >= 0 for n in s.unseen)
    seen = Counter(s.nodes[CODE + 4 * node] for node in lying if s.nodes[CODE + 4 * node] >= KINDS)
    for p in range(s.players):
        for v in range(NUMBERS):
            for icon in range(8):
                seen[stacks.code_of(ONE + v, 1 + icon)] += s.icons_held[p][v] >> icon & 1
    assert all(n <= 1 for n in seen.values())
    for v in range(s.numbers):
        assert s.icons_unseen[v] & ~(printed(s, v) if s.action_fund else 0) == 0
        assert s.icons_unseen[v].bit_count() <= s.unseen[ONE + v]


def table(s: Any) -> None:
    """Stacks on the table: values, numbers, marks."""
    for place in range(PLACES):
        nodes = nodes_of(s, s.top[place])
        assert bool(nodes) == bool(s.stacks >> place & 1)
        assert s.value[place] == sum(stacks.worth_of(s, node) for node in nodes)
        assert s.coins_on[place] >= 0
        if nodes:
            assert stacks.place_of(s, nodes[0]) == place
            assert s.nodes[CODE + 4 * nodes[-1]] != WILD or s.action_fund
        else:
            assert s.coins_on[place] == 0
    assert (s.full | s.closed | s.frozen) & ~s.stacks == 0
    assert s.full & s.closed == 0
    for place in range(PLACES):
        if s.full >> place & 1 and not s.shopping_spree and not s.action_fund:
            assert s.value[place] >= s.full_threshold or s.value[place] <= s.negative_threshold


def rows(s: Any) -> None:
    """Rows: counts, money, zeros, who owns what."""
    lowest = min(s.count[: s.players])
    for p in range(s.players):
        tops = tops_of(s, p)
        assert s.count[p] == len(tops)
        assert s.coins[p] >= 0
        places = [stacks.place_of(s, top) for top in tops]
        assert s.owns[p] == sum({1 << place for place in places})
        money = sum(stacks.row_value(s, top) * stacks.counts(s, p, stacks.place_of(s, top)) for top in tops)
        assert s.money[p] == money + s.coins[p]
        for place in range(PLACES):
            assert (s.owners[place] >> p & 1) == (place in places)
        if s.zero_risk or s.shopping_spree:
            zeros = sum(s.nodes[CODE + 4 * node] == LOW for top in tops for node in nodes_of(s, top))
            assert s.zero_bills[p] == zeros
        assert (s.may >> p & 1) == (s.count[p] < lowest + s.slow_down_gap)
        if s.phase != OVER:
            assert not stacks.reaches(s, p)
    assert s.players == 6 or s.may >> s.players == 0


def hands(s: Any) -> None:
    """What is known of a hand is in it, and what it is known to lack is not."""
    for p in range(s.players):
        assert s.size[p] == sum(s.hands[p])
        for kind in range(KINDS):
            assert 0 <= s.open[p][kind] <= s.hands[p][kind]
            if s.lacks[p] >> kind & 1:
                assert s.open[p][kind] == s.hands[p][kind], (p, kind)
        for v in range(NUMBERS):
            assert s.icons_open[p][v] & ~s.icons_held[p][v] == 0
            assert s.icons_held[p][v].bit_count() <= s.hands[p][ONE + v]
            assert s.icons_open[p][v].bit_count() <= s.open[p][ONE + v]
            covered = s.hands[p][ONE + v] - s.icons_held[p][v].bit_count()
            assert 0 <= s.open[p][ONE + v] - s.icons_open[p][v].bit_count() <= covered
            assert stacks.given_of(s, p, ONE + v) <= s.open[p][ONE + v] - s.icons_open[p][v].bit_count()
        assert stacks.given_of(s, p, SEVEN) <= s.open[p][SEVEN]
    assert all(mask & ((1 << KINDS) - 1) == mask for mask in s.lacks)
