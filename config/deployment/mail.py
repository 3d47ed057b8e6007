"""E-mail settings: the server, or a folder for files, and the sender."""

from email.utils import formataddr, parseaddr
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_PORTS = {"smtp": 587, "smtps": 465, "smtp+plain": 25}


def backend(address: str | None, folder: str) -> dict[str, Any]:
    """Return Django's settings for a server such as smtp://name:password@host:587. `smtp` uses STARTTLS, `smtps` TLS
    from the start, `smtp+plain` no encryption. Without an address, e-mails are written to files in a folder.

    Raise ImproperlyConfigured, without the address, because it holds a password.
    """
    if not address:
        return {"EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend", "EMAIL_FILE_PATH": folder}
    if address == "console":
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    try:
        parts = urlsplit(address)
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        parts = None
    if parts is None or not parts.hostname or parts.path.strip("/"):
        raise ImproperlyConfigured("CROUPIER_SMTP is an address such as smtp://name:password@mail.example.org:587.")
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_TIMEOUT": 10,
    }


def sender(given: str) -> str:
    """Return the sender of e-mails: an address with a display name, by default `Croupier`. Raise
    ImproperlyConfigured."""
    name, address = parseaddr(given)
    local, _, domain = address.rpartition("@")
    if not given.isprintable() or not local or not domain or not address.isascii() or set(address) & set(' ,;<>"'):
        raise ImproperlyConfigured("CROUPIER_MAIL_FROM is an address such as Croupier <croupier@example.org>.")
    return formataddr((name or "Croupier", address))
