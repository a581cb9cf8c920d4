"""Messages to browsers: through a push service of our own, which reads them as the browser does, and in Chromium."""

from __future__ import annotations

import json
import time
from contextlib import closing

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from outbid.core.errors import BadSetup
from outbid.server.domain.notices.delivery import Hook
from outbid.server.domain.notices.push import RECORD, Push, checked, decoded, encoded, new_key, sealed
from outbid.server.settings import Settings
from outbid.server.storage.notices import BROWSERS, PAUSES, Notices, Owner
from outbid.server.storage.schema import letters, notices
from outbid.server.storage.store import Store
from outbid.server.stored import PUSH, Browser, zone
from tests.support.browsing import expect, sit, visitor
from tests.support.noticing import ADA, confirmed, move, opened, rivals, signed, to_move, told
from tests.support.serving import JSON, Person, people, sentence, until

pytestmark = pytest.mark.slow


def subscribed(person: Person, service, **fields: str) -> httpx.Response:
    """The person's browser wants messages."""
    return person.http.post("/notices/push", data=service.subscription | fields, headers=JSON)


def wait_for_turn(ada: Person, ben: Person) -> None:
    """It is Ada's turn, and no request of hers comes after this."""
    while to_move(ada, ben)[0] is ben:
        move(ben)


# --- what leaves the server -------------------------------------------------------------------------------------------


def test_what_reads_messages_here_reads_the_example_of_the_standard():
    """RFC 8291, appendix A: so what `opened` reads, a browser reads."""
    body = decoded(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6"
        "cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    private = ec.derive_private_key(
        int.from_bytes(decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big"), ec.SECP256R1()
    )
    assert opened(body, private, decoded("BTBZMqHH6r4Tts7J_aSIgg")) == b"When I grow up, I want to be a watermelon"


@pytest.mark.parametrize("text", ["", "x", "Du bist dran · Kuhhandel mit Ümit", "x" * 3900])
def test_a_message_is_read_by_its_browser_alone_and_fits_into_one_record(service, text):
    body = sealed(text.encode(), Browser(**service.subscription))
    assert opened(body, service.private, service.secret) == text.encode()
    assert text.encode() not in body or len(text) < 2
    assert len(body) <= RECORD
    assert sealed(b"x", Browser(**service.subscription))[:16] != sealed(b"x", Browser(**service.subscription))[:16]


def test_a_turn_is_told_to_the_browser(tmp_path, service):
    with told(tmp_path / "tables.db", None, hooks="any") as address, people(address) as (ada, ben):
        rivals(ada, ben)
        key = ada.http.get("/notices/push").json()["key"]
        assert subscribed(ada, service).json() == {"ok": True, "trouble": None}
        wait_for_turn(ada, ben)
        message = service.message(0)
        link = f"{address}/t/{ada.table}"
        assert message == {"title": "Your turn · Rivals with Ben", "text": "", "tag": f"/t/{ada.table}", "link": link}
        headers = service.got[0][0]
        claims, known = signed(headers["authorization"])
        assert known == key
        assert claims["aud"] == service.origin
        assert claims["sub"] == address.replace("http:", "https:")
        assert 0 < claims["exp"] - time.time() <= 24 * 3600
        assert (headers["content-encoding"], headers["urgency"]) == ("aes128gcm", "high")
        assert int(headers["ttl"]) > 3600
        service.status = 404
        move(ada)
        wait_for_turn(ada, ben)
        service.message(1)
        until(lambda: "browser of yours" not in ada.http.get("/notices").text)  # it has gone from there


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_has_gone_is_forgotten(tmp_path, service, status):
    database = tmp_path / "tables.db"
    with told(database, None, hooks="any") as address, people(address) as (ada, ben):
        rivals(ada, ben)
        service.status = status
        assert subscribed(ada, service).status_code == 200
        assert ada.http.post("/notices/try", headers=JSON).status_code == 200
        service.message(0)
        with closing(Store(f"sqlite:///{database}")) as store:
            until(lambda: not store.rows(notices.select()) and not store.rows(letters.select()))


def test_what_cannot_be_sent_is_tried_again_and_then_said(tmp_path, service):
    database = tmp_path / "tables.db"
    with told(database, None, hooks="any") as address, people(address) as (ada, ben):
        rivals(ada, ben)
        while to_move(ada, ben)[0] is ada:
            move(ada)  # no turn of hers is told beside
        service.status = 503
        assert subscribed(ada, service).status_code == 200
        assert ada.http.post("/notices/try", headers=JSON).status_code == 200
        with closing(Store(f"sqlite:///{database}")) as store:
            for tries in range(1, len(PAUSES) + 1):
                until(lambda tries=tries: [row.tries for row in store.rows(letters.select())] == [tries])
                if tries == 1:
                    numbers = httpx.get(f"{address}/metrics").text
                    assert 'outbid_notices_not_sent{kind="push"} 1.0' in numbers
                    assert 'outbid_notices_due{kind="push"} 0.0' in numbers
                store.execute(letters.update().values(due=0.0))
            until(lambda: not store.rows(letters.select()))
        assert len(service.got) == len(PAUSES) + 1
        assert "could not be delivered" in ada.http.get("/notices").text
        assert subscribed(ada, service).json()["trouble"] == "unreached"  # its page says so when it opens a table
        service.status = 201
        assert ada.http.post("/notices/try", headers=JSON).status_code == 200
        until(lambda: subscribed(ada, service).json()["trouble"] is None)
        assert 'outbid_notices_total{end="given up"} 1.0' in httpx.get(f"{address}/metrics").text


def test_one_to_try_goes_everywhere_also_in_quiet_hours_and_not_often(tmp_path, box, service):
    inbox, smtp = box
    hour = time.gmtime().tm_hour
    with told(tmp_path / "tables.db", smtp, hooks="any") as address, people(address) as (ada, ben):
        rivals(ada, ben)
        assert "No messages come to you yet" in sentence(ada.http.post("/notices/try", headers=JSON), 409)
        ada.http.cookies.set("language", "de")
        confirmed(inbox, ada, **{"from": str(hour), "until": str((hour + 2) % 24), "zone": "UTC"})
        assert subscribed(ada, service, zone="Europe/Berlin").status_code == 200
        page = ada.http.post("/notices/try")
        assert (page.status_code, "Eine Nachricht ist unterwegs" in page.text) == (200, True)
        said = "Eine Probenachricht: So erfährst du, dass du dran bist"
        assert service.message(0)["title"] == inbox.mail(1)["Subject"] == said
        assert service.message(0)["link"] == f"{address}/notices"
        for _ in range(3):
            assert ada.http.post("/notices/try", headers=JSON).status_code == 200
        assert ada.http.post("/notices/try", headers=JSON).status_code == 429


# --- whose browser it is ----------------------------------------------------------------------------------------------


def test_a_browser_has_the_quiet_hours_of_its_person(tmp_path, service):
    with closing(Store(f"sqlite:///{tmp_path / 'tables.db'}")) as store:
        known, owner, browser = Notices(store), Owner(name="ada"), Browser(**service.subscription)
        known.ask(owner, "mail", ADA, (22, 8), "Europe/Berlin", "en", 1e9)
        assert known.subscribe(owner, browser, "UTC", "en", 1e9) is None
        (push,) = [notice for notice in known.of(owner) if notice.kind == PUSH]
        assert (push.zone, push.quiet, push.confirmed) == ("Europe/Berlin", (22, 8), True)
        known.quieten(owner, None, "Asia/Kolkata")
        assert {(notice.zone, notice.quiet) for notice in known.of(owner)} == {("Asia/Kolkata", None)}


def test_a_browser_is_told_what_concerns_who_uses_it_now(tmp_path, service):
    """Somebody has signed out and another one in: no message of the first comes to it."""
    with closing(Store(f"sqlite:///{tmp_path / 'tables.db'}")) as store:
        known, ada, ben = Notices(store), Owner(name="ada"), Owner(name="ben")
        browser = Browser(**service.subscription)
        for owner in (ada, ada, ben):
            known.subscribe(owner, browser, "UTC", "en", 1e9)
        assert (len(known.of(ada)), len(known.of(ben))) == (0, 1)
        for number in range(BROWSERS + 5):
            known.subscribe(ada, browser._replace(endpoint=f"{browser.endpoint}/{number}"), "UTC", "en", 1e9 + number)
        addresses = [notice.address for notice in known.of(ada)]
        assert len(addresses) == BROWSERS
        assert f"{browser.endpoint}/4" not in addresses
        known.give_up(ada, PUSH, f"{browser.endpoint}/9")
        assert len(known.of(ada)) == BROWSERS - 1
        known.give_up(ada, PUSH)
        assert (len(known.of(ada)), len(known.of(ben))) == (0, 1)


def test_nobody_without_a_seat_and_nothing_that_is_no_browser(tmp_path, service):
    with told(tmp_path / "tables.db", None, hooks="any") as address, people(address, 3) as (ada, ben, eve):
        rivals(ada, ben)
        assert "Take a seat at a table first" in sentence(subscribed(eve, service), 403)
        assert "Take a seat at a table first" in sentence(eve.http.post("/notices/try", headers=JSON), 403)
        keys = ("", service.key[:-4], encoded(b"\4" + bytes(64)), "ß")
        for wrong in ({"secret": "abc"}, *({"key": key} for key in keys)):
            assert "keys of this browser" in sentence(subscribed(ada, service, **wrong), 400)
        for endpoint in ("", "ftp://127.0.0.1/", "http://me:you@127.0.0.1/", "http://127.0.0.1/" + "x" * 500):
            assert "push service of this browser" in sentence(subscribed(ada, service, endpoint=endpoint), 400)
        assert "unknown" in sentence(subscribed(ada, service, p256dh="x"), 400)
        assert "browser of yours" not in ada.http.get("/notices").text
        assert subscribed(ada, service).status_code == 200
        assert ada.http.post("/notices/push/stop", data={"endpoint": service.endpoint}, headers=JSON).json() == {"ok": True}
        assert "browser of yours" not in ada.http.get("/notices").text


def test_no_push_service_leads_inside(tmp_path, service):
    with told(tmp_path / "tables.db", None) as address, people(address) as (ada, ben):
        rivals(ada, ben)
        for inside in (service.endpoint, "https://169.254.169.254/", "https://[::1]/", "https://localhost/"):
            assert "private network" in sentence(subscribed(ada, service, endpoint=inside), 400)
    with pytest.raises(BadSetup, match="by https"):
        checked(Hook(), Browser("http://1.1.1.1/", *list(service.subscription.values())[1:]))
    with pytest.raises(BadSetup, match="at port 8080"):
        checked(Hook(), Browser("https://1.1.1.1:8080/", *list(service.subscription.values())[1:]))


@pytest.mark.parametrize(
    ("facts", "pushes"),
    [
        ({"base_url": "https://table.example"}, True),
        ({"base_url": "http://localhost:8710/games"}, True),
        ({"base_url": "http://table.example"}, False),  # no browser lets its pages have a worker
        ({"base_url": "https://table.example", "push": False}, False),
        ({}, False),
    ],
)
def test_where_browsers_can_be_told(facts, pushes):
    settings = Settings("sqlite://", **facts)
    assert (settings.pushes, settings.notices) == (pushes, pushes)


def test_without_push_the_server_offers_none(tmp_path, box, service):
    with told(tmp_path / "tables.db", box[1], push=False) as address, people(address) as (ada, ben):
        rivals(ada, ben)
        assert ada.http.get("/notices/push").status_code == 404
        assert subscribed(ada, service).status_code == 404
        assert "data-notify" not in ada.http.get("/notices").text
        assert " data-push" not in ada.http.get(f"/t/{ada.table}").text


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_all_processes_of_a_database_and_later_ones_have_one_key(request, tmp_path, kind):
    postgres = kind == "postgres"
    url = request.getfixturevalue("cluster").database() if postgres else f"sqlite:///{tmp_path / 'tables.db'}"
    keys = [new_key() for _ in range(3)]
    with closing(Store(url)) as one, closing(Store(url)) as other:
        known = Notices(one).push_key(keys[0])
        assert Notices(other).push_key(keys[1]) == known == keys[0]
        owner, now = Owner(name="ada"), 1e9
        browser = Browser("https://push.example/1", "key", "secret")
        Notices(one).subscribe(owner, browser, "UTC", "en", now)
        assert Notices(other).subscribe(owner, browser, "UTC", "de", now) is None
        assert Notices(one).try_out(owner, now) == 1
        assert Notices(other).waiting(now) == [("mail", 0, 0), ("hook", 0, 0), ("push", 1, 0)]
    with closing(Store(url)) as later:
        assert Notices(later).push_key(keys[2]) == known
        (parcel,) = Notices(later).take(now, PUSH)
        assert (parcel.special, parcel.turns, parcel.notice.keys) == (True, (), "key secret")


# --- in the browser ---------------------------------------------------------------------------------------------------

# A browser whose push service is that of the test: its page subscribes there, its worker is handed what comes there. The
# shell of Chromium shows no messages and lets no page show any, so what would be shown is noted.
SERVICE = """service => {
  const letters = text => atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = text => Uint8Array.from(letters(text), letter => letter.charCodeAt(0)).buffer;
  const made = options => ({
    endpoint: service.endpoint,
    options: { applicationServerKey: bytes(options.applicationServerKey) },
    getKey: name => bytes(name === "auth" ? service.secret : service.key),
    unsubscribe: async () => (localStorage.removeItem("subscribed"), true),
  });
  PushManager.prototype.subscribe = async options => {
    localStorage.setItem("subscribed", options.applicationServerKey);
    return made(options);
  };
  PushManager.prototype.getSubscription = async () => {
    const applicationServerKey = localStorage.getItem("subscribed");
    return applicationServerKey && made({ applicationServerKey });
  };
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
}"""
NOTE = """() => {
  self.shown = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => { shown.push({ title, ...options }); };
  Clients.prototype.openWindow = async link => { self.opened = link; };
}"""
CHOOSE = """link => {
  const notification = { data: link, close() {} };
  const event = Object.assign(new Event("notificationclick"), { notification, waitUntil: work => { self.work = work; } });
  self.dispatchEvent(event);
  return self.work.then(() => self.opened);
}"""
MOVE = """subscription => {
  const event = Object.assign(new Event("pushsubscriptionchange"), {
    newSubscription: { toJSON: () => subscription },
    waitUntil: work => { self.work = work; },
  });
  self.dispatchEvent(event);
  return self.work;
}"""
SWITCH = "[data-switch=notify]"


@pytest.fixture
def listener(browser, service):
    """A page of a browser that is allowed to show messages."""
    with visitor(browser, locale="en-GB") as page:
        page.context.grant_permissions(["notifications"])
        page.add_init_script(f"({SERVICE})({json.dumps(service.subscription)})")
        yield page


def switch_on(page) -> None:
    """Messages are switched on at a table."""
    page.locator("[data-connection].on").wait_for()
    page.evaluate(f"document.querySelector('{SWITCH}').click()")


def deliver(page, address: str, message) -> None:
    """The browser gets a message from its push service."""
    devtools = page.context.new_cdp_session(page)
    registrations: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(each["registrationId"] for each in event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    while not registrations:
        page.wait_for_timeout(20)
    facts = {"origin": address, "registrationId": registrations[-1], "data": json.dumps(message)}
    devtools.send("ServiceWorker.deliverPushMessage", facts)


def test_a_browser_is_told_when_its_table_is_closed(tmp_path, service, listener):
    page = listener
    with told(tmp_path / "tables.db", None, hooks="any") as address, people(address) as (ada, ben):
        rivals(ada, ben)
        sit(page, address + ada.links[ada.table])
        switch_on(page)
        until(lambda: "1 browser of yours" in page.request.get(f"{address}/notices").text())
        assert page.evaluate(f"document.querySelector('{SWITCH}').checked")
        expect(page.locator("#toast")).not_to_be_visible()
        wait_for_turn(ada, ben)
        page.goto(f"{address}/rules/rivals")
        message = service.message(0)
        assert message["link"] == f"{address}/t/{ada.table}"
        (worker,) = page.context.service_workers
        worker.evaluate(NOTE)
        deliver(page, address, message)
        until(lambda: worker.evaluate("() => shown.length"))
        icon = f"{address}/icon-192.png"
        shown = {"title": message["title"], "body": "", "tag": message["tag"], "data": message["link"], "icon": icon}
        assert worker.evaluate("() => shown") == [shown]
        assert page.request.get(icon).ok
        assert worker.evaluate(CHOOSE, message["link"]) == message["link"]
        page.goto(f"{address}/notices")
        page.wait_for_function("() => document.querySelector('[data-notify]').checked")
        with page.expect_navigation():
            page.locator("[data-notify]").uncheck()
        until(lambda: "browser of yours" not in page.request.get(f"{address}/notices").text())
        assert not page.locator("[data-notify]").is_checked()


def test_a_browser_that_another_server_had_told_subscribes_anew(tmp_path, service, listener):
    page = listener
    with told(tmp_path / "tables.db", None, hooks="any") as address, people(address) as (ada, ben):
        rivals(ada, ben)
        sit(page, address + ada.links[ada.table])
        page.evaluate("key => localStorage.setItem('subscribed', key)", Push(Hook(), new_key(), "").public)
        switch_on(page)
        until(lambda: "1 browser of yours" in page.request.get(f"{address}/notices").text())
        key = ada.http.get("/notices/push").json()["key"]
        assert page.evaluate("() => localStorage.getItem('subscribed')") == key


def test_the_worker_says_where_messages_go_when_the_push_service_moves_them(tmp_path, service, listener):
    page = listener
    with told(tmp_path / "tables.db", None, hooks="any") as address, people(address) as (ada, ben):
        rivals(ada, ben)
        sit(page, address + ada.links[ada.table])
        switch_on(page)
        until(lambda: "1 browser of yours" in page.request.get(f"{address}/notices").text())
        (worker,) = (worker for worker in page.context.service_workers if worker.url.startswith(address))
        keys = {"p256dh": service.subscription["key"], "auth": service.subscription["secret"]}
        worker.evaluate(MOVE, {"endpoint": f"{service.endpoint}/moved", "keys": keys})
        assert "2 browsers of yours" in page.request.get(f"{address}/notices").text()


ANDROID = """window.Notification = class {
  constructor() { throw new TypeError("Illegal constructor"); }
  static permission = "granted";
  static async requestPermission() { return "granted"; }
};"""


NOTED = "ServiceWorkerRegistration.prototype.showNotification = async (...shown) => { window.shown = shown; };"


@pytest.mark.parametrize(
    ("before", "on", "said"),
    [
        (ANDROID, True, "as long as this page is open"),  # a browser that has no push service
        ("delete window.Notification;", False, "shows no messages"),
        (
            "delete window.Notification; Object.defineProperty(navigator, 'userAgent', { get: () => 'iPhone' });",
            False,
            "on the home screen",
        ),
        ("Object.defineProperty(window, 'isSecureContext', { get: () => false });", False, "need https"),
        ("Object.defineProperty(Notification, 'permission', { get: () => 'denied' });", False, "settings for this page"),
    ],
)
@pytest.mark.slow
def test_the_switch_says_what_is_missing(house, browser, before, on, said):
    with visitor(browser, locale="en-GB") as page, people(house.address) as (ada, ben):
        page.add_init_script(before)
        rivals(ada, ben)
        sit(page, house.address + ada.links[ada.table])
        switch_on(page)
        page.locator("#toast").wait_for()
        expect(page.locator("#toast")).to_contain_text(said, use_inner_text=True)
        assert page.evaluate(f"document.querySelector('{SWITCH}').checked") == on


def test_where_only_the_worker_may_show_messages_it_does(house, browser):
    """Chrome for Android: a page may not make any."""
    with visitor(browser, locale="en-GB") as page, people(house.address) as (ada, ben):
        page.add_init_script(ANDROID)
        page.add_init_script(NOTED)
        rivals(ada, ben)
        if to_move(ada, ben)[0] is ada:
            move(ada)
        sit(page, house.address + ada.links[ada.table])
        switch_on(page)
        page.locator("#toast").wait_for()
        page.evaluate("() => Object.defineProperty(document, 'hidden', { get: () => true })")
        move(ben)
        page.wait_for_function("() => window.shown")
        title, options = page.evaluate("() => window.shown")
        assert title.startswith("Your turn")
        assert options["tag"] == f"/t/{ada.table}"
        assert options["data"] == f"{house.address}/t/{ada.table}"


def test_the_zones_that_browsers_name_are_known(browser):
    with visitor(browser) as page:
        names = page.evaluate("() => Intl.supportedValuesOf('timeZone')")
    assert len(names) > 400
    assert [name for name in names if zone(name) is None] == []
