"""The sign of the house as an icon, drawn when it is asked for: a coin overtaken by a rising stroke, as SVG and as PNG; and
the manifest by which a browser installs the pages as an app."""

import struct
import zlib
from functools import lru_cache
from itertools import pairwise
from typing import Any

from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.server.web.below import root

GREEN, PAPER = (35, 80, 63), (255, 253, 246)
THEMES = {"light": "#ece8dc", "dark": "#131512"}  # the grounds of base.css
SIZES = (180, 192, 512)  # px: for a home screen, a launcher, a splash
RING, PEN = 0.30, 0.085  # of the width: the radius of the coin; how thick the line is
ROOF = ((-0.145, 0.065), (0.0, -0.13), (0.145, 0.065))  # from the middle, of the width
ROUND = 0.22  # radius of the corners


@lru_cache
def svg() -> str:
    """The icon as SVG."""
    points = " ".join(f"{50 + 100 * x:g},{50 + 100 * y:g}" for x, y in ROOF)
    ink, paper = (f"#{r:02x}{g:02x}{b:02x}" for r, g, b in (GREEN, PAPER))
    pen = f'fill="none" stroke="{paper}" stroke-width="{100 * PEN:g}" stroke-linecap="round" stroke-linejoin="round"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" rx="{100 * ROUND:g}" '
        f'fill="{ink}"/><g {pen}><circle cx="50" cy="50" r="{100 * RING:g}"/><polyline points="{points}"/></g></svg>'
    )


@lru_cache
def png(size: int, whole: bool = False) -> bytes:
    """The icon as PNG, size by size px; whole: to the edge, for systems that cut their own shape out of it."""
    import numpy as np

    at = (np.arange(size) + 0.5) / size - 0.5
    x, y = np.meshgrid(at, at)
    far = np.abs(np.hypot(x, y) - RING)
    for (ax, ay), (bx, by) in pairwise(ROOF):
        along = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1)
        far = np.minimum(far, np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)))
    line = np.clip((PEN / 2 - far) * size + 0.5, 0, 1)[..., None]
    inner = 0.5 - ROUND
    corner = np.hypot(np.maximum(np.abs(x) - inner, 0), np.maximum(np.abs(y) - inner, 0))
    shape = np.ones_like(x) if whole else np.clip((ROUND - corner) * size + 0.5, 0, 1)
    colours = np.array(GREEN) * (1 - line) + np.array(PAPER) * line
    pixels = np.concatenate([colours, 255 * shape[..., None]], axis=2).round().astype(np.uint8)
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    body = b"".join(struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in parts)
    return b"\x89PNG\r\n\x1a\n" + body


def manifest() -> dict[str, Any]:
    """What a browser needs to install the pages as an app."""
    base = root()
    icons: list[dict[str, str]] = [{"src": f"{base}/icon.svg", "type": "image/svg+xml", "sizes": "any"}]
    for size in SIZES:
        icons.append({"src": f"{base}/icon-{size}.png", "type": "image/png", "sizes": f"{size}x{size}"})
    whole = f"{base}/icon-{SIZES[-1]}.png?whole"
    icons.append({"src": whole, "type": "image/png", "sizes": "512x512", "purpose": "maskable"})
    return {
        "id": f"{base}/",
        "name": _("Outbid: games of money"),
        "short_name": "Outbid",
        "lang": i18n.language(),
        "start_url": f"{base}/",
        "scope": f"{base}/",
        "display": "standalone",
        "background_color": THEMES["light"],
        "theme_color": THEMES["light"],
        "icons": icons,
        "shortcuts": [{"name": _("Deal of the day"), "url": f"{base}/daily"}],
    }
