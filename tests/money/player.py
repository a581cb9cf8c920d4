"""Who plays Money! in a browser."""

from __future__ import annotations

from tests.support import browsing


class Player(browsing.Player):
    """Chooses legal buttons of Money!."""

    def bid(self) -> None:
        if self.likely(0.1):
            return self.both("#act-pass")
        picks = self.page.locator("#goods .pick")
        for n in self.rng.sample(range(picks.count()), min(picks.count(), self.rng.choice((1, 1, 2, 3)))):
            picks.nth(n).click()
        self.fits()
        name = "With bluff card" if self.has("#dock .bluffing") and self.likely(0.1) else "Seal the bid"
        return self.page.get_by_role("button", name=name).click()

    def exchange(self) -> None:
        acts = self.page.locator("#dock > .lotact")
        self.both("#" + (acts.nth(self.rng.randrange(acts.count())).get_attribute("id") or ""))

    def seal(self) -> None:
        """Seal what is chosen, and wait until that is known."""
        decision = self.page.locator("#dock input[name=decision]").first.get_attribute("value")
        self.page.get_by_role("button", name="Seal the bid").click()
        self.sent(decision)
