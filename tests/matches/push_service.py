"""A push service of the tests' own, and a browser's side of it: what RFC 8291 and RFC 8292 ask of each."""

import base64
import json
import os
import struct
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def read(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """Keys of its own, which never leave it, and what it reads with them."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._key, self._auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)

    @property
    def subscription(self) -> dict[str, Any]:
        """Return the subscription that a browser gives a page."""
        return {"endpoint": self.endpoint, "keys": {"p256dh": written(self._point), "auth": written(self._auth)}}

    def read(self, body: bytes) -> dict[str, str]:
        """The message in a push, by RFC 8291."""
        salt, (size, length) = body[:16], struct.unpack("!IB", body[16:21])
        sender, record = body[21 : 21 + length], body[21 + length :]
        assert length == 65 and len(record) <= size == 4096
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        secret = self._derive(32, self._auth, b"WebPush: info\x00" + self._point + sender, shared)
        content_key = self._derive(16, salt, b"Content-Encoding: aes128gcm\x00", secret)
        nonce = self._derive(12, salt, b"Content-Encoding: nonce\x00", secret)
        text, end, _ = AESGCM(content_key).decrypt(nonce, record, None).rpartition(b"\x02")
        assert end
        return json.loads(text)

    @property
    def _point(self) -> bytes:
        return self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @staticmethod
    def _derive(length: int, salt: bytes, info: bytes, secret: bytes) -> bytes:
        return HKDF(SHA256(), length, salt, info).derive(secret)


def claims(authorization: str, key: str) -> dict[str, Any]:
    """Return the sender's claims according to RFC 8292; raises InvalidSignature without a valid signature."""
    scheme, _, parameters = authorization.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in parameters.split(","))
    assert scheme == "vapid" and parts["k"] == key
    head, body, signature = parts["t"].split(".")
    half = read(signature)
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), read(key)).verify(
        encode_dss_signature(int.from_bytes(half[:32]), int.from_bytes(half[32:])),
        f"{head}.{body}".encode(),
        ec.ECDSA(SHA256()),
    )
    assert json.loads(read(head))["alg"] == "ES256"
    return json.loads(read(body))
