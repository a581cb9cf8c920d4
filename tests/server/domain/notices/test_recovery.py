"""A forgotten password: a link by mail, through a real SMTP server, good once and for an hour; nobody learns who has one."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from outbid.core.language.names import key_of
from outbid.server.domain.notices.delivery import Mail
from outbid.server.storage.notices import Notices, Owner
from outbid.server.storage.opening import url_of
from outbid.server.storage.schema import recoveries
from outbid.server.storage.store import Store
from tests.support.noticing import Box, free_port
from tests.support.serving import JSON, Person, sentence, serving, until

pytestmark = pytest.mark.slow

OLD, NEW = "seven red cows", "eight blue pigs"
LINK = re.compile(r"http://127\.0\.0\.1:\d+(/name/forgotten/[\w-]{22})\n")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def server(database: Path, box: tuple[Box, str]) -> Iterator[str]:
    """A server that sends mails."""
    port = free_port()
    mail = Mail.of(box[1], "Outbid <table@example.org>")
    with serving(database, mail=mail, port=port, base_url=f"http://127.0.0.1:{port}", log="json") as address:
        yield address


def post(server: str, path: str, **fields: str) -> httpx.Response:
    """A form, sent by a program that has no cookie."""
    return httpx.post(f"{server}{path}", data=fields, headers=JSON, timeout=20)


def keep(server: str, database: Path, name: str, address: str | None, language: str = "en") -> Person:
    """Somebody keeps a name and gets messages at an address."""
    person = Person(server)
    assert person.http.post("/name/keep", data={"name": name, "password": OLD}, headers=JSON).status_code == 200
    if address:
        with closing(Store(url_of(str(database)))) as store:
            notices, owner = Notices(store), Owner(name=key_of(name))
            notices.ask(owner, "mail", address, None, "UTC", language, time.time())
            notices.confirm(notices.of(owner)[0].id, time.time())
    return person


def test_a_link_by_mail_gives_a_name_another_password_once(server: str, database: Path, box: tuple[Box, str], capfd):
    ada = keep(server, database, "Ada", "ada@example.org")
    assert post(server, "/name/forgotten", name="ada").json() == {"ok": True}
    mail = box[0].mail(0)
    assert (mail["To"], mail["Subject"]) == ("ada@example.org", "A new password for your name")
    assert mail["List-Unsubscribe"] is None
    link = LINK.search(box[0].text(0))
    assert link
    path = link[1]
    for _again in range(2):  # whatever looks at links changes nothing
        page = httpx.get(f"{server}{path}")
        assert page.status_code == 200
        assert ">Ada<" in page.text
    assert sentence(post(server, path, password="short"), 400).startswith("Please choose a password")
    browser = Person(server)
    assert browser.http.post(path, data={"password": NEW}, headers=JSON).status_code == 200
    assert browser.http.get("/name", headers=JSON).json() == {"name": "Ada"}
    assert ada.http.get("/name", headers=JSON).json() == {"name": None}
    assert post(server, "/name/in", name="Ada", password=OLD).status_code == 403
    assert post(server, "/name/in", name="Ada", password=NEW).status_code == 200
    used = "This link was used, or is older than an hour; please ask for another one."
    assert sentence(post(server, path, password=OLD), 410) == used
    assert sentence(httpx.get(f"{server}{path}", headers=JSON), 410) == used
    token = path.rpartition("/")[2]
    assert token not in capfd.readouterr().err
    assert all(token.encode() not in file.read_bytes() for file in database.parent.glob("tables.db*"))


def test_a_link_is_good_for_an_hour_and_only_the_newest_is(server: str, database: Path, box: tuple[Box, str]):
    keep(server, database, "Bert", "bert@example.org", "de")
    post(server, "/name/forgotten", name="Bert")
    first = LINK.search(box[0].text(0))
    post(server, "/name/forgotten", name="Bert")
    second = LINK.search(box[0].text(1))
    assert first
    assert second
    assert box[0].mail(1)["Subject"] == "Ein neues Passwort für deinen Namen"
    assert post(server, first[1], password=NEW).status_code == 410
    with closing(Store(url_of(str(database)))) as store:
        (until_,) = store.values(recoveries.select().with_only_columns(recoveries.c.until))
        assert 3500 < until_ - time.time() < 3601
        store.execute(recoveries.update().values(until=time.time() - 1))
    assert post(server, second[1], password=NEW).status_code == 410
    assert post(server, "/name/in", name="Bert", password=OLD).status_code == 200


def test_the_answer_is_one_for_all_names_and_nothing_is_sent_where_there_is_no_address(
    server: str, database: Path, box: tuple[Box, str]
):
    keep(server, database, "Cleo", None)
    keep(server, database, "Dora", "dora@example.org")
    answers = [httpx.post(f"{server}/name/forgotten", data={"name": name}) for name in ("Cleo", "Dora", "Nobody")]
    pages = [answer.text.replace(name, "…") for answer, name in zip(answers, ("Cleo", "Dora", "Nobody"), strict=True)]
    assert len(set(pages)) == 1
    assert box[0].mail(0)["To"] == "dora@example.org"
    post(server, "/name/forgotten", name="Dora")
    box[0].mail(1)
    assert [mail["To"] for mail in box[0].mails] == ["dora@example.org"] * 2


def test_only_so_many_links_are_sent_for_a_name(server: str, database: Path, box: tuple[Box, str]):
    keep(server, database, "Emil", "emil@example.org")
    answers = [post(server, "/name/forgotten", name="Emil").status_code for _ in range(5)]
    assert answers == [200, 200, 200, 429, 429]
    until(lambda: len(box[0].mails) == 3)


def test_a_server_without_mail_sends_to_whoever_runs_it(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        page = httpx.get(f"{address}/name").text
        assert "/name/forgotten" not in page
        assert "ask the operator of this server for another one" in page
        assert post(address, "/name/forgotten", name="Ada").status_code == 404
