"""The faces of Claim: its bills, the signs of the icons and the coin (core/hooks/faces.py). Data only.

A plant grows with the numbers: a seed, a drop, two leaves, a trefoil, a clover, a blossom, a crystal, a star; negative bills
let it fall again.
"""

from outbid.core.hooks.faces import Face, symbols
from outbid.core.language.i18n import N_

SYMBOLS = symbols(__file__)

BILLS = (
    Face("claim-1", "bill", N_("One"), "1", "#009e73", "I", SYMBOLS["drop"], 8),
    Face("claim-2", "bill", N_("Two"), "2", "#e69f00", "II", SYMBOLS["leaves"], 9),
    Face("claim-3", "bill", N_("Three"), "3", "#0072b2", "III", SYMBOLS["trefoil"], 11),
    Face("claim-4", "bill", N_("Four"), "4", "#cc79a7", "IV", SYMBOLS["clover"], 12),
    Face("claim-5", "bill", N_("Five"), "5", "#d55e00", "V", SYMBOLS["blossom"], 13),
    Face("claim-6", "bill", N_("Six"), "6", "#3a9bd9", "VI", SYMBOLS["crystal"], 14),
    Face("claim-w", "bill", N_("Wild"), "W", "#7b3f98", "∗", SYMBOLS["whirl"], 10),
    Face("claim-0", "bill", N_("Zero"), "0", "#767676", "N", SYMBOLS["seed"], 7, hollow=True),
    Face("claim--1", "bill", N_("Minus one"), "−1", "#8f8f1f", "−I", SYMBOLS["fallen"], 7),
    Face("claim--2", "bill", N_("Minus two"), "−2", "#7a4a2b", "−II", SYMBOLS["faded"], 7),
    Face("claim-7", "bill", N_("Seven"), "7", "#a1487c", "VII", SYMBOLS["star"], 15),
    *(
        Face(f"claim-{a}-{b}", "bill", N_("Multinumber"), f"{a}/{b}", "#5b5ea6", f"{a}{b}", SYMBOLS["turning"], 9)
        for a, b in ((1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (2, 5), (4, 6))
    ),
)
"""Letters: Roman numerals, N for nulla; those of a multinumber are both its numbers."""

SIGNS = (
    Face("claim-coin", "coin", N_("Coin"), "1", "#b07d00", "C", SYMBOLS["coin"], 8),
    Face("claim-vault", "coin", N_("Vault"), "", "#4a5560", "VA", SYMBOLS["vault"], 8),
    Face("claim-fast_track", "coin", N_("Fast Track"), "", "#4a5560", "FT", SYMBOLS["fast_track"], 8),
    Face("claim-u_turn", "coin", N_("U-Turn"), "", "#4a5560", "UT", SYMBOLS["u_turn"], 8),
    Face("claim-dividend", "coin", N_("Dividend"), "", "#4a5560", "DI", SYMBOLS["dividend"], 8),
    Face("claim-audit", "coin", N_("Audit"), "", "#4a5560", "AU", SYMBOLS["audit"], 8),
    Face("claim-refund", "coin", N_("Refund"), "", "#4a5560", "RE", SYMBOLS["refund"], 8),
    Face("claim-call_in", "coin", N_("Call-in"), "", "#4a5560", "CA", SYMBOLS["call_in"], 8),
    Face("claim-merger", "coin", N_("Merger"), "", "#4a5560", "ME", SYMBOLS["merger"], 8),
)
"""The signs of the icons are one dark colour: they are printed on bills of every hue."""

FACES = BILLS + SIGNS
