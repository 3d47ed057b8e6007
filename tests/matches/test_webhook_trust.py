"""Over TLS nobody is told but who the webhook's address names."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.test import override_settings

from matches.notifications import webhooks
from tests.matches.test_notices import receiving


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and the certificate that its owner gave itself, for localhost."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, SHA256())
    )
    path = tmp_path_factory.mktemp("trust") / "localhost.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(private + signed.public_bytes(Encoding.PEM))
    return path


@pytest.mark.parametrize(
    ("host", "is_trusted", "failure"),
    [
        ("localhost", True, ""),
        ("localhost", False, "The receiver refuses connections, or its certificate isn't valid."),
        ("127.0.0.1", True, "The receiver refuses connections, or its certificate isn't valid."),
    ],
)
def test_webhook_is_sent_only_over_tls_with_a_certificate_for_its_host(
    monkeypatch: pytest.MonkeyPatch, certificate: Path, host: str, is_trusted: bool, failure: str
) -> None:
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate)
    if is_trusted:
        monkeypatch.setattr(webhooks, "_trust", lambda: ssl.create_default_context(cafile=certificate))
    with receiving(tls) as receiver, override_settings(WEBHOOK_PRIVATE=True):
        url = receiver.url.replace("http://127.0.0.1", f"https://{host}")
        assert webhooks.post(url, b"{}", {}).failure == failure
        assert len(receiver.got) == (not failure)
