"""The faces of Claim: its bills, the signs of the icons and the coin (core/hooks/faces.py). Data only.

A plant grows with the numbers: a seed, a drop, two leaves, a trefoil, a clover, a blossom, a crystal, a star; negative bills
let it fall again.
"""

from math import cos, radians, sin

from outbid.core.hooks.faces import Face, Layer
from outbid.core.language.i18n import N_


def around(n: int, points: str, turn: float = 0.0) -> str:
    """Path data of a petal, n times around the middle of the box. points: where it begins, then cubic curves, all measured
    from the middle with the petal pointing up."""
    way = [tuple(map(float, point.split(","))) for point in points.split()]
    made = ""
    for k in range(n):
        angle = radians(turn + 360 * k / n)
        at = [f"{32 + x * cos(angle) - y * sin(angle):.1f} {32 + x * sin(angle) + y * cos(angle):.1f}" for x, y in way]
        curves = "".join(f"C{' '.join(at[i : i + 3])}" for i in range(1, len(at), 3))
        made += f"M{at[0]}{curves}"
    return made


SEED = (
    Layer("fill", "M32 9C44 9 53 19 53 32C53 45 44 55 32 55C20 55 11 45 11 32C11 19 20 9 32 9Z", 5),
    Layer("ink", "M32 24V40", 4),
)
DROP = (
    Layer("fill", "M32 3C44 18 53 28 53 40C53 52 44 61 32 61C20 61 11 52 11 40C11 28 20 18 32 3Z"),
    Layer("paper", "M21 40C21 48 26 52.6 32 53", 3.2),
)
LEAVES = (
    Layer("ink", "M32 61V30", 4),
    Layer("fill", "M31 42C13 44 3 34 3 17C20 15 31 25 31 42Z"),
    Layer("fill", "M33 36C33 18 43 6 61 5C61 24 51 36 33 36Z"),
    Layer("paper", "M12 25C18 29 23 34 26 38M54 13C48 18 42 24 38 30", 2.2),
)
TREFOIL = (
    Layer("ink", "M32 32C33 44 36 54 43 61", 4),
    Layer("fill", around(3, "0,2 -19,-4 -17,-29 0,-29 17,-29 19,-4 0,2")),
    Layer("paper", around(3, "0,-9 0,-13 0,-16 0,-20"), 2.4),
)
CLOVER = (
    Layer("fill", around(4, "0,1 -9,-8 -21,-14 -15,-26 -12,-32 -3,-31 0,-24 3,-31 12,-32 15,-26 21,-14 9,-8 0,1", 45)),
    Layer("paper", around(4, "0,-7 0,-11 0,-14 0,-18", 45), 2.4),
)
BLOSSOM = (
    Layer("fill", around(5, "0,-5 -15,-12 -12,-22 0,-30 12,-22 15,-12 0,-5")),
    Layer("ink", "M32 32h0", 17),
    Layer("paper", "M32 32h0", 7),
)
CRYSTAL = (
    Layer("fill", around(6, "0,-2 0,-10 0,-20 0,-28"), 4.6),
    Layer("fill", around(6, "-7,-25 -4,-22 -2,-20 0,-17 2,-20 4,-22 7,-25"), 3.6),
    Layer("ink", "M32 32h0", 14),
)
STAR = (
    Layer("fill", around(7, "-9,-9 -5,-15 -2,-24 0,-30 2,-24 5,-15 9,-9 4,-6 -4,-6 -9,-9")),
    Layer("fill", "M32 32h0", 24),
    Layer("paper", "M32 22A10 10 0 1 1 31.9 22Z", 2.6),
)
FALLEN = (
    Layer("fill", "M32 61C20 46 11 36 11 24C11 12 20 3 32 3C44 3 53 12 53 24C53 36 44 46 32 61Z"),
    Layer("paper", "M32 9L26 21L37 30L30 46", 3.2),
)
FADED = (
    Layer("ink", "M32 3V34", 4),
    Layer("fill", "M31 20C13 20 3 32 5 54C22 52 31 40 31 20Z"),
    Layer("fill", "M33 26C51 26 61 38 59 60C42 58 33 46 33 26Z"),
    Layer("paper", "M13 44L20 35L22 41L27 29M51 50L44 41L42 47L38 36", 2.4),
)
WHIRL = (
    Layer("fill", around(5, "0,0 -13,-6 -13,-22 2,-30 0,-22 3,-12 0,0")),
    Layer("ink", "M32 32h0", 9),
)
TURNING = (
    Layer("fill", around(2, "0,-2 -12,-2 -20,-12 -10,-27 -6,-15 8,-6 16,-14 16,-8 10,-2 0,-2", 20)),
    Layer("ink", around(2, "-24,-3 -26,-12 -20,-20 -13,-24", 20), 3.4),
)

COIN = (
    Layer("fill", "M32 5A27 27 0 1 1 31.9 5Z"),
    Layer("paper", "M32 12A20 20 0 1 1 31.9 12Z", 2.6),
    Layer("paper", "M32 20V44M24 26L32 19L40 26", 4),
)
VAULT = (
    Layer("ink", "M20 28V20C20 12 25 7 32 7C39 7 44 12 44 20V28", 6),
    Layer("fill", "M12 27H52C54 27 55 28 55 30V55C55 57 54 58 52 58H12C10 58 9 57 9 55V30C9 28 10 27 12 27Z"),
    Layer("paper", "M32 39h0", 8),
    Layer("paper", "M32 40V49", 4),
)
FAST_TRACK = (Layer("fill", "M8 12L28 32L8 52M32 12L52 32L32 52", 9),)
U_TURN = (Layer("fill", "M18 56V28C18 17 25 10 34 10C43 10 50 17 50 28V40", 8), Layer("fill", "M36 37H64L50 57Z"))
DIVIDEND = (
    Layer("fill", "M32 5A27 27 0 1 1 31.9 5Z"),
    Layer("paper", "M32 6V58M9 19L55 45M55 19L9 45", 4),
)
AUDIT = (
    Layer("paper", "M27 8A18 18 0 1 1 26.9 8Z"),
    Layer("fill", "M27 8A18 18 0 1 1 26.9 8ZM41 41L57 57", 7.4),
    Layer("ink", "M18 26C18 21 22 17 27 17", 4),
)
REFUND = (Layer("fill", "M14 22H40C50 22 56 29 56 38C56 47 50 54 40 54H22", 8), Layer("fill", "M20 4V40L2 22Z"))
CALL_IN = (
    Layer("fill", "M32 6C42 6 49 14 49 24V36L57 47H7L15 36V24C15 14 22 6 32 6Z"),
    Layer("ink", "M25 52C26 60 38 60 39 52Z"),
    Layer("paper", "M24 22C24 18 27 15 31 14", 3.4),
)
MERGER = (Layer("fill", "M10 8C10 24 32 24 32 40M54 8C54 24 32 24 32 40V44", 8), Layer("fill", "M17 42H47L32 62Z"))

BILLS = (
    Face("claim-1", "bill", N_("One"), "1", "#009e73", "I", DROP, 8),
    Face("claim-2", "bill", N_("Two"), "2", "#e69f00", "II", LEAVES, 9),
    Face("claim-3", "bill", N_("Three"), "3", "#0072b2", "III", TREFOIL, 11),
    Face("claim-4", "bill", N_("Four"), "4", "#cc79a7", "IV", CLOVER, 12),
    Face("claim-5", "bill", N_("Five"), "5", "#d55e00", "V", BLOSSOM, 13),
    Face("claim-6", "bill", N_("Six"), "6", "#3a9bd9", "VI", CRYSTAL, 14),
    Face("claim-w", "bill", N_("Wild"), "W", "#7b3f98", "∗", WHIRL, 10),
    Face("claim-0", "bill", N_("Zero"), "0", "#767676", "N", SEED, 7, hollow=True),
    Face("claim--1", "bill", N_("Minus one"), "−1", "#8f8f1f", "−I", FALLEN, 7),
    Face("claim--2", "bill", N_("Minus two"), "−2", "#7a4a2b", "−II", FADED, 7),
    Face("claim-7", "bill", N_("Seven"), "7", "#a1487c", "VII", STAR, 15),
    *(
        Face(f"claim-{a}-{b}", "bill", N_("Multinumber"), f"{a}/{b}", "#5b5ea6", f"{a}{b}", TURNING, 9)
        for a, b in ((1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (2, 5), (4, 6))
    ),
)
"""Letters: Roman numerals, N for nulla; those of a multinumber are both its numbers."""

SIGNS = (
    Face("claim-coin", "coin", N_("Coin"), "1", "#b07d00", "C", COIN, 8),
    Face("claim-vault", "coin", N_("Vault"), "", "#4a5560", "VA", VAULT, 8),
    Face("claim-fast_track", "coin", N_("Fast Track"), "", "#4a5560", "FT", FAST_TRACK, 8),
    Face("claim-u_turn", "coin", N_("U-Turn"), "", "#4a5560", "UT", U_TURN, 8),
    Face("claim-dividend", "coin", N_("Dividend"), "", "#4a5560", "DI", DIVIDEND, 8),
    Face("claim-audit", "coin", N_("Audit"), "", "#4a5560", "AU", AUDIT, 8),
    Face("claim-refund", "coin", N_("Refund"), "", "#4a5560", "RE", REFUND, 8),
    Face("claim-call_in", "coin", N_("Call-in"), "", "#4a5560", "CA", CALL_IN, 8),
    Face("claim-merger", "coin", N_("Merger"), "", "#4a5560", "ME", MERGER, 8),
)
"""The signs of the icons are one dark colour: they are printed on bills of every hue."""

FACES = BILLS + SIGNS
