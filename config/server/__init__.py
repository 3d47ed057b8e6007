"""The ASGI server and its limits: connections, sizes of requests, and refusals before Django."""
