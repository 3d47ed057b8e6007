"""Conversion of REDIS_URL and CROUPIER_BROKER_URL, for one server or several, with or without TLS, for each library.

Error messages never contain the URL, which may hold a password.
"""

import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from django.core.exceptions import ImproperlyConfigured

REDIS_DEFAULT = "redis://127.0.0.1:6379/0"
_SENTINELS = "sentinel://:password@one:26379,two:26379,three:26379/name/0"
_RABBITS = "amqp://name:password@one:5672,two:5672/croupier"
_ONE_SERVER = ("redis", "rediss", "unix")
_SENTINEL_PORT, _AMQP_PORTS = 26379, {"amqp": 5672, "amqps": 5671}
_FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
"""The TLS parameters allowed in a URL. The server's certificate is always verified."""

REDIS_TRANSPORT: dict[str, Any] = {
    # Redis keeps no list of the tasks that workers have taken: docs/decisions/0049.
    "ack_emulation": False,
    "socket_connect_timeout": 1,
    # Without it, a publisher waits for ever for a broker that accepts connections but doesn't answer.
    "socket_timeout": 2,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
}
AMQP_TRANSPORT: dict[str, Any] = {
    # A node that has just lost a queue's leader may silently hold back messages.
    "confirm_publish": True,
    # Waiting for a queue or a consumer is limited too.
    "read_timeout": 5,
    "write_timeout": 2,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
}
CONFIRM_SECONDS = 2.0
"""The time that a publisher waits for RabbitMQ's confirmation before it retries on a new connection."""
QUORUM = {"x-queue-type": "quorum", "x-max-length": 10_000}
"""A queue that survives the loss of a node. If its hints aren't consumed, it drops the oldest."""


@dataclass(frozen=True)
class Sentinels:
    """Sentinels that know the master of a name, and the logins to them and to the master."""

    hosts: tuple[tuple[str, int], ...]
    name: str
    login: Mapping[str, Any] = field(repr=False)
    """Arguments for a client of the master."""
    own_login: Mapping[str, Any] = field(repr=False)
    """Arguments for a client of a Sentinel."""


class Queue(NamedTuple):
    """Celery's settings for a broker."""

    url: str
    tls: dict[str, Any] | None
    transport: dict[str, Any]
    queue_arguments: dict[str, Any]
    publish_retry: bool
    """True if a publisher retries on a new connection. Redis clients check their connection themselves."""


def sentinels(variable: str, url: str) -> Sentinels | None:
    """Return the Sentinels in a URL, or None if it names one Redis. Raise ImproperlyConfigured."""
    scheme = url.partition("://")[0]
    if scheme in _ONE_SERVER:
        _refuse_unless_one(variable, url)
        return None
    if scheme not in ("sentinel", "sentinels"):
        raise ImproperlyConfigured(f"{variable} is an address such as {REDIS_DEFAULT} or {_SENTINELS}.")
    user, password, hosts, path, query = _several(variable, url, _SENTINEL_PORT, _SENTINELS)
    name, _, number = path.partition("/")
    extra = set(query) - {*_FILES, "sentinel_username", "sentinel_password"}
    if not name or not (number or "0").isdigit() or extra:
        _refuse(variable, _SENTINELS)
    tls = {"ssl": True, **{key: query[key] for key in _FILES if key in query}} if scheme == "sentinels" else {}
    own = {"username": query.get("sentinel_username"), "password": query.get("sentinel_password")}
    return Sentinels(
        tuple(hosts),
        name,
        {"username": user, "password": password, "db": int(number or 0), **tls},
        {**own, **tls},
    )


def channel_host(address: str, servers: Sentinels | None) -> dict[str, Any]:
    """Return the channel layer's host entry."""
    if servers is None:
        return {"address": address}
    # The layer passes the remaining arguments to all connections, including those to a Sentinel.
    own = {**servers.own_login, "socket_timeout": 1, "socket_connect_timeout": 1}
    return {"sentinels": list(servers.hosts), "master_name": servers.name, "sentinel_kwargs": own, **servers.login}


def queue(variable: str, url: str) -> Queue:
    """Return Celery's settings for the broker at a URL. Raise ImproperlyConfigured."""
    if url.partition("://")[0] in _AMQP_PORTS:
        return _rabbits(variable, url)
    servers = sentinels(variable, url)
    if servers is not None:
        return _behind_sentinels(servers)
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return Queue(_of_socket(url), None, REDIS_TRANSPORT, {}, False)
    if parts.scheme == "rediss":
        query = dict(parse_qsl(parts.query))
        # By default Celery would not verify the server.
        tls = {"ssl_cert_reqs": ssl.CERT_REQUIRED, **{key: query[key] for key in _FILES if key in query}}
        other = {key: value for key, value in query.items() if not key.startswith("ssl_")}
        return Queue(parts._replace(query=urlencode(other)).geturl(), tls, REDIS_TRANSPORT, {}, False)
    return Queue(url, None, REDIS_TRANSPORT, {}, False)


def _rabbits(variable: str, url: str) -> Queue:
    scheme = url.partition("://")[0]
    user, password, hosts, path, query = _several(variable, url, _AMQP_PORTS[scheme], _RABBITS)
    if set(query) - set(_FILES):
        _refuse(variable, _RABBITS)
    login = f"{quote(user or 'guest', safe='')}:{quote(password or 'guest', safe='')}@"
    url = ";".join(f"{scheme}://{login}{_spelled(host)}:{port}/{quote(path, safe='')}" for host, port in hosts)
    tls = None
    if scheme == "amqps":
        files = {key.removeprefix("ssl_"): query[key] for key in _FILES if key in query}
        # The connection replaces None with the host's name.
        tls = {"cert_reqs": ssl.CERT_REQUIRED, "server_hostname": None, **files}
    return Queue(url, tls, AMQP_TRANSPORT, QUORUM, True)


def _behind_sentinels(servers: Sentinels) -> Queue:
    user, password = (quote(servers.login[key] or "", safe="") for key in ("username", "password"))
    login = f"{user}:{password}@" if password else ""
    url = ";".join(f"sentinel://{login}{_spelled(host)}:{port}/{servers.login['db']}" for host, port in servers.hosts)
    tls = None
    if servers.login.get("ssl"):
        tls = {
            "ssl_cert_reqs": ssl.CERT_REQUIRED,
            **{key: servers.login[key] for key in _FILES if key in servers.login},
        }
    own = {**servers.own_login, "socket_timeout": 1, "socket_connect_timeout": 1}
    return Queue(url, tls, {**REDIS_TRANSPORT, "master_name": servers.name, "sentinel_kwargs": own}, {}, False)


def _of_socket(url: str) -> str:
    """Return a Unix socket's URL in Celery's form, which differs from the usual one."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    user, password, number = (query.get(name, "") for name in ("username", "password", "db"))
    login = f"{quote(user, safe='')}:{quote(password, safe='')}@" if password else ""
    return f"redis+socket://{login}{parts.path}?virtual_host={number or 0}"


def _refuse_unless_one(variable: str, url: str) -> None:
    """Raise ImproperlyConfigured unless the URL names one Redis."""
    try:
        parts = urlsplit(url)
        is_valid = bool(parts.path) if parts.scheme == "unix" else bool(parts.hostname)
        several = "," in parts.netloc.rpartition("@")[2]
        parts.port if not several else None  # noqa: B018  reading it raises for an invalid port
    except ValueError:
        is_valid, several = False, False
    if several:
        raise ImproperlyConfigured(
            f"{variable} names one server. Where several stand ready name their Sentinels, as in {_SENTINELS}."
        )
    if not is_valid:
        raise ImproperlyConfigured(f"{variable} is an address such as {REDIS_DEFAULT} or {_SENTINELS}.")


def _several(
    variable: str, url: str, default_port: int, example: str
) -> tuple[str | None, str | None, list[tuple[str, int]], str, dict[str, str]]:
    """Return the user, password, hosts with ports, path and query of a URL with several hosts."""
    # urlsplit supports only one host, and fails if the second is in brackets.
    match = re.fullmatch(r"[a-z]+://([^/?#]*)/?([^?#]*)(?:\?(.*))?", url) or _refuse(variable, example)
    login, _, host_list = match[1].rpartition("@")
    user, _, password = login.partition(":")
    hosts = []
    for host in host_list.split(","):
        try:
            one = urlsplit(f"//{host}")
            hosts.append((one.hostname or _refuse(variable, example), one.port or default_port))
        except ValueError:
            _refuse(variable, example)
    query = dict(parse_qsl(match[3] or ""))
    return unquote(user) or None, unquote(password) or None, hosts, unquote(match[2]), query


def _spelled(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _refuse(variable: str, example: str) -> NoReturn:
    raise ImproperlyConfigured(f"{variable} is an address such as {example}.") from None
