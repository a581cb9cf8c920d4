"""Names of people: what may be one, which two are taken for the same, and how a sentence sets one apart.

Two names are the same if their keys are (`key_of`): NFKC_Casefold without double spaces and without what is drawn as
nothing. They look alike if they have a form in common (`forms_of`): the skeletons of UTS #39 as they are written and in
small letters, so that Latin and Cyrillic letters, `rn` and `m`, `I` and `l` cannot pass for each other.

A new name (`checked`) has one visible character at least, at most four marks on a character, joiners only where scripts and
emoji need them (UAX #31, UTS #51), nothing else that is not drawn, and is no reserved word.

Records come from anywhere, and RECORD.md leaves names free: so a record may call its players what it likes as long as one
can see it, without marks piled over other lines (`check_seen`), and is not refused for what a name is like. But what is
shown of it must not deceive: a match that is read from a record has names that are told apart by the numbers of their seats
where one could be taken for another player, for the reader or for the server (`told_apart`: "Berta (1)", "Berta (2)",
"You (3)"). Bots' names stay, as records have them in bots' seats. Names in a database stay as they are, if they can be shown
at all (`check_shown`).

In a sentence a name stands between ISOLATE and POP (`marked`), which no name can hold. The page makes an element of it
(server/web/templating.py); everything else shows `plain` text, where a name that reads like part of a sentence stands in
quotes.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache

import regex

from outbid.core.errors import BadSetup
from outbid.core.language.i18n import _

LONGEST = 64  # code points of a name, in a record and in the database
MARKS = 4  # on one character
ISOLATE, POP = "\u2068", "\u2069"

# What the table says of its reader, in every language, and what speaks for the server. Bots are called by further words.
READER = ("You", "Your", "Yours", "Du", "Dich", "Dir", "Dein", "Deine", "Deinem", "Deinen", "Deiner", "Deines")
SERVER = ("Outbid", "System", "Server", "Admin", "Administrator", "Moderator", "The clock", "Die Uhr")

_UNSHOWN = regex.compile(r"[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]")
# not drawn, beside default-ignorable characters: controls, blank Braille cell, object replacement, blank fillers
_UNDRAWN = r"[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\u2800\uFFFC\U00016FE4\U0001D159]"
_NOTHING = regex.compile(_UNDRAWN)
_VISIBLE = regex.compile(r"[\p{L}\p{N}\p{P}\p{S}]")
_EMOJI = r"\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?"
_NEEDED = regex.compile(
    r"(?<=[\p{Joining_Type=L}\p{Joining_Type=D}]\p{Joining_Type=T}*)\u200C(?=\p{Joining_Type=T}*[\p{Joining_Type=R}\p{Joining_Type=D}])"
    r"|(?<=\p{L}\p{M}*\p{ccc=9}\p{M}*)[\u200C\u200D]"  # after a virama: conjuncts, half forms, chillus
    r"|(?<=\p{L})\u200D(?=\p{ccc=9})"
    rf"|(?<={_EMOJI})\u200D(?=\p{{Extended_Pictographic}})"
    r"|(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3)"
    r"|(?<=\p{Ideographic})[\U000E0100-\U000E01EF]"
    r"|(?<=\U0001F3F4)[\U000E0020-\U000E007E]+\U000E007F"  # flags of regions
)  # fmt: skip
_MARK = rf"[\p{{M}}--{_UNDRAWN}]{_UNDRAWN}*"  # what is not drawn parts no marks
_PILED = regex.compile(rf"((?:{_MARK}){{{MARKS}}})(?:{_MARK})+", regex.VERSION1)
_ENDS = regex.compile(r"^[\p{P}\p{S}\p{Z}\p{N}]+|[\p{P}\p{S}\p{Z}\p{N}]+$")
_SPECIAL = regex.compile(r"[:*@]")
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*")
_SENTENCE = regex.compile(r"[\p{P}--['’\-._·]]|\.\s|\s\S+\s", regex.VERSION1)
_QUOTES = regex.compile(r"[\p{Quotation_Mark}--['’]]", regex.VERSION1)
_CHARACTER = regex.compile(r"\X")  # as people count them
_UNASSIGNED = regex.compile(r"[\p{Cn}\p{Co}]")
_TURNS = regex.compile(r"\p{Bidi_Control}")
_MARKED = regex.compile(f"{ISOLATE}([^{ISOLATE}{POP}]*){POP}")


# --- what may be a name -------------------------------------------------------------------------------------------------


def check_shown(name: object) -> str:
    """A name as it may lie in a database, from whatever time. Raises BadSetup for one that cannot be shown."""
    if not isinstance(name, str):
        raise BadSetup(_("The name {name} is not text.", name=repr(name)))
    if not name.strip() or len(name) > LONGEST or _UNSHOWN.search(name):
        facts = {"name": repr(name[:80]), "longest": LONGEST}
        raise BadSetup(_("The name {name} must have 1 to {longest} characters that can be shown.", **facts))
    return name


def check_seen(name: object) -> str:
    """A name as a record may have it, and a program that begins a match. Raises BadSetup for one that cannot be shown, or
    of which nothing can be seen, or that is drawn over other lines."""
    name = check_shown(name)
    if not visible(name) or _PILED.search(unicodedata.normalize("NFD", name)):
        facts = {"name": ascii(name[:20]), "n": MARKS}
        raise BadSetup(_("The name {name} must have a sign that one can see, and at most {n} marks on each.", **facts))
    return name


def told_apart(players: Sequence[str]) -> list[str]:
    """The names of a record's players, with the numbers of their seats, from 1, where they could be taken for each other,
    for the reader or for the server."""
    words = (*READER, *SERVER)
    like = [alike(name, [*players[:n], *players[n + 1 :], *words]) is not None for n, name in enumerate(players)]
    numbered = [f"{name[: LONGEST - 5]} ({n})" for n, name in enumerate(players, 1)]
    distinct = [new if other else name for name, new, other in zip(players, numbered, like, strict=True)]
    clear = all(alike(name, distinct[:n]) is None for n, name in enumerate(distinct))
    return distinct if clear else numbered


def numbered(bots: Sequence[str]) -> list[str]:
    """The names of bots at a table, with a number where several are called alike: "steady 1", "easy", "steady 2"."""
    alike = Counter(bots)
    return [name if alike[name] == 1 else f"{name} {bots[:n].count(name)}" for n, name in enumerate(bots, 1)]


def checked(name: str, longest: int, reserved: Collection[str] = ()) -> str:
    """A new name as it will be shown. longest: in characters as people count them (grapheme clusters). reserved: further
    words that are no one's name. Raises BadSetup."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name or len(name) > LONGEST or _counted(name) > longest:
        raise BadSetup(_("Please give a nickname of 1 to {longest} characters.", longest=longest))
    drawn = _NEEDED.sub("", name)
    if _NOTHING.search(drawn) or _UNSHOWN.search(drawn) or _UNASSIGNED.search(drawn):
        raise BadSetup(_("The nickname has characters that cannot be shown."))
    if not visible(drawn):
        raise BadSetup(_("Please give a nickname with a letter, a number or a sign that one can see."))
    if _PILED.search(unicodedata.normalize("NFD", drawn)):
        raise BadSetup(_("The nickname has more than {n} marks on one character.", n=MARKS))
    if _is_taken(name, [*READER, *SERVER, *reserved]):
        raise BadSetup(_("The nickname cannot be “{name}”: the table uses that word itself.", name=name))
    return name


def _is_taken(name: str, words: Collection[str]) -> bool:
    """Whether a name says a word that the table uses itself: with signs or numbers around it ("You.", "Bot 2"), before what
    makes a name of a bot special ("strong*0.1", "easy:farmer"), or nothing but such words ("steady bot")."""
    forms = {name, _ENDS.sub("", name), _ENDS.sub("", _SPECIAL.split(name)[0])} - {""}
    parts = _WORD.findall(name)
    return any(alike(form, words) for form in forms) or (bool(parts) and all(alike(part, words) for part in parts))


def _counted(name: str) -> int:
    """The characters of a name as people count them; a ligature that stands for many letters counts as them."""
    return len(_CHARACTER.findall(unicodedata.normalize("NFKC", name)))


def visible(text: str) -> bool:
    """Whether anything of a text is drawn."""
    return _VISIBLE.search(_NOTHING.sub("", text)) is not None


def unpiled(text: str) -> str:
    """Text without marks beyond the fourth on one character, which would stand in the lines above and below."""
    whole = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", _PILED.sub(r"\1", whole)) if _PILED.search(whole) else text


def without_turns(text: str) -> str:
    """A text without the marks that turn what follows them around."""
    return _TURNS.sub("", text)


# --- which are the same -------------------------------------------------------------------------------------------------


def key_of(name: str) -> str:
    """A name as it is compared."""
    text = _NOTHING.sub("", unicodedata.normalize("NFD", name))
    for _again in range(2):  # what is folded can be normalized once more
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(_NOTHING.sub("", text).split())


def forms_of(name: str) -> tuple[str, str]:
    """What a name looks like, as it is written and in small letters. What is too long for a name is not looked at whole."""
    return _forms_of(name[: 2 * LONGEST])


@lru_cache(4096)
def _forms_of(name: str) -> tuple[str, str]:
    written = " ".join(unicodedata.normalize("NFKC", name).split())
    as_written, small = (skeleton(skeleton(text).casefold()) for text in (written, key_of(name)))
    return as_written, small


def alike(name: str, others: Iterable[str]) -> str | None:
    """The first of several names that could be taken for this one, if there is one."""
    forms = set(forms_of(name))
    return next((other for other in others if not forms.isdisjoint(forms_of(other))), None)


def skeleton(text: str) -> str:
    """The skeleton of UTS #39: what two texts have in common that look alike."""
    prototypes = _prototypes()
    text = _NOTHING.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", "".join(prototypes.get(character, character) for character in text))


@cache
def _prototypes() -> dict[str, str]:
    """What each confusable character looks like. The package lists what looks like what, both ways: a prototype has all of
    its class beside it, any other character its prototype alone."""
    from confusable_homoglyphs.confusables import confusables_data

    beside: dict[str, list[str]] = {}
    for text, likes in confusables_data.items():
        beside.setdefault(_bare(text), []).extend(_bare(sign["c"]) for sign in likes)
    prototypes: dict[str, str] = {}
    for text, likes in beside.items():
        if len(text) == 1 and len(set(likes)) == 1:
            (other,) = set(likes)
            pair = set(beside[other]) == {text}
            if not pair or len(other) > 1 or text > other:
                prototypes[text] = other
    return {text: "".join(prototypes.get(sign, sign) for sign in prototype) for text, prototype in prototypes.items()}


def _bare(text: str) -> str:
    """Without the marks that keep a letter of a line from right to left in its place."""
    return _NOTHING.sub("", unicodedata.normalize("NFD", text))


# --- in a sentence ------------------------------------------------------------------------------------------------------


def marked(name: str) -> str:
    """A name for a sentence, set apart."""
    return f"{ISOLATE}{shown(name)}{POP}"


def bare(text: str) -> str:
    """A text whose names are not set apart."""
    return text.replace(ISOLATE, "").replace(POP, "")


def initial(name: str) -> str:
    """The first character of a name, as people count them, as a capital letter."""
    return "".join(_CHARACTER.findall(shown(name))[:1]).upper()


@lru_cache(4096)
def shown(name: str) -> str:
    """A name with "?" for what would turn a line around or end it: a record may call its players anything."""
    return _UNSHOWN.sub("?", name)


def plain(sentence: str) -> str:
    """A sentence with marked names as text: a name that reads like part of the sentence stands in quotes."""
    return replaced(sentence, quoted) if ISOLATE in sentence else sentence


def quoted(name: str) -> str:
    """A name for text, in quotes if it has more than two words or signs that end a sentence or a part of it."""
    name = shown(name)
    if not _SENTENCE.search(name):
        return name
    inner = _QUOTES.sub("'", name)
    return _("“{name}”", name=inner)


def replaced(sentence: str, by: Callable[[str], str]) -> str:
    """A sentence with something else for each marked name."""
    return str(_MARKED.sub(lambda match: by(match[1]), sentence))
