"""The property of what people see of a position: the page, what stands on it, and the terminal's text, for every viewer."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec

from outbid.core.hooks.outcome import Outcome
from outbid.core.language.names import plain
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, rulebooks
from outbid.testing.findings import Finding, Property, Trial, sentence_of
from outbid.testing.hiding import seat_name
from outbid.testing.positions import playing, seats, some_moves
from outbid.wire.model import legal_choices

SERVER = ("jinja2", "sqlalchemy", "uvicorn")  # what draws pages
LONGEST, EVERY, FINISHED = 200, 5, 5  # moves of a match; from text to text; the end of one match of so many is drawn


def drawn(book: Rulebook) -> bool:
    """Whether pages can be drawn here: the server is installed, and knows the game."""
    return all(map(find_spec, SERVER)) and rulebooks().get(book.id) is book


def _shows(t: Trial) -> Iterator[Finding]:
    told, at = [0] * (t.book.players[1] + 1), some_moves(t.book, t.seed)
    stood = False
    for number, match in enumerate(playing(t.book, t.seed, LONGEST)):
        t.match, t.move, stands = match, number, False
        for viewer in seats(match.state):
            new, told[viewer] = match.log(viewer)[told[viewer] :], len(match.log(viewer))
            for outcome in (line.marked for line in new if isinstance(line.marked, Outcome)):
                stands = True
                if outcome.strange:
                    lies = f"and {outcome.strange[0]} is to stand with it, which is no kind of its field."
                    yield t.found(f"{seat_name(viewer)} is told “{plain(outcome)}”, {lies}", rule="told")
                    return
        if number == at or (stands and not stood) or (match.over and t.seed % FINISHED == 0):
            yield from _tried(t, match, "page", _pages(match) if drawn(t.book) else None)
        if number % EVERY == t.seed % EVERY or match.over:
            yield from _tried(t, match, "text in the terminal", partial(_text, match))
        stood = stood or stands


def _tried(t: Trial, match: Match, what: str, draw: Callable[[int], object] | None) -> Iterator[Finding]:
    for viewer in seats(match.state) if draw else ():
        try:
            draw(viewer)  # type: ignore[misc]
        except Exception as error:
            yield t.found(f"The {what} of {seat_name(viewer).lower()} cannot be drawn: {sentence_of(error)}")
            return


def _text(match: Match, viewer: int) -> None:
    match.rulebook.words.board(match.seen(viewer), viewer, match.marked)
    match.question(viewer)
    if viewer >= 0:
        legal_choices(match.legal(viewer), match.rulebook, match.names)


def _pages(match: Match) -> Callable[[int], object]:
    """What draws the page of a viewer."""
    from outbid.server.domain.scene import live
    from outbid.server.settings import Settings
    from outbid.server.stored import Seat
    from outbid.server.web import pages
    from outbid.server.web.nowhere import table_nowhere

    table = table_nowhere("verify", match, [Seat("human", name, None, 0) for name in match.names], Settings("sqlite://"))

    def draw(viewer: int) -> None:
        scene = live(table, viewer, "")
        for name in pages.REGIONS:
            pages.region(scene, name)

    return draw


TABLE = Property("table", "what people see of a position can be drawn, for each of them", _shows)
