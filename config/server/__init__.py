"""The ASGI server and its limits: what it serves, how large a request may be, what is refused before Django."""
