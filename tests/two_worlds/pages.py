"""All that a browser may ask of a match: its pages and their frames, the replay, lists, a season's desk, the panel."""

import re
from collections.abc import Iterator
from random import Random
from unittest.mock import patch
from uuid import UUID, uuid4

from django.http import HttpResponse
from django.test import Client

from matches.models import Account, Match
from matches.seasons import services
from matches.seasons.domain import scheduling
from matches.seasons.domain.options import POOL
from matches.web.play import completing
from tests.api.guests import Answer
from tests.api.seasons import Cup
from tests.two_worlds.worlds import REQUEST_ID, Asks, World

VIEWS_ASKED_FOR = ("spectator", "seat:0", "seat:1", "host")
OWN = re.compile(
    rb'(?<=name="csrfmiddlewaretoken" value=")\w+|(?<=name="key" value=")[\w-]+|(?<=data-now=")\d+'
    rb"|<time datetime[^<]*</time>"
)
"""Values that differ per page: its cross-site token, key and clock, and an instant formatted for people."""


def gets(*paths: str) -> Asks:
    """GET each of these pages; names in braces stand for the world's own."""
    return lambda world: (page(world, path) for path in paths)


def replayed(world: World) -> Iterator[Answer]:
    """The replay at versions spread over the match, and its end as others would see it."""
    for at in sorted({*range(1, world.version, 1 + world.version // 5), world.version}):
        yield page(world, f"/m/{{code}}/replay/{at}/")
    for view in VIEWS_ASKED_FOR:
        yield page(world, f"/m/{{code}}/replay/{world.version}/?as={view}")


OF_OTHERS = re.compile(rb'aria-labelledby="(?:seeks|live|seasons)">.*?</section>', re.DOTALL)
"""The sections of the lobby with matches and seasons of everybody: other tests leave theirs in the same database."""


def lists(world: World) -> Iterator[Answer]:
    """Yield the reader's lists: of the lobby only what concerns the reader, and in the sections of everybody the lines
    with the world's match.
    """
    lobby, match = page(world, "/"), b"c" * len(world.code)

    def lines_with_the_match(section: re.Match[bytes]) -> bytes:
        return b"\n".join(line for line in section.group().splitlines() if match in line)

    yield Answer(lobby.status, lobby.headers, OF_OTHERS.sub(lines_with_the_match, lobby.body))
    yield page(world, "/matches?player={second}")
    yield page(world, "/players/{second}")


def signed_out(world: World) -> Iterator[Answer]:
    """Yield the pages that an anonymous visitor sees."""
    for path in ("/m/{code}/", "/m/{code}/frame"):
        yield page(world, path, browser_of(None))


def hands(world: World) -> Iterator[Answer]:
    """Yield the page's requests while a player holds a piece: whether it may be placed, which command completes it, and
    whether a command has arrived. A spectator is refused.
    """
    legal = [world.truth.game.notation.form(world.truth.game.read_command(it)) for it in world.commands.legal]
    browser = browser_of(world.reader.id)
    for text in (*legal, "sing", ""):
        yield page(world, "/m/{code}/trial", browser, {"text": text})
    # What is proposed is drawn by chance; the same chance must propose the same.
    with patch.object(completing, "SystemRandom", lambda: Random(1)):
        for drafts in ([], legal[:1], ["sing"]):
            yield page(world, "/m/{code}/completion", browser, {"text": drafts})
    yield page(world, "/m/{code}/sent?key=k", browser)


def desk(world: World) -> Iterator[Answer]:
    """The player's desk of a season in which this is the death match of its two seats, the episode, and its picture."""
    season = season_around(world)
    response = page(world, f"/seasons/{season}/desk")
    assert b'id="live"' in response.body
    recap = f"/seasons/{season}/episodes/1"
    for answer in (response, page(world, recap), page(world, f"{recap}/recap.png")):
        assert answer.status == 200
        yield Answer(answer.status, answer.headers, answer.body.replace(season.encode(), b"s" * len(season)))


PAGES: dict[str, Asks] = {
    "page": gets("/m/{code}/"),
    "frame": gets("/m/{code}/frame"),
    "words": gets("/m/{code}/words"),
    "replay": replayed,
    "seats": gets("/m/{code}/seats"),
    "cover": gets("/m/{code}/cover.png"),
    "table": gets("/m/{code}/table.svg", "/m/{code}/table.svg?theme=dark&v=1"),
    "lists": lists,
    "signed out": signed_out,
    "hands": hands,
    "afterwards": gets("/m/{code}/afterwards"),
    "talk": gets("/m/{code}/talk"),
    "submissions": gets(
        "/m/{code}/submissions.csv", *(f"/m/{{code}}/submissions.csv?as={view}" for view in VIEWS_ASKED_FOR)
    ),
}
ROOM = "/admin/matches/{code}/control/"
PANEL: dict[str, Asks] = {
    "room": gets(ROOM, *(f"{ROOM}?as={view}" for view in VIEWS_ASKED_FOR)),
    "room live": gets(f"{ROOM}live/", *(f"{ROOM}live/?as={view}" for view in VIEWS_ASKED_FOR)),
    "room presence": gets(f"{ROOM}presence/"),
    "room rewind": gets(f"{ROOM}rewind/", f"{ROOM}rewind/?to=9"),
    "hosting": gets("/admin/hosting/"),
}
DESK: dict[str, Asks] = {"desk": desk}


def page(
    world: World, path: str, browser: Client | None = None, form: dict[str, str | list[str]] | None = None
) -> Answer:
    """A page as the world's reader gets it, without ids, instants and what it draws for itself; the answer to a form
    where one is sent."""
    names = {"match": world.match, "code": world.code, "second": world.house.players[1].name}
    client = browser or browser_of(world.reader.id)
    address, sent_headers = path.format(**names), {"X-Request-ID": REQUEST_ID, "Accept": "*/*"}
    ask = (
        client.get(address, headers=sent_headers) if form is None else client.post(address, form, headers=sent_headers)
    )
    response: HttpResponse = ask
    headers = {name: value for name, value in response.headers.items() if name not in ("Content-Length", "Expires")}
    _, _, body = world.masked(Answer(response.status_code, {}, response.content))
    return Answer(response.status_code, headers, OWN.sub(b"", body))


def browser_of(account: str | None) -> Client:
    """A browser; signed in where there is an account."""
    browser = Client(SERVER_NAME="localhost", raise_request_exception=False)
    if account is not None:
        browser.force_login(Account.objects.get(id=UUID(account)))
    return browser


def season_around(world: World) -> str:
    """Set up a season in which the world is the death match of its two seats, or a table of the main match if it can't
    be one; return the season's id."""
    Account.objects.filter(id=world.house.opener.id).update(is_organiser=True)
    cup = Cup(0, organiser=world.house.opener)
    candidate, opponent = world.house.players
    for player in (world.reader, *(it for it in world.house.players if it is not world.reader)):
        cup.did("/players", {"player": player.id})
    cup.did("/players", {"player": world.house.watcher.id})
    cup.did("/episodes", {"title": "First"})
    settings = scheduling.MatchSettings(match=world.match, game=world.truth.game.slug, options={})
    if settings.game in POOL:
        winners, losers = [world.house.watcher.id], [candidate.id]
        cup.did("/main-matches", {"name": "Dice", "winners": winners, "candidates": losers})
        cup.did("/opponents", {"player": opponent.id})
    services.act(
        season_id=UUID(cup.id),
        by=Account.objects.get(id=world.house.opener.id),
        decide=lambda season, by: (
            scheduling.schedule_death_match(season, by, settings)
            if settings.game in POOL
            else scheduling.schedule_table(season, by, settings, (candidate.id, opponent.id))
        ),
        key=str(uuid4()),
        fingerprint=b"",
    )
    Match.objects.filter(id=world.match).update(season=cup.id)
    return cup.id
