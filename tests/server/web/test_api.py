"""Whatever is sent to the HTTP API: never a fault of the server, always a sentence, and a refusal changes nothing.

schemathesis makes the requests from api.yaml, which tells the routes of docs/server.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from outbid.core.rulebook import rulebooks
from outbid.server.web.app import ROUTES
from outbid.server.web.middleware import HEADERS
from tests.support.profile import DEEP
from tests.support.serving import JSON, TRUSTED, Person, post, sentence, serving

SCHEMA = Path(__file__).with_name("api.yaml")
OPERATIONS = [
    (method.upper(), path)
    for path, methods in yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))["paths"].items()
    for method in methods
    if method != "parameters"
]
# a page that says it, or the form again with the sentence at its field or above all fields
SAID = re.compile(
    '<p class="panel">|<span class="error" id="nickname-error">|<p class="panel error"(?: id="[a-z-]+")? role="alert">'
)
ELSEWHERE = {("/t/{table}/delete", "POST"), ("/t/{table}/leave", "POST")}  # would end what the test looks at


@cache
def api() -> Any:
    """The routes; schemathesis takes long to import."""
    import schemathesis

    return schemathesis.openapi.from_path(SCHEMA)


@pytest.fixture(scope="module")
def ada(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Somebody at a table, who is asked; nothing moves but by her."""
    with serving(tmp_path_factory.mktemp("api") / "tables.db", limits={"daily": {}}, desk="twelve letters") as address:
        person = Person(address)
        person.order()
        person.asked()
        person.http.post(f"/t/{person.table}/pace", data={"paused": "true"})
        yield person
        person.http.close()


def state(ada: Person) -> Any:
    """All that moves change."""
    now = ada.now()
    return now["view"], now["log"], now["decision"], now["table"]["pace"], now["table"]["paused"]


def test_every_route_is_in_the_schema():
    assert {(path, method) for method, path in OPERATIONS} | ELSEWHERE == {(path, method) for path, method, _ in ROUTES}


@pytest.mark.deeper
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
@pytest.mark.slow
def test_no_request_is_a_fault_of_the_server_and_a_refusal_is_a_sentence_that_changes_nothing(ada: Person, method, path):
    operation = api()[path][method]

    @given(case=operation.as_strategy(), program=st.booleans(), here=st.sampled_from([True, True, True, False]))
    @settings(max_examples=50 if DEEP else 7)
    def check(case: Any, program: bool, here: bool) -> None:
        before = state(ada)
        answer = send(ada, operation, case, program, here, str(before[2]))
        assert answer.status_code < 500, answer.text
        assert all(answer.headers[name] == value for name, value in HEADERS.items())
        if answer.status_code >= 400:
            assert state(ada) == before
            if program:
                sentence(answer, answer.status_code)
            else:
                assert SAID.search(answer.text)

    check()


def send(ada: Person, operation: Any, case: Any, program: bool, here: bool, decision: str) -> httpx.Response:
    """A request as schemathesis made it; `here`: to the table of the test, whatever table it names; decision: the number of
    the one she is asked for."""
    named = case.path_parameters or {}
    parts = {
        key: quoted(ada.table if value == "TABLE" or (here and key == "table") else value) for key, value in named.items()
    }
    fields = case.body if isinstance(case.body, dict) else {}
    stands = {"DECISION": decision, "TABLE": ada.table}
    form = [(key, stands.get(said := text(value), said)) for key, value in fields.items()]
    query = [(key, stands.get(said := text(value), said)) for key, value in (case.query or {}).items()]
    return ada.http.request(
        operation.method.upper(),
        operation.path.format(**parts),
        params=query or None,
        data=dict(form) if operation.method.upper() == "POST" else None,
        headers=JSON if program else {},
    )


def text(value: Any) -> str:
    """A value as a form has it."""
    said = value if isinstance(value, str) else json.dumps(value)
    return said.encode("utf-8", "replace").decode()


def quoted(value: Any) -> str:
    """A part of an address."""
    return quote(text(value), safe="") or "x"


BYTES = st.binary(max_size=300) | st.text(max_size=100).map(lambda said: said.encode("utf-8", "replace"))


@given(
    method=st.sampled_from(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"]),
    path=st.sampled_from(
        ["/", "/tables", "/records", "/t/TABLE/move", "/t/TABLE/join", "/t/TABLE/replay", "/static/../x", "/x"]
    ),
    body=BYTES,
    kind=st.sampled_from(
        ["application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x", "", "x/y"]
    ),
)
@settings(max_examples=150 if DEEP else 15)
def test_any_method_any_body_and_any_type_is_answered(ada: Person, method: str, path: str, body: bytes, kind: str):
    before = state(ada)
    answer = ada.http.request(method, path.replace("TABLE", ada.table), content=body, headers={**JSON, "Content-Type": kind})
    assert answer.status_code < 500
    if answer.status_code >= 400 and method != "HEAD":
        sentence(answer, answer.status_code)
    assert state(ada) == before


WHOLES = st.integers(-3, 400).map(str) | st.sampled_from(
    ["true", "false", "", "1e3", "0x1", "٣", "-", "9" * 30, "1,2,3", ","]
)


@given(data=st.data())
@settings(max_examples=150 if DEEP else 15)
def test_any_options_make_a_table_or_a_sentence(ada: Person, data: st.DataObject):
    """Every option of every game, with values that are and are not allowed."""
    book = data.draw(st.sampled_from(sorted(rulebooks().values(), key=lambda one: one.id)))
    chosen = data.draw(st.lists(st.sampled_from(book.options), max_size=4, unique_by=lambda option: option.name))
    form = {"game": book.id, "players": str(data.draw(st.integers(*book.players))), "name": "Ada", "bots": "open"}
    for option in chosen:
        form[f"option:{option.name}"] = data.draw(WHOLES | st.sampled_from([*map(str, option.words), str(option.high)]))
    answer = post(f"{ada.http.base_url}/tables", data=form, headers=JSON, verify=TRUSTED)
    assert answer.status_code == 201 or sentence(answer, 400)
