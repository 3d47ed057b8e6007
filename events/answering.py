"""A limit for databases that accept a query and never answer. No timeout of the database itself covers this case."""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from typing import Any

import psycopg


@contextlib.contextmanager
def answered_within(connection: psycopg.Connection[Any], seconds: float) -> Iterator[None]:
    """Close the connection after `seconds`; a query that is still waiting then raises psycopg's error of a lost
    connection."""
    with socket.socket(fileno=os.dup(connection.fileno())) as descriptor_copy:
        end = threading.Timer(seconds, _cut, [descriptor_copy])
        end.start()
        try:
            yield
        finally:
            end.cancel()
            end.join()


def _cut(descriptor_copy: socket.socket) -> None:
    with contextlib.suppress(OSError):
        descriptor_copy.shutdown(socket.SHUT_RDWR)
