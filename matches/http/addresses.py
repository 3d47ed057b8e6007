"""The part of a caller's address by which callers are counted."""

import ipaddress


def network(text: str) -> str:
    """Return the part of an address that identifies a caller: of IPv6 the /64, which belongs to one customer."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return "unknown"
    if address.version == 4:
        return text
    return str(address.ipv4_mapped or ipaddress.ip_network(f"{text.split('%')[0]}/64", strict=False))


def site(address: str) -> str:
    """Return the /48 of an IPv6 network, since one customer may have all of its networks; other addresses unchanged."""
    try:
        return str(ipaddress.IPv6Network(address).supernet(new_prefix=48))
    except ValueError:
        return address
