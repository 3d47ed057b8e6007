"""All that is told without being asked for: over a match's socket, and at the terminal."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

from rich.console import Console

from matches.publishing import publisher
from matches.terminal.session import Session
from tests.api.guests import Answer
from tests.live.watching import House as Web
from tests.lost import Backup, backup, restore
from tests.matches.test_terminal import client_of
from tests.two_worlds.worlds import Asks, World


def frames_of(site: str) -> Asks:
    """All that the web process at this address tells over a socket to one who asks for everything, plays on, and is
    told that the database has lost what they played."""

    web = Web(urlsplit(site).port or 0, 0, Path())

    def read_frames(world: World) -> Iterator[Answer]:
        with web.watch(world.reader, world.match) as watcher:
            watcher.say(kind="resync", after=0)
            watcher.version = 0
            watcher.reach(world.version)
            saved = backup(UUID(world.match))
            for number, command in enumerate((*world.commands.refused, "sing", *world.commands.quiet)):
                answer = watcher.command(command, f"k{number}")
                if answer["kind"] == "accepted":
                    watcher.reach(answer["version"])
            if watcher.version > world.version:
                lose(world.match, saved)
                loss = watcher.follow("resync")
                assert (loss["version"], len(loss["never_happened"])) == (world.version, len(world.commands.quiet))
                watcher.follow("hello")
        # Whether an answer comes before or after the events that it brought is chance.
        texts = sorted(text for text in watcher.raw if '"kind":"presence"' not in text)
        for text in texts:
            yield Answer(0, {}, text.replace(_request_id(text), "r").encode())

    return read_frames


def lose(match: str, saved: Backup) -> None:
    """Set the match back in the database, and hint that it has moved."""
    restore(UUID(match), saved)
    publisher.publish(publisher.match_group(UUID(match)), {"type": "moved", "match": match, "version": 0})


def _request_id(text: str) -> str:
    _, marker, rest = text.partition('"request_id":"')
    return rest[:36] if marker else "no request"


def evening(world: World) -> Iterator[Answer]:
    """Yield the output of the terminal when a player resumes: all earlier events, and the board."""
    session, paper = Session(client_of(world.reader.token or ""), world.truth.game), StringIO()
    session._console = Console(file=paper, highlight=False, soft_wrap=True)
    session.resume(world.code)
    while True:
        page = session._next_page()
        session._print_events(page["results"])
        if page["next"] is None:
            break
    match = session._client.get(f"/matches/{world.match}")
    session._draw(match)
    if session._prompts_of(match):
        session._list_legal()
    yield Answer(0, {}, paper.getvalue().encode())


TERMINAL: dict[str, Asks] = {"evening": evening}
