"""The address of this machine in the house, and links as QR codes, for the terminal and for pages."""

import contextlib
import io
import ipaddress
import socket
from functools import lru_cache

from markupsafe import Markup

ELSEWHERE = ("192.0.2.1", 9)  # for examples only; asking for the way there sends nothing
WHITE_ON_BLACK, PLAIN = "\033[97;40m", "\033[0m"  # whatever the colours of the terminal


def address() -> str | None:
    """The IPv4 address under which others in the local network reach this machine; none: there is no network."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(ELSEWHERE)
        host = str(asking.getsockname()[0])
        return None if loopback(host) else host
    return None


def loopback(name: str) -> bool:
    """The name of a host is this machine's own, for itself."""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def for_terminal(link: str) -> str:
    """A QR code in letters, two rows of dots a line."""
    import segno

    out = io.StringIO()
    segno.make(link, micro=False).terminal(out=out, border=2, compact=True)
    return "\n".join(f"{WHITE_ON_BLACK}{line}{PLAIN}" for line in out.getvalue().splitlines())


@lru_cache(maxsize=200)
def for_page(link: str) -> Markup:
    """A QR code as SVG, black on white in light and dark."""
    import segno

    code = segno.make(link, micro=False)
    return Markup(code.svg_inline(border=2, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True))
