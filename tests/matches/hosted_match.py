"""Tools for tests of host acts: a match's events, its views, and the verification of its record."""

from itertools import pairwise
from typing import Any

from events import store
from games.kernel import HOST, SPECTATOR, Witness, to_json
from matches.audit import croupier_verify, export
from matches.models import Account, Match
from matches.storage import repository
from tests.host_acts import service_of

WITNESSES: tuple[Witness, ...] = (0, 1, SPECTATOR, HOST)


def types(match: Match, after: int = 0) -> list[str]:
    """The types of its events."""
    return [row.type for row in store.read(match.id, after=after)]


def version(match: Match) -> int:
    """Return the last version of the match's log."""
    return repository.version_of(match.id)


def views(match: Match, upto: int) -> dict[tuple[int, Witness], Any]:
    """Return every witness's view at each version up to this one."""
    return {
        (at, witness): to_json(repository.load(match.id, witness, upto=at).state)
        for at in range(1, upto + 1)
        for witness in WITNESSES
    }


def forget() -> None:
    """Empty this process's cache, as a restart does."""
    repository._cache.clear()


def exported(match: Match) -> list[str]:
    """Its record, line by line."""
    return [line.decode() for line in export.export(match.id)]


def holds(match: Match) -> dict[str, Any]:
    """Verify the export with the standalone verifier and by the rules."""
    lines = exported(match)
    export.replay(lines)
    return croupier_verify.verify(lines)


def act(name: str, match: Match, by: Account, **more: Any) -> None:
    """An act of a host, with a reason."""
    service_of(name)(match_id=match.id, by=by.id, **({"reason": "So it is."} | more))


def boundary(match: Match, back: int) -> int:
    """A version that ends an act, so many acts ago."""
    pairs = pairwise(store.read(match.id))
    return [row.version for row, after in pairs if (row.actor, row.at) != (after.actor, after.at)][-back]
