"""Serves the ASGI application: python -m config.server.serve [--host 127.0.0.1] [--port 8000] [--shared-port P]"""

import argparse
import gc
import resource
import socket
import sys
from importlib import import_module

import uvicorn
from asgiref.typing import ASGIApplication

from config.runner.liveness import alive_signal
from config.server.blocking import LoopWatch
from config.server.connections import CONCURRENCY, LIMITS, PING_SECONDS, PROXIES, UNREAD_SECONDS
from config.server.garbage import Garbage
from config.server.http_connections import HTTPConnection
from config.server.socket_connections import SocketConnection
from config.server.tracecontext import TraceContext
from events import arrivals
from matches.http import metrics

_NOT_STARTED = 3
_BACKLOG = 2048
"""uvicorn's default."""
_OTHER_FILES = 500
"""More than the files that are open beside clients' connections."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="config.server.serve")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--shared-port", type=int, help="serve at this one too, beside other processes that do")
    chosen = parser.parse_args()
    _allow_many_files()
    application = ready()
    config = uvicorn.Config(
        TraceContext(application, PROXIES) if PROXIES else application,
        host=chosen.host,
        port=chosen.port,
        # The settings configure logging.
        log_config=None,
        access_log=False,
        server_header=False,
        # TraceContext handles them.
        proxy_headers=False,
        ws=SocketConnection,
        ws_max_size=16 * 1024,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=UNREAD_SECONDS,
        # Compression would cost memory per socket, and frame lengths would reveal content.
        ws_per_message_deflate=False,
        http=HTTPConnection,
        timeout_graceful_shutdown=3,
    )
    server = Server(config)
    try:
        server.run(_listening(chosen.host, chosen.port, chosen.shared_port) if chosen.shared_port else None)
    except KeyboardInterrupt:
        return
    if not server.started:
        sys.exit(_NOT_STARTED)


def _allow_many_files() -> None:
    """Raise this process's limit on open files to what its connections need; the usual limit is 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = CONCURRENCY + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        limit = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def _listening(host: str, port: int, shared_port: int) -> list[socket.socket]:
    """Return listening sockets for both ports. The kernel distributes new connections at the shared one among its
    listeners."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return [
            socket.create_server((host, each), family=family, backlog=_BACKLOG, reuse_port=each == shared_port)
            for each in (port, shared_port)
        ]
    except OSError as refused:
        sys.exit(f"Croupier can't listen at {host}, ports {port} and {shared_port}: {refused}")


class Server(uvicorn.Server):
    """uvicorn's server with ticks of the event loop, an alive signal each second, and garbage collection."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._garbage = Garbage()

    async def main_loop(self) -> None:
        """Serve until the process ends."""
        LoopWatch().start()
        await super().main_loop()

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second; return True to end."""
        arrivals.tick()
        if counter % 10 == 0:
            alive_signal.give()
            metrics.CONNECTION_BYTES.set(LIMITS.bytes_held)
        self._garbage.collect_if_due()
        return await super().on_tick(counter)


def ready() -> ASGIApplication:
    """Load the application with everything that its first requests would wait for, and return it."""
    # Objects of a start live to the end. Collecting garbage among them would take a fifth of the start, and time later
    # on.
    gc.disable()
    application: ASGIApplication = import_module("config.asgi").application
    for name in ("config.urls", *(f"games.{slug}.board" for slug in import_module("games").catalogue)):
        import_module(name)
    gc.freeze()
    gc.enable()
    import_module("matches.storage.outages").keep_beating()
    import_module("matches.workers.flags").watch_for_missed_flags()
    return application


if __name__ == "__main__":
    main()
