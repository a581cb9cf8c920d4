"""What a seat may do, as a person says it, beside what one types: a module `hooks/choices.py` in a game's folder.

    worded(choice, names) -> str     a choice of the menu in the language of the moment ("die oberste Karte versteigern");
                                     names: of the seats; "" where there is nothing to say beyond its text
    TERSE                            moves whose typed form says too little even in English; it may be missing

Moves are typed in English (core/menu.py), so that in English the typed form is shown alone, but for those in TERSE. A game
without the module has the words of its declaration (core/derived/showing.py).
"""

from collections.abc import Sequence

from outbid.core.derived.showing import move_said
from outbid.core.language import i18n
from outbid.core.menu import Choice
from outbid.core.rulebook import Rulebook


def worded(book: Rulebook, choice: Choice, names: Sequence[str]) -> str:
    """The choice in words; empty where its text says all."""
    module = book.submodule("choices")
    if module is None and book.moves is not None:
        words = move_said(book, choice.move, names)
        return words if choice.whole and words != choice.text else ""
    if module is None or (i18n.language() == i18n.SOURCE and choice.move["do"] not in getattr(module, "TERSE", ())):
        return ""
    return str(module.worded(choice, names))


def rest(choice: Choice) -> str:
    """What the text of a choice says behind the word that one types."""
    return choice.text.partition(" ")[2]
