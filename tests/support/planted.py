"""Faults planted in the games of examples/, by kind: what another is written in place of, and what `verify` says of it."""

from typing import NamedTuple


class Fault(NamedTuple):
    """A fault. property: which finds it. field: which is named, if there is one. here: whether the line that is named lies
    in the function or declaration where the fault does. edit, more: a text, and the one in its place."""

    title: str
    game: str
    property: str
    field: str | None
    here: bool
    edit: tuple[str, str]
    more: tuple[str, str] = ("", "")


FAULTS = {
    "a hidden value is shown": (
        Fault(
            "purses that all see", "tutorial_game", "leaks", "purse", True,
            (
                "seen=\"owner\", high=RICHEST),\n    Field(\"bid\"",
                "high=RICHEST),\n    Field(\"bid\"",
            ),
        ),
        Fault(
            "bids that all see", "sealed_trunks", "tells", "bid", False,
            (
                "Field(\"bid\", shape=(SEATS,), seen=\"owner\", drawn=(0, \"coins\")",
                "Field(\"bid\", shape=(SEATS,), drawn=(0, \"coins\")",
            ),
        ),
        Fault(
            "a hide that forgets the bids", "tutorial_game", "leaks", "bid", True,
            (
                "\n\nrulebook = Rulebook(",
                "\n\ndef hide(s, seat):\n    for other in range(s.players):\n        if other != seat:\n"
                "            s.purse[other] = 0\n    for i in range(PRIZES):\n        s.deck[i] = 0\n\n\n"
                "rulebook = Rulebook(",
            ),
        ),
        Fault(
            "a hide that hides nothing from a spectator", "tutorial_game", "leaks", "purse", True,
            (
                "\n\nrulebook = Rulebook(",
                "\n\ndef hide(s, seat):\n    for other in range(s.players):\n"
                "        if other != seat and seat >= 0:\n            s.purse[other] = 0\n"
                "            s.bid[other] = 0\n    for i in range(PRIZES):\n        s.deck[i] = 0\n\n\n"
                "rulebook = Rulebook(",
            ),
        ),
        Fault(
            "a bid that all are told", "tutorial_game", "log", "bid", True,
            (
                "\n\nrulebook = Rulebook(",
                "\n\ndef masked(before, seat, said, audience):\n    return said\n\n\nrulebook = Rulebook(",
            ),
        ),
        Fault(
            "a sealed bid that is public", "tutorial_game", "log", "bid", True,
            (
                "\n\nrulebook = Rulebook(",
                "\n\ndef is_public(s, seat, action):\n    return 1\n\n\nrulebook = Rulebook(",
            ),
        ),
        Fault(
            "a field that tells who is rich", "tutorial_game", "totals", "points", False,
            (
                "    show_prize(s)\n\n\ndef show",
                "    s.points[0] = s.purse[0]\n    show_prize(s)\n\n\ndef show",
            ),
        ),
        Fault(
            "a public sum of hidden dice", "market_dice", "tells", "counted", True,
            (
                "    s.number = s.face = 0\n",
                "    s.number = s.face = 0\n    s.counted = s.die[0][0]\n",
            ),
        ),
    ),
    "a public field keeps what one seat was shown": (
        Fault(
            "the paper that a spy has seen", "night_office", "tells", "noted", False,
            (
                "    if kind == SPY:\n        reveal",
                "    if kind == SPY:\n        s.noted = 0\n        for n in range(1, KINDS):\n"
                "            s.noted += n * s.hand[whom][n]\n        reveal",
            ),
            ("    PAPER,\n    DECK,\n", "    Field(\"noted\", high=HEIRESS),\n    PAPER,\n    DECK,\n"),
        ),
    ),
    "a public field tells a secret choice": (
        Fault(
            "points that tell a bid", "tutorial_game", "options", "points", True,
            (
                "    s.bid[seat] = action\n",
                "    s.bid[seat] = action\n    s.points[seat] += action\n",
            ),
        ),
        Fault(
            "money that is laid down at once", "tutorial_game", "tells", "spent", True,
            (
                "    s.sealed[seat] = 1\n",
                "    s.sealed[seat] = 1\n    s.spent[seat] += action > 9\n",
            ),
        ),
        Fault(
            "coins that are taken at once", "sealed_trunks", "tells", "points", True,
            (
                "        s.bid[seat] = action - FIRST_BID\n",
                "        s.bid[seat] = action - FIRST_BID\n"
                "        s.points[seat] = max(s.points[seat], s.bid[seat])\n",
            ),
        ),
        Fault(
            "who leads, before all have bid", "tutorial_game", "history", "bid", False,
            (
                "    s.sealed[seat] = 1\n",
                "    s.sealed[seat] = 1\n    if action > 10:\n        s.shown[0] = 1\n",
            ),
        ),
        Fault(
            "the suit of a passed card", "storm_tricks", "tells", "lost", True,
            (
                "        transfer(s, HAND, (seat, action + 1), PASSED, seat)\n",
                "        transfer(s, HAND, (seat, action + 1), PASSED, seat)\n"
                "        s.lost[seat] = suit(action + 1)\n",
            ),
        ),
    ),
    "a public field copies a hidden one": (
        Fault(
            "the first of the row", "sealed_trunks", "tells", "peek", True,
            (
                "    s.phase = LOOK\n\n\ndef score",
                "    s.phase = LOOK\n    s.peek = s.row[0] * (s.row[0] > 0)\n\n\ndef score",
            ),
            ("Field(\"players\"),\n", "Field(\"players\"),\n    Field(\"peek\", high=12),\n"),
        ),
        Fault(
            "the next of the store", "sealed_trunks", "tells", "peek", True,
            (
                "    s.phase = LOOK\n\n\ndef score",
                "    s.phase = LOOK\n    if s.round + ROW < TRUNKS:\n"
                "        s.peek = s.store[TRUNKS - ROW - s.round - 1]\n\n\ndef score",
            ),
            ("Field(\"players\"),\n", "Field(\"players\"),\n    Field(\"peek\", high=12),\n"),
        ),
        Fault(
            "what a look has shown", "sealed_trunks", "tells", "peek", True,
            (
                "        reveal(s, ROWED, action, seat)\n",
                "        reveal(s, ROWED, action, seat)\n        s.peek = s.row[action]\n",
            ),
            ("Field(\"players\"),\n", "Field(\"players\"),\n    Field(\"peek\", high=12),\n"),
        ),
        Fault(
            "the purse of who has bid", "tutorial_game", "tells", "rich", True,
            (
                "    s.sealed[seat] = 1\n",
                "    s.sealed[seat] = 1\n    s.rich[seat] = s.purse[seat]\n",
            ),
            ("Field(\"players\"),\n", "Field(\"players\"),\n    Field(\"rich\", shape=(SEATS,), high=RICHEST),\n"),
        ),
        Fault(
            "whether a purse is even", "tutorial_game", "totals", "rich", True,
            (
                "    show_prize(s)\n\n\ndef show",
                "    for seat in range(players):\n        s.rich[seat] = s.purse[seat] % 2\n"
                "    show_prize(s)\n\n\ndef show",
            ),
            ("Field(\"players\"),\n", "Field(\"players\"),\n    Field(\"rich\", shape=(SEATS,), high=1),\n"),
        ),
        Fault(
            "a die of who bids", "market_dice", "tells", "peek", True,
            (
                "        s.bidder = seat\n",
                "        s.bidder = seat\n        s.peek = s.die[seat][0]\n",
            ),
            ("Field(\"players\"), Field(\"turn\"", "Field(\"players\"), Field(\"peek\", high=FACES), Field(\"turn\""),
        ),
        Fault(
            "the next prize", "tutorial_game", "tells", "coming", True,
            (
                "    s.shown[s.prize] = 1\n",
                "    s.shown[s.prize] = 1\n    s.coming = s.deck[top - 1] * (top > 0)\n",
            ),
            ("Field(\"players\"),\n", "Field(\"players\"),\n    Field(\"coming\", high=PRIZES),\n"),
        ),
    ),
    "a public field tells a part of a hidden one": (
        Fault(
            "whether the trunk that was looked into is odd", "sealed_trunks", "history", "row", False,
            (
                "        reveal(s, ROWED, action, seat)\n",
                "        reveal(s, ROWED, action, seat)\n        s.peek = s.row[action] % 2\n",
            ),
            ("Field(\"players\"),\n", "Field(\"players\"),\n    Field(\"peek\", high=1),\n"),
        ),
        Fault(
            "the paper that a spy has seen, by three", "night_office", "history", "hand", False,
            (
                "    if kind == SPY:\n        reveal",
                "    if kind == SPY:\n        s.noted = rank(s, whom) % 3\n        reveal",
            ),
            ("    PAPER,\n    DECK,\n", "    Field(\"noted\", high=2),\n    PAPER,\n    DECK,\n"),
        ),
        Fault(
            "half of the suit of a passed card", "storm_tricks", "history", None, False,
            (
                "        transfer(s, HAND, (seat, action + 1), PASSED, seat)\n",
                "        transfer(s, HAND, (seat, action + 1), PASSED, seat)\n"
                "        s.lost[seat] = suit(action + 1) % 2\n",
            ),
        ),
    ),
    "a world contradicts what was seen": (
        Fault(
            "more is bid than is there", "tutorial_game", "history", "bid", True,
            (
                "below(r, s.purse[other] + 1)",
                "below(r, RICHEST + 1)",
            ),
        ),
        Fault(
            "two who are equal are not", "night_office", "history", "hand", False,
            (
                "        if s.equal[other] > 0 and rank",
                "        if s.equal[other] > SEATS and rank",
            ),
        ),
        Fault(
            "who was poor is richer", "tutorial_game", "redeal", "purse", True,
            (
                "s.proven[other] + below(r, RICHEST - s.proven[other] + 1)",
                "POOREST + below(r, RICHEST - POOREST + 1)",
            ),
        ),
        Fault(
            "a prize that is not there", "tutorial_game", "redeal", "deck", True,
            (
                "s.deck[left] = prize",
                "s.deck[left] = prize + 1",
            ),
        ),
        Fault(
            "who has not bid has a bid", "tutorial_game", "totals", "bid", True,
            (
                " * s.sealed[other]\n",
                "\n",
            ),
        ),
        Fault(
            "bids beyond the coins", "sealed_trunks", "history", "bid", False,
            (
                "drawn=(0, \"coins\")",
                "drawn=(0, MOST)",
            ),
        ),
        Fault(
            "a suit that they have is ruled out", "storm_tricks", "knowledge", "hand", True,
            (
                "led * RANKS + rank + 1), EVERYBODY)",
                "suit(card) * RANKS + rank + 1), EVERYBODY)",
            ),
        ),
        Fault(
            "a card moves past what is known", "sealed_trunks", "knowledge", "row", True,
            (
                "    s.points[winner] += transfer(s, ROWED, 0, OPENED, 0)",
                "    s.points[winner] += s.row[0]\n    s.opened[s.row[0]] += 1\n    s.row[0] = 0",
            ),
        ),
        Fault(
            "dice that stay after they were counted", "market_dice", "tells", "lifted", True,
            (
                "        s.total -= 1\n        roll(s)",
                "        s.total -= 1\n        s.die[s.turn][s.dice[s.turn]] = 0\n        s.number = 0",
            ),
        ),
    ),
    "a redeal keeps the truth or has no chance": (
        Fault(
            "it does nothing", "tutorial_game", "redeal", "deck", True,
            (
                "def redeal(s, seat, seed):\n",
                "def redeal(s, seat, seed):\n    return\n",
            ),
        ),
        Fault(
            "it keeps those who have bid", "tutorial_game", "redeal", "purse", True,
            (
                "        if other != seat:\n            r =",
                "        if other != seat and s.sealed[other] == 0:\n            r =",
            ),
        ),
        Fault(
            "it deals the prizes in order", "tutorial_game", "truth", "deck", True,
            (
                "    r = shuffle(s.deck, left, stream(seed, 1))",
                "    r = stream(seed, 1)",
            ),
        ),
        Fault(
            "it leaves the seed out", "tutorial_game", "truth", "deck", True,
            (
                "stream(seed, 1)",
                "stream(1, 1)",
            ),
        ),
        Fault(
            "its chance is what is hidden", "tutorial_game", "redeal", "deck", True,
            (
                "stream(seed, 1)",
                "stream(seed + s.purse[0], 1)",
            ),
        ),
        Fault(
            "everybody is as rich", "tutorial_game", "truth", "purse", True,
            (
                "s.proven[other] + below(r, RICHEST - s.proven[other] + 1) - s.spent[other]",
                "RICHEST - s.spent[other]",
            ),
        ),
        Fault(
            "it deals what all see", "tutorial_game", "totals", "points", True,
            (
                "    r = shuffle(s.deck, left, stream(seed, 1))",
                "    r = shuffle(s.deck, left, stream(seed, 1))\n    s.points[0] = below(step(r), 9)",
            ),
        ),
    ),
    "a value outside of its field": (
        Fault(
            "points beyond 50", "tutorial_game", "conserved", "points", True,
            (
                "s.points[winner] += s.prize",
                "s.points[winner] += s.prize * 6",
            ),
        ),
        Fault(
            "a price that is paid twice", "tutorial_game", "conserved", "purse", True,
            (
                "s.purse[winner] -= best",
                "s.purse[winner] -= 2 * best",
            ),
        ),
        Fault(
            "a phase without a name", "sealed_trunks", "conserved", "phase", True,
            (
                "    s.phase = LOOK\n\n\ndef score",
                "    s.phase = LOOK + 2 * (s.round == 3)\n\n\ndef score",
            ),
        ),
        Fault(
            "a number that its type cannot hold", "tutorial_game", "conserved", "points", False,
            (
                "Field(\"points\", shape=(SEATS,), high=50)",
                "Field(\"points\", shape=(SEATS,))",
            ),
            (
                "s.points[winner] += s.prize",
                "s.points[winner] += s.prize * 9",
            ),
        ),
        Fault(
            "a seal of two", "tutorial_game", "conserved", "sealed", True,
            (
                "s.sealed[seat] = 1",
                "s.sealed[seat] += 1 + (action == 0)",
            ),
        ),
        Fault(
            "a debt", "market_dice", "conserved", "dice", True,
            (
                "        s.dice[s.turn] -= 1\n",
                "        s.dice[s.turn] -= 2\n",
            ),
        ),
        Fault(
            "more than the type can declare", "sealed_trunks", "conserved", "points", True,
            (
                "Field(\"points\", shape=(SEATS,), high=78,",
                "Field(\"points\", shape=(SEATS,), high=200,",
            ),
        ),
    ),
    "more is spent than one has": (
        Fault(
            "a bid beyond the purse", "tutorial_game", "redeal", "purse", False,
            (
                "    for amount in range(s.purse[seat] + 1):\n        out[amount] = amount\n"
                "    return s.purse[seat] + 1",
                "    for amount in range(21):\n        out[amount] = amount\n    return 21",
            ),
        ),
    ),
    "a match or a rule that never ends": (
        Fault(
            "bids that are offered when the match is over", "market_dice", "asks", None, True,
            (
                "    n = (s.total * FACES - least(s)) * (asked(s) > 0)\n",
                "    n = s.total * FACES - least(s)\n",
            ),
        ),
        Fault(
            "a tie counts no round", "tutorial_game", "ends", None, False,
            (
                "    s.round += 1\n",
                "    s.round += winner >= 0\n",
            ),
        ),
        Fault(
            "a while that does not go on", "night_office", "seats", None, True,
            (
                "    while s.out[s.turn] == 1:\n        s.turn = (s.turn + 1) % s.players",
                "    while s.out[s.turn] == 1:\n        s.safe[s.turn] = 0",
            ),
        ),
        Fault(
            "a redeal that waits for luck", "tutorial_game", "redeal", None, True,
            (
                "            s.bid[other] = below(r, s.purse[other] + 1) * s.sealed[other]",
                "            while s.purse[other] > 20 - s.spent[other] - s.round % 2:\n"
                "                s.bid[other] = 0",
            ),
        ),
        Fault(
            "a bound that is too small", "tutorial_game", "ends", None, True,
            (
                "longest=SEATS * PRIZES",
                "longest=PRIZES",
            ),
        ),
        Fault(
            "a score that counts for ever", "tutorial_game", "answers", None, True,
            (
                "        out[seat] = s.points[seat] + s.purse[seat] // 3",
                "        left = s.purse[seat]\n        while left > 0:\n            left -= left // 2\n"
                "        out[seat] = s.points[seat]",
            ),
        ),
        Fault(
            "a move that does nothing", "tutorial_game", "history", None, False,
            (
                "    s.sealed[seat] = 1\n",
                "    s.sealed[seat] = action > 0\n",
            ),
        ),
    ),
    "points and winners": (
        Fault(
            "a seat has no points", "tutorial_game", "answers", None, True,
            (
                "def score(s, out):\n    for seat in range(s.players):",
                "def score(s, out):\n    for seat in range(s.players - 1):",
            ),
        ),
        Fault(
            "points on top of points", "tutorial_game", "answers", None, True,
            (
                "        out[seat] = s.points[seat] + s.purse",
                "        out[seat] += s.points[seat] + s.purse",
            ),
        ),
        Fault(
            "a score that pays", "tutorial_game", "answers", "points", True,
            (
                "def score(s, out):\n    for seat in range(s.players):",
                "def score(s, out):\n    for seat in range(s.players):\n"
                "        s.points[seat] += s.purse[seat] // 9",
            ),
        ),
        Fault(
            "a fraction", "tutorial_game", "subset", None, True,
            (
                "s.purse[seat] // 3",
                "s.purse[seat] / 3",
            ),
        ),
        Fault(
            "a root", "sealed_trunks", "answers", None, True,
            (
                "s.points[seat] + s.coins[seat] // 3",
                "math.sqrt(s.points[seat])",
            ),
        ),
        Fault(
            "nobody wins", "tutorial_game", "asks", None, True,
            (
                "\n\nrulebook = Rulebook(",
                "\n\ndef winners(s, out):\n    return 0\n\n\nrulebook = Rulebook(",
            ),
        ),
        Fault(
            "a seat and no mask", "tutorial_game", "asks", None, True,
            (
                "\n\nrulebook = Rulebook(",
                "\n\ndef winners(s, out):\n    best = 0\n    for seat in range(s.players):\n"
                "        if s.points[seat] > s.points[best]:\n            best = seat\n    return best\n\n\n"
                "rulebook = Rulebook(",
            ),
        ),
        Fault(
            "a winner who does not play", "market_dice", "asks", None, True,
            (
                "\n\nrulebook = Rulebook(",
                "\n\ndef winners(s, out):\n    return 1 << SEATS\n\n\nrulebook = Rulebook(",
            ),
        ),
        Fault(
            "winners that spend", "sealed_trunks", "answers", "points", True,
            (
                "\n\nrulebook = Rulebook(",
                "\n\ndef winners(s, out):\n    s.points[0] += s.points[0] < 78\n    return 1\n\n\n"
                "rulebook = Rulebook(",
            ),
        ),
        Fault(
            "parts that do not add up", "sealed_trunks", "answers", "coins", False,
            (
                "part=(1, 3)",
                "part=(1, 4)",
            ),
        ),
        Fault(
            "points counted outside", "tutorial_game", "subset", None, True,
            (
                "        out[seat] = s.points[seat] + s.purse",
                "        COUNT[0] += 1\n        out[seat] = COUNT[0] + s.points[seat] + s.purse",
            ),
        ),
    ),
    "legal and apply disagree": (
        Fault(
            "one more than was written", "tutorial_game", "seats", None, True,
            (
                "    return s.purse[seat] + 1\n",
                "    return s.purse[seat] + 2\n",
            ),
        ),
        Fault(
            "one more than was written, of others", "sealed_trunks", "seats", None, True,
            (
                "        return standing(s)\n    for",
                "        return standing(s) + 1\n    for",
            ),
        ),
        Fault(
            "an action twice", "market_dice", "asks", None, True,
            (
                "        out[i] = least(s) + i\n",
                "        out[i] = least(s) + i // 2\n",
            ),
        ),
        Fault(
            "no action with that number", "sealed_trunks", "seats", None, True,
            (
                "out[amount] = FIRST_BID + amount",
                "out[amount] = FIRST_BID + amount + 9",
            ),
        ),
        Fault(
            "nothing is legal without coins", "tutorial_game", "worlds", None, False,
            (
                "    for amount in range(s.purse[seat] + 1):\n        out[amount] = amount\n"
                "    return s.purse[seat] + 1",
                "    for amount in range(s.purse[seat]):\n        out[amount] = amount\n"
                "    return s.purse[seat]",
            ),
        ),
        Fault(
            "legal moves the turn on", "market_dice", "answers", "counted", True,
            (
                "    out[n] = DOUBT\n",
                "    out[n] = DOUBT\n    s.counted = n % 9\n",
            ),
        ),
        Fault(
            "a guess that apply does not know", "night_office", "seats", None, True,
            (
                "        guess = SPY + action % GUESSES",
                "        guess = SPY + SPY + action % GUESSES",
            ),
        ),
        Fault(
            "a coin too many is offered at the end", "tutorial_game", "asks", None, True,
            (
                "    for amount in range(s.purse[seat] + 1):\n        out[amount] = amount",
                "    for amount in range(s.purse[seat] + 1):\n"
                "        out[amount] = amount // (RICHEST - s.spent[seat])",
            ),
        ),
    ),
    "chance from elsewhere": (
        Fault(
            "dice of its own in the deal", "tutorial_game", "subset", None, True,
            (
                "    r = shuffle(s.deck, PRIZES, stream(seed, 0))",
                "    r = shuffle(s.deck, PRIZES, stream(random.randrange(99), 0))",
            ),
        ),
        Fault(
            "dice of its own in the bot", "tutorial_game", "subset", None, True,
            (
                "    fair = s.prize // 2",
                "    fair = random.randint(0, s.prize) // 2",
            ),
        ),
        Fault(
            "the clock", "sealed_trunks", "subset", None, True,
            (
                "    shuffle(s.store, TRUNKS, stream(seed, 0))",
                "    shuffle(s.store, TRUNKS, stream(time.time_ns(), 0))",
            ),
        ),
        Fault(
            "a bot that remembers", "tutorial_game", "subset", None, True,
            (
                "    return min(fair, s.purse[seat])",
                "    COUNT[0] += 1\n    return min(fair + COUNT[0] % 3, s.purse[seat])",
            ),
        ),
    ),
    "plain and compiled differ": (
        Fault(
            "a rule that calls itself", "tutorial_game", "subset", None, True,
            (
                "    s.round += 1\n",
                "    s.round += 1\n    open_bids(s)\n",
            ),
        ),
        Fault(
            "a whole field is assigned", "tutorial_game", "subset", "spent", True,
            (
                "    if winner >= 0:\n        s.purse",
                "    if winner >= 0:\n        s.spent = s.bid\n        s.purse",
            ),
        ),
        Fault(
            "two rows are one", "market_dice", "subset", "die", True,
            (
                "        roll(s)\n    while",
                "        roll(s)\n        s.die[s.turn] = s.die[seat]\n    while",
            ),
        ),
        Fault(
            "a list that grows", "tutorial_game", "subset", None, True,
            (
                "    s.shown[s.prize] = 1\n",
                "    s.shown[s.prize] = 1\n    COUNT.append(s.prize)\n",
            ),
        ),
        Fault(
            "a place that is searched", "sealed_trunks", "subset", None, True,
            (
                "    winner = s.keys\n",
                "    winner = s.bid.index(max(s.bid))\n",
            ),
        ),
        Fault(
            "a word", "sealed_trunks", "subset", None, True,
            (
                "    if s.phase == LOOK:\n        reveal",
                "    if s.phase == \"look\" or s.phase == 0:\n        reveal",
            ),
        ),
        Fault(
            "fields that are compared", "sealed_trunks", "subset", "bid", True,
            (
                "        if asked(s) == 0:\n            sell(s)",
                "        if s.bid != s.coins and asked(s) == 0:\n            sell(s)",
            ),
        ),
        Fault(
            "what is sorted", "night_office", "subset", None, True,
            (
                "    best = 0\n    for seat in range(s.players):\n        best = max",
                "    best = sorted(s.out)[0]\n    for seat in range(s.players):\n        best = max",
            ),
        ),
        Fault(
            "a field as a truth", "tutorial_game", "subset", "points", True,
            (
                "    if winner >= 0:\n        s.purse",
                "    if s.points and winner >= 0:\n        s.purse",
            ),
        ),
        Fault(
            "a comprehension", "market_dice", "subset", None, True,
            (
                "        s.counted = 0\n",
                "        s.counted = sum([1 for die in s.die[0] if die > 9])\n",
            ),
        ),
    ),
    "who is asked": (
        Fault(
            "a seat that is not there", "market_dice", "seats", None, True,
            (
                "    return (1 << s.turn) * (s.dice[s.turn] < s.total)",
                "    return (1 << (s.turn + s.players)) * (s.dice[s.turn] < s.total)",
            ),
        ),
        Fault(
            "nobody in the middle", "tutorial_game", "asks", None, True,
            (
                "    if s.round < s.rounds:\n        for seat",
                "    if s.round != 2:\n        for seat",
            ),
        ),
        Fault(
            "nobody in a fresh match", "tutorial_game", "seats", None, True,
            (
                "    if s.round < s.rounds:\n        for seat",
                "    if 0 < s.round < s.rounds:\n        for seat",
            ),
        ),
        Fault(
            "one seat never", "tutorial_game", "seats", None, True,
            (
                "        for seat in range(s.players):\n            if s.sealed",
                "        for seat in range(s.players - 1):\n            if s.sealed",
            ),
        ),
        Fault(
            "a seat instead of a mask", "market_dice", "seats", None, True,
            (
                "    return (1 << s.turn) * (s.dice[s.turn] < s.total)",
                "    return (s.turn + 1) * (s.dice[s.turn] < s.total)",
            ),
        ),
    ),
    "options at their ends": (
        Fault(
            "more rounds than prizes", "tutorial_game", "options", None, True,
            (
                "6, 1, PRIZES, \"prizes",
                "6, 1, PRIZES + 2, \"prizes",
            ),
        ),
        Fault(
            "no round at all", "tutorial_game", "options", None, True,
            (
                "6, 1, PRIZES, \"prizes",
                "6, 0, PRIZES, \"prizes",
            ),
        ),
        Fault(
            "more coins than fit", "sealed_trunks", "options", "coins", False,
            (
                "20, 5, MOST,",
                "20, 5, 2 * MOST,",
            ),
        ),
        Fault(
            "a bound that is right for few rounds", "tutorial_game", "options", None, False,
            (
                "longest=SEATS * PRIZES",
                "longest=SEATS * 9",
            ),
        ),
        Fault(
            "a number that leads to a division by nothing", "sealed_trunks", "asks", None, False,
            (
                "20, 5, MOST,",
                "20, 0, MOST,",
            ),
            (
                "        out[seat] = s.points[seat] + s.coins[seat] // 3",
                "        out[seat] = s.points[seat] + 60 // s.purse",
            ),
        ),
        Fault(
            "a deal that is too large", "night_office", "options", None, True,
            (
                "range(1, KINDS):\n        s.paper[kind] = COPIES[kind]",
                "range(1, KINDS):\n        s.paper[kind] = COPIES[kind] + (s.rounds == ROUNDS)",
            ),
        ),
        Fault(
            "only the last value never ends", "tutorial_game", "options", None, False,
            (
                "    s.round += 1\n",
                "    s.round += s.rounds < PRIZES or s.round < 9\n",
            ),
        ),
    ),
    "things are lost or made": (
        Fault(
            "a coin is lost", "tutorial_game", "conserved", None, False,
            (
                "        s.spent[winner] += best\n",
                "        s.spent[winner] += best - (best > 3)\n",
            ),
            (
                "\n\nrulebook = Rulebook(",
                "\n\ndef check(s):\n    coins = 0\n    for seat in range(s.players):\n"
                "        coins += s.purse[seat] + s.spent[seat]\n"
                "        assert POOREST <= s.purse[seat] + s.spent[seat] <= RICHEST, 'a coin is lost'\n\n\n"
                "rulebook = Rulebook(",
            ),
        ),
    ),
    "a sentence speaks of what its reader does not know": (
        Fault(
            "a look that is shown to the neighbour", "sealed_trunks", "log", "row", False,
            (
                "reveal(s, ROWED, action, seat)",
                "reveal(s, ROWED, action, (seat + 1) % s.players)",
            ),
        ),
    ),
    "what people see cannot be drawn": (
        Fault(
            "a thing stands there that has no face", "sealed_trunks", "table", None, True,
            (
                "{winner: [holds]}",
                "{winner: [holds + 90]}",
            ),
        ),
        Fault(
            "a question to a player who is not there", "tutorial_game", "table", None, True,
            (
                "\n\nrulebook = Rulebook(",
                "\n\ndef question(s, seat, names):\n    return f\"{names[s.prize % 7]} bids.\"\n\n\nrulebook = Rulebook(",
            ),
        ),
    ),
}  # fmt: skip
