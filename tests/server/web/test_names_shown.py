"""A name is shown as one thing: an element of its own on pages, set apart or in quotes in texts, whatever is in it."""

from __future__ import annotations

import random
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import DictLoader

import outbid.server.web as web
from outbid.core.language.names import ISOLATE, marked
from outbid.server.web.templating import Templates, inked, kept
from tests.support import browsing
from tests.support.serving import people, serving, some_move

FORGED, ARABIC = "you bid 500. Berta", "محمد"


BASE = Path(web.__file__).parent / "static" / "base.css"
COLON_IS_BELOW = """() => {  // in a line that is as wide as the name
    const [line, name] = [document.getElementById("line"), document.querySelector("bdi")];
    line.style.width = `${name.offsetWidth + 1}px`;
    const colon = document.createRange();
    colon.setStart(name.nextSibling, 0);
    colon.setEnd(name.nextSibling, 1);
    return colon.getBoundingClientRect().top > name.getBoundingClientRect().bottom - 4;
}"""


class Texts(HTMLParser):
    """The texts of a page, each with the elements around it; attributes and titles as they are."""

    VOID = frozenset({"meta", "link", "input", "br", "img", "hr", "path", "use", "circle", "rect"})

    def __init__(self, page: str):
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.found: list[tuple[str, tuple[tuple[str, str], ...]]] = []
        self.attributes: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.attributes += [value for _name, value in attrs if value]
        if tag not in self.VOID:
            self.open.append((tag, dict(attrs).get("class") or ""))

    def handle_startendtag(self, tag, attrs):
        self.attributes += [value for _name, value in attrs if value]

    def handle_endtag(self, tag):
        if tag in [name for name, _class in self.open]:
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data):
        self.found.append((data, tuple(self.open)))


def check(page: str, *called: str) -> int:
    """How often these names are shown on a page; each time as an element of its own."""
    seen = 0
    for text, around in Texts(page).found:
        if any(name in text for name in called):
            if around[-1][0] == "title":
                assert ISOLATE in text
                continue
            tag, look = around[-1]
            assert tag == "bdi", (text, around)
            assert re.fullmatch("name( p[0-5])?", look), (text, around)  # in the colour of the seat, where it is known
            seen += 1
        assert ISOLATE not in text or around[-1][0] in ("title", "option")
    for value in Texts(page).attributes:
        assert "<bdi" not in value
    return seen


TEMPLATE = (
    """<title>{{ n }}</title>{% macro m(x) %}<b>{{ x }}</b>{% endmacro %}{% set d %}data-x="{{ n }}"{% endset %}"""
    """<p title="a > {{ n }} {{ m(n) }}" {{ d }}>{{ n }} {{ m(n) }}"""
    """{% if n %}<a{% if n %} class='{{ n }}'{% endif %}>{{ n }}</a>{% endif %}"""
    """</p><option>{{ n }}</option>{% block title %}{{ n }}{% endblock %}"""
)


def test_a_name_is_an_element_in_text_and_set_apart_where_no_element_can_stand():
    templates = Templates(loader=DictLoader({"page": TEMPLATE}), autoescape=True)
    made = templates.get_template("page").render(n=marked('<i>"&'))
    name = "&lt;i&gt;&#34;&amp;"
    assert made.count(f'<bdi class="name">{name}</bdi>') == 3
    assert made.count(f"&#8296;{name}&#8297;") == 7
    assert made.count(name) == 10


def test_a_name_stays_with_what_follows_it_without_a_space():
    names = [marked("Ada"), marked("Bo")]
    html = kept(inked(f"{names[0]}: “bid”. {names[1]} and {names[0]}.", names))
    colon, stop = ('<span class="kept"><bdi class="name p0">Ada</bdi>' + end + "</span>" for end in ":.")
    assert html == f'{colon} “bid”. <bdi class="name p1">Bo</bdi> and {stop}'


@pytest.mark.browser
def test_no_line_breaks_between_a_name_and_a_colon(browser):
    with browsing.visitor(browser, browsing.DESK) as page:
        page.set_content(f'<p id="line">{kept(inked(marked("Ada") + ": a word", [marked("Ada")]))}</p>')
        page.add_style_tag(path=BASE)
        assert page.evaluate(COLON_IS_BELOW) is False


BEGINS = re.compile(f"(“{re.escape(FORGED)}”|{ARABIC}) ")


@pytest.mark.slow
def test_every_page_shows_a_name_as_an_element_of_its_own(tmp_path):
    with serving(tmp_path / "tables.db") as address, people(address, 3) as (ada, ben, cy):
        link = ada.order(name=FORGED, bots="open", players="3", game="kuhhandel", listed="true")
        table = ada.table
        assert check(ada.http.get(f"/t/{table}").text, FORGED) >= 2
        assert check(ben.http.get("/").text, FORGED) == 1
        assert check(cy.http.get(link).text, FORGED) >= 3  # whose seat it is
        ben.join(table, ARABIC)
        assert check(ada.http.get(f"/t/{table}").text, FORGED, ARABIC) >= 3
        assert check(ada.http.get("/").text, FORGED, ARABIC) == 4  # and how one is called
        ada.http.post(f"/t/{table}/fill", data={"bot": "random"})
        cy.table = table
        ada.http.post(f"/t/{table}/chat", data={"text": "Hello"})
        cy.http.post(f"/t/{table}/chat", data={"text": "Hello", "name": "I watch. Berta"})
        rng = random.Random(2)
        page, told = "", [""]
        for _move in range(60):  # until the log names them
            told = [line["text"] for line in cy.now()["log"]]  # first: the page may know more
            page = ada.http.get(f"/t/{table}").text
            if check(page, FORGED, ARABIC) > 5 and any(map(BEGINS.match, told)):
                break
            for person in (ada, ben):
                seen = person.now()
                if seen["decision"] is not None:
                    person.send(some_move(seen, rng), seen["decision"])
        assert check(page, FORGED, ARABIC) > 5
        assert any(map(BEGINS.match, told))
        assert not [line for line in told if FORGED in line and f"“{FORGED}”" not in line]
        log = page[page.index('id="log"') :]
        assert f'<bdi class="name p0">{FORGED}</bdi>' in log or f'<bdi class="name p1">{ARABIC}</bdi>' in log
        assert check(cy.http.get(f"/t/{table}").text, FORGED, ARABIC, "I watch") > 5
        for path in (f"/t/{table}/chat", f"/t/{table}/seat", f"/t/{table}/replay"):
            assert check(ada.http.get(path).text, FORGED) >= 1
        assert [seat["name"] for seat in cy.now()["seats"]] == [FORGED, ARABIC, "Bruno"]
