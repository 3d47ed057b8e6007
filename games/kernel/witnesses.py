"""Witnesses of a match: a seat by its number, the spectators, or the host, who sees everything."""

from enum import Enum


class Watcher(Enum):
    """A witness without a seat."""

    SPECTATOR = "spectator"
    HOST = "host"

    def __repr__(self) -> str:
        return self.name


SPECTATOR = Watcher.SPECTATOR
HOST = Watcher.HOST

Witness = int | Watcher
