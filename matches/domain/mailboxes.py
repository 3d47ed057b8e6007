"""E-mail addresses in one spelling, and the mailbox behind each. Pure."""

from contextlib import suppress


def spelled(address: str) -> str:
    """The address in lower case, its domain as the network writes it (IDNA)."""
    local, at, domain = address.strip().rpartition("@")
    with suppress(UnicodeError):
        domain = domain.encode("idna").decode()
    return f"{local}{at}{domain}".lower()


def mailbox_of(address: str) -> str:
    """Return the mailbox that an address counts for, without the detail after a plus (RFC 5233); never a recipient."""
    local, at, domain = spelled(address).rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"
