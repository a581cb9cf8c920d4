"""Who plays Kuhhandel in a browser."""

from __future__ import annotations

import re

from tests.support import browsing


class Player(browsing.Player):
    """Chooses legal buttons of Kuhhandel."""

    def turn(self) -> None:
        if self.has("#act-auction") and not (self.has("#act-trade") and self.likely(0.4)):
            return self.both("#act-auction")
        if self.has("#act-trade"):
            self.choose("#act-trade")
        offers = self.page.locator("#dock :is(.offer, .way)")
        return offers.nth(self.rng.randrange(offers.count())).click()

    def bid(self) -> None:
        safe = "#dock > .single.bid"
        if self.has(safe) and self.likely(0.25):
            self.page.locator(safe).first.locator("button").click()
        elif self.has("#act-bid-other") and self.likely(0.1):
            self.choose("#act-bid-other")
            field = self.page.locator("#act-bid-other input[type=number]")
            field.fill(field.get_attribute("min") or "")
            self.confirm("#act-bid-other")
        elif self.has("#act-pass"):
            self.both("#act-pass")
        else:
            self.page.locator("[data-pass]").click()

    def hammer(self) -> None:
        self.both("#act-buy" if self.has("#act-buy") and self.likely(0.4) else "#act-sell")

    def pay(self) -> None:
        if self.likely(0.4):
            return self.both("#act-least")
        picker, hand = self.page.locator("#dock > .picker"), self.page.locator("#goods")
        while picker.locator("button.primary").is_disabled():
            spare = re.search(r"a (\d+) could be left out", picker.locator("output").inner_text())
            if spare:
                hand.locator(f'[data-value="{spare[1]}"] [data-step="-1"]').click()
                continue
            for note in hand.locator(".denomination").all():
                field = note.locator("input")
                if not field.count():
                    continue  # no payment holds it
                if int(field.input_value() or 0) < int(field.get_attribute("max") or 0):
                    note.locator(".face").click()
                    break
        return picker.locator("button.primary").click()

    def offer(self) -> None:
        self.lay("offer")

    def reply(self) -> None:
        if self.likely(0.4):
            self.both("#act-accept")
        else:
            self.lay("counter")

    def lay(self, do: str) -> None:
        """Lay a note or two, or nothing."""
        if not self.has(".picker") or self.likely(0.2):
            return self.both(f"#act-{do}-nothing")
        faces = self.page.locator("#goods [data-value] .face")
        faces.nth(self.rng.randrange(faces.count())).click()
        self.fits()
        return self.page.locator(".picker button.primary").click()
