"""A session on the full screen, with Textual: the table, the log, the question, the menu, and a line to type at.

The menu is chosen from with the arrows and Enter, or by number; whatever is typed goes to the line. A choice that leaves
something open (an amount, cards, one of many moves) shows what there is to choose from, cards one by one and then “Done”;
Escape goes back. What a line means is said in lines.py, as for `--plain`. At the right of the bar the time counts down that
runs for the person who sits here.
"""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Footer, Input, OptionList, RichLog, Static

from outbid.core.errors import OutbidError
from outbid.core.language.i18n import N_, _
from outbid.core.language.phrases import capitalized
from outbid.terminal import times
from outbid.terminal.lines import HINT, LEAVE, WORDS, Ask, Picker, legend, speech
from outbid.terminal.page import menu, painted, wrapped
from outbid.terminal.suits import suits_of
from outbid.wire.model import LogEntry
from outbid.wire.offers import Offer
from outbid.wire.session import Session, result

NARROW, WIDE = 0, 120  # columns from which the log is beside the table
SOON = 0.03  # seconds from what is told to what is shown
SPOKEN = "italic cyan"  # what people say, in the log
LIFT = 0.35  # how much lighter the colours of cards are on the dark ground
LONG = 6  # lines of a text that has a page of its own
PANES = {"look": "#table", "log": "#log"}


class Reading(ModalScreen[None]):
    """A text to read; Escape, Enter or q closes it."""

    CSS = """
    Reading { align: center middle; }
    #page { width: 90%; max-width: 100; height: auto; max-height: 90%; padding: 0 1; border: round $primary; }
    #page > Static { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q", "close", N_("Back"))]

    def __init__(self, text: Text):
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """Lay out the text and its frame."""
        with VerticalScroll(id="page") as page:
            page.border_subtitle = _("Escape closes")
            yield Static(self.text, markup=False)

    def on_mount(self) -> None:
        """Give the text the focus, so that arrows scroll it."""
        self.query_one("#page").focus()

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss()


class FullScreen(App[int]):
    """The visit, until one leaves; returns the exit code."""

    CSS = """
    #top { background: $primary; color: $text; height: 1; }
    #top.yours { background: $accent; text-style: bold; }
    #bar { padding: 0 1; width: 1fr; height: 1; }
    #time { padding: 0 1; width: auto; height: 1; }
    #both { height: 1fr; min-height: 6; }
    #table { height: auto; max-height: 80%; padding: 0 1; min-height: 3; scrollbar-gutter: stable; }
    #log { height: 1fr; padding: 0 1; min-height: 2; border-top: solid $primary; }
    .-wide #both { layout: horizontal; }
    .-wide #table { width: 3fr; height: 1fr; max-height: 100%; }
    .-wide #log { width: 2fr; height: 1fr; border-top: none; border-left: solid $primary; }
    #question { padding: 0 1; text-style: bold; border-top: solid $primary; max-height: 8; }
    #menu { height: auto; max-height: 25vh; border: none; }
    #menu > .option-list--option-highlighted { background: #4a4a4a; color: $text; text-style: bold; }
    #notice { padding: 0 1; color: $warning; max-height: 25vh; }
    """
    HORIZONTAL_BREAKPOINTS = [(NARROW, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 - as Textual declares it
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "again", N_("Back")),
        Binding("f1", "help", N_("Help")),
        Binding("ctrl+up", "table(-1)", N_("Table"), priority=True),
        Binding("ctrl+down", "table(1)", show=False, priority=True),
        Binding("ctrl+q", "leave", N_("Leave"), priority=True),
    ]

    def __init__(self, visit: Session):
        super().__init__()
        for bindings in self._bindings.key_to_bindings.values():
            bindings[:] = [replace(binding, description=_(binding.description)) for binding in bindings]
        self.visit = visit
        self.picker = Picker(())
        self.open: Offer | None = None  # the choice whose rest is being chosen
        self._shown: list[Text] = []  # the choices
        self._at = -1  # the one that is pointed at
        self.sending = False  # a move that is not answered yet
        self.failed: OutbidError | None = None
        self._asked: int | None = None
        self._turned = False  # the question is another than the one that is shown
        self._fresh: list[LogEntry] = []
        self._read: set[int] = set()  # what people said and is shown
        self._due = False
        self._ticking: Timer | None = None

    async def sit(self) -> int:
        """Show the visit until one leaves. Raises OutbidError."""
        await self.run_async()
        if self.failed:
            raise self.failed
        now = self.visit.now
        for line in result(self.visit.names, now.scores, now.winners) if now and self.visit.over else ():
            print(line)
        return 0

    def compose(self) -> ComposeResult:
        """The parts of the screen."""
        with Horizontal(id="top"):
            yield Static(id="bar", markup=False)
            yield Static(id="time", markup=False)
        with Container(id="both"):
            with VerticalScroll(id="table"):
                yield Static(id="board", markup=False)
            yield RichLog(id="log", wrap=True, min_width=0)
        yield Static(id="question", markup=False)
        yield OptionList(id="menu", markup=False)
        yield Static(id="notice", markup=False)
        yield Input(id="line", placeholder=_("a number, a move, or ? for help"), compact=True, select_on_focus=False)
        yield Footer()

    def on_mount(self) -> None:
        """Follow the table from now on, until the screen is left."""
        self.visit.heard = self._hear
        self._watching = asyncio.create_task(self._watch())

    async def on_unmount(self) -> None:
        """End the link to the table."""
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)

    async def _watch(self) -> None:
        try:
            await self.visit.watch()
        except OutbidError as error:
            self.failed = error
            self.exit(2)

    # --- what is shown ---

    def _hear(self, fresh: Sequence[LogEntry]) -> None:
        """What is told is known at once, and shown soon, together with what else is told meanwhile."""
        self._fresh += fresh
        if self.visit.decision != self._asked:
            self._asked = self.visit.decision
            self.picker = Picker(self.visit.offers)
            self._turned = True
        elif self._asked is not None and self.picker.offers != tuple(self.visit.offers):  # another player has bid
            self.picker = self.picker.renewed(self.visit.offers)
            self._turned = True
        if not self._due:
            self._due = True
            self.set_timer(SOON, self._show)

    def _show(self) -> None:
        self._due = False
        visit, now = self.visit, self.visit.now
        self._show_log()
        self.query_one("#bar", Static).update(self._title())
        self.query_one("#top").set_class(visit.decision is not None, "yours")
        self._tick()
        if now is None:
            return
        self._show_board()
        if visit.over:
            self.query_one("#question", Static).update("\n".join(result(visit.names, now.scores, now.winners)))
            self._notice(_("The match is over; {key} leaves.", key="Ctrl+Q"))
        else:
            self.query_one("#question", Static).update("\n".join([*now.notices, now.question]))
        if self._turned:
            self._turned = False
            if visit.decision is not None:
                self._notice("")
            self._show_menu()

    def _show_board(self) -> None:
        """The table, wrapped so that what goes on is indented, and what the codes of its cards mean."""
        board, now = self.query_one("#board", Static), self.visit.now
        text = "\n".join([now.board, *legend(self.visit)]) if now and now.board else self._room()
        width = board.size.width or None
        board.update(self._painted("\n".join(wrapped(text, width))))

    def on_resize(self) -> None:
        """The table is wrapped anew."""
        self.call_after_refresh(self._show_board)

    def _painted(self, text: str) -> Text:
        return painted(text, suits_of(self.visit.game), lift=LIFT)

    def _show_log(self) -> None:
        """What has happened, and what people say."""
        log = self.query_one("#log", RichLog)
        if self._fresh:
            for line in self._fresh:
                log.write(self._painted(line.text))
            self._fresh.clear()
        for message in [message for number, message in self.visit.said.items() if number not in self._read]:
            self._read.add(message.id)
            log.write(Text(message.sentence, style=SPOKEN))

    def _tick(self) -> None:
        """The time that runs, and once more when a second of it has passed."""
        if self._ticking:
            self._ticking.stop()
            self._ticking = None
        now, at = self.visit.now, self.visit.at
        until = times.running(now) if now and not self.visit.lost else None
        self.query_one("#time", Static).update(times.told(now, at) if now and until is not None else "")
        if until is not None and until > at:
            self._ticking = self.set_timer((until - at) / 1000 % 1 + 0.01, self._tick)

    def _title(self) -> str:
        visit = self.visit
        if visit.lost or visit.now is None:
            waits = _("Connecting… Your move is waiting to be sent.") if visit.waiting else _("Connecting…")
            return visit.trouble or waits
        title = visit.now.table.title
        if visit.you is None:
            return _("{table}: you watch.", table=title)
        if visit.decision is not None:
            return _("{table}: you are {name}, and it is your turn.", table=title, name=visit.you)
        return _("{table}: you are {name}.", table=title, name=visit.you)

    def _room(self) -> str:
        """Who is there while seats are open."""
        return "\n".join(name or _("an open seat") for name in self.visit.names)

    def _show_menu(self) -> None:
        """The choices, or what there is to choose from in one of them."""
        self.open = self.picker.picked
        texts = [offer.text for offer in self.visit.offers]
        if self.open is not None and self.open.moves:
            texts = [text for text, _move in self.open.moves]
        elif self.open is not None and self.open.cards is not None:
            texts = [str(card) for card in self.open.cards]
        options = self.query_one("#menu", OptionList)
        options.clear_options()
        if self.open is None:
            shown = ["\n".join(menu([offer], options.size.width or None, n)) for n, offer in enumerate(self.visit.offers, 1)]
        else:
            shown = [f"{n:>3}  {text}" if self.open.moves else f"     {text}" for n, text in enumerate(texts, 1)]
            shown += ["     " + _("Done")] if self.open.cards is not None else []
        self._shown, self._at = [self._painted(line) for line in shown], -1
        options.add_options(self._shown)
        options.display = bool(texts)
        line = self.query_one("#line", Input)
        if texts and not line.value and not (self.open and self.open.amounts):
            options.focus()
            options.highlighted = 0
        else:
            line.focus()

    def _tell(self, text: str) -> None:
        """Something that was asked for: what is long stands on a page of its own."""
        if text.count("\n") < LONG:
            self._notice(text)
        else:
            self.push_screen(Reading(self._painted(text)))

    def _notice(self, sentence: str) -> None:
        self.query_one("#notice", Static).update(capitalized(sentence))

    # --- what is done ---

    @on(OptionList.OptionHighlighted)
    def _point(self, event: OptionList.OptionHighlighted) -> None:
        """A pointer stands before the choice that Enter makes; colours alone would not say it."""
        at, options = event.option_index, event.option_list
        if at >= len(self._shown) or event.option.prompt is not self._shown[at]:
            return  # of a menu that is gone
        if 0 <= self._at < len(self._shown):
            options.replace_option_prompt_at_index(self._at, self._shown[self._at])
        self._at = at
        pointed = self._shown[at].copy()
        pointed.plain = f"›{pointed.plain[1:]}"
        options.replace_option_prompt_at_index(at, pointed)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        """Something of the menu: a choice or a move by its number, a card is put on the line."""
        if self.open is not None and self.open.cards is not None:
            line = self.query_one("#line", Input)
            if event.option_index == len(self.open.cards):
                text = line.value.strip() or "nothing"
                line.clear()
                self._say(text)
                return
            line.value = f"{line.value} {self.open.cards[event.option_index]}".strip()
            line.cursor_position = len(line.value)
            event.option_list.disable_option_at_index(event.option_index)
        else:
            self._say(str(event.option_index + 1))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        event.input.clear()
        if text:
            self._say(text)

    async def on_event(self, event: events.Event) -> None:
        """What is typed while the menu has the focus goes to the line, also what follows at once."""
        typed = isinstance(event, events.Key) and event.is_printable and event.character != " "
        if typed and len(self.screen_stack) == 1:
            line = self.query_one("#line", Input)
            if self.focused is not line:
                self.screen.set_focus(line)
        await super().on_event(event)

    def action_table(self, down: int) -> None:
        """Scroll the table by half a page, wherever the cursor is."""
        table = self.query_one("#table")
        table.scroll_relative(y=down * max(1, table.size.height // 2), animate=False)

    def action_help(self) -> None:
        """What can be typed, and the keys."""
        keys = _("Arrows and Enter choose; what you type goes to the line below; Tab goes to the table and the log.")
        self._tell("\n".join([keys, WORDS["help"](self.visit)]))

    def action_again(self) -> None:
        """Offer the whole menu again, after a choice was begun."""
        self.picker.picked = None
        self.query_one("#line", Input).clear()
        self._notice("")
        self._show_menu()

    def action_leave(self) -> None:
        """Leave the table; the seat can be taken again."""
        self.exit(0)

    def _say(self, text: str) -> None:
        word = text.lower()
        if word in LEAVE:
            self.exit(0)
        elif word in PANES:
            self.query_one(PANES[word]).focus()  # what one asked to see is there; now the arrows scroll it
        elif word in ("help", "?"):
            self.action_help()
        elif word in WORDS:
            self._tell(WORDS[word](self.visit))
        elif speech(text):
            self.run_worker(self._ask(self.visit.say(speech(text))))
        elif word == HINT:
            self.run_worker(self._ask(self.visit.hint()))
        elif self.visit.decision is None:
            self._notice(_("You are not asked now."))
        elif not self.sending:
            meant = self.picker.meant(text)
            if isinstance(meant, Ask):
                cards = self.picker.picked is not None and self.picker.picked.cards is not None
                self._notice(_("Enter adds a card; “Done” plays them.") if cards else meant.sentence)
                self._show_menu()
            else:
                self.sending = True
                self._notice("")
                self.run_worker(self._play(meant))

    async def _ask(self, answer: Awaitable[str | None]) -> None:
        """Tell what is answered, if anything is, or why it is refused."""
        try:
            if text := await answer:
                self._tell(text)
        except OutbidError as error:
            self._notice(str(error))

    async def _play(self, move: str | Mapping[str, Any]) -> None:
        answer = await self.visit.play(move)
        self.sending = False
        if answer.error:
            self._notice(answer.error)
            self._show_menu()
