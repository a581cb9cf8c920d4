"""Who looks and who does not: a page in a hidden tab is open, and its person is told all the same. In Chromium."""

from __future__ import annotations

import json

import pytest

from tests.support.browsing import sit, visitor
from tests.support.noticing import confirmed, move, quiet_time, rivals, to_move, told
from tests.support.serving import hear, line_to, people

pytestmark = pytest.mark.slow

HIDE = """hidden => {
  const states = [["hidden", hidden], ["visibilityState", hidden ? "hidden" : "visible"]];
  for (const [name, state] of states) Object.defineProperty(document, name, { configurable: true, get: () => state });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def sight(line, hidden) -> None:
    """Say whether the page is in sight, and wait until the server has heard it."""
    line.send(json.dumps({"type": "sight", "id": "sight", "hidden": hidden}))
    assert hear(line, "receipt")["id"] == "sight"


def test_a_hidden_page_counts_as_gone_from_the_moment_it_was_hidden(tmp_path, box):
    inbox, smtp = box
    with told(tmp_path / "tables.db", smtp) as address, people(address) as (ada, ben):
        rivals(ada, ben)
        with line_to(ada) as line, line_to(ada) as other:
            confirmed(inbox, ada)
            while to_move(ada, ben)[0] is ben:
                move(ben)
            sight(line, 3_600_000)
            quiet_time(inbox)  # another page of hers is in sight
            sight(other, 0)
            assert f"/t/{ada.table}\n" in inbox.text(1)
            sight(other, None)
            move(ada)
            while to_move(ada, ben)[0] is ben:
                move(ben)
            quiet_time(inbox)  # it is in sight again


def test_a_line_that_is_made_anew_in_a_hidden_tab_is_no_look(tmp_path, box):
    """A tab that is hidden loses its socket again and again, and opens another one."""
    inbox, smtp = box
    with told(tmp_path / "tables.db", smtp, {"notice_after": 1.0}) as address, people(address) as (ada, ben):
        rivals(ada, ben)
        confirmed(inbox, ada)
        while to_move(ada, ben)[0] is ben:
            move(ben)
        while len(inbox.mails) < 2:
            with line_to(ada, query="?hidden=60000") as line:
                hear(line, "regions")
        assert f"/t/{ada.table}\n" in inbox.text(1)


@pytest.mark.parametrize("hidden", [-1, 1.5, True, "0", [], 10**12])
@pytest.mark.slow
def test_only_milliseconds_say_for_how_long(tmp_path, box, hidden):
    with told(tmp_path / "tables.db", box[1]) as address, people(address) as (ada, ben):
        rivals(ada, ben)
        with line_to(ada) as line:
            line.send(json.dumps({"type": "sight", "id": "sight", "hidden": hidden}))
            assert "milliseconds" in hear(line, "ack")["error"]


def test_a_page_says_when_it_is_hidden(tmp_path, box, browser):
    inbox, smtp = box
    with told(tmp_path / "tables.db", smtp) as address, people(address) as (ada, ben), visitor(browser) as page:
        rivals(ada, ben)
        confirmed(inbox, ada)
        sit(page, address + ada.links[ada.table])
        page.locator("[data-connection].on").wait_for()
        while to_move(ada, ben)[0] is ben:
            move(ben)
        quiet_time(inbox)
        page.evaluate(HIDE, True)
        assert f"/t/{ada.table}\n" in inbox.text(1)
        page.evaluate(HIDE, False)
        move(ada)
        while to_move(ada, ben)[0] is ben:
            move(ben)
        quiet_time(inbox)
