"""What programs of the tests trust when they ask a house over plain HTTP: nobody."""

import ssl

NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Each client of httpx would read the system's certificates for itself, which takes longer than what it asks."""
