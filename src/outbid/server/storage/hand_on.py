"""A table that `outbid play` would serve itself goes to the server that has the database already, over HTTP.

The order is sent to the address that stands beside the lock (lock.py), with the key that stands there, too: another server
that answers there refuses it, and the seat is no browser's before its link is opened. What HTTP has no word for (the deal, a
port of one's own) is not handed on.
"""

import http.client
import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.language.phrases import listed
from outbid.server.storage.lock import KEY, ServerAddress

ORDERED = ("game", "players", "name", "bots", "options")
PATIENCE = 20.0  # seconds
BIGGEST = 2**16  # bytes of an answer
FOREIGN = i18n.N_("What answers at {address} is not the server that has this database.")


def hand_on(table: Mapping[str, Any], place: ServerAddress, beside: Sequence[str]) -> str:
    """Make a table, which is given by fields of `Order`, at a server that runs; its seat link. beside: what else was wanted
    of a server of one's own. Raises OutbidError."""
    further = [name for name, value in table.items() if name not in ORDERED and value is not None]
    if beyond := [f"--{name}" for name in (*beside, *further)]:
        sentence = _(
            "A server has this database already, at {address}, and {options} cannot be handed on to it; leave that out, or "
            "name another --database.",
            address=place.address,
            options=listed(beyond),
        )
        raise BadSetup(sentence)
    answer = _post(place, urlencode(_fields(table)))
    link, refusal = answer.get("link"), answer.get("error")
    if isinstance(refusal, str):
        raise OutbidError(_("The server at {address} refuses: {reason}", address=place.address, reason=refusal))
    if not isinstance(link, str) or not link.startswith("/"):
        raise OutbidError(_(FOREIGN, address=place.address))
    outside = urlsplit(place.base)
    return f"{outside.scheme}://{outside.netloc}{link}"


def _post(place: ServerAddress, body: str) -> dict[str, Any]:
    """What the server answers. Raises OutbidError if it is nothing, or no object."""
    where = urlsplit(place.address)
    line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=PATIENCE)
    headers = {"Accept": "application/json", "Accept-Language": i18n.language(), KEY: place.key}
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    try:
        line.request("POST", f"{where.path}/tables", body, headers)
        return dict(json.loads(line.getresponse().read(BIGGEST)))
    except (OSError, http.client.HTTPException) as error:
        refusal = _("The server that has this database does not answer at {address}; please stop it.", address=place.address)
        raise OutbidError(refusal) from error
    except (ValueError, TypeError) as error:
        raise OutbidError(_(FOREIGN, address=place.address)) from error
    finally:
        line.close()


def _fields(table: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a form that orders a table."""
    fields = {name: str(table[name]) for name in ("game", "players", "name")}
    fields |= {f"bot:{seat}": bot for seat, bot in enumerate(table["bots"], 1)}
    return fields | {f"option:{name}": str(value) for name, value in table["options"].items()}
