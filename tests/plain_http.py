"""The TLS trust of test programs that use plain HTTP: none, since building a trust store takes time."""

import ssl

NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Each client of httpx would read the system's certificates for itself, which takes longer than what it asks."""
