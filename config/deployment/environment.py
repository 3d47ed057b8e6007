"""Readers of environment variables: switches, words and numbers. docs/operating.md lists the variables."""

import os
from ipaddress import ip_network
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")


def flag(name: str, default: bool = False) -> bool:
    """Return a switch. Raise ImproperlyConfigured for a word that is neither yes nor no."""
    value = os.environ.get(name, _YES[0] if default else _NO[0]).strip().lower()
    if value not in (*_YES, *_NO):
        raise ImproperlyConfigured(f"{name} is on or off, not {value!r}.")
    return value in _YES


def words(name: str, default: str = "") -> list[str]:
    """Return a list of comma-separated words."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def one_of(name: str, choices: tuple[str, ...], default: str) -> str:
    """Return one of a few words. Raise ImproperlyConfigured."""
    value = os.environ.get(name) or default
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is {', '.join(choices[:-1])} or {choices[-1]}, not {value!r}.")
    return value


def origins(name: str) -> list[str]:
    """Return comma-separated origins such as https://bots.example.org. Raise ImproperlyConfigured."""
    values = words(name)
    for origin in values:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.hostname or f"{parts.scheme}://{parts.netloc}" != origin:
            raise ImproperlyConfigured(f"{name} is origins such as https://bots.example.org, not {origin!r}.")
    return values


def networks(name: str, default: str) -> list[str]:
    """Return comma-separated addresses and networks. Raise ImproperlyConfigured."""
    values = words(name, default)
    for network in values:
        try:
            ip_network(network)
        except ValueError:
            raise ImproperlyConfigured(f"{name} is addresses or networks such as {default}, not {network!r}.") from None
    return values


def rates(name: str, default: str) -> str:
    """Return limits such as `100/second;3000/minute`. Raise ImproperlyConfigured."""
    value = os.environ.get(name) or default
    if value == default:
        return value
    # Importing the parser takes a tenth of a second, which a valid default needn't cost.
    from limits import parse_many

    try:
        is_valid = all(rate.amount > 0 for rate in parse_many(value))
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ImproperlyConfigured(f"{name} is numbers above 0 and spans, such as {default}, not {value!r}.")
    return value


def whole(name: str, default: int, *, least: int = 1) -> int:
    """Return a whole number of at least `least`. Raise ImproperlyConfigured."""
    value = os.environ.get(name) or str(default)
    try:
        number = int(value)
    except ValueError:
        number = least - 1
    if number < least:
        raise ImproperlyConfigured(f"{name} is a whole number, {least} or more, not {value!r}.")
    return number


def seconds(name: str, default: float, *, or_none: bool = False) -> float:
    """Return a span above zero; with `or_none`, zero is allowed too. Raise ImproperlyConfigured."""
    value = os.environ.get(name) or str(default)
    try:
        span = float(value)
    except ValueError:
        span = -1.0
    if not (0 < span < float("inf") or (or_none and span == 0)):
        raise ImproperlyConfigured(
            f"{name} is a number of seconds{', 0 or' if or_none else ''} above 0, not {value!r}."
        )
    return span
