"""All that may be asked of a match over REST, in words that fit any match."""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from tests.api.document import OF_CONTESTS, OF_SEASONS, OPERATIONS
from tests.api.guests import Answer
from tests.api.ordinary import ordinary
from tests.two_worlds.worlds import REQUEST_ID, Asks, World

REQUEST = {"X_Request_ID": REQUEST_ID}


def reads(*paths: str) -> Asks:
    """GET each of these paths; `{match}`, `{code}` and the accounts' ids stand for the world's own."""

    def ask(world: World) -> Iterator[Answer]:
        first, second, *_ = (player.id for player in world.house.players)
        names = {"match": world.match, "code": world.code, "first": first, "second": second}
        for path in paths:
            yield world.reader.get(path.format(**names, game=world.truth.game.slug), **REQUEST)

    return ask


def match_reads(world: World) -> Iterator[Answer]:
    path = f"/matches/{world.match}"
    yield world.reader.get(f"/matches/{world.code}", **REQUEST)
    yield world.reader.ask("HEAD", path, **REQUEST)
    response = world.reader.get(path, **REQUEST)
    yield response
    yield world.reader.get(path, If_None_Match=response.headers["ETag"], **REQUEST)
    yield world.reader.get(path, If_None_Match='"v1"', **REQUEST)


def view_reads(world: World) -> Iterator[Answer]:
    path = f"/matches/{world.match}/view"
    for at in sorted({*range(1, world.version, 1 + world.version // 5), *range(world.version - 2, world.version + 2)}):
        yield world.reader.get(path, {"at": at}, **REQUEST)
    for at in (world.version // 2, world.version):
        for witness in ("spectator", "seat:0", "seat:1", "host", "seat:2"):
            yield world.reader.get(path, {"at": at, "as": witness}, **REQUEST)
            if world.truth.game.slug == "contest":
                yield world.reader.get(path, {"at": at, "as": witness}, Accept="text/csv", **REQUEST)


def moment_reads(world: World) -> Iterator[Answer]:
    path = f"/matches/{world.match}/moment"
    for at in range(1, world.version + 1, 1 + world.version // 5):
        yield world.reader.get(path, {"at": at}, **REQUEST)
    for witness in ("spectator", "seat:0", "seat:1", "host"):
        yield world.reader.get(path, {"as": witness}, **REQUEST)


def svg_reads(world: World) -> Iterator[Answer]:
    path = f"/matches/{world.match}/board.svg"
    for at in range(1, world.version + 1, 1 + world.version // 3):
        yield world.reader.get(path, {"at": at}, **REQUEST)
    response = world.reader.get(path, {"theme": "dark"}, **REQUEST)
    yield response
    yield world.reader.get(path, {"theme": "dark"}, If_None_Match=response.headers["ETag"], **REQUEST)
    for witness in ("spectator", "seat:0", "seat:1", "host"):
        yield world.reader.get(path, {"as": witness}, **REQUEST)


def event_reads(world: World) -> Iterator[Answer]:
    path = f"/matches/{world.match}/events"
    yield world.reader.get(path, {"limit": 500}, **REQUEST)
    for accepted in ("application/x-ndjson", "text/event-stream"):
        yield world.reader.get(path, {"after": 0}, Accept=accepted, **REQUEST)
    for witness in ("spectator", "seat:0", "seat:1", "host"):
        yield world.reader.get(path, {"as": witness, "limit": 20, "after": world.version // 2}, **REQUEST)
    after = 0
    while after is not None:
        page = world.reader.get(path, {"after": after, "limit": 23}, **REQUEST)
        yield page
        after = page.json["next"]


def followed(world: World) -> Iterator[Answer]:
    """The feed of all matches, narrowed to this one: others go on meanwhile, and a cursor is signed anew each time."""
    for limit in (500, 7):
        after: dict[str, str] = {}
        while True:
            page = world.reader.get("/events", {"match": world.match, "limit": limit} | after, **REQUEST)
            after, more = {"after": page.json["next"]}, page.json["more"]
            yield without_cursor(page)
            if not more:
                break


def sought(world: World) -> Iterator[Answer]:
    """The open seats: none is this match's, and others' are the same in both worlds."""
    for query in ({}, {"game": world.truth.game.slug, "limit": "1"}):
        yield without_cursor(world.reader.get("/seeks", query, **REQUEST))


def without_cursor(page: Answer) -> Answer:
    """A page without its cursor, which is signed anew each time."""
    headers = {name: value for name, value in page.headers.items() if name != "Content-Length"}
    return Answer(page.status, headers, page.body.replace((page.json["next"] or "null").encode(), b""))


def command_acts(world: World) -> Iterator[Answer]:
    legal, refused, quiet = world.commands
    for command in legal:
        text = world.truth.game.notation.form(world.truth.game.read_command(command))
        yield world.reader.send(world.match, command, dry_run=True, **REQUEST)
        yield world.reader.send(world.match, text, dry_run=True, **REQUEST)
        yield world.reader.send(world.match, command, If_Match='"v1"', **REQUEST)
        yield world.reader.post(f"/matches/{world.match}/commands", command, **REQUEST)
    for command in (*refused, "sing", "place Z9", "", {"type": "no_such"}):
        yield world.reader.send(world.match, command, **REQUEST)
        yield world.reader.send(world.match, command, dry_run=True, **REQUEST)
    for command in quiet:
        for _ in range(2):
            answer = world.reader.send(world.match, command, key="k", **REQUEST)
            assert answer.status == 201
            yield answer
        yield world.reader.send(world.match, {"type": "no_such"}, key="k", **REQUEST)
        yield world.reader.get(f"/matches/{world.match}/commands/k", **REQUEST)
        yield from (answer for read in (match_reads, event_reads, READS["listLegal"]) for answer in read(world))


def sent(operation: str, **body: Any) -> Asks:
    """Send the ordinary request; most are refused to a player and to a spectator."""

    def ask(world: World) -> Iterator[Answer]:
        yield ordinary(operation, name=world.match, body=body).sent_by(world.reader, **REQUEST)

    return ask


LISTS = ("?needs_me=1", "?status=running&limit=1&player={second}", "?game={game}&player={second}")
READS: dict[str, Asks] = {
    "readMatch": match_reads,
    "readView": view_reads,
    "drawBoard": svg_reads,
    "photographBoard": reads(
        "/matches/{match}/board.png?width=300", "/matches/{code}/board.png?theme=dark&as=spectator"
    ),
    "readCommand": reads("/matches/{match}/commands/k", "/matches/{code}/commands/bot:0:5"),
    "listEvents": event_reads,
    "listLegal": reads("/matches/{match}/legal", "/matches/{code}/legal"),
    "auditMatch": reads("/matches/{match}/audit"),
    "proveMatch": reads("/matches/{match}/audit/proof"),
    "proveConsistency": reads("/checkpoints/consistency?from=1", "/checkpoints/consistency?from=2&to=1"),
    "readMoment": moment_reads,
    "readRematch": reads("/matches/{match}/rematch", "/matches/{code}/rematch"),
    "readKnowledge": reads(*(f"/matches/{{match}}/knowledge?of={version}" for version in range(3, 60, 9))),
    "diffMatch": reads(
        *(f"/matches/{{match}}/diff?from={version}" for version in (1, 6, 20)),
        "/matches/{match}/diff?from=2&to=9&as=spectator",
        "/matches/{match}/diff?from=2&as=seat:1",
    ),
    "listHistory": reads(
        *(f"/matches/{{match}}/history?kind={kind}" for kind in ("moves", "host", "rulings", "")),
        "/matches/{match}/history?text=seat+1&limit=3",
        "/matches/{match}/history?as=host",
    ),
    "exportHistory": reads("/matches/{match}/history/export", "/matches/{match}/history/export?form=csv"),
    "followMatches": followed,
    "searchHistory": reads("/history?text=seat&player={second}&game={game}"),
    "readCareer": reads("/players/{second}"),
    "listResults": reads("/players/{second}/results"),
    "readWebhook": reads("/me/webhook"),
    "readReach": reads("/me/reach"),
    "listCalls": reads("/me/calls"),
    "readEmail": reads("/me/email"),
    "listPushes": reads("/me/pushes"),
    "listNotices": reads("/me/notices"),
    "listAppeals": reads("/matches/{match}/appeals"),
    "listOffers": reads("/matches/{match}/offers"),
    "readNote": reads("/matches/{match}/note"),
    "listRemarks": reads("/matches/{match}/remarks", "/matches/{match}/remarks?thread=table&after=0"),
    "readRemark": reads("/matches/{match}/remarks/spectators/1", "/matches/{match}/remarks/table/1"),
    "readTalk": reads("/matches/{match}/talk"),
    "listMutes": reads("/matches/{match}/mutes"),
    "listBlocks": reads("/me/blocks"),
    "exportMatch": reads("/matches/{match}/export"),
    "listMatches": reads(*(f"/matches{query}" for query in (*LISTS, "?player={second}"))),
    "listMyMatches": reads(*(f"/me/matches{query}" for query in (*LISTS, ""))),
    "listSeeks": sought,
    "streamCalls": reads("/me/stream"),
    "whoAmI": reads("/me"),
    "readPortrait": reads("/me/portrait"),
    "readCalendar": reads("/me/calendar"),
    "readAccessLog": reads("/me/access-log"),
    "listTokens": reads("/tokens"),
    "listGames": reads("/games"),
    "readGame": reads("/games/{game}"),
    "listPresets": reads("/games/contest/presets"),
    "readPreset": reads("/games/contest/presets/quiet_shore"),
}
OF_NO_MATCH = {
    "eraseMe", "signUp", "changeMe", "setWebhook", "removeWebhook", "testWebhook", "createToken", "revokeToken",
    "markAccessSeen", "openMatch", "choosePortrait", "removePortrait", "uploadPortrait", "makeCalendar",
    "revokeCalendar", "changeReach", "chooseSeasonCalls", "testCalls",
    "setEmail", "changeEmail", "removeEmail", "verifyEmail", "askForPassword", "resetPassword", "addPush",
    "removePush",
    "blockAccount", "unblockAccount",
}  # fmt: skip
ACTS: dict[str, Asks] = {
    it.id: sent(it.id)
    for it in OPERATIONS.values()
    if it.method != "GET" and it.id not in OF_NO_MATCH | OF_SEASONS | OF_CONTESTS
} | {"sendCommand": command_acts}
HOST_ACTS = (
    "pauseMatch", "resumeMatch", "extendTurn", "postRuling", "seatStandIn", "endStandIn", "substitutePlayer",
    "remindPlayers",
)  # fmt: skip


def rewind(world: World) -> Iterator[Answer]:
    """Back to where the match stood two acts earlier."""
    acts = accumulate((len(batch.events) for batch in world.truth.batches), initial=2 + world.truth.seats)
    return sent("rewindMatch", to_version=list(acts)[-3])(world)


AS_HOST = {name: sent(name) for name in HOST_ACTS} | {
    "rewindMatch": rewind,
    "readMatch": match_reads,
    "listEvents": reads("/matches/{match}/events?limit=500"),
}
