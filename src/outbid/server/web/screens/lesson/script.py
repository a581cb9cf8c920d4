"""Lessons: a scripted first match of a game on its real table, a sentence or two and one lit object at a time.

A game's folder, here or in another package, may hold `lessons.toml`. Each `[[lesson]]` is a match on a fixed deal:

    [[lesson]]
    id = "first"                      # "first" is what /learn/GAME opens, the others /learn/GAME?lesson=ID
    title.en = "Learn the auction"    # everything that people read is there in every language of i18n.LANGUAGES
    title.de = "Die Auktion lernen"
    company = ["Clara", "Dora"]       # the other seats, from seat 1 on; the learner sits on seat 0
    options = {}                      # as in a record
    deal = { … }                      # as in a record

    [[lesson.step]]
    others = ["1 pass", "2 bid 20"]   # moves made before the sentence is read: a seat and what it would type
    en = "Clara passes. Bid 30."      # what is said, in two sentences at most
    de = "Clara passt. Biete 30."
    light = ["#stage"]                # a CSS selector of what is lit; none: what makes the expected move
    move = "bid 30"                   # what the learner must do, as typed; left out: a tap goes on
    wrong.pass.en = "Not yet."        # the answer to another move that does this ("any": to any other)
    than = "pass"                     # a decision: `move` is to be found, and this is the other choice
    label.en = ["Bid.", "Pass."]      # what the two are called, if the words of the log are too long
    deal = { … }                      # a new position: `others` of all seats are played from here

A decision offers both moves and names neither. Why its better one is better is what the game's mechanisms say of the two
(core/hooks/mechanisms.py): the answer to the other one, and said once more after the decision.

Nothing of a lesson is kept: its state is the number of the step in the address, and the match is the deal with the moves of
all steps before it. The page is that of any table (scene.py, pages.py) at a table that lies in no database and that no bot
moves, with the panel of lesson.html put before it; a form sends its move to /learn/GAME, which goes to the next step or
answers what was wrong. Without script a whole region is lit; lesson.js lights the thing itself.

`problems` says what is wrong with a lesson; the tests call it for every installed game.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlencode
from zlib import crc32

from outbid.bots.seat import Seat as View
from outbid.core.errors import BadRulebook, Illegal, OutbidError
from outbid.core.hooks.mechanisms import reason
from outbid.core.hooks.outcome import Outcome
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.language.names import plain
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook
from outbid.server.domain import commands, scene
from outbid.server.domain.table import Table
from outbid.server.settings import Settings
from outbid.server.stored import Seat
from outbid.server.web import pages
from outbid.server.web.nowhere import table_nowhere

FILE = pages.LESSONS
FIRST = "first"  # the lesson that /learn/GAME opens
YOU = 0  # the learner's seat
BOT = "easy"  # who plays afterwards
ANY = "any"
MOST = 240.0  # seconds that a lesson may take
SENTENCES, WORDS = 2, 300  # of a step, and of a lesson
READING, TAPPING = 3.2, 2.5  # words a second of a careful reader; seconds for finding and doing a move
SENTENCE = re.compile(r"[.!?](?=\s|$)")
REGION = re.compile(r"#(\w+)")
TEXT = tuple[str, ...]


@dataclass(frozen=True)
class LessonStep:
    """One sentence. say: by language. light: selectors. move: typed; "": a tap goes on. than: typed, the other choice of a
    decision. others: moves before it, as pairs of seat and text. wrong: answers by what a wrong move does, by language.
    label: what the choices are called, by language; deal: of a new position."""

    say: Mapping[str, str]
    light: TEXT
    move: str
    than: str
    others: tuple[tuple[int, str], ...]
    wrong: Mapping[str, Mapping[str, str]]
    label: Mapping[str, Sequence[str]]
    deal: Mapping[str, Any] | None


@dataclass(frozen=True)
class Lesson:
    """A lesson of a game."""

    id: str
    title: Mapping[str, str]
    company: TEXT
    options: Mapping[str, Any]
    deal: Mapping[str, Any]
    steps: tuple[LessonStep, ...]

    @property
    def words(self) -> int:
        """How many there are to read, in the language that has more."""
        return max(sum(len(step.say[spoken].split()) for step in self.steps) for spoken in i18n.LANGUAGES)

    @property
    def seconds(self) -> float:
        """How long it takes a person who reads every sentence."""
        return self.words / READING + TAPPING * len(self.steps)


# --- reading ----------------------------------------------------------------------------------------------------------


@cache
def lessons(book: Rulebook) -> Mapping[str, Lesson]:
    """The lessons of a game by id; empty if it has none. Raises BadRulebook."""
    path = book.folder / FILE
    if not path.exists():
        return {}
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
        scripts = [_lesson(lesson) for lesson in read["lesson"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRulebook(f"{path}: {type(error).__name__}: {error}") from error
    return {lesson.id: lesson for lesson in scripts}


def _lesson(read: Mapping[str, Any]) -> Lesson:
    steps = tuple(_step(step) for step in read["step"])
    company = tuple(read["company"])
    return Lesson(read["id"], read["title"], company, read.get("options", {}), read.get("deal", {}), steps)


def _step(read: Mapping[str, Any]) -> LessonStep:
    unknown = read.keys() - {"others", "light", "move", "than", "wrong", "label", "deal", *i18n.LANGUAGES}
    if unknown:
        raise ValueError(f"a step has an unknown key {min(unknown)!r}")
    sentences = {spoken: " ".join(read[spoken].split()) for spoken in i18n.LANGUAGES}
    others = tuple((int(seat), text) for seat, text in (line.split(" ", 1) for line in read.get("others", ())))
    light, moves = tuple(read.get("light", ())), (read.get("move", ""), read.get("than", ""))
    return LessonStep(sentences, light, *moves, others, read.get("wrong", {}), read.get("label", {}), read.get("deal"))


# --- playing ----------------------------------------------------------------------------------------------------------


def position(book: Rulebook, lesson: Lesson, number: int, name: str) -> tuple[Match, int]:
    """The match of a lesson when the sentence of a step is read, and how many of its moves the step before has seen."""
    first = max(n for n in range(number + 1) if not n or lesson.steps[n].deal is not None)
    match, before = Match.load(book, lesson.options, [name, *lesson.company], lesson.steps[first].deal or lesson.deal), 0
    for n in range(first, number + 1):
        before = len(match.moves)
        if n > first and lesson.steps[n - 1].move:
            match.play(YOU, lesson.steps[n - 1].move)
        for seat, text in lesson.steps[n].others:
            match.play(seat, text)
    return match, before if number > first else len(match.moves)


def table_of(book: Rulebook, lesson: Lesson, match: Match, settings: Settings) -> Table:
    """A table in the middle of a lesson, which nothing else knows."""
    seats = [Seat("human", match.names[YOU], None, 0), *(Seat("bot", other, BOT, 0) for other in lesson.company)]
    return table_nowhere(f"lesson-{book.id}-{lesson.id}", match, seats, settings, pace="normal")


def wanted(match: Match, text: str) -> dict[str, Any]:
    """A move that is typed, as the record would have it."""
    return match.attempt(YOU, text).move


def answer(step: LessonStep, match: Match, move: dict[str, Any] | str) -> str:
    """What is wrong with a move of the learner, in a sentence; "" if it is what the step asks for."""
    if not step.move:
        return _("Read this first, then go on with “{button}”.", button=_("Go on"))
    words = match.rulebook.words
    try:
        if isinstance(move, dict):
            move = commands.meant(words, words.complete(match.state, move))  # as for the forms of any table
        tried = match.attempt(YOU, move).move
    except Illegal as error:
        return error.reason
    except OutbidError as error:
        return str(error)
    if _steps(match, tried) == _steps(match, wanted(match, step.move)):
        return ""
    if step.than:
        better, worse = choices(step, match)
        if _steps(match, tried) == _steps(match, worse.move):
            return _("Look again at “{move}” {reason}", move=better.label, reason=why(step, match))
        return _("Compare these two here: “{move}” and “{other}”", move=better.label, other=worse.label)
    reply = step.wrong.get(str(tried.get("do"))) or step.wrong.get(ANY)
    beside = _("That is possible, but not what this lesson is about. Follow the sentence above.")
    return i18n.chosen(reply) if reply else beside


@dataclass(frozen=True)
class DecisionMove:
    """A move of a decision: as a record has it, in words, and as action ids."""

    move: dict[str, Any]
    label: str
    actions: Sequence[int]


def choices(step: LessonStep, match: Match) -> list[DecisionMove]:
    """The two moves of a decision, the better one first; empty if a step is none."""
    tried = [match.attempt(YOU, text) for text in (step.move, step.than) if step.than]
    told = View.of(match, YOU, 1).told
    labels = step.label.get(i18n.language()) or [plain(i18n.chosen(told(each.actions))) for each in tried]
    return [DecisionMove(each.move, label, each.actions) for each, label in zip(tried, labels, strict=True)]


def why(step: LessonStep, match: Match) -> str:
    """Why the better move of a decision is better, by the mechanisms of the game."""
    better, worse = choices(step, match)
    moves, instead = (better.actions, worse.actions), worse.label.removesuffix(".")
    return " ".join(filter(None, reason(match.rulebook, match.state, YOU, moves, match.names, YOU, instead=instead)))


def done(lesson: Lesson, number: int, match: Match, before: int) -> list[str]:
    """What was played for the learner since the step before."""
    own = before + bool(number and lesson.steps[number - 1].move)
    numbers = set(match.numbers[own:])
    return [line.text for line in match.log(YOU) if line.seat == YOU and line.move in numbers]


def _steps(match: Match, move: dict[str, Any]) -> list[int]:
    """A move as steps: cards in one order, however they were said."""
    return match.rulebook.words.steps(match.state, YOU, move)


# --- the page ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LessonPanel:
    """What stands before the table. light: selectors; move: what is expected, as a record has it, or nothing; choices: of a
    decision, in an order that tells nothing; before: why the last decision was one, and what was played for the learner;
    seen: the newest move of which the outcome is no news; answer: to a wrong move; ends: it is the last step."""

    book: Rulebook
    lesson: Lesson
    number: int
    light: TEXT
    move: Mapping[str, Any] | None
    choices: Sequence[DecisionMove]
    before: Sequence[str]
    seen: int
    answer: str
    nickname: str

    @property
    def step(self) -> LessonStep:
        """The step that is shown."""
        return self.lesson.steps[self.number]

    @property
    def title(self) -> str:
        """What the lesson is called."""
        return i18n.chosen(self.lesson.title)

    @property
    def sentence(self) -> str:
        """The sentence of the step, in the language of the moment."""
        return i18n.chosen(self.step.say)

    @property
    def ends(self) -> bool:
        """Whether this step is the last one."""
        return self.number == len(self.lesson.steps) - 1

    @property
    def others(self) -> Sequence[Lesson]:
        """The other lessons of the game."""
        return [lesson for lesson in lessons(self.book).values() if lesson is not self.lesson]

    @property
    def lit(self) -> str:
        """The regions that are lit without script, by name."""
        return " ".join(dict.fromkeys(REGION.findall(" ".join(self.light)))) or "dock"

    def called(self, lesson: Lesson) -> str:
        """What another lesson is called."""
        return i18n.chosen(lesson.title)

    def link(self, number: int, lesson: Lesson | None = None) -> str:
        """The address of a step."""
        return address(self.book, lesson or self.lesson, number)


def address(book: Rulebook, lesson: Lesson, number: int) -> str:
    """The address of a step of a lesson."""
    query = ({} if lesson.id == FIRST else {"lesson": lesson.id}) | ({"step": number} if number else {})
    return f"/learn/{book.id}" + (f"?{urlencode(query)}" if query else "")


@lru_cache(maxsize=64)
def _shown(book: Rulebook, lesson_id: str, number: int, name: str, base: str, settings: Settings, spoken: str) -> str:
    """The page of the table at a step: the same for everybody of this name, in this language."""
    lesson = lessons(book)[lesson_id]
    table = table_of(book, lesson, position(book, lesson, number, name)[0], settings)
    seen = scene.live(table, YOU, base)
    return pages.table(replace(seen, post=address(book, lesson, number)))


def page(book: Rulebook, lesson: Lesson, number: int, reply: str, nickname: str, base: str, settings: Settings) -> str:
    """The page of a step; reply: the answer to a wrong move."""
    name = _("You") if not nickname or nickname in lesson.company else nickname
    step = lesson.steps[number]
    match, before = position(book, lesson, number, name)
    told = [_("Done for you: {told}", told=line) for line in done(lesson, number, match, before)]
    if number and (last := lesson.steps[number - 1]).than:
        decided = position(book, lesson, number - 1, name)[0]
        told.insert(0, _("Right: {move} {reason}", move=choices(last, decided)[0].label, reason=why(last, decided)))
    move = wanted(match, step.move) if step.move and not step.than else None
    offered = sorted(choices(step, match), key=lambda choice: crc32(choice.label.encode()))
    earlier = match.numbers if reply else match.numbers[:before]
    outcomes = (line.move for line in match.log(YOU) if line.move in earlier and isinstance(line.marked, Outcome))
    seen = max(outcomes, default=-1)
    panel = LessonPanel(book, lesson, number, step.light, move, offered, told, seen, reply, nickname or _("Guest"))
    head, top = (pages.page("lesson/lesson.html", panel=panel, part=part) for part in ("head", "top"))
    html = _shown(book, lesson.id, number, name, base, settings, i18n.language())
    return pages.led(html, head, top, "learning", f' data-lit="{panel.lit}" data-seen="{panel.seen}"')


# --- checking ---------------------------------------------------------------------------------------------------------


def problems(book: Rulebook) -> Iterator[str]:
    """What is wrong with the lessons of a game: where, what, and what would be right."""
    scripts = lessons(book)
    if scripts and FIRST not in scripts:
        yield f"{book.id}: no lesson has the id {FIRST!r}"
    for lesson in scripts.values():
        yield from _unsaid(f"{book.id}, {lesson.id}: title", lesson.title)
        if lesson.seconds > MOST:
            yield f"{book.id}, {lesson.id}: takes {lesson.seconds:.0f} s; {MOST:.0f} are allowed"
        if lesson.words > WORDS:
            yield f"{book.id}, {lesson.id}: has {lesson.words} words; {WORDS} are allowed"
        if lesson.steps[-1].move:
            yield f"{book.id}, {lesson.id}: the last step expects a move; a last sentence must end the lesson"
        yield from _unplayable(book, lesson)
        for number, step in enumerate(lesson.steps):
            yield from _unsaid(f"{book.id}, {lesson.id}, step {number}", step.say)
            if any(len(SENTENCE.findall(sentences)) > SENTENCES for sentences in step.say.values()):
                yield f"{book.id}, {lesson.id}, step {number}: says more than {SENTENCES} sentences"
            if len(step.light) > 1 or any("," in selector for selector in step.light):
                yield f"{book.id}, {lesson.id}, step {number}: lights more than one place"
            for do, sentences in step.wrong.items():
                yield from _unsaid(f"{book.id}, {lesson.id}, step {number}: answer to {do}", sentences)
            moved = number and lesson.steps[number - 1].move and step.deal is None
            if moved and any(seat == YOU for seat, _text in step.others):
                yield f"{book.id}, {lesson.id}, step {number}: plays for the learner before what came of a move was seen"
            if step.wrong and not step.move:
                yield f"{book.id}, {lesson.id}, step {number}: answers wrong moves and expects none"


def _unsaid(where: str, sentences: Mapping[str, str]) -> Iterator[str]:
    for spoken in i18n.LANGUAGES:
        if not sentences.get(spoken, "").strip():
            yield f"{where}: nothing in {i18n.LANGUAGES[spoken]}"


def _unplayable(book: Rulebook, lesson: Lesson) -> Iterator[str]:
    """The first move that the rules do not allow, and the first decision without a reason."""
    for number, step in enumerate(lesson.steps):
        try:
            match = position(book, lesson, number, "You")[0]
            if step.move:
                match.attempt(YOU, step.move)
            if step.than and not why(step, match):
                yield f"{book.id}, {lesson.id}, step {number}: no mechanism speaks for {step.move!r}"
        except OutbidError as error:
            yield f"{book.id}, {lesson.id}, step {number}: {error}"
            return
