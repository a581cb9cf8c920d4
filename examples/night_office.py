"""The night office: everybody holds one of sixteen papers, draws another, lays one, and tries to be the last one in.

A deduction game by the public rules of a well-known kind, with its own papers. Each round every player is dealt one; one
lies aside. In turn one draws and lays one of two, and does what it says: 1 Clerk, name another's paper (not a Clerk): if it
is that, they are out. 2 Spy, look at another's. 3 Duellist, compare with another: who has the lower one is out. 4 Guard,
nobody can choose you until your next turn. 5 Bailiff, somebody lays their paper and draws anew. 6 Envoy, exchange with
another. 7 Partner, must be laid if the other one is a Bailiff or an Envoy. 8 Heiress, who lays her is out. If nobody can be
chosen, a paper does nothing. The last one in, or at the end of the deck the highest paper, takes a point (equals each one).

Who knows what is declared (outbid.core.knowledge): here it is `reveal`, `rule_out`, `swap`, `transfer`, `conceal`, and for
two who were equal in a duel `agrees`. `outbid play examples/night_office.py`
"""

import sys

from outbid.core.chance import below, step, stream
from outbid.core.components import Cards, Look
from outbid.core.fields import Field, Layout
from outbid.core.hooks.outcome import stands
from outbid.core.knowledge import EVERYBODY, conceal, reshuffle, reveal, rule_out, swap, transfer
from outbid.core.language.i18n import words
from outbid.core.moves import Move, Moves
from outbid.core.options import number
from outbid.core.rulebook import Rulebook

_ = words(__name__)[0]
SEATS = 4
PAPERS = ("none", "Clerk", "Spy", "Duellist", "Guard", "Bailiff", "Envoy", "Partner", "Heiress")
SYMBOLS = ("scroll", "eye", "sword", "shield", "key", "wave", "heart", "crown")
FACES = Cards(tuple(Look(PAPERS[n], symbol=symbol, figure=str(n)) for n, symbol in enumerate(SYMBOLS, 1)))
COPIES = (0, 5, 2, 2, 2, 2, 1, 1, 1)
CLERK, SPY, DUELLIST, GUARD, BAILIFF, ENVOY, PARTNER, HEIRESS = range(1, 9)
KINDS = len(PAPERS)
SIZE = sum(COPIES)
ROUNDS = 9

OPTIONS = (number("rounds", "Rounds", 3, 1, ROUNDS, "how often papers are dealt"),)
PAPER = Field("paper", shape=(KINDS,), high=5, places=PAPERS)
DECK = Field("deck", shape=(SIZE,), seen="nobody", holds="paper", high=HEIRESS, face=FACES)
ASIDE = Field("aside", seen="nobody", holds="paper", high=HEIRESS, face=FACES)
HAND = Field("hand", shape=(SEATS, KINDS), seen="owner", counts="paper", learned=True, high=2, face=FACES)
LAID = Field("laid", shape=(SEATS, KINDS), counts="paper", high=5, face=FACES)
FIELDS = (
    Field("players"),
    Field("round", high=ROUNDS, label="rounds played"),
    Field("turn", seat=True, shown=False),
    Field("whom", seat=True, low=-1, shown=False),  # the last paper was for, −1: nobody
    Field("left", high=SIZE, shown=False),  # in the deck
    Field("luck", "i4", seen="nobody", drawn=(1, 2**30)),  # of the next round: chance acts in `deal`
    PAPER,
    DECK,
    ASIDE,
    HAND,
    LAID,
    Field("out", shape=(SEATS,), names=("in", "out"), label="still"),
    Field("safe", shape=(SEATS,), names=("no", "yes")),
    Field("equal", shape=(SEATS,), high=SEATS, shown=False),  # 1 + who has the same paper; both were in a duel
    Field("points", shape=(SEATS,), high=ROUNDS),
)
WHOM = (0, SEATS - 1)
MOVES = Moves(
    Move("guess", "lay a Clerk and name another's paper", whom=WHOM, paper=(SPY, HEIRESS)),
    Move("spy", "lay a Spy and look at another's paper", whom=WHOM),
    Move("duel", "lay a Duellist and compare", whom=WHOM),
    Move("evict", "lay a Bailiff: this player lays their paper", whom=WHOM),
    Move("swap", "lay an Envoy and exchange", whom=WHOM),
    Move("lay", "lay this paper, which does no more", paper=(CLERK, HEIRESS)),
)
GUESS, LOOK, DUEL, EVICT, SWAP, LAY = (MOVES.first(do) for do in ("guess", "spy", "duel", "evict", "swap", "lay"))
GUESSES = HEIRESS - CLERK
LAYS = {"guess": CLERK, "spy": SPY, "duel": DUELLIST, "evict": BAILIFF, "swap": ENVOY}


def deal(s, players, seed):
    s.players = players
    at = 0
    for kind in range(1, KINDS):
        s.paper[kind] = COPIES[kind]
        for _ in range(COPIES[kind]):
            s.deck[at] = kind
            at += 1
    s.luck = 1 + below(step(stream(seed, 0)), 2**30)
    begin(s)


def begin(s):
    r = reshuffle(s, DECK, SIZE, stream(s.luck, 0))
    s.luck = 1 + below(step(r), 2**30)
    s.left = SIZE - 1
    transfer(s, DECK, s.left, ASIDE, 0)
    for seat in range(s.players):
        draw(s, seat)
        s.out[seat] = 0
        s.safe[seat] = 0
    draw(s, s.turn)


def draw(s, seat):
    unequal(s, seat, 0)
    if s.left > 0:
        s.left -= 1
        transfer(s, DECK, s.left, HAND, seat)
    else:
        transfer(s, ASIDE, 0, HAND, seat)


def unequal(s, seat, laid):  # laid: the paper of two who are equal, where that comes to light
    if s.equal[seat] > 0:
        if laid > 0:
            reveal(s, HAND, (s.equal[seat] - 1, laid), EVERYBODY)
        s.equal[s.equal[seat] - 1] = 0
        s.equal[seat] = 0


def asked(s):
    return (1 << s.turn) * (s.round < s.rounds)


def rank(s, seat):
    for kind in range(KINDS - 1, 0, -1):
        if s.hand[seat][kind] > 0:
            return kind
    return 0


def open_to(s, seat, whom):
    return s.out[whom] == 0 and s.safe[whom] == 0 and whom != seat


def legal(s, seat, out):
    n = 0
    if s.round == s.rounds:
        return 0
    targets = 0
    for whom in range(s.players):
        targets += open_to(s, seat, whom)
    bound = s.hand[seat][PARTNER] > 0 and s.hand[seat][BAILIFF] + s.hand[seat][ENVOY] > 0
    for kind in range(1, KINDS):
        if s.hand[seat][kind] > 0 and not (bound and kind != PARTNER):
            if kind == GUARD or kind >= PARTNER or (targets == 0 and kind != BAILIFF):
                out[n] = LAY + kind - CLERK
                n += 1
                continue
            for whom in range(s.players):
                if open_to(s, seat, whom) or (kind == BAILIFF and whom == seat):
                    if kind == CLERK:
                        for guess in range(GUESSES):
                            out[n] = GUESS + whom * GUESSES + guess
                            n += 1
                    else:
                        out[n] = first_of(kind) + whom
                        n += 1
    return n


def first_of(kind):
    if kind == SPY:
        return LOOK
    if kind == DUELLIST:
        return DUEL
    return EVICT if kind == BAILIFF else SWAP


def kind_of(action):
    if action >= LAY:
        return action - LAY + CLERK
    if action >= SWAP:
        return ENVOY
    if action >= EVICT:
        return BAILIFF
    if action >= DUEL:
        return DUELLIST
    return SPY if action >= LOOK else CLERK


def apply(s, seat, action):
    kind = kind_of(action)
    s.whom = -1
    transfer(s, HAND, (seat, kind), LAID, seat)
    unequal(s, seat, 0)
    if BAILIFF <= kind <= ENVOY:
        rule_out(s, HAND, (seat, PARTNER), EVERYBODY)
    if action >= LAY:
        s.safe[seat] = kind == GUARD
        if kind == HEIRESS:
            drop(s, seat)
    elif kind == CLERK:
        s.whom = action // GUESSES
        guess = SPY + action % GUESSES
        if s.hand[s.whom][guess] > 0:
            drop(s, s.whom)
        else:
            rule_out(s, HAND, (s.whom, guess), EVERYBODY)
    else:
        s.whom = action - first_of(kind)
        meet(s, seat, s.whom, kind)
    go_on(s)


def meet(s, seat, whom, kind):
    if kind == SPY:
        reveal(s, HAND, whom, seat)
    if kind == DUELLIST:
        reveal(s, HAND, whom, seat)
        reveal(s, HAND, seat, whom)
        duel(s, seat, whom)
    if kind == BAILIFF:
        unequal(s, whom, rank(s, whom))
        laid = rank(s, whom)
        transfer(s, HAND, (whom, laid), LAID, whom)
        if laid == HEIRESS:
            s.out[whom] = 1
        else:
            draw(s, whom)
    if kind == ENVOY:
        unequal(s, whom, 0)
        swap(s, HAND, seat, whom)


def duel(s, seat, whom):
    mine = rank(s, seat)
    theirs = rank(s, whom)
    if mine == theirs:
        unequal(s, whom, 0)
        s.equal[seat] = whom + 1
        s.equal[whom] = seat + 1
    else:
        loser = seat if mine < theirs else whom
        winner = whom if mine < theirs else seat
        drop(s, loser)
        for kind in range(1, min(mine, theirs) + 1):
            rule_out(s, HAND, (winner, kind), EVERYBODY)


def drop(s, seat):  # out, with the paper for all to see
    unequal(s, seat, rank(s, seat))
    s.out[seat] = 1
    if rank(s, seat) > 0:
        transfer(s, HAND, (seat, rank(s, seat)), LAID, seat)


def go_on(s):
    still = 0
    for seat in range(s.players):
        still += s.out[seat] == 0
    if still == 1 or s.left == 0:
        end_round(s)
        return
    s.turn = (s.turn + 1) % s.players
    while s.out[s.turn] == 1:
        s.turn = (s.turn + 1) % s.players
    s.safe[s.turn] = 0
    draw(s, s.turn)


def end_round(s):
    best = 0
    for seat in range(s.players):
        best = max(best, rank(s, seat) * (s.out[seat] == 0))
    for seat in range(s.players):
        if s.out[seat] == 0 and rank(s, seat) == best:
            s.points[seat] += 1
            s.turn = seat
    s.round += 1
    if s.round == s.rounds:
        return
    at = s.left
    for seat in range(s.players):
        unequal(s, seat, 0)
        for kind in range(1, KINDS):
            for _ in range(s.hand[seat][kind]):
                transfer(s, HAND, (seat, kind), DECK, at)
                at += 1
            for _ in range(s.laid[seat][kind]):
                transfer(s, LAID, (seat, kind), DECK, at)
                at += 1
        conceal(s, HAND, seat)
    if s.aside > 0:
        transfer(s, ASIDE, 0, DECK, at)
    begin(s)


def score(s, out):
    for seat in range(s.players):
        out[seat] = s.points[seat]


def agrees(s, seat):
    for other in range(s.players):
        if s.equal[other] > 0 and rank(s, other) != rank(s, s.equal[other] - 1):
            return 0
    return 1


def is_public(s, seat, action):
    return 2


def masked(before, seat, said, audience):
    return said


def steady(s, seat, seed, note):
    r = stream(seed, 0)
    for whom in range(s.players):
        if open_to(s, seat, whom) and s.hand[seat][CLERK] > 0:
            for kind in range(SPY, KINDS):
                if s.hand[whom][kind] > 0:  # known
                    return GUESS + whom * GUESSES + kind - SPY
    low = KINDS
    for kind in range(KINDS - 1, 0, -1):
        if s.hand[seat][kind] > 0:
            low = kind
    if low < PARTNER and s.hand[seat][PARTNER] > 0 and low >= BAILIFF:
        return LAY + PARTNER - CLERK
    for far in range(1, s.players):
        r = step(r)
        whom = (seat + far) % s.players
        if open_to(s, seat, whom) and low != GUARD and low < PARTNER:
            return GUESS + whom * GUESSES + below(r, GUESSES) if low == CLERK else first_of(low) + whom
    return EVICT + seat if low == BAILIFF else LAY + low - CLERK


def told(before, seat, said, after, audience, names):
    kind = said["paper"] if said["do"] == "lay" else LAYS[said["do"]]
    you, facts = seat == audience, {"who": names[seat], "paper": _(PAPERS[kind]), "whom": names[said.get("whom", seat)]}
    if "whom" not in said:
        lines = [_("You lay the {paper}.", **facts) if you else _("{who} lays the {paper}.", **facts)]
    else:
        lines = [_("You lay the {paper} for {whom}.", **facts) if you else _("{who} lays the {paper} for {whom}.", **facts)]
    if said["do"] == "guess":
        lines.append(_("Guess: {whom} holds the {guess}.", whom=facts["whom"], guess=_(PAPERS[said["paper"]])))
    if said["do"] == "spy" and you and after.round == before.round:
        lines.append(_("{whom} holds the {held}.", whom=facts["whom"], held=_(PAPERS[rank(after, said["whom"])])))
    for other in range(after.players):
        if after.out[other] > before.out[other]:
            lines.append(_("You are out.") if other == audience else _("{who} is out.", who=names[other]))
        if after.points[other] > before.points[other]:
            laid = {p: [n for n in range(1, KINDS) for _n in range(before.laid[p][n])] for p in range(after.players)}
            laid[seat].append(kind)
            line = _("You take the round.") if other == audience else _("{who} takes the round.", who=names[other])
            lines.append(stands(line, after, LAID, laid))
    return lines


PAPERS_IN_GERMAN = ("Schreiber", "Spion", "Duellant", "Wache", "Büttel", "Bote", "Teilhaber", "Erbin")
GERMAN = dict(zip(PAPERS[1:], PAPERS_IN_GERMAN, strict=True)) | {
    "The night office": "Das Nachtbüro", "Rounds": "Runden", "how often papers are dealt": "wie oft Papiere gegeben werden",
    "One paper each, draw one, lay one: find out what the others hold, and be the last one in.":
        "Jeder hat ein Papier, zieht eins und legt eins: Finde heraus, was die anderen haben, und bleib als Letzter drin.",
    "rounds played": "gespielte Runden", "paper": "Papiere", "deck": "Stapel", "aside": "beiseite", "hand": "Hand",
    "laid": "abgelegt",
    "still": "noch", "in": "drin", "out": "draußen", "safe": "geschützt", "no": "nein", "yes": "ja", "points": "Punkte",
    "guess": "raten:", "lay a Clerk and name another's paper": "einen Schreiber legen und ein fremdes Papier nennen",
    "spy": "nachsehen bei", "lay a Spy and look at another's paper": "einen Spion legen und ein fremdes Papier ansehen",
    "duel": "duellieren mit", "lay a Duellist and compare": "einen Duellanten legen und vergleichen",
    "evict": "hinauswerfen:", "lay a Bailiff: this player lays their paper": "einen Büttel legen: Wer es ist, legt ab",
    "swap": "tauschen mit", "lay an Envoy and exchange": "einen Boten legen und tauschen",
    "lay": "legen:", "lay this paper, which does no more": "dieses Papier legen, das sonst nichts tut",
    "You lay the {paper}.": "Du legst: {paper}.", "{who} lays the {paper}.": "{who} legt: {paper}.",
    "You lay the {paper} for {whom}.": "Du legst für {whom}: {paper}.",
    "{who} lays the {paper} for {whom}.": "{who} legt für {whom}: {paper}.",
    "Guess: {whom} holds the {guess}.": "Geraten wird: {whom} hält {guess}.",
    "{whom} holds the {held}.": "{whom} hält: {held}.",
    "You are out.": "Du bist draußen.", "You take the round.": "Du gewinnst die Runde.",
    "{who} is out.": "{who} ist draußen.", "{who} takes the round.": "{who} gewinnt die Runde.",
}  # fmt: skip


rulebook = Rulebook(
    id="night_office", title="The night office", players=(2, SEATS), version=1,
    summary="One paper each, draw one, lay one: find out what the others hold, and be the last one in.",
    layout=Layout("night_office", OPTIONS, FIELDS), modules=(sys.modules[__name__],),
    moves=MOVES,
    longest=ROUNDS * SIZE,
)  # fmt: skip
