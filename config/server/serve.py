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
"""uvicorn's own."""
_OTHER_FILES = 500
"""Files that are open beside those of clients' connections, and more."""


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
        # The settings set logging up.
        log_config=None,
        access_log=False,
        server_header=False,
        # TraceContext reads them.
        proxy_headers=False,
        ws=SocketConnection,
        ws_max_size=16 * 1024,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=UNREAD_SECONDS,
        # Compression would cost memory for each socket and tell lengths apart.
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
    """Raise this process's limit of open files to what its connections take; a usual one is 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONCURRENCY + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _listening(host: str, port: int, shared_port: int) -> list[socket.socket]:
    """Sockets at both ports. Of those that listen at the shared one the kernel gives each new connection to one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return [
            socket.create_server((host, each), family=family, backlog=_BACKLOG, reuse_port=each == shared_port)
            for each in (port, shared_port)
        ]
    except OSError as refused:
        sys.exit(f"Croupier can't listen at {host}, ports {port} and {shared_port}: {refused}")


class Server(uvicorn.Server):
    """Says once a second that its event loop turns; ten times it ticks, and looks whether to collect garbage."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._garbage = Garbage()

    async def main_loop(self) -> None:
        """Serve, until it is to end."""
        LoopWatch().start()
        await super().main_loop()

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second; gives whether to end."""
        arrivals.tick()
        if counter % 10 == 0:
            alive_signal.give()
            metrics.CONNECTION_BYTES.set(LIMITS.bytes_held)
        self._garbage.look()
        return await super().on_tick(counter)


def ready() -> ASGIApplication:
    """The application, with all that its first readers would wait for; people may come from now on."""
    # What a start imports stays to the end: looking for garbage in it takes a fifth of the start, and time ever after.
    gc.disable()
    application: ASGIApplication = import_module("config.asgi").application
    for name in ("config.urls", *(f"games.{slug}.board" for slug in import_module("games").catalogue)):
        import_module(name)
    gc.freeze()
    gc.enable()
    import_module("matches.storage.outages").keep_beating()
    import_module("matches.workers.flags").keep_watch()
    return application


if __name__ == "__main__":
    main()
