"""The notebook of a seat: what it notes for itself. It stands in no record, and nobody else is shown it."""

from outbid.core.language.i18n import _
from outbid.server.domain.table import Table
from outbid.server.settings import Refused

LONGEST = 5000  # characters


def cleaned(table: Table, text: str) -> str:
    """A notebook as it is kept. Raises Refused if it is too long, or while seats are open."""
    text = text.replace("\r\n", "\n").replace("\0", "").rstrip()
    if table.status == "open":  # somebody else may take the seat yet
        raise Refused(409, _("The match has not begun: seats are still open."))
    if len(text) > LONGEST:
        raise Refused(400, _("A notebook has up to {n} characters.", n=LONGEST))
    return text
