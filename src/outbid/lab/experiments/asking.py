"""`outbid lab new`: a few questions, and the commented file that the answers make.

    text, name = asked(book, "kuhhandel", ask)      # ask(question, default) -> what somebody answered
    text, name = asked(book, "kuhhandel", ask, {"about": "fairness", "rule": "overbid", "value": "forbidden"})
"""

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import typer

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.options import Option
from outbid.core.rulebook import Rulebook
from outbid.lab.experiments import spec, variants
from outbid.lab.experiments.measures import CURVE, QUESTIONS, TENSION, USUAL, check_asked, is_sampled, measures_of

Ask = Callable[[str, str], str]
COMPANIES = {"beginners": ["easy"], "good players": ["steady"], "a mixture": ["steady", "easy"]}
ASKED_DEALS, ASKED_SECONDS = 20_000, 60  # a question is played so long, unless it is settled sooner
ELSE = "else"  # about something else


def ask(question: str, default: str) -> str:
    """One question on the terminal, where Ctrl-C leaves; in a pipe, a line, and at its end the default."""
    try:
        return str(typer.prompt(question, default=default, show_default=bool(default), err=True)).strip()
    except typer.Abort:
        if sys.stdin.isatty():
            raise KeyboardInterrupt from None
        return default


def ending(given: Mapping[str, Any]) -> dict[str, Any]:
    """When a run ends that asks a question: as soon as its first measure is settled, unless a sample decides. Raises
    BadSetup."""
    experiment = spec.parse(spec.toml(given))
    main = experiment.measures[0]
    sampled = is_sampled(main) or (experiment.ask == TENSION and CURVE in experiment.measures)
    return {} if sampled else {"deals": ASKED_DEALS, "stop": {"on": [main], "seconds": ASKED_SECONDS}}


def asked(book: Rulebook, game: str, ask: Ask, known: Mapping[str, str] | None = None) -> tuple[str, str]:
    """The text of an experiment file, and what to call it. known: answers that are given already: sentence, about, players,
    rule, value; the other questions are then answered as they usually are. Raises BadSetup."""
    answers = dict(known or {})

    def say(text: str) -> None:
        if not answers:
            typer.echo(text, err=True)

    def learn(key: str, question: str, default: str, read: Callable[[str], Any]) -> Any:
        if not answers:
            return _until(ask, question, default, read)
        try:
            return read(answers.get(key, default))
        except ValueError as error:
            raise BadSetup(str(error)) from error

    say(f"An experiment with {book.title}: two sets of rules, played on the same deals.")
    question = learn("sentence", "What do you want to know? (a sentence; may stay empty)", "", str)
    about = learn("about", f"What is it about? ({', '.join(QUESTIONS)} or {ELSE})", ELSE,
                  lambda text: text if text == ELSE else check_asked(book, text))
    low, high = book.players
    players = learn("players", f"How many players? ({low} to {high})", str(high), lambda text: _players(book, text))
    options = [one for one in book.options if not one.view]
    for number, option in enumerate(options, 1):
        say(f"  {number:2}  {option.title} ({option.name}): {option.meaning}")
    option = learn("rule", "Which rule do you change? (number or name)", "1", lambda text: _option(options, text))
    value = learn("value", f"{option.title} is {_shown(option.default)}; what instead? ({option.allowed})", _other(option),
                  lambda text: _value(book, option, text))  # fmt: skip
    say(f"Who plays? {', '.join(COMPANIES)}, or all of them: a rule that is fair among experts may not be among beginners.")
    who = learn("who", "Who plays?", "all", _companies)
    if about == ELSE:
        played = {"deals": learn("deals", "How many deals of each?", "2000", _deals), "measures": list(USUAL)}
    else:
        played = {"ask": about}
    given = {
        "format": "outbid-experiment/1", "game": game, "question": question, "players": players, "seed": 1, **played,
        "company": [{"name": name, "seats": COMPANIES[name]} for name in who],
        "variant": [
            {"name": "as it is", "preset": "seed"},
            {"name": variants.named({option.name: value}), "preset": "seed", "options": {option.name: value}},
        ],
    }  # fmt: skip
    if about != ELSE:
        given |= ending(given)
    name = re.sub(r"[^a-z0-9]+", "-", f"{book.id}-{option.name}".lower())
    return commented(book, given), name


def _until(ask: Ask, question: str, default: str, read: Callable[[str], Any]) -> Any:
    """Ask until the answer can be read; the default always can."""
    asking = question
    for _ in range(5):
        try:
            return read(ask(asking, default))
        except (OutbidError, ValueError) as error:
            asking = f"{error} {question}"
    return read(default)


def _players(book: Rulebook, text: str) -> int:
    if not text.isdigit():
        raise ValueError(f"{text!r} is no number.")
    return book.check_players(int(text))


def _option(options: Sequence[Option], text: str) -> Option:
    if text.isdigit() and 1 <= int(text) <= len(options):
        return options[int(text) - 1]
    for option in options:
        if text.lower() in (option.name.lower(), str(option.title).lower()):
            return option
    raise ValueError(f"{text!r} is none of these rules.")


def _value(book: Rulebook, option: Option, text: str) -> Any:
    value = option.parse(text)
    changed = variants.changed(book, "seed", {option.name: value})
    if not changed:
        raise ValueError(f"{option.name} is {_shown(value)} already.")
    return value


def _companies(text: str) -> list[str]:
    if text == "all":
        return list(COMPANIES)
    if text not in COMPANIES:
        raise ValueError(f"{text!r} is none of {', '.join(COMPANIES)}, all.")
    return [text]


def _deals(text: str) -> int:
    number = int(text.replace(",", "").replace("_", "")) if text.replace(",", "").replace("_", "").isdigit() else 0
    if not 2 <= number <= 10**8:
        raise ValueError(f"{text!r} is no number of deals from 2 up.")
    return number


def _other(option: Option) -> str:
    """A value that is not the default."""
    if isinstance(option.default, bool):
        return str(not option.default).lower()
    if option.words:
        return next(word for word in option.words if word != option.default)
    if option.size:
        return ",".join(map(str, [*option.default[:-1], option.low if option.default[-1] != option.low else option.high]))
    number = option.default if isinstance(option.default, int) else option.low
    return str(number + option.step if number + option.step <= option.high else number - option.step)


def _shown(value: Any) -> str:
    return json.dumps(value).strip('"')


def commented(book: Rulebook, given: dict[str, Any]) -> str:
    """The file, with what can be changed in it said beside it."""
    known = [f"#   {measure.name}: {measure.definition}" for measure in measures_of(book).values()]
    comments = {
        "format": "# An experiment: `outbid lab run` plays it; the same command goes on where it was interrupted.",
        "question": "# What you want to know; the first measure answers it.",
        "players": f"# {book.players[0]} to {book.players[1]}; several: [3, 4]",
        "deals": "# of each variant and company; ten times as many deals make intervals a third as wide",
        "seed": "# the same seed gives the same matches, on every machine",
        "ask": "# What is asked, which brings its measures; it is answered with yes, no or cannot tell.",
        "measures": "# What is compared, the first before all; the end of this file says what there is.",
    }
    lines = []
    for line in spec.toml(given).splitlines():
        key = line.partition(" = ")[0]
        if key in comments:
            lines.append(comments.pop(key))
        if line == "[[company]]" and "company" not in comments:
            comments["company"] = ""
            lines.append("# Who sits at the table, repeated round it: easy, steady, strong, random, steady:PERSONA "
                         f"({', '.join(book.personas.names) or 'none here'}).")  # fmt: skip
        if line == "[[variant]]" and "variant" not in comments:
            comments["variant"] = ""
            lines.append(f"# The rules that are compared; the others with the first. `outbid rules {given['game']}` says "
                         "what every option means.")  # fmt: skip
        lines.append(line)
    return "\n".join([*lines, "", "# [over]           # a sweep: every variant with all of these values",
                      f"# {_swept(book)}", "", "# [stop]           # end as soon as these measures are settled",
                      '# on = ["turns"]', "", "# Measures (also a function of yours: \"FILE.py:NAME\", docs/lab.md):",
                      *known, ""])  # fmt: skip


def _swept(book: Rulebook) -> str:
    numbers = (other for other in book.options if not other.words and not other.size and not isinstance(other.default, bool))
    option = next(numbers, None)
    return f'{option.name} = "{option.low}..{min(option.high, option.low + 40)}/10"' if option else 'option = "1..5"'
