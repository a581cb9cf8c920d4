"""The README's picture, `docs/table.png`: the five tables, each in the middle of a match that bots play; and
`docs/champion.png`: a net from a file, which a host has added, at a table.

    python docs/picture.py                # both
    python docs/picture.py champion       # the second alone
    python docs/picture.py hand NET.npz   # docs/training/by-hand.png: a match by hand against a net of Claim (training.md)

needs Playwright, a Chromium and Pillow, and looks at the pages of a server of its own. The matches are the same every time.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402

from outbid.bots import Seat, choose  # noqa: E402
from outbid.bots.naming import offer  # noqa: E402
from outbid.core.match import Match  # noqa: E402
from outbid.core.rulebook import rulebook  # noqa: E402
from tests.support import browsing  # noqa: E402
from tests.support.serving import serving  # noqa: E402

NAMES = ("Ada", "Ben", "Clara", "Dora")
SEED = 4
# game, players, the phase that is shown and after how many moves at the earliest, on a phone
SHOWN = (
    ("kuhhandel", 4, "bid", 90, False),
    ("money", 3, "exchange", 8, False),
    ("rivals", 4, "take", 60, False),
    ("forex", 3, "turn", 30, False),
    ("claim", 4, "window", 30, True),
)
# the match by hand, to its last decision: seat 0 is the person, seat 2 begins
BY_HAND_SEED = 5
BY_HAND = (
    "play 1, end, play 3, end, play 1, end, play 1, end, play 3, push 3 to Ada, end, play 1, end, play 2, end, play 3, end, "
    "play 1, push 1 to Ben, end, play 3, push 3 to Clara, claim 2, end, play 1, end, play 2, end, play 2, end, play 3"
)
DESK, PHONE = (1280, 800), (375, 800)
ALONE = "() => { for (const tag of document.querySelectorAll('.seat .tag')) tag.hidden = true; }"  # nobody sits elsewhere
EDGE, WIDTH, COLORS = 24, 1600, 256  # px; colours of the palette


def reached(game: str, players: int, phase: str, moves: int) -> tuple[Match, int]:
    """A match of bots as soon as somebody is asked this, and that seat."""
    match = Match.new(rulebook(game), {}, players, SEED, NAMES[:players])
    while not match.over:
        seat = match.asked[0]
        if len(match.moves) >= moves and match.view(seat)["phase"] == phase and not match.legal(seat).forced:
            return match, seat
        said = choose(match, seat, "steady", len(match.moves)).actions
        match.play(seat, match.rulebook.words.move(match.state, seat, list(said)))
    raise SystemExit(f"{game}: nobody was asked {phase}.")


def shots() -> list[Image.Image]:
    """A picture of each table."""
    made = []
    with tempfile.TemporaryDirectory() as folder, browsing.chromium() as browser:
        database = Path(folder) / "tables.db"
        with serving(database) as address:
            for game, players, phase, moves, phone in SHOWN:
                match, seat = reached(game, players, phase, moves)
                width, height = PHONE if phone else DESK
                context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
                page = context.new_page()
                page.add_init_script("localStorage.setItem('learned', 'all'); localStorage.setItem('only', 'off')")
                browsing.sit(page, address + browsing.begun(database, match)[seat])
                page.wait_for_selector("[data-connection].on", state="attached")
                page.wait_for_timeout(3000)  # the result card has gone
                page.evaluate(ALONE)
                made.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
                context.close()
    return made


def champion() -> None:
    """A table whose other seats are played by the shipped net of Money!, from its file, as one that somebody has trained."""
    match, seat = reached("money", 3, "exchange", 8)
    at_table(match, seat, str(ROOT / "src/outbid/games/money/policy.npz"), ROOT / "docs" / "champion.png")


def by_hand(net: str) -> None:
    """The last decision of a match of Claim that was played by hand against a net."""
    match = Match.new(rulebook("claim"), {}, 3, BY_HAND_SEED, NAMES[:3])
    for said in BY_HAND.split(", "):
        seat = Seat.of(match, match.asked[0], 0)
        match.play(seat.seat, rulebook("claim").words.move(match.state, seat.seat, list(seat.move(said).actions)))
    at_table(match, 0, net, ROOT / "docs" / "training" / "by-hand.png")


def at_table(match: Match, seat: int, net: str, file: Path) -> None:
    """The picture of a match at a table where a net from a file, called champion, has the other seats."""
    offer(f"champion=net@{net}")
    with tempfile.TemporaryDirectory() as folder, browsing.chromium() as browser:
        database = Path(folder) / "tables.db"
        with serving(database) as address:
            bots = {n: "champion" for n in range(len(match.names)) if n != seat}
            link = browsing.begun(database, match, bots=bots)[seat]
            context = browser.new_context(viewport={"width": DESK[0], "height": DESK[1]}, reduced_motion="reduce")
            page = context.new_page()
            page.add_init_script("localStorage.setItem('learned', 'all'); localStorage.setItem('only', 'off')")
            browsing.sit(page, address + link)
            page.wait_for_selector(browsing.MINE)
            page.wait_for_timeout(3000)  # the result card has gone
            shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    wide = WIDTH * 3 // 5
    small = shot.resize((wide, shot.height * wide // shot.width), Image.Resampling.LANCZOS)
    small.quantize(COLORS, dither=Image.Dither.NONE).save(file, optimize=True)


def main() -> None:
    """Two rows of two tables, and the fifth on a phone beside them."""
    *desks, phone = shots()
    width, height = DESK
    tall = 2 * height + EDGE
    phone = phone.resize((phone.width * tall // phone.height, tall), Image.Resampling.LANCZOS)
    sheet = Image.new("RGB", (2 * width + phone.width + 4 * EDGE, tall + 2 * EDGE), "#23503f")
    for n, desk in enumerate(desks):
        sheet.paste(desk, (EDGE + n % 2 * (width + EDGE), EDGE + n // 2 * (height + EDGE)))
    sheet.paste(phone, (2 * width + 3 * EDGE, EDGE))
    small = sheet.resize((WIDTH, sheet.height * WIDTH // sheet.width), Image.Resampling.LANCZOS)
    small.quantize(COLORS, dither=Image.Dither.NONE).save(ROOT / "docs" / "table.png", optimize=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["hand"]:
        by_hand(sys.argv[2])
    else:
        champion()
        if sys.argv[1:] != ["champion"]:
            main()
