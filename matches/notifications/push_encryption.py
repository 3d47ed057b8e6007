"""Encryption of messages from the push service that carries them: RFC 8291, one record of RFC 8188's aes128gcm."""

import secrets
import struct

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

AUTH_BYTES = 16
_RECORD_BYTES = 4096
_LAST_RECORD = b"\x02"


def public_bytes(key: EllipticCurvePublicKey) -> bytes:
    """Return a point of P-256 as browsers write it: 65 bytes, uncompressed."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypted(
    text: bytes,
    p256dh: bytes,
    auth: bytes,
    *,
    padded_to: int = 0,
    key: EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Encrypt a text for the browser with these keys, padded to `padded_to` bytes. Only tests pass `key` and `salt`."""
    reader = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), p256dh)
    sender, salt = key or generate_private_key(SECP256R1()), salt or secrets.token_bytes(16)
    sent_by = public_bytes(sender.public_key())
    secret = _derived(32, auth, b"WebPush: info\0" + p256dh + sent_by, sender.exchange(ECDH(), reader))
    content_key = _derived(16, salt, b"Content-Encoding: aes128gcm\0", secret)
    nonce = _derived(12, salt, b"Content-Encoding: nonce\0", secret)
    padded = text + _LAST_RECORD + bytes(max(0, padded_to - len(text)))
    header = salt + struct.pack("!IB", _RECORD_BYTES, len(sent_by)) + sent_by
    return header + AESGCM(content_key).encrypt(nonce, padded, None)


def _derived(length: int, salt: bytes, info: bytes, secret: bytes) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
