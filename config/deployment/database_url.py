"""A Postgres' address as libpq reads it, with one host or several: of several the one that takes writes is used."""

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
"""What holds among several hosts unless the address says otherwise: one that doesn't let in is left after two seconds,
and one that has gone without a word, under a session, after ten."""


def read(name: str, told: str, *, writes: bool = True) -> str:
    """The address that the variable `name` holds; raises ImproperlyConfigured with the cause, and tells no part of it
    that may be a password.

    Of several hosts `writes` takes the one that takes writes, whatever their order; without it any of them will do.
    """
    if not _FORM.match(told):
        raise ImproperlyConfigured(f"{name} is an address such as {EXAMPLE}.")
    try:
        named = conninfo_to_dict(told)
    except psycopg.ProgrammingError:
        cause = _unknown_parameter(told) or _CHARACTERS
    else:
        cause = _fault_of(named, writes)
    if cause:
        raise ImproperlyConfigured(f"{name} is an address such as {EXAMPLE}, or with several hosts {SEVERAL}. {cause}")
    return _with_defaults(told, named, writes)


def parts(url: str) -> dict[str, str]:
    """An address' parts by libpq's names: `host` and `port` with commas, `user`, `password`, `dbname` and others."""
    return {name: str(value) for name, value in conninfo_to_dict(url).items()}


def as_role(url: str, role: str, password: str) -> str:
    """The same database by another login."""
    found = _FORM.match(url)
    if not found:
        raise ValueError("This is no address of a Postgres.")
    scheme, where = found.groups()
    secret = f":{quote(password, safe='')}" if password else ""
    return f"{scheme}{quote(role, safe='')}{secret}@{where}"


def for_django(url: str, **options: Any) -> dict[str, Any]:
    """A database's settings; what the address says beyond host and login goes to libpq as it stands."""
    named = parts(url)
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    told = {setting: named.pop(name, "") for setting, name in names.items()}
    return {"ENGINE": "django.db.backends.postgresql", **told, "OPTIONS": {**named, **options}}


def _with_defaults(url: str, named: dict[str, Any], writes: bool) -> str:
    if "," not in str(named.get("host", "")):
        return url
    wanted = {"target_session_attrs": "any"} if not writes else {}
    missing = {name: value for name, value in (_AMONG_SEVERAL | wanted).items() if name not in named}
    return f"{url}{'&' if '?' in url else '?'}{urlencode(missing)}" if missing else url


def _fault_of(named: dict[str, Any], writes: bool) -> str:
    """What is wrong with an address that libpq can read; empty where nothing is."""
    hosts, ports = (str(named.get(name) or "").split(",") for name in ("host", "port"))
    if not named.get("dbname"):
        return "It names no database."
    # What stands before the last @ is no login to libpq where a / or a second @ comes first.
    if any("@" in part for part in (*hosts, named["dbname"])):
        return _CHARACTERS
    if len(hosts) > 1 and not all(hosts):
        return "One of its hosts has no name."
    if len(ports) not in (1, len(hosts)):
        return f"It names {len(hosts)} hosts and {len(ports)} ports."
    if not all(port == "" or (port.isascii() and port.isdigit() and 0 < int(port) < 65536) for port in ports):
        return f"A port is a number from 1 to 65535. {_CHARACTERS}"
    kind = named.get("target_session_attrs")
    if writes and kind is not None and kind not in _TAKES_WRITES:
        return (
            "Its target_session_attrs is read-write or primary: any other may lead to a standby, which takes no writes."
        )
    return ""


def _unknown_parameter(told: str) -> str:
    """That the address has a parameter which libpq doesn't know. It is named where it can't be part of a password."""
    query = told.rpartition("?")[2] if "?" in told else ""
    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()} | {"ssl"}
    for name in (pair.partition("=")[0] for pair in query.split("&") if query and "@" not in query):
        if name not in known and re.fullmatch("[a-z_]{1,40}", name):
            return f"libpq has no parameter {name}."
    return ""
