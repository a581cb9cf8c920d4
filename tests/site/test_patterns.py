"""The patterns of names as a browser tab has them."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from outbid.core.language import names
from outbid.site import patterns


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    """The module `names` with what stands there for `regex`."""
    path = tmp_path_factory.mktemp("tab") / "regex.py"
    path.write_text(patterns.stand_in(), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "regex", loaded("regex", path))
        return loaded("names_there", names.__file__)


def loaded(name, path):
    """A module from a file."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compiled(module):
    """The patterns of a module by their names."""
    return {name: value for name, value in vars(module).items() if type(value).__name__ == "Pattern"}


@pytest.mark.slow
def test_every_pattern_finds_the_same_single_characters(there):
    assert compiled(there).keys() == compiled(names).keys()
    every = "\n".join(map(chr, (n for n in range(sys.maxunicode + 1) if not 0xD800 <= n < 0xE000)))
    for name in compiled(names).keys() - {"_NEEDED", "_CHARACTER", "_MARKED", "_ENDS", "_SENTENCE", "_PILED", "_WORD"}:
        assert compiled(there)[name].findall(every) == compiled(names)[name].findall(every), name


@pytest.mark.parametrize(
    "text",
    ["Zoë", "a\u0301\u0302\u0303\u0304\u0305b", "O'Brien", "Smith. Jr", "¡Olé!", "\u202eabc", "مَرْيَم", "👍🏽x", "🇩🇪🇫🇷"],
)
def test_names_are_judged_counted_and_quoted_alike(there, text):
    for judge in ("visible", "unpiled", "without_turns", "key_of", "forms_of", "initial", "quoted", "marked", "_counted"):
        assert getattr(there, judge)(text) == getattr(names, judge)(text), judge
    for name in ("_ENDS", "_SENTENCE", "_PILED", "_WORD"):
        assert compiled(there)[name].sub("|", text) == compiled(names)[name].sub("|", text), name


def test_new_names_are_judged_alike(there):
    assert there.checked(" Zoë  O'Brien ", 24) == names.checked(" Zoë  O'Brien ", 24)
    with pytest.raises(names.BadSetup, match="uses that word"):
        there.checked("the Clock", 24)


def test_a_name_with_a_joiner_is_refused_there(there):
    assert names.checked("👩\u200d🚀", 24)
    with pytest.raises(names.BadSetup, match="cannot be shown"):
        there.checked("👩\u200d🚀", 24)
