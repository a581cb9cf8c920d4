"""The names of a game's own things, declared once: agents/obfuscation.py replaces them by made-up ones."""


class Name:
    """A name of a game: its forms (as it is said, with -s, -ed, -ing, -able) and other spellings of the first of them.

    The first form is the one that moves are written with. A name in capitals is a code ("USD"; "R", which stands before a
    number or an x) and gets a code of capitals."""

    def __init__(self, *forms: str, also: tuple[str, ...] = ()):
        self.forms = forms
        self.also = also

    @property
    def spellings(self) -> tuple[str, ...]:
        """The forms and the other spellings."""
        return self.forms + self.also
