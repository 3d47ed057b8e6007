"""Postgres URLs as libpq reads them, with one host or several; of several, the one that accepts writes is used."""

import re
from typing import Any
from urllib.parse import quote, urlencode

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict

EXAMPLE = "postgresql://name:password@127.0.0.1:5432/croupier"
SEVERAL = "postgresql://name:password@db1:5432,db2:5432/croupier"
_FORM = re.compile(r"(postgres(?:ql)?://)(?:[^@/]*@)?(.*)", re.DOTALL)
_CHARACTERS = "Characters of a name or password such as @ : / ? # % are written as %40 %3A %2F %3F %23 %25."
_TAKES_WRITES = ("read-write", "primary")
_AMONG_SEVERAL = {
    "target_session_attrs": "read-write", "connect_timeout": "2",
    "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "10000",
}  # fmt: skip
"""Defaults for several hosts: give up after two seconds on a host that accepts no connection, and after ten on one that
silently disappears during a session."""


def read(name: str, url: str, *, writes: bool = True) -> str:
    """Return the URL in the variable `name` after checking it. Raise ImproperlyConfigured with the cause, without any
    part that may be a password.

    Of several hosts, `writes` selects the one that accepts writes, in any order; otherwise any host will do.
    """
    if not _FORM.match(url):
        raise ImproperlyConfigured(f"{name} is an address such as {EXAMPLE}.")
    try:
        parameters = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        cause = _unknown_parameter(url) or _CHARACTERS
    else:
        cause = _fault_of(parameters, writes)
    if cause:
        raise ImproperlyConfigured(f"{name} is an address such as {EXAMPLE}, or with several hosts {SEVERAL}. {cause}")
    return _with_defaults(url, parameters, writes)


def parts(url: str) -> dict[str, str]:
    """Return a URL's parts by libpq's names: `host` and `port` with commas, `user`, `password`, `dbname` and others."""
    return {name: str(value) for name, value in conninfo_to_dict(url).items()}


def as_role(url: str, role: str, password: str) -> str:
    """Return the URL with another login."""
    match = _FORM.match(url)
    if not match:
        raise ValueError("This is no address of a Postgres.")
    scheme, rest = match.groups()
    secret = f":{quote(password, safe='')}" if password else ""
    return f"{scheme}{quote(role, safe='')}{secret}@{rest}"


def for_django(url: str, **options: Any) -> dict[str, Any]:
    """Return a database's settings. Parameters of the URL other than host and login go to libpq unchanged."""
    parameters = parts(url)
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    values = {setting: parameters.pop(name, "") for setting, name in names.items()}
    return {"ENGINE": "django.db.backends.postgresql", **values, "OPTIONS": {**parameters, **options}}


def _with_defaults(url: str, parameters: dict[str, Any], writes: bool) -> str:
    if "," not in str(parameters.get("host", "")):
        return url
    wanted = {"target_session_attrs": "any"} if not writes else {}
    missing = {name: value for name, value in (_AMONG_SEVERAL | wanted).items() if name not in parameters}
    return f"{url}{'&' if '?' in url else '?'}{urlencode(missing)}" if missing else url


def _fault_of(parameters: dict[str, Any], writes: bool) -> str:
    """Return the fault of a URL that libpq can read; empty if it has none."""
    hosts, ports = (str(parameters.get(name) or "").split(",") for name in ("host", "port"))
    if not parameters.get("dbname"):
        return "It names no database."
    # For libpq, text before the last @ isn't a login if a / or a second @ comes first.
    if any("@" in part for part in (*hosts, parameters["dbname"])):
        return _CHARACTERS
    if len(hosts) > 1 and not all(hosts):
        return "One of its hosts has no name."
    if len(ports) not in (1, len(hosts)):
        return f"It names {len(hosts)} hosts and {len(ports)} ports."
    if not all(port == "" or (port.isascii() and port.isdigit() and 0 < int(port) < 65536) for port in ports):
        return f"A port is a number from 1 to 65535. {_CHARACTERS}"
    kind = parameters.get("target_session_attrs")
    if writes and kind is not None and kind not in _TAKES_WRITES:
        return (
            "Its target_session_attrs is read-write or primary: any other may lead to a standby, which takes no writes."
        )
    return ""


def _unknown_parameter(url: str) -> str:
    """Return a sentence about a parameter that libpq doesn't know, if its name can't be part of a password."""
    query = url.rpartition("?")[2] if "?" in url else ""
    known_names = {option.keyword.decode() for option in pq.Conninfo.get_defaults()} | {"ssl"}
    for name in (pair.partition("=")[0] for pair in query.split("&") if query and "@" not in query):
        if name not in known_names and re.fullmatch("[a-z_]{1,40}", name):
            return f"libpq has no parameter {name}."
    return ""
