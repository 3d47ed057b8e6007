"""The proxies of docs/deploy: each started by its example as it stands, but for ports, name and certificate."""

import os
import shutil
import signal
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from random import Random

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from config.runner.embedded.server import free_port
from config.runner.process import finish, last_lines, spawn
from tests.journeys.deployment import AS_BY_TLS
from tests.journeys.house import ROOT
from tests.plain_http import NOBODY
from tests.waiting import wait_until

EXAMPLES = ROOT / "docs/deploy"
PROXIES = {"haproxy": "haproxy", "nginx": "nginx-light", "caddy": "caddy"}
"""Each proxy, and the package of Debian's that brings it."""


_HERE = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]


class Certificate:
    """A certificate for localhost that signs itself, in the files that proxies ask for."""

    def __init__(self, folder: Path) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
        now = datetime.now(UTC)
        builder = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName(_HERE), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )  # fmt: skip
        self.certificate, self.key, self.both = (folder / f"croupier.{kind}" for kind in ("crt", "key", "pem"))
        certificate = builder.public_bytes(serialization.Encoding.PEM)
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self.certificate.write_bytes(certificate)
        self.key.write_bytes(private)
        self.both.write_bytes(certificate + private)

    def trusted(self) -> ssl.SSLContext:
        """Return the TLS context of a client that trusts this certificate."""
        return ssl.create_default_context(cafile=str(self.certificate))

    def trusted_by_sockets(self) -> ssl.SSLContext:
        """Return a TLS 1.2 context for the sockets of websockets.sync, which write while another thread reads.

        Under TLS 1.3 the reader may be processing the server's tickets then, and OpenSSL keeps the request back until
        more data arrive.
        """
        trust = self.trusted()
        trust.maximum_version = ssl.TLSVersion.TLSv1_2
        return trust


class Front:
    """The address at which clients reach the service: through a proxy with TLS, or without TLS."""

    def __init__(self, port: int, certificate: Certificate | None = None) -> None:
        self.port = port
        self.trust = certificate and certificate.trusted()
        self.socket_trust = certificate and certificate.trusted_by_sockets()
        self.url = f"{'https' if certificate else 'http'}://localhost:{port}"

    def answers(self) -> bool:
        """True if the proxy reaches a web process."""
        try:
            return httpx.get(f"{self.url}/healthz", verify=self.trust or NOBODY).status_code == 200
        except httpx.HTTPError:
            return False


@contextmanager
def behind(proxy: str, webs: list[int], folder: Path) -> Iterator[Front]:
    """The proxy's example before these two web processes."""
    folder.mkdir()
    certificate = Certificate(folder)
    front = Front(free_port(), certificate)
    command = _STARTS[proxy](folder, certificate, front.port, webs)
    log = folder / "log"
    child = spawn(command, log=log, env={"PATH": os.environ["PATH"], "HOME": str(folder)}, cwd=folder)
    try:
        wait_until(lambda: front.answers() or child.poll() is not None)
        assert child.poll() is None, last_lines(log)
        yield front
    finally:
        finish(child, (signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0))


def _adapted(name: str, *changes: tuple[str, str]) -> str:
    """An example with what its head says is to be adapted; each of it is there."""
    text = (EXAMPLES / name).read_text()
    for old, new in changes:
        assert old in text, f"{name} has no {old!r}."
        text = text.replace(old, new)
    return text


def _webs(webs: list[int]) -> list[tuple[str, str]]:
    return [(f"127.0.0.1:{8001 + place}", f"127.0.0.1:{port}") for place, port in enumerate(webs)]


def _haproxy(folder: Path, certificate: Certificate, port: int, webs: list[int]) -> list[str | Path]:
    config = folder / "haproxy.cfg"
    changes = [
        (" :80\n", f" 127.0.0.1:{free_port()}\n"),
        (" :443 ", f" 127.0.0.1:{port} "),
        ("/etc/haproxy/croupier.pem", str(certificate.both)),
    ]
    config.write_text(_adapted("haproxy.cfg", *changes, *_webs(webs)))
    return ["haproxy", "-db", "-f", config]


def _nginx(folder: Path, certificate: Certificate, port: int, webs: list[int]) -> list[str | Path]:
    changes = [
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        ("/etc/nginx/croupier.pem", str(certificate.certificate)),
        ("/etc/nginx/croupier.key", str(certificate.key)),
        ("/var/log/nginx/croupier.log", str(folder / "access.log")),
        ("/var/log/nginx/croupier-error.log", str(folder / "error.log")),
    ]
    example, config = folder / "croupier.conf", folder / "nginx.conf"
    example.write_text(_adapted("nginx.conf", *changes, *_webs(webs)))
    places = "".join(
        f"    {place}_temp_path {folder}/{place};\n" for place in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config.write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{\n    access_log off;\n{places}    include {example};\n}}\n"
    )
    return ["nginx", "-e", "stderr", "-p", folder, "-c", config]


def _caddy(folder: Path, certificate: Certificate, port: int, webs: list[int]) -> list[str | Path]:
    everywhere = ("{\n\t# Paths", "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n\t# Paths")
    site = f"https://localhost:{port} {{\n\ttls {certificate.certificate} {certificate.key}"
    config = folder / "Caddyfile"
    config.write_text(_adapted("Caddyfile", everywhere, ("play.example.org {", site), *_webs(webs)))
    return ["caddy", "run", "--adapter", "caddyfile", "--config", config]


_STARTS = {"haproxy": _haproxy, "nginx": _nginx, "caddy": _caddy}


def lacking(proxy: str) -> str:
    """Return the reason why the proxy can't be started, or an empty string."""
    return "" if shutil.which(proxy) else f"{proxy} isn't installed: apt-get install {PROXIES[proxy]} brings it."


class Anyhow(httpx.BaseTransport):
    """Carries each request by the proxy, or straight to one of the web processes, whichever."""

    def __init__(self, front: Front, webs: list[str], rng: Random) -> None:
        self._ways, self._rng = [front.url, *webs], rng
        self._headers = {"Host": f"localhost:{front.port}", **AS_BY_TLS}
        self._carrier = httpx.HTTPTransport(verify=front.trust or NOBODY)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        to = httpx.URL(self._rng.choice(self._ways))
        request.url = request.url.copy_with(scheme=to.scheme, host=to.host, port=to.port)
        request.headers.update(self._headers)
        return self._carrier.handle_request(request)

    def close(self) -> None:
        self._carrier.close()
