"""A record that a visitor uploads to look at it: a file, pasted text, or the JSON itself."""

from typing import Any
from urllib.parse import parse_qsl

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from outbid.core.errors import OutbidError, Unreadable
from outbid.core.language.i18n import _
from outbid.core.language.phrases import capitalized, listed
from outbid.core.record import decoded, parsed
from outbid.server.domain import records
from outbid.server.domain.background import Background
from outbid.server.settings import Refused, Settings
from outbid.server.stored import Stored
from outbid.server.web.requests import Request

FIELDS = ("file", "text")
FORM = ""  # the name of a whole form that is still to be read
Sent = bytes | list[tuple[str, bytes]]
LONGEST = 400  # characters of a refusal, which may list all that was legal


async def table_of(request: Request, sent: Sent, background: Background) -> Stored:
    """The table of the record that was sent. Raises OutbidError; for a bad record with the number of the move."""
    try:
        return await background.run(request.address, lambda: records.table_of(_single(_chosen(sent))))
    except OutbidError as error:
        raise Unreadable(_short(capitalized(str(error)))) from error


def _single(sent: bytes) -> Any:
    """The one record that was sent. Raises Unreadable."""
    records = list(parsed(decoded(sent)))
    if len(records) > 1:
        raise Unreadable(_("This file holds {n} records, one a line; please send a single one.", n=len(records)))
    return records[0]


def pasted(sent: Sent) -> str:
    """The text of the field beside the file."""
    return "" if isinstance(sent, bytes) else dict(sent).get("text", b"").decode("utf-8", "replace")


async def sent(request: Request, settings: Settings) -> Sent:
    """The JSON itself, a form as it is, or the fields of one with a file. Raises Refused, Unreadable."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        return await request.body()
    if kind == "application/x-www-form-urlencoded":
        return [(FORM, await request.body())]
    if kind == "multipart/form-data":
        return await _parts(request, settings)
    raise Refused(415, _("A record is sent as a file or text of a form, or as application/json."))


def _chosen(sent: Sent) -> bytes:
    """The file or text. Raises Unreadable."""
    if isinstance(sent, bytes):
        return sent
    if sent and sent[0][0] == FORM:
        body = decoded(sent[0][1])
        try:
            given = parse_qsl(body, keep_blank_values=True, errors="strict", max_num_fields=len(FIELDS))
        except ValueError as error:
            raise Unreadable(_("The form cannot be read.")) from error
        sent = [(name, value.encode("utf-8", "replace")) for name, value in given]
    for name, _value in sent:
        if name not in FIELDS:
            fields = listed(FIELDS)
            raise Unreadable(_("The field {name} is unknown; the fields are {fields}.", name=repr(name[:40]), fields=fields))
    whole = [value for _name, value in sent if value.strip()]
    if len(whole) != 1:
        raise Unreadable(_("Please choose one file or paste one record."))
    return whole[0]


async def _parts(request: Request, settings: Settings) -> list[tuple[str, bytes]]:
    """The fields of a form with a file."""
    most = len(FIELDS)
    try:
        async with request.form(max_files=most, max_fields=most, max_part_size=settings.upload) as form:
            return [
                (name, await value.read() if isinstance(value, UploadFile) else value.encode("utf-8", "replace"))
                for name, value in form.multi_items()
            ]
    except HTTPException as error:
        raise Unreadable(_("The form cannot be read.")) from error


def _short(sentence: str) -> str:
    return sentence if len(sentence) <= LONGEST else sentence[: LONGEST - 1] + "…"
