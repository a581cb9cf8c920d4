"""Web Push: a message to a browser by way of the push service of its maker, also while no page of this server is open.

    page (push.js)         →  subscribes there with this server's public key; the address and the browser's keys come here
    Notifier (notifier.py) →  Push.send: encrypted for the browser alone (RFC 8291), signed for the service (RFC 8292)
    worker.js              →  the browser decrypts the message, and shows it

The service knows when which browser gets a message and how long it is, and reads nothing of it. An address is where the
browser says, so it passes the same filter as a web hook, at each message anew (delivery.py). That is why these lines need no
more than `cryptography`: pywebpush sends with requests, which would look the host up once more after it was checked.
"""

import base64
import binascii
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from outbid.core.errors import BadSetup
from outbid.core.language.i18n import _
from outbid.server.domain.notices.delivery import GONE, Hook, Later, Never
from outbid.server.stored import Browser

CURVE = ec.SECP256R1()
RECORD = 4096  # bytes of a whole message: more need no service take
WAITS = 24 * 3600  # seconds for which a service keeps a message for a browser that is off
VALID = 12 * 3600  # seconds for which a signature is: a service refuses more than 24 hours
UNKNOWN = 404  # the service has no such address (any more)


def new_key() -> str:
    """A private key by which push services may know a server."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return encoded(number.to_bytes(32, "big"))


def encoded(data: bytes) -> str:
    """Bytes in base64 as URLs have it."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The bytes of such a text. Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def checked(hook: Hook, browser: Browser) -> Browser:
    """A browser that messages can be sent to. It looks the host of its service up. Raises BadSetup."""
    try:
        whole = len(decoded(browser.secret)) == 16 and bool(_point(browser.key))
    except (ValueError, binascii.Error):
        whole = False
    if not whole:
        raise BadSetup(_("The keys of this browser cannot be read; please switch its messages off and on again."))
    parts = urlsplit(browser.endpoint)
    try:
        hook.resolved(browser.endpoint)
    except BadSetup as error:
        raise BadSetup(_("This server sends nothing to the push service of this browser. {reason}", reason=error)) from error
    if parts.scheme != "https" and not hook.anywhere:
        raise BadSetup(_("The push service of a browser is reached by https."))
    return browser


@dataclass(frozen=True)
class Push:
    """Sends to browsers. key: as `new_key` makes it; contact: the address of who runs the server, for the push service."""

    hook: Hook
    key: str
    contact: str

    @cached_property
    def _private(self) -> ec.EllipticCurvePrivateKey:
        return ec.derive_private_key(int.from_bytes(decoded(self.key), "big"), CURVE)

    @cached_property
    def public(self) -> str:
        """The key that pages subscribe with."""
        return encoded(_bytes(self._private.public_key()))

    def send(self, browser: Browser, message: Mapping[str, Any]) -> None:
        """POST a message. Raises Later; Never, if the browser has gone from there."""
        headers = {
            "Authorization": f"vapid t={self.token(browser.endpoint)}, k={self.public}",
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(WAITS),
            "Urgency": "high",
        }
        body = sealed(json.dumps(message, ensure_ascii=False).encode(), browser)
        status = self.hook.post(browser.endpoint, body, headers)
        if status in (UNKNOWN, GONE):
            raise Never(str(status))
        if not 200 <= status < 300:
            raise Later(str(status))

    def token(self, endpoint: str) -> str:
        """What shows a push service that a message is of this server: a JSON Web Token for the service alone."""
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + VALID, "sub": self.contact}
        text = ".".join(encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
        pair = decode_dss_signature(self._private.sign(text.encode(), ec.ECDSA(SHA256())))
        return f"{text}.{encoded(b''.join(number.to_bytes(32, 'big') for number in pair))}"


def sealed(text: bytes, browser: Browser) -> bytes:
    """A message that only the browser can read, in the encoding aes128gcm (RFC 8188), as one record."""
    theirs, own, salt = _point(browser.key), ec.generate_private_key(CURVE), os.urandom(16)
    sender = _bytes(own.public_key())
    about = b"WebPush: info\0" + _bytes(theirs) + sender
    shared = _derived(own.exchange(ec.ECDH(), theirs), decoded(browser.secret), about, 32)
    key = _derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(shared, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(sender)]) + sender
    return head + AESGCM(key).encrypt(nonce, text + b"\2", None)


def _derived(secret: bytes, salt: bytes, about: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, about).derive(secret)


def _point(key: str) -> ec.EllipticCurvePublicKey:
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(key))


def _bytes(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
