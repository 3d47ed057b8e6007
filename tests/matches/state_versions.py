"""Digests of the states that the reducers make of recorded matches, one for each number that stamps snapshots.

python -m tests.matches.state_versions > tests/matches/states.json
"""

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from games import catalogue
from games.kernel import HOST, SPECTATOR, Game, canonical, fold, redact, to_json
from matches.audit import replay
from matches.audit.croupier_verify import microseconds
from matches.domain import match_state
from matches.domain.events import MatchOpened, MatchRewound
from tests.playthrough import Script, performed

GOLDEN = Path(__file__).with_name("states.json")
_GAMES = Path(__file__).parents[1] / "games"
_RECORDS = Path(__file__).parent


def stamps() -> dict[str, dict[str, Any]]:
    """For each game and for the match around it: the number that stamps its snapshots, and the digest of its states."""
    current = {slug: _stamp(game.state_version, _states(game)) for slug, game in catalogue.items()}
    return {**current, "match": _stamp(match_state.STATE_VERSION, _matches())}


def _stamp(version: int, states: Iterable[Any]) -> dict[str, Any]:
    summed = sha256()
    for state in states:
        summed.update(canonical(to_json(state)))
    return {"state_version": version, "digest": summed.hexdigest()}


def _states(game: Game) -> Iterator[Any]:
    """The state after each golden playthrough, as each witness knows it half way and at the end."""
    for path in sorted((_GAMES / game.slug).glob("*.golden")):
        table = performed(Script.read(path.read_text(encoding="utf-8")))
        for witness in (HOST, SPECTATOR, *range(table.seats)):
            for upto in (table.version // 2, table.version):
                events = [redact(event, witness) for event in table.log[:upto]]
                yield fold(game, table.options, table.seats, table.priority, events)


def _without_docstrings(schema: Any) -> Any:
    """Return the JSON schema without descriptions: msgspec takes them from docstrings, which are no part of a shape."""
    match schema:
        case dict():
            return {key: _without_docstrings(value) for key, value in schema.items() if not _is_docstring(key, value)}
        case list():
            return [_without_docstrings(value) for value in schema]
        case _:
            return schema


def _is_docstring(key: str, value: Any) -> bool:
    return key == "description" and isinstance(value, str)


def _matches() -> Iterator[Any]:
    """The match at each version of the recorded exports, and the shape of what is kept of it."""
    yield _without_docstrings(msgspec.json.schema(match_state.Lifecycle))
    yield _without_docstrings(msgspec.json.schema(match_state.Clocks))
    for path in sorted(_RECORDS.glob("*.ndjson")):
        header, *rows = map(msgspec.json.decode, path.read_text(encoding="utf-8").splitlines())
        played: list[match_state.MatchState] = []
        for row in rows[: header["version"]]:
            event = replay.exported_event(replay.rules_of(header), row)
            how = {"version": row["version"], "hash": bytes.fromhex(row["hash"]), "at": microseconds(row["at"])}
            if isinstance(event, MatchOpened):
                played.append(match_state.opened(event, **how))
            else:
                back = played[event.to_version - 1] if isinstance(event, MatchRewound) else None
                played.append(match_state.evolve(played[-1], event, **how, actor=row["actor"], earlier=back))
            yield [played[-1].lifecycle, played[-1].running]


if __name__ == "__main__":
    print(json.dumps(stamps(), indent=2))
