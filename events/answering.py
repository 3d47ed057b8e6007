"""How long a database is waited for that takes a question and never answers: no timeout of its own cuts that off."""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from typing import Any

import psycopg


@contextlib.contextmanager
def answered_within(connection: psycopg.Connection[Any], seconds: float) -> Iterator[None]:
    """After so many seconds the connection is cut, and whoever waits for it is given psycopg's error of a lost one."""
    with socket.socket(fileno=os.dup(connection.fileno())) as line:
        end = threading.Timer(seconds, _cut, [line])
        end.start()
        try:
            yield
        finally:
            end.cancel()
            end.join()


def _cut(line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
