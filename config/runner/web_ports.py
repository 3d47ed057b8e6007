"""The ports of an installation: the public one, and one for each web process if there are several."""

import socket
from dataclasses import dataclass, field

from config.runner.process import StartFailed

MOST_WEBS = 64
"""More than any machine with one supervisor can use."""


@dataclass
class WebPorts:
    """The shared port, and one port after it for each web process, if there are several.

    Several processes listen on the shared port with SO_REUSEPORT, and the kernel distributes new connections among
    them. It would also distribute them among two installations, so each installation claims its port first.
    """

    shared: int
    webs: int = 1
    _claim: socket.socket | None = field(default=None, init=False)

    @property
    def own(self) -> list[int]:
        """The processes' own ports; none if a single process uses the shared one."""
        return [self.shared + number for number in range(1, self.webs + 1)] if self.webs > 1 else []

    def take(self) -> None:
        """Raise StartFailed if a port is invalid or taken."""
        if not 0 < self.webs <= MOST_WEBS:
            raise StartFailed(f"{self.webs} web processes can't be run: they go from 1 to {MOST_WEBS}.")
        for port in (self.shared, *self.own):
            _probe(port)
        if self.own:
            self._claim_shared_port()

    def _claim_shared_port(self) -> None:
        """Bind an abstract socket, which only one process at a time can do, and which belongs to the network namespace
        like ports.

        Binding the port itself is no claim: with SO_REUSEADDR two processes may bind it until one listens, and without
        it a port is unavailable for a minute after each stop.
        """
        self._claim = socket.socket(socket.AF_UNIX)
        try:
            self._claim.bind(f"\0croupier-port-{self.shared}")
        except OSError:
            self.release()
            raise StartFailed(f"Port {self.shared} is taken. Choose another with --port.") from None

    def release(self) -> None:
        """Give up the claim."""
        if self._claim is not None:
            self._claim.close()
            self._claim = None


def _probe(port: int) -> None:
    if not 0 < port < 65536:
        raise StartFailed(f"{port} is no port: they go from 1 to 65535. Choose another with --port.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            reason = "is taken" if error.errno == 98 else f"cannot be used: {error.strerror}"
            raise StartFailed(f"Port {port} {reason}. Choose another with --port.") from None
