"""What the environment says: switches, words and numbers. docs/operating.md lists the variables."""

import os
from ipaddress import ip_network
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")


def flag(name: str, default: bool = False) -> bool:
    """A switch; raises ImproperlyConfigured for a word that is neither yes nor no."""
    told = os.environ.get(name, _YES[0] if default else _NO[0]).strip().lower()
    if told not in (*_YES, *_NO):
        raise ImproperlyConfigured(f"{name} is on or off, not {told!r}.")
    return told in _YES


def words(name: str, default: str = "") -> list[str]:
    """A list, with commas between."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def one_of(name: str, choices: tuple[str, ...], default: str) -> str:
    """One of a few words; raises ImproperlyConfigured."""
    told = os.environ.get(name) or default
    if told not in choices:
        raise ImproperlyConfigured(f"{name} is {', '.join(choices[:-1])} or {choices[-1]}, not {told!r}.")
    return told


def origins(name: str) -> list[str]:
    """Origins such as https://bots.example.org, with commas between; raises ImproperlyConfigured."""
    told = words(name)
    for origin in told:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.hostname or f"{parts.scheme}://{parts.netloc}" != origin:
            raise ImproperlyConfigured(f"{name} is origins such as https://bots.example.org, not {origin!r}.")
    return told


def networks(name: str, default: str) -> list[str]:
    """Addresses and networks, with commas between; raises ImproperlyConfigured."""
    told = words(name, default)
    for network in told:
        try:
            ip_network(network)
        except ValueError:
            raise ImproperlyConfigured(f"{name} is addresses or networks such as {default}, not {network!r}.") from None
    return told


def rates(name: str, default: str) -> str:
    """Limits such as `100/second;3000/minute`; raises ImproperlyConfigured."""
    told = os.environ.get(name) or default
    if told == default:
        return told
    # A tenth of a second, which no process need take for what is known to be good.
    from limits import parse_many

    try:
        good = all(rate.amount > 0 for rate in parse_many(told))
    except ValueError:
        good = False
    if not good:
        raise ImproperlyConfigured(f"{name} is numbers above 0 and spans, such as {default}, not {told!r}.")
    return told


def whole(name: str, default: int, *, least: int = 1) -> int:
    """A whole number of at least `least`; raises ImproperlyConfigured."""
    told = os.environ.get(name) or str(default)
    try:
        number = int(told)
    except ValueError:
        number = least - 1
    if number < least:
        raise ImproperlyConfigured(f"{name} is a whole number, {least} or more, not {told!r}.")
    return number


def seconds(name: str, default: float, *, or_none: bool = False) -> float:
    """A span above zero, or with `or_none` of zero too; raises ImproperlyConfigured."""
    told = os.environ.get(name) or str(default)
    try:
        span = float(told)
    except ValueError:
        span = -1.0
    if not (0 < span < float("inf") or (or_none and span == 0)):
        raise ImproperlyConfigured(f"{name} is a number of seconds{', 0 or' if or_none else ''} above 0, not {told!r}.")
    return span
