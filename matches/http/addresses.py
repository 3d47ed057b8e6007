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
