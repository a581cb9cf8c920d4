"""`steady@1` plays as the steady player did when bots were first measured, bit by bit.

Strength is measured against it, so it never changes. The digests were made before the heuristics had parameters: of what
came of 50 matches of every game at every table (scores, moves and steps of each seat), and of all moves of the same 50
matches.
"""

import hashlib
import json

import pytest

from outbid.core.rulebook import rulebook
from outbid.lab.simulate import results
from outbid.runs.replay import replay

SEED, MATCHES, FEW = 1986, 50, 2
RULES = {"rivals": {"pile_distribution": True}}  # the defaults of then, where they have changed

# game, players: what came of the matches; the moves of the first FEW; those of the others
DIGESTS = {
    ("claim", 2): ("5fe43d02c41c22ad", "8fcb882cb256da14", "8fea9933aac36e5e"),
    ("claim", 3): ("7128317ca9be65e8", "f00ed74b1aa49677", "1eb59554a33c16e0"),
    ("claim", 4): ("ed04e69cbacf0001", "ae694821cf82ca06", "6930f701b427c7eb"),
    ("claim", 5): ("78bc6d68c1d14ed9", "824b2730dddda0e6", "9ec8223caccf4e0b"),
    ("claim", 6): ("51020950b5ba01c3", "6eff413aff256de2", "3807109c856b136a"),
    ("forex", 2): ("a6efb387189a2e4c", "95f4470f6fb37bd4", "3de4875e7a422e8e"),
    ("forex", 3): ("b49fa9ed52c326af", "5565b32b52482cf0", "5af58683fb9e422c"),
    ("forex", 4): ("87a037b50b3a60fe", "90119356aec08d9a", "99a3c9e1f8704e36"),
    ("forex", 5): ("575a9bfc33c8557f", "11a16916a0b39107", "788c20f45b75b06b"),
    ("forex", 6): ("3800198e81a38e4c", "57080ec9355a5c84", "30acb5e6d99d86b3"),
    ("kuhhandel", 3): ("143f93cdce18314d", "f181afcf23212333", "aedc86ee096aeaf4"),
    ("kuhhandel", 4): ("bf61a917622871b0", "796e6f00282ea1a8", "9b125d4212ad4777"),
    ("kuhhandel", 5): ("ee5fff94ff16d65d", "271fbcbbdb21a8f7", "0aeefdd22397099c"),
    ("money", 3): ("321d0faddf488138", "b14f30b0ffcab94d", "e33658f208d83855"),
    ("money", 4): ("b67d339ecabc3526", "85e0592f2584d69f", "98eec4bd131495dd"),
    ("money", 5): ("2d4686080a6db31e", "4439605026cdb34b", "cdb3dd4e65039956"),
    ("rivals", 2): ("a284dc5c2545874c", "09709f2496f8d312", "bf7f559b00a62b6f"),
    ("rivals", 3): ("5ef8bb8804f30438", "af51eee8fd718c42", "fb7eb6b3df532b04"),
    ("rivals", 4): ("d40b8c7ee57566f6", "ae9bb1d28a5f94bc", "34ac2aecc7bfba74"),
}
TABLES = sorted(DIGESTS)


def digest(*facts):
    found = hashlib.sha256()
    for fact in facts:
        found.update(json.dumps(fact).encode())
    return found.hexdigest()[:16]


def moves(game, players, first, last):
    book, names, rules = rulebook(game), ["steady@1"] * players, RULES.get(game, {})
    return digest(*(replay(book, rules, names, SEED, number).record()["moves"] for number in range(first, last)))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.generic
def test_steady_one_ends_fifty_matches_as_it_did(game, players):
    rows = results(rulebook(game), RULES.get(game, {}), ["steady@1"] * players, MATCHES, SEED, backend="compiled", threads=1)
    assert digest(rows) == DIGESTS[game, players][0]


@pytest.mark.slow(but=("rivals", "money"))
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_steady_one_makes_the_moves_it_made(game, players):
    assert moves(game, players, 0, FEW) == DIGESTS[game, players][1]


@pytest.mark.deep
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_steady_one_makes_the_moves_it_made_in_fifty_matches(game, players):
    assert moves(game, players, FEW, MATCHES) == DIGESTS[game, players][2]


def test_these_are_all_tables_of_the_five_games():
    for game in {game for game, _ in TABLES}:
        low, high = rulebook(game).players
        assert [players for one, players in TABLES if one == game] == list(range(low, high + 1))
    assert len({game for game, _ in TABLES}) == 5
