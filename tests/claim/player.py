"""Who plays Claim in a browser."""

from __future__ import annotations

from tests.support import browsing


class Player(browsing.Player):
    """Chooses legal buttons of Claim."""

    def some(self, selector: str) -> str:
        """One of the choices whose ids begin so."""
        acts = self.page.locator(f':is(#dock > details, form.single)[id^="{selector}"]')
        found = acts.evaluate_all("all => all.map(act => act.id)")
        return f"#{self.rng.choice(found)}" if found else ""

    def choose(self, act: str) -> None:
        """What asks where a bill goes is opened by the bill in the hand."""
        if self.page.locator(f"{act} > summary").is_visible():
            return super().choose(act)
        self.page.locator(f'#goods a[data-opens="{act[1:]}"]').click()
        return self.fits()

    def take(self, act: str) -> None:
        """Choose, decide what is still open, confirm; or press the one button that it is, twice if that raises a bill."""
        if not self.has(f"{act} > summary"):
            if self.has(f"[data-script] {act} [data-raises]"):
                self.both(act)
            return self.both(act)
        self.choose(act)
        wares = self.page.locator(f"{act} .ware")
        if wares.count():  # many ways: first the stack
            ware = wares.nth(self.rng.randrange(wares.count()))
            ware.locator("summary").click()
            act = f"#{ware.get_attribute('id')}"
        ways = self.page.locator(f"{act} button.pick")
        if ways.count():  # each of them is made by one tap
            return ways.nth(self.rng.randrange(ways.count())).click()
        for name in self.page.locator(f"{act} [type=radio]").evaluate_all("all => [...new Set(all.map(one => one.name))]"):
            boxes = self.page.locator(f'{act} label:has([name="{name}"])')
            boxes.nth(self.rng.randrange(boxes.count())).click()
        self.fits()
        return self.confirm(act)

    def act(self, phase: str) -> None:
        self.lay() if phase == "play" else super().act(phase)

    def lay(self) -> None:
        self.take(self.some("act-play-"))

    def window(self) -> None:
        act = self.some("act-claim-") if self.likely(0.6) else ""
        act = act or self.some("act-push-") or ("#act-end" if self.has("#act-end") else "")
        if act:
            return self.take(act)
        return self.page.locator("#dock [data-pass]").click()

    def icon(self) -> None:
        self.take(self.some("act-icon")) if self.likely(0.7) else self.page.locator("#dock [data-pass]").click()

    def give(self) -> None:
        self.take(self.some("act-give-"))

    give_back = give

    def insured(self) -> None:
        self.take(self.some("act-"))

    def push_again(self) -> None:
        self.take(self.some("act-push-"))

    def answer(self) -> None:
        self.page.locator("#dock [data-pass]").click()

    def forecast(self) -> None:
        self.take(self.some("act-forecast-"))
