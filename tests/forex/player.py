"""Who plays For-Ex in a browser."""

from __future__ import annotations

from tests.support import browsing
from tests.support.browsing import expect


class Player(browsing.Player):
    """Chooses legal buttons of For-Ex; reads the card of a phase when it is new. `taught`: the phases of these cards."""

    def __init__(self, page, seed: int = 5):
        super().__init__(page, seed)
        self.taught: dict[str, str] = {}

    def learn(self, phase: str) -> None:
        """The first-time card has an example from the position, and goes away."""
        if phase not in self.taught:
            card = self.page.locator(f"#lesson-forex-{phase}")
            self.taught[phase] = card.locator("p", has_text="For example").inner_text()
            card.get_by_role("button", name="Got it").click()
            expect(card).not_to_be_visible()

    def pick(self, form: str, field: str) -> None:
        """Choose one of the possible values of a field."""
        boxes = self.page.locator(f'{form} label.pick:has([name="{field}"]:enabled)')
        boxes.nth(self.rng.randrange(boxes.count())).click()

    def turn(self) -> None:
        self.learn("turn")
        acts = [act for act in ("spot", "invest", "invest", "divest", "contract", "resolve") if self.has(f"#act-{act}")]
        act = self.rng.choice(acts) if "strengthen" in self.seen else "resolve"
        self.choose(f"#act-{act}")
        fields = {"spot": ["int:with", "str:give", "str:get"], "contract": ["str:pay", "str:receive", "int:times"],
                  "invest": ["str:first", "str:second"], "divest": ["move"], "resolve": []}[act]  # fmt: skip
        while fields:
            for field in fields:
                self.pick(f"#act-{act}", field)
            self.fits()
            if self.page.locator(f"#act-{act} button.primary").is_enabled():
                break
        self.confirm(f"#act-{act}")

    def reply(self) -> None:
        self.learn("reply")
        if self.likely(0.5):
            self.both("#act-agree")
        else:
            self.page.locator('#dock button[name=move][value*="refuse"]').click()

    def divest(self) -> None:
        self.learn("divest")
        if self.likely(0.5):
            self.both("#act-sell-1")
        else:
            self.page.get_by_role("button", name="Keep").click()

    def strengthen(self) -> None:
        self.learn("strengthen")
        self.any()

    def strongest(self) -> None:
        self.learn("strongest")
        self.any()

    def any(self) -> None:
        """One of the acts of the dock."""
        acts = self.page.locator("#dock .act")
        self.both("#" + (acts.nth(self.rng.randrange(acts.count())).get_attribute("id") or ""))
