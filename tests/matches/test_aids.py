"""What a match shows beyond what lies open and what a seat holds: as much as its aids say, at every door."""

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from pytest import MonkeyPatch

from events import store
from events.pipeline import roundtrip
from events.records import NOWHERE
from events.store import raw_connection
from games import catalogue
from games.higher_or_lower.pieces import spoken as spoken_card
from games.kernel import HOST, SPECTATOR, to_json
from games.pyramid_poker.pieces import spoken as spoken_brick
from matches.domain import aids
from matches.domain.events import BOT, MatchOpened
from matches.html.context import live
from matches.http import commands
from matches.models import Account, Match
from matches.reads import feed
from matches.realtime import frames
from matches.services import appealing, opening, rematching
from matches.storage import codec, repository
from tests.api.guests import Guest
from tests.cases import some_slow
from tests.table_setting import new_account, new_token, play_on, play_to_the_end, running_match
from tests.web.match_setting import client_of, send

SCRIPT = {"Accept": "application/json"}


def bricks(known: Any, seat: int) -> list[str]:
    own = [it.brick for it in known.spaces.values() if it.brick and it.seat == seat]
    return [form for brick in own for form in (f'"{brick}"', spoken_brick(brick), f"[{brick.center(3)}]")]


def cards(known: Any, seat: int) -> list[str]:
    lying = {card for board in known.cards_open.values() for card in board}
    groups = known.groups[seat] if seat in known.locked else ()
    own = [card for group in groups for card in group.cards if card not in lying]
    return [form for card in own for form in (f'"{card}"', spoken_card(card))]


MEMORIES: dict[str, Callable[[Any, int], list[str]]] = {
    "pyramid_poker": bricks,
    "higher_or_lower": cards,
    "reality_benders": lambda known, seat: ['"fresh":["', '"gone":["'],
}
"""By game: how what a seat was told before would stand in an answer."""
COMPUTED = {
    "higher_or_lower": ['"lower":[', '"higher":['],
    "peeling_the_banana": ['"counts":true'],
    "pentagram": ['"gains":', '"placements":', " and keep "],
    "reality_benders": ['"foresees":true'],
}
"""By game: how what is computed would stand in an answer."""
MOMENTS: dict[str, Callable[[Any], bool]] = {
    "higher_or_lower": lambda state: state.at is not None,
    "peeling_the_banana": lambda state: state.stage == "play",
    "pentagram": lambda state: state.turns == 12,
    "pyramid_poker": lambda state: state.phase == "deconstruction" and len(state.spaces) == 21,
    "reality_benders": lambda state: state.fresh and state.stage in ("cast", "bend"),
}
"""By game: when there is something to remember, and something to compute for the seat that is to move."""


def under_way(slug: str, level: str, **setting: Any) -> tuple[Match, list[Account]]:
    players = [new_account(), new_account()]
    match = running_match(slug, *players, aids=level, **setting)
    while not MOMENTS[slug](repository.load(match.id).state) or repository.load(match.id).due.dealer:
        play_on(match, 1, Random(5))
    return match, players


def answers_to_seat(match: Match, seat: int, account: Account) -> Iterator[tuple[str, str]]:
    """Yield the name of each entry point with the text of its answer to a seat."""
    newest = repository.version_of(match.id)
    reader, page = Guest(new_token(account), account), client_of(account)
    past = (newest // 2, newest - 1)
    paths = ["", "/view", "/events?limit=500", "/history?limit=500", "/board.svg", "/legal"]
    paths.append(f"/diff?from={newest // 2}&to={newest}")
    paths += [f"/{door}?at={at}" for at in past for door in ("view", "moment", "board.svg")]
    paths += [f"/knowledge?of={at}" for at in past]
    for path in paths:
        yield path, reader.get(f"/matches/{match.id}{path}").body.decode()
    for key in keys_of(match, account):
        yield f"command {key}", reader.get(f"/matches/{match.id}/commands/{key}").body.decode()
    for text in reader.get(f"/matches/{match.id}/legal").json["text"][:2]:
        yield f"dry run of {text}", reader.send(str(match.id), text, dry_run=True).body.decode()
    yield "a refusal", reader.send(str(match.id), "no such thing").body.decode()
    for path in ("", "frame", "words", "replay/", *(f"replay/{at}/" for at in past)):
        yield f"page {path}", page.get(f"/m/{match.code}/{path}", follow=True).content.decode()
    look = frames.load_frames(match.id, {seat: NOWHERE}, {(seat, "page"): 0})
    yield "the hello", msgspec.json.encode(look.hellos[seat]).decode()
    yield "the page's frame", look.pages[seat, "page"].text.replace('\\"', '"')
    missed = frames.missed(match.id, seat, 1, newest)
    yield "what was missed", missed.text if missed else ""


def keys_of(match: Match, account: Account) -> list[str]:
    """The keys of what the account has done at the match."""
    sql = "SELECT key FROM events_key WHERE stream = $1 AND actor = $2"
    ((*rows,),) = roundtrip(raw_connection(), [(sql, (match.id, str(account.id)))])
    return [key for (key,) in rows]


def secrets_in(answer: bytes) -> list[Any]:
    """What an answer tells that not everybody was told."""
    events = msgspec.json.decode(answer)["events"]
    return [event[name] for event in events for name in event["secret"] if event[name] is not None]


def found_in(answers: Iterator[tuple[str, str]], traces: list[str]) -> set[str]:
    """The doors that tell any of these."""
    plain = ((door, re.sub(r'":\s+', '":', answer)) for door, answer in answers)
    return {f"{door}: {trace}" for door, answer in plain for trace in traces if _stands_in(answer, trace)}


def _stands_in(answer: str, trace: str) -> bool:
    """Whether the trace is there, and not as the beginning of another number: Apple 1 is no part of Apple 12."""
    end = r"(?!\d)" if trace[-1].isdigit() else ""
    return re.search(re.escape(trace) + end, answer) is not None


def traces_of(match: Match, seat: int) -> list[str]:
    known = repository.load(match.id, seat).state
    return MEMORIES.get(match.game, lambda known, seat: [])(known, seat)


def test_every_aid_of_every_game_has_a_test_case() -> None:
    for slug, game in catalogue.items():
        kinds = {aid.kind for aid in game.aids.values()}
        assert kinds == {*(["memory"] if slug in MEMORIES else []), *(["all"] if slug in COMPUTED else [])}


@pytest.mark.parametrize("slug", some_slow(sorted(MOMENTS), always=["higher_or_lower"]))
def test_match_without_aids_shows_no_memory_and_no_computation_on_any_interface(slug: str) -> None:
    match, players = under_way(slug, "none")
    for seat, account in enumerate(players):
        traces = traces_of(match, seat)
        assert traces or slug not in MEMORIES
        assert found_in(answers_to_seat(match, seat, account), [*traces, *COMPUTED.get(slug, [])]) == set()


def test_pyramid_without_aids_shows_a_seat_its_bricks_only_during_construction() -> None:
    players = [new_account(), new_account()]
    match = running_match("pyramid_poker", *players, aids="none")
    play_on(match, 10, Random(5))
    newest = repository.version_of(match.id)
    for seat, account in enumerate(players):
        reader = Guest(new_token(account), account)
        spaces = reader.get(f"/matches/{match.id}/view").json["view"]["spaces"]
        assert len(spaces) == 9 and all((it["brick"] is not None) == (it["seat"] == seat) for it in spaces.values())
        doors = {
            answer.split(": ")[0] for answer in found_in(answers_to_seat(match, seat, account), traces_of(match, seat))
        }
        assert {"/view", "/board.svg", "page "} <= doors
        past = {door for door in doors if f"at={newest - 1}" in door or f"at={newest // 2}" in door}
        assert past == set()


@pytest.mark.parametrize("level", ["none", "memory"])
def test_retried_command_gets_equal_bytes_unless_they_would_serve_as_memory(level: str) -> None:
    players = [new_account(), new_account()]
    match = running_match("higher_or_lower", *players, aids=level)
    play_on(match, 1)
    known = repository.load(match.id)
    seat = known.due.prompts[0].seat
    command = to_json(known.game.bot(repository.load(match.id, seat).state, seat, Random(5)))

    def answered() -> bytes:
        return commands.send(players[seat].id, str(match.id), command, key="once", expected=None).response

    first = answered()
    assert secrets_in(first) and answered() == first, "Nothing has happened since."
    play_on(match, 1)
    assert (answered() == first, secrets_in(answered()) == []) == ((False, True) if level == "none" else (True, False))


@pytest.mark.parametrize("slug", some_slow(sorted(MOMENTS), always=("pyramid_poker",)))
def test_match_with_memory_repeats_what_a_seat_saw_and_computes_nothing(slug: str) -> None:
    match, players = under_way(slug, "memory")
    for seat, account in enumerate(players):
        answers = list(answers_to_seat(match, seat, account))
        assert found_in(iter(answers), COMPUTED.get(slug, [])) == set()
        assert bool(found_in(iter(answers), traces_of(match, seat))) == (slug in MEMORIES)


@pytest.mark.parametrize("slug", some_slow(sorted(COMPUTED), always=("pentagram",)))
def test_match_with_all_aids_shows_computed_values_on_its_page(slug: str) -> None:
    match, players = under_way(slug, "all")
    seats = enumerate(players)
    assert any(found_in(answers_to_seat(match, seat, account), COMPUTED[slug]) for seat, account in seats)


def test_aside_does_not_hide_what_the_last_act_showed() -> None:
    players = [new_account(), new_account()]
    match = running_match("higher_or_lower", *players, aids="none")
    play_on(match, 1)
    seat = repository.load(match.id).due.prompts[0].seat
    known = repository.load(match.id)
    command = to_json(known.game.bot(repository.load(match.id, seat).state, seat, Random(5)))
    commands.send(players[seat].id, str(match.id), command, key="once", expected=None)
    act = repository.load(match.id)

    def shown() -> tuple[list[Any], list[str]]:
        events = feed.events(match.id, seat, 0, 500).results
        secrets = [it[name] for it in events for name in it["secret"] if it[name] is not None]
        return secrets, [line.text for line in live(match, seat)["lines"]]

    secrets, lines = shown()
    appealing.appeal(match_id=match.id, player=players[1 - seat].id, kind="other", text="Wait.")
    assert repository.load(match.id).acted_at == act.at < repository.load(match.id).at
    again = shown()
    assert again[0] == secrets and again[1][1:] == lines and "Wait." in again[1][0]
    play_on(match, 1)
    assert shown()[0] != secrets, "the next act takes its place"


def test_host_and_finished_match_show_everything_without_aids() -> None:
    match, players = under_way("pyramid_poker", "none")
    organiser = new_account(is_organiser=True)
    looked = Guest(new_token(organiser), organiser).get(f"/matches/{match.id}/view?as=host").json
    assert looked["view"]["spaces"] == msgspec.to_builtins(repository.load(match.id, HOST).state.spaces)
    traces = traces_of(match, 0)
    play_to_the_end(match, Random(1))
    assert found_in(answers_to_seat(match, 0, players[0]), traces)


def test_delayed_spectator_does_not_learn_of_the_end_from_repeated_news(monkeypatch: MonkeyPatch) -> None:
    match, players = under_way("reality_benders", "none", spectator_delay=600)
    ripe = repository.version_of(match.id)
    monkeypatch.setattr(store, "aged", lambda stream, delay: ripe)
    before = feed.view(match.id, SPECTATOR)
    assert before.version == ripe and before.view["fresh"] == []
    send(match, 0, players[0], "resign")
    assert feed.view(match.id, SPECTATOR) == before


def test_match_without_aids_fills_in_nothing_and_keeps_no_notes() -> None:
    players = [new_account(), new_account()]
    match = running_match("higher_or_lower", *players, aids="none")
    send(match, 0, players[0], "colour cyan")
    page = client_of(players[0])
    for door in ("completion", "note"):
        answer = page.post(f"/m/{match.code}/{door}", {"text": []}, headers=SCRIPT)
        assert (answer.status_code, answer.json()["code"]) == (409, "aids_off")
    assert 'id="note"' not in page.get(f"/m/{match.code}/").content.decode()


def test_match_document_page_and_export_name_its_aids() -> None:
    match, players = under_way("pentagram", "memory")
    document = Guest(new_token(players[1]), players[1]).get(f"/matches/{match.id}").json
    assert document["aids"] == "memory"
    for account in (players[0], None):
        assert aids.SENTENCES["memory"] in client_of(account).get(f"/m/{match.code}/").content.decode()
    exported = Guest(new_token(players[0]), players[0]).get(f"/matches/{match.id}/export").lines[1]
    assert msgspec.json.decode(exported)["public"]["aids"] == "memory"


def test_record_from_before_the_option_has_all_aids() -> None:
    match, _ = under_way("pentagram", "all")
    row = store.read(match.id, upto=1)[0]
    assert b"aids" not in row.public
    opened = codec.unpack(catalogue["pentagram"], row, SPECTATOR)
    assert isinstance(opened, MatchOpened) and opened.aids == "all"


@pytest.mark.parametrize(
    ("players", "level"),
    [
        (["me", BOT], "all"), ([BOT, BOT], "all"), (["me", "you"], "memory"), (["me", None], "memory"),
        (["you", BOT], "memory"), (["you", "they"], "memory"),
    ],
)  # fmt: skip
def test_match_has_the_default_aids_unless_its_opener_chooses(players: list[str | None], level: str) -> None:
    assert aids.usual("me", players) == level
    ids = {name: new_account().id for name in ("me", "you", "they")}
    seats = [opening.SeatRequest(ids.get(str(name), name)) for name in players]
    asked = {"opener": ids["me"], "game": "pentagram", "options": {}, "seats": seats}
    for given, stands in ((None, level), ("none", "none")):
        opened = opening.open_match(**asked, aids=given)
        assert repository.load(opened.match_id).lifecycle.opened.aids == stands


def test_rematch_keeps_the_aids() -> None:
    players = [new_account(), new_account()]
    match = running_match("pyramid_poker", *players, aids="none")
    send(match, 0, players[0], "resign")
    again = rematching.offer_rematch(match_id=match.id, player=players[0].id)
    assert repository.load(again).lifecycle.opened.aids == "none"
