"""Acts whose process dies: each is killed before its commit, killed after it, and then sent again.

python -m tests.matches.killed KILLS MATCH_ID... plays the matches in turn until so many processes have died, and tells
as JSON how many acts there were and what went wrong. Each act is a fork of this process, which never touches the
database itself; a killed one ends by os._exit, its transaction with its connection.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any
from uuid import UUID

import django

DEAD, DONE, OVER, WRONG = 137, 0, 3, 4


def act(match_id: UUID, version: int | None = None) -> int:
    """Do what the match waits for at a version: the dealer's duty, or the move of the bot."""
    from matches import services
    from matches.storage import repository

    match_state = repository.load(match_id, upto=version)
    if match_state.outcome:
        return OVER
    again = version is not None
    if match_state.due.dealer:
        try:
            services.deal(match_id=match_id, expected=match_state.version)
        except services.VersionMoved:
            return DONE if again else WRONG
        return WRONG if again else DONE
    seat = match_state.due.prompts[0].seat
    result = services.submit(
        match_id=match_id,
        seat=seat,
        player=str(match_state.lifecycle.players[seat]),
        command=match_state.game.bot(
            repository.load(match_id, seat, upto=version).state, seat, Random(match_state.game_version)
        ),
        key=f"act {match_state.version}",
        fingerprint=b"act",
        expected=match_state.version,
    )
    return DONE if result.replayed == again else WRONG


def dying(roundtrip: Callable[..., Any], after: bool) -> Callable[..., Any]:
    """A round trip that ends the process at its COMMIT: before or after it."""

    def run(connection: Any, statements: Sequence[Any]) -> Any:
        assert statements[-1][0] == "COMMIT"
        roundtrip(connection, statements if after else statements[:-1])
        os._exit(DEAD)

    return run


def in_a_child(work: Callable[[], int]) -> int:
    """The exit code of a fork that does the work."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def told_by_a_child(work: Callable[[], int], match_id: UUID) -> tuple[int, int]:
    """The exit code of a fork that does the work, and the version that it leaves the match at."""
    reader, writer = os.pipe()

    def tell() -> int:
        from matches.storage import repository

        code = work()
        os.write(writer, str(repository.version_of(match_id)).encode())
        return code

    code = in_a_child(tell)
    os.close(writer)
    with os.fdopen(reader) as answer:
        return code, int(answer.read() or 0)


def main(argv: list[str]) -> None:
    """Kill, send again, tell."""
    django.setup()
    from django.db import connections

    from events import appending

    # A pool's threads would take longer to start than the act that a child lives for.
    connections.settings["default"]["OPTIONS"].pop("pool", None)

    honest, wanted, kills, acts, wrong = appending.roundtrip, int(argv[0]), 0, 0, []

    def killed(match_id: UUID, after: bool) -> int:
        def work() -> int:
            appending.roundtrip = dying(honest, after)
            return act(match_id)

        return in_a_child(work)

    def again(match_id: UUID, version: int) -> tuple[int, int]:
        return told_by_a_child(lambda: act(match_id, version), match_id)

    for match_id in map(UUID, argv[1:]):
        version = told_by_a_child(lambda: DONE, match_id)[1]
        while kills < wanted:
            codes = [killed(match_id, after=False)]
            if codes == [OVER]:
                break
            codes += [killed(match_id, after=True)]
            code, reached = again(match_id, version)
            if [*codes, code] != [DEAD, DEAD, DONE]:
                wrong.append(f"{match_id} at {version}: {codes}, {code}")
                break
            kills, acts, version = kills + 2, acts + 1, reached
    json.dump({"kills": kills, "acts": acts, "wrong": wrong}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
