"""Who plays Rivals in a browser."""

from __future__ import annotations

from tests.support import browsing
from tests.support.browsing import expect


class Player(browsing.Player):
    """Chooses legal buttons of Rivals; reads the card of a phase when it is new. `taught`: the examples on these cards;
    `keen`: auctions and bids whenever that is possible.
    """

    def __init__(self, page, seed: int = 5, keen: bool = False):
        super().__init__(page, seed)
        self.keen = keen
        self.taught: dict[str, str] = {}

    def learn(self, phase: str) -> None:
        """The first-time card has an example from the position, and goes away."""
        if phase not in self.taught:
            card = self.page.locator(f"#lesson-rivals-{phase}")
            self.taught[phase] = card.locator("p", has_text="For example").inner_text()
            card.get_by_role("button", name="Got it").click()
            expect(card).not_to_be_visible()

    def click(self, name: str) -> None:
        self.page.get_by_role("button", name=name).click()

    def raised(self) -> None:
        """Bid: one of the amounts there, or another one."""
        acts = self.page.locator("#dock > .bid")
        act = "#" + (acts.nth(self.rng.randrange(acts.count())).get_attribute("id") or "")
        if act != "#act-bid-other":
            return self.both(act)
        self.choose(act)
        field = self.page.locator(f"{act} input[type=number]")
        field.fill(field.get_attribute("max" if self.keen else "min") or "")
        return self.confirm(act)

    def turn(self) -> None:
        self.learn("turn")
        if self.page.locator("#dock > .bid").count() and (self.keen or self.likely(0.4)):
            self.raised()
        else:
            self.click("Uncover a card")

    def bid(self) -> None:
        self.learn("bid")
        if self.keen or self.likely(0.3):
            self.raised()
        else:
            self.both("#act-pass")

    def take(self) -> None:
        self.learn("take")
        if not self.has("#dock > .picker"):
            self.click("Go on without a card")
        elif self.likely(0.1):
            self.both("#act-take-nothing")
        else:
            self.picked()
            self.page.locator("#dock .picker button.primary").click()

    def picked(self) -> None:
        """Some of the cards that fit; what follows from the rules is ticked beforehand."""
        boxes = self.page.locator("#stage input[type=checkbox]:enabled")
        wanted = self.rng.sample(range(boxes.count()), self.rng.randint(1, boxes.count()))
        for n in range(boxes.count()):
            if boxes.nth(n).is_checked() != (n in wanted):
                self.tap(boxes.nth(n))
            assert boxes.nth(n).is_checked() == (n in wanted)
        self.fits()

    def tap(self, box) -> None:
        """Choose a card where the next one of its column leaves it free."""
        box.locator("xpath=..").click(position={"x": 12, "y": 12})

    def remove(self) -> None:
        self.learn("remove")
        if self.likely(0.4):
            return self.click("Remove nothing")
        boxes = self.page.locator("#stage input[type=radio]")
        self.tap(boxes.nth(self.rng.randrange(boxes.count())))
        assert self.page.locator(".removing button.primary").inner_text().startswith("Remove the ")
        return self.page.locator(".removing button.primary").click()
