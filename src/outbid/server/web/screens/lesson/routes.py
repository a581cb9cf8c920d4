"""The lessons of a game, a step at a time."""

from starlette.responses import HTMLResponse, RedirectResponse, Response

from outbid.core.language.i18n import _
from outbid.core.rulebook import Rulebook
from outbid.server.domain import commands
from outbid.server.settings import Refused
from outbid.server.web.below import root
from outbid.server.web.requests import Request, game_of
from outbid.server.web.screens.lesson.script import FIRST, Lesson, address, answer, lessons, page, position


def _found(request: Request, game: str) -> tuple[Rulebook, Lesson, int]:
    """The game, lesson and step that an address names. Raises Refused."""
    book = game_of(game)
    asked = request.query("lesson", "step")
    scripts = lessons(book)
    if not scripts:
        link = f"{root()}/rules/{game}"
        raise Refused(404, _("{game} has no lesson yet; its rules are at {link}.", game=book.title, link=link))
    name = asked.get("lesson") or FIRST
    if name not in scripts:
        names = ", ".join(scripts)
        raise Refused(404, _("There is no lesson {name}; there are {names}.", name=repr(name[:20]), names=names))
    step, steps = asked.get("step") or "0", len(scripts[name].steps)
    if not (step.isascii() and step.isdigit() and len(step) < 5 and int(step) < steps):
        facts = {"step": repr(step[:20]), "last": steps - 1}
        raise Refused(404, _("There is no step {step} in this lesson; it has the steps 0 to {last}.", **facts))
    return book, scripts[name], int(step)


def _page(request: Request, book: Rulebook, lesson: Lesson, number: int, reply: str) -> Response:
    base, settings = request.base, request.settings
    return HTMLResponse(page(book, lesson, number, reply, request.usual_name, base, settings))


async def show(request: Request, game: str) -> Response:
    """A step of a lesson."""
    return _page(request, *_found(request, game), "")


async def move(request: Request, game: str) -> Response:
    """A move of the learner: on to the next step, or what was wrong with it."""
    book, lesson, number = _found(request, game)
    choice = commands.command(await request.form_fields()).move
    reply = answer(lesson.steps[number], position(book, lesson, number, _("You"))[0], choice)
    if reply:
        return _page(request, book, lesson, number, reply)
    return RedirectResponse(address(book, lesson, min(number + 1, len(lesson.steps) - 1)), 303)


ROUTES = (("/learn/{game}", "GET", show), ("/learn/{game}", "POST", move))
