"""REDIS_URL and CROUPIER_BROKER_URL: one server or several, under TLS or not, as each library wants to hear it.

A refusal never tells the address, which may hold a password.
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
"""What an address may say of TLS; who the server is, is always checked."""

REDIS_TRANSPORT: dict[str, Any] = {
    # Redis keeps no list of what workers have taken: docs/decisions/0049.
    "ack_emulation": False,
    "socket_connect_timeout": 1,
    # Without it a publisher waits for ever on a broker that is there and does not answer.
    "socket_timeout": 2,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
}
AMQP_TRANSPORT: dict[str, Any] = {
    # A node that has just lost a queue's leader may keep what it is sent, and all that follows, without a word.
    "confirm_publish": True,
    # Nor is it waited for without end, be it for a queue or a consumer.
    "read_timeout": 5,
    "write_timeout": 2,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
}
CONFIRM_SECONDS = 2.0
"""How long a publisher waits for RabbitMQ's word before it tries by a new connection."""
QUORUM = {"x-queue-type": "quorum", "x-max-length": 10_000}
"""A queue that outlives the loss of a node. Of hints that nobody takes it drops the oldest."""


@dataclass(frozen=True)
class Sentinels:
    """Servers that know which Redis is the master of a name, and how to log in to them and to it."""

    hosts: tuple[tuple[str, int], ...]
    name: str
    login: Mapping[str, Any] = field(repr=False)
    """Arguments of a client of the master."""
    own_login: Mapping[str, Any] = field(repr=False)
    """Arguments of a client of a Sentinel."""


class Queue(NamedTuple):
    """Celery's settings of a broker."""

    url: str
    tls: dict[str, Any] | None
    transport: dict[str, Any]
    queue_arguments: dict[str, Any]
    publish_retry: bool
    """Whether a publisher tries again by a new connection. One of Redis' looks by itself whether its own works."""


def sentinels(variable: str, told: str) -> Sentinels | None:
    """The Sentinels that an address names, None where it names one Redis; raises ImproperlyConfigured."""
    scheme = told.partition("://")[0]
    if scheme in _ONE_SERVER:
        _refuse_unless_one(variable, told)
        return None
    if scheme not in ("sentinel", "sentinels"):
        raise ImproperlyConfigured(f"{variable} is an address such as {REDIS_DEFAULT} or {_SENTINELS}.")
    user, password, hosts, path, query = _several(variable, told, _SENTINEL_PORT, _SENTINELS)
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


def channel_host(address: str, found: Sentinels | None) -> dict[str, Any]:
    """The channel layer's entry for where hints go."""
    if found is None:
        return {"address": address}
    # It hands what is left to the connections, the one to a Sentinel too.
    own = {**found.own_login, "socket_timeout": 1, "socket_connect_timeout": 1}
    return {"sentinels": list(found.hosts), "master_name": found.name, "sentinel_kwargs": own, **found.login}


def queue(variable: str, told: str) -> Queue:
    """What Celery is told of the broker at an address; raises ImproperlyConfigured."""
    if told.partition("://")[0] in _AMQP_PORTS:
        return _rabbits(variable, told)
    found = sentinels(variable, told)
    if found is not None:
        return _behind_sentinels(found)
    parts = urlsplit(told)
    if parts.scheme == "unix":
        return Queue(_of_socket(told), None, REDIS_TRANSPORT, {}, False)
    if parts.scheme == "rediss":
        query = dict(parse_qsl(parts.query))
        # Left to itself Celery would talk to whoever answers.
        tls = {"ssl_cert_reqs": ssl.CERT_REQUIRED, **{key: query[key] for key in _FILES if key in query}}
        left = {key: value for key, value in query.items() if not key.startswith("ssl_")}
        return Queue(parts._replace(query=urlencode(left)).geturl(), tls, REDIS_TRANSPORT, {}, False)
    return Queue(told, None, REDIS_TRANSPORT, {}, False)


def _rabbits(variable: str, told: str) -> Queue:
    scheme = told.partition("://")[0]
    user, password, hosts, path, query = _several(variable, told, _AMQP_PORTS[scheme], _RABBITS)
    if set(query) - set(_FILES):
        _refuse(variable, _RABBITS)
    login = f"{quote(user or 'guest', safe='')}:{quote(password or 'guest', safe='')}@"
    url = ";".join(f"{scheme}://{login}{_spelled(host)}:{port}/{quote(path, safe='')}" for host, port in hosts)
    tls = None
    if scheme == "amqps":
        files = {key.removeprefix("ssl_"): query[key] for key in _FILES if key in query}
        # None is replaced by the host's name when the connection is made.
        tls = {"cert_reqs": ssl.CERT_REQUIRED, "server_hostname": None, **files}
    return Queue(url, tls, AMQP_TRANSPORT, QUORUM, True)


def _behind_sentinels(found: Sentinels) -> Queue:
    user, password = (quote(found.login[key] or "", safe="") for key in ("username", "password"))
    login = f"{user}:{password}@" if password else ""
    url = ";".join(f"sentinel://{login}{_spelled(host)}:{port}/{found.login['db']}" for host, port in found.hosts)
    tls = None
    if found.login.get("ssl"):
        tls = {"ssl_cert_reqs": ssl.CERT_REQUIRED, **{key: found.login[key] for key in _FILES if key in found.login}}
    own = {**found.own_login, "socket_timeout": 1, "socket_connect_timeout": 1}
    return Queue(url, tls, {**REDIS_TRANSPORT, "master_name": found.name, "sentinel_kwargs": own}, {}, False)


def _of_socket(told: str) -> str:
    """A socket's address as Celery spells it, which differs from what all others call it by."""
    parts = urlsplit(told)
    query = dict(parse_qsl(parts.query))
    user, password, number = (query.get(name, "") for name in ("username", "password", "db"))
    login = f"{quote(user, safe='')}:{quote(password, safe='')}@" if password else ""
    return f"redis+socket://{login}{parts.path}?virtual_host={number or 0}"


def _refuse_unless_one(variable: str, told: str) -> None:
    """An address of one Redis that can be read."""
    try:
        parts = urlsplit(told)
        good = bool(parts.path) if parts.scheme == "unix" else bool(parts.hostname)
        several = "," in parts.netloc.rpartition("@")[2]
        parts.port if not several else None  # noqa: B018  reading it is what refuses a bad one
    except ValueError:
        good, several = False, False
    if several:
        raise ImproperlyConfigured(
            f"{variable} names one server. Where several stand ready name their Sentinels, as in {_SENTINELS}."
        )
    if not good:
        raise ImproperlyConfigured(f"{variable} is an address such as {REDIS_DEFAULT} or {_SENTINELS}.")


def _several(
    variable: str, told: str, default_port: int, example: str
) -> tuple[str | None, str | None, list[tuple[str, int]], str, dict[str, str]]:
    """User, password, hosts with ports, path and query of an address that names several hosts."""
    # urlsplit takes one host, of which one in brackets may not be the second.
    found = re.fullmatch(r"[a-z]+://([^/?#]*)/?([^?#]*)(?:\?(.*))?", told) or _refuse(variable, example)
    login, _, listed = found[1].rpartition("@")
    user, _, password = login.partition(":")
    hosts = []
    for host in listed.split(","):
        try:
            one = urlsplit(f"//{host}")
            hosts.append((one.hostname or _refuse(variable, example), one.port or default_port))
        except ValueError:
            _refuse(variable, example)
    query = dict(parse_qsl(found[3] or ""))
    return unquote(user) or None, unquote(password) or None, hosts, unquote(found[2]), query


def _spelled(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _refuse(variable: str, example: str) -> NoReturn:
    raise ImproperlyConfigured(f"{variable} is an address such as {example}.") from None
