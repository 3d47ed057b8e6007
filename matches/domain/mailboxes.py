"""E-mail addresses in one spelling, and the mailbox behind each. Pure."""

from contextlib import suppress


def spelled(address: str) -> str:
    """Return the address in lower case, with its domain in IDNA form."""
    local, at, domain = address.strip().rpartition("@")
    with suppress(UnicodeError):
        domain = domain.encode("idna").decode()
    return f"{local}{at}{domain}".lower()


def mailbox_of(address: str) -> str:
    """Return the mailbox of an address without the detail after a plus (RFC 5233). For comparison only: never send to
    it."""
    local, at, domain = spelled(address).rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"
