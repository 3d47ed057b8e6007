"""The ports of a house: the one that people come to, and beside it one of its own for each of several web processes."""

import socket
from dataclasses import dataclass, field

from config.runner.process import StartFailed

MOST_WEBS = 64
"""More than any machine that one supervisor runs on has use for."""


@dataclass
class WebPorts:
    """The shared port, and from the next one on as many as there are web processes, if there are several.

    Several processes listen at the shared port side by side, each with SO_REUSEPORT, and the kernel deals new
    connections out. It would deal them out among two houses just as well, so each house claims its port first.
    """

    shared: int
    webs: int = 1
    _claim: socket.socket | None = field(default=None, init=False)

    @property
    def own(self) -> list[int]:
        """The processes' own ports; none where one process has the shared one to itself."""
        return [self.shared + number for number in range(1, self.webs + 1)] if self.webs > 1 else []

    def take(self) -> None:
        """StartFailed where a port can't be one, or is somebody else's."""
        if not 0 < self.webs <= MOST_WEBS:
            raise StartFailed(f"{self.webs} web processes can't be run: they go from 1 to {MOST_WEBS}.")
        for port in (self.shared, *self.own):
            _probe(port)
        if self.own:
            self._claim_shared()

    def _claim_shared(self) -> None:
        """Hold a name that one process at a time can hold, and that lies, like ports, in the network's own namespace.

        A socket that is bound to the port can't be the claim: with SO_REUSEADDR two may be bound until one listens,
        and without it a port is closed for a minute after each stop.
        """
        self._claim = socket.socket(socket.AF_UNIX)
        try:
            self._claim.bind(f"\0croupier-port-{self.shared}")
        except OSError:
            self.release()
            raise StartFailed(f"Port {self.shared} is taken. Choose another with --port.") from None

    def release(self) -> None:
        """Let another house have it."""
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
