"""Calling webhooks: allowed addresses, signatures, and one POST.

Nobody can make the service call its own network: a name is resolved once, all its addresses must be public (unless
settings.WEBHOOK_PRIVATE), and the checked address is the one that is called. Redirects are not followed.
"""

import asyncio
import base64
import hmac
import ipaddress
import secrets
import socket
import ssl
import time
from collections.abc import Mapping
from concurrent.futures import Future
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from hashlib import sha256
from threading import BoundedSemaphore, Thread
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

import httpx
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.db import connection
from standardwebhooks import Webhook as StandardWebhook

TIMEOUT_SECONDS = 5.0
_MOST_LETTERS = 500
_looking_up = BoundedSemaphore(4)
"""Requests that wait for a name server block a thread each, and a web process has few."""
_STANDARD_PREFIX = "whsec_"
# NAT64, IPv4-compatible and IPv4-translated addresses: a router may translate them into the IPv4 address in them.
_HOLDING_IPV4 = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "::/96", "::ffff:0:0:0/96")))


class AddressRefused(Exception):
    """The address may not be called; the message says why."""


class Unreadable(Exception):
    """The value was encrypted with another key."""


class Sent(NamedTuple):
    """Outcome of a POST: `failure` is empty if the receiver took it; `status` is 0 without a response.

    `retry_after` is the number of seconds for which the receiver asks to be left alone; 0 if it asks for nothing.
    """

    failure: str
    status: int = 0
    retry_after: int = 0


def new_secret() -> str:
    """Return a signing secret for one webhook: `whsec_` and 32 bytes in base64, as Standard Webhooks defines it."""
    return _STANDARD_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def sealed(secret: str) -> bytes:
    """Encrypt a secret, or a URL that may hold one, for the database."""
    return _box().encrypt(secret.encode())


def unsealed(kept: bytes) -> str:
    """Decrypt a stored value; raise Unreadable."""
    try:
        return _box().decrypt(bytes(kept)).decode()
    except InvalidToken:
        raise Unreadable from None


def check_receiver(url: str) -> str:
    """Return the URL if it may be called now, by the check that each call repeats; raise AddressRefused.

    Where private addresses are allowed (settings.WEBHOOK_PRIVATE) no name is looked up.
    """
    parts = urlsplit(check_url(url))
    if settings.WEBHOOK_PRIVATE:
        return url
    if not _looking_up.acquire(blocking=False):
        raise AddressRefused("The names of other receivers are being looked up. Try again in a few seconds.")
    try:
        # A name server may be slow, and others need the database connection meanwhile.
        if not connection.in_atomic_block:
            connection.close()
        _address_of(parts.hostname or "", _port_of(parts))
    finally:
        _looking_up.release()
    return url


def check_url(url: str) -> str:
    """Return the URL if its form is allowed; raise AddressRefused. No I/O: its name is not looked up."""
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError as error:
        raise AddressRefused("That is no URL.") from error
    if len(url) > _MOST_LETTERS or not url.isascii() or not url.isprintable() or " " in url:
        raise AddressRefused(f"A URL is at most {_MOST_LETTERS} printable ASCII letters long.")
    if parts.scheme not in ("https", "http") or not host or port == 0:
        raise AddressRefused("Give an https:// or http:// URL with a host.")
    if parts.username is not None or parts.password is not None:
        raise AddressRefused("A webhook's URL holds no user name or password.")
    if _is_address(host):
        _refuse_private([host])
    return url


def signed(secret: str, notice: str, at: int, body: bytes) -> dict[str, str]:
    """Return the signature headers: those of Standard Webhooks, and the older ones.

    `at` is the Unix time of this attempt. A receiver ignores headers that it doesn't know. A secret from before
    Standard Webhooks is used as text, in both forms.
    """
    key = secret if secret.startswith(_STANDARD_PREFIX) else secret.encode()
    standard = StandardWebhook(key).sign(notice, datetime.fromtimestamp(at, UTC), body.decode())
    digest = hmac.new(secret.encode(), b"%d." % at + body, sha256).hexdigest()
    return {
        "webhook-id": notice,
        "webhook-timestamp": str(at),
        "webhook-signature": standard,
        # These two will be removed with 0.3.
        "Croupier-Notice": notice,
        "Croupier-Signature": f"t={at},v1={digest}",
    }


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Sent:
    """Send one POST to a checked address; raise nothing for faults of the network or the receiver."""
    parts = urlsplit(url)
    host, ends_at = parts.hostname or "", time.monotonic() + TIMEOUT_SECONDS
    try:
        check_url(url)
        address = _address_of(host, _port_of(parts))
    except AddressRefused as refused:
        return Sent(str(refused))
    all_headers = {"Host": parts.netloc, "User-Agent": "Croupier", **headers}
    try:
        status, wait = asyncio.run(_answer_of(_at(parts, address), host, all_headers, body, ends_at - time.monotonic()))
    except (httpx.HTTPError, TimeoutError) as error:
        return Sent(_failure_of(error))
    if httpx.codes.is_success(status):
        return Sent("", status)
    return Sent(f"The receiver answered {status}.", status, _seconds_of(wait))


def _failure_of(error: Exception) -> str:
    match error:
        case TimeoutError() | httpx.TimeoutException():
            return f"The receiver didn't respond within {TIMEOUT_SECONDS:g} seconds."
        case httpx.ConnectError():
            return "The receiver refuses connections, or its certificate isn't valid."
    return "The receiver closed the connection, or its response isn't HTTP."


async def _answer_of(url: str, host: str, headers: dict[str, str], body: bytes, seconds: float) -> tuple[int, str]:
    """Return the receiver's status and its Retry-After; raise httpx.HTTPError, and TimeoutError after `seconds`.

    httpx limits each read separately, so a receiver that answers byte by byte would block a worker for ever.
    """
    async with (
        asyncio.timeout(seconds),
        httpx.AsyncClient(verify=_trust(), timeout=TIMEOUT_SECONDS, trust_env=False, follow_redirects=False) as client,
        client.stream("POST", url, content=body, headers=headers, extensions={"sni_hostname": host}) as response,
    ):
        return response.status_code, response.headers.get("Retry-After", "")


def _seconds_of(retry_after: str) -> int:
    """Return the seconds that a Retry-After header asks for (RFC 9110, 10.2.3: a number or a date); 0 if neither."""
    if retry_after.isascii() and retry_after.isdigit():
        return int(retry_after[:9])
    try:
        until = parsedate_to_datetime(retry_after)
    except (ValueError, OverflowError):
        return 0
    return max(0, int((until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds()))


@cache
def _trust() -> ssl.SSLContext:
    """Load the trusted certificates once: loading takes longer than a POST nearby."""
    return httpx.create_ssl_context(trust_env=False)


def _port_of(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def _at(parts: SplitResult, address: str) -> str:
    """Return the URL with the checked address in place of its name."""
    host = f"[{address}]" if ":" in address else address
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{host}{port}", fragment="").geturl()


def _address_of(host: str, port: int) -> str:
    """Return the first address of a name, after checking that all are public.

    getaddrinfo has no timeout, so it runs in a thread that is abandoned after a while.
    """
    answer: Future[list[str]] = Future()
    Thread(target=_look_up, args=(answer, host, port), name="webhook name", daemon=True).start()
    try:
        addresses = answer.result(TIMEOUT_SECONDS)
    except TimeoutError as error:
        raise AddressRefused("Nobody could say in time where the receiver's name leads.") from error
    except (OSError, UnicodeError) as error:
        raise AddressRefused("The receiver's name leads nowhere.") from error
    _refuse_private(addresses)
    return addresses[0]


def _look_up(answer: Future[list[str]], host: str, port: int) -> None:
    try:
        addresses = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except BaseException as error:
        answer.set_exception(error)
    else:
        answer.set_result(addresses)


def _refuse_private(addresses: list[str]) -> None:
    if not settings.WEBHOOK_PRIVATE and not all(_is_public(address) for address in addresses):
        raise AddressRefused("A webhook's address must be a public one.")


def _is_public(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    if getattr(ip, "is_site_local", False):
        return False
    return ip.is_global and _within(ip).is_global and not ip.is_multicast


def _within(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return the IPv4 address that an IPv6 one contains; else the address itself."""
    if ip.version == 4:
        return ip
    if any(ip in network for network in _HOLDING_IPV4):
        return ipaddress.IPv4Address(ip.packed[-4:])
    return ip.ipv4_mapped or ip.sixtofour or ip


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def _box() -> Fernet:
    key = hmac.digest(settings.SECRET_KEY.encode(), b"croupier-webhooks-v1", "sha256")
    return Fernet(base64.urlsafe_b64encode(key))
