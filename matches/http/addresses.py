"""What stands for a caller's address wherever callers are counted."""

import ipaddress


def network(text: str) -> str:
    """What stands for a caller's address: of IPv6 the /64, which is one customer's."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return "unknown"
    if address.version == 4:
        return text
    return str(address.ipv4_mapped or ipaddress.ip_network(f"{text.split('%')[0]}/64", strict=False))


def site(address: str) -> str:
    """Return the /48 that an IPv6 network lies in: one customer may have all of its networks. Others are their own."""
    try:
        return str(ipaddress.IPv6Network(address).supernet(new_prefix=48))
    except ValueError:
        return address
