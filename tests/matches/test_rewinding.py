"""A match goes back to an earlier version: with other draws, with that moment's clocks, and nothing is forgotten."""

import hmac
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from django.db import connection

from events import chain, snapshot_writer, store
from games import catalogue
from games.kernel import HOST, to_json
from matches.audit import croupier_verify, export
from matches.domain import clocks
from matches.domain.clocks import SECOND
from matches.models import Account, Match
from matches.services import appealing, hosting
from matches.storage import repository, seeds
from tests.matches.hosted_match import WITNESSES, act, boundary, exported, forget, holds, types, version, views
from tests.table_setting import new_account, play_on, play_to_the_end, refusal_of, running_match


def test_rewound_match_continues_from_the_earlier_state_with_other_draws(match: Match, host: Account) -> None:
    back = boundary(match, 4)
    head = version(match)
    earlier = {witness: repository.load(match.id, witness, upto=back) for witness in WITNESSES}
    act("rewind", match, host, to_version=back)
    assert types(match, head) == ["match_rewound"]
    for cached in (True, False):
        if not cached:
            forget()
        for witness in WITNESSES:
            now = repository.load(match.id, witness)
            assert (now.version, now.state) == (head + 1, earlier[witness].state)
            assert (now.due, now.game_version) == (earlier[witness].due, earlier[witness].game_version)
    play_to_the_end(match, Random(9))
    assert holds(match)["seed"]


def test_every_version_stays_readable_for_every_witness_after_rewinds(match: Match, host: Account) -> None:
    views_before = views(match, version(match))
    for number in range(4):
        to = boundary(match, 3 + number)
        act("rewind", match, host, to_version=to)
        assert to_json(repository.load(match.id).state) == views_before[to, HOST]
        play_on(match, 3, Random(number))
        holds(match)
        now = views(match, version(match))
        assert {key: now[key] for key in views_before} == views_before
        views_before = now
    first = types(match).index("match_rewound") + 1
    act("rewind", match, host, to_version=first - 1)
    rewound = version(match)
    play_on(match, 2, Random(8))
    act("rewind", match, host, to_version=rewound)
    forget()
    assert to_json(repository.load(match.id).state) == views_before[first - 1, HOST]
    newest = {witness: repository.load(match.id, witness) for witness in WITNESSES}
    assert {witness: to_json(match_state.state) for witness, match_state in newest.items()} == {
        witness: views_before[first - 1, witness] for witness in WITNESSES
    }
    play_to_the_end(match, Random(77))
    now = views(match, version(match))
    assert {key: now[key] for key in views_before} == views_before
    assert holds(match)["seed"]


def unsealed_boundary(match: Match, back: int) -> int:
    """Return the version that ends an act at least so many acts ago, without submissions that were sealed."""
    while True:
        match_state = repository.load(match.id, upto=boundary(match, back))
        if not (match_state.due.amendable and match_state.game.is_sealed(match_state.state)):
            return match_state.version
        back += 1


@pytest.mark.parametrize("slug", catalogue)
def test_match_of_every_game_can_be_rewound(slug: str, host: Account, players: list[Account]) -> None:
    match = running_match(slug, *players, opener=host)
    play_on(match, 4, Random(slug))
    for number in (4, 2):
        to, views_before = unsealed_boundary(match, number), views(match, version(match))
        act("rewind", match, host, to_version=to)
        forget()
        assert [to_json(repository.load(match.id, witness).state) for witness in WITNESSES] == [
            views_before[to, witness] for witness in WITNESSES
        ]
        play_on(match, 3, Random(number))
        assert {
            key: value for key, value in views(match, version(match)).items() if key in views_before
        } == views_before
    holds(match)
    act("void", match, host)
    assert holds(match)["seed"]


def test_export_with_a_forged_rewind_is_refused(match: Match, host: Account) -> None:
    act("rewind", match, host, to_version=boundary(match, 4))
    play_to_the_end(match, Random(1))
    lines = exported(match)
    place = next(n for n, line in enumerate(lines) if '"match_rewound"' in line)
    spoilt = [*lines[:place], lines[place].replace('"to_version":', '"to_version":9'), *lines[place + 1 :]]
    with pytest.raises(croupier_verify.Bad):
        export.replay(spoilt)


def test_snapshots_before_and_after_a_rewind_stay_valid(
    match: Match, host: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.snapshots.EVERY", 1)
    to = boundary(match, 4)
    forget()
    repository.load(match.id)
    act("rewind", match, host, to_version=to)
    for _ in range(2):
        play_on(match, 2, Random(3))
        forget()
        match_state = repository.load(match.id)
        assert snapshot_writer.writer().wait()
        forget()
        with connection.cursor() as cursor:
            cursor.execute("SELECT version FROM events_snapshot WHERE stream = %s", [match.id])
            assert (match_state.version,) in cursor.fetchall()
        again = repository.load(match.id)
        assert (again.state, again.lifecycle, again.clocks) == (
            match_state.state,
            match_state.lifecycle,
            match_state.clocks,
        )
        act("rewind", match, host, to_version=to)
        forget()
        assert repository.load(match.id).state == repository.load(match.id, upto=to).state


def test_many_rewinds_cost_no_more_than_reading_the_log(match: Match, host: Account) -> None:
    for _ in range(30):
        hosting.rule(match_id=match.id, by=host.id, text="Once more.")
        act("rewind", match, host, to_version=boundary(match, 1))
    forget()
    match_state = 0
    evolve = repository.evolve

    def counted(*args: Any, **more: Any) -> Any:
        nonlocal match_state
        match_state += 1
        return evolve(*args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repository, "evolve", counted)
        repository.load(match.id)
    assert match_state == version(match) - 1


def test_players_pauses_and_appeals_are_not_rewound(match: Match, host: Account, players: list[Account]) -> None:
    to = boundary(match, 3)
    newcomer = new_account()
    act("substitute", match, host, seat=0, player=newcomer.id)
    appealing.appeal(match_id=match.id, player=players[1].id, kind="move", text="That card.")
    act("pause", match, host)
    act("rewind", match, host, to_version=to)
    story = repository.load(match.id).lifecycle
    assert (story.players[0], len(story.appeals), story.status) == (str(newcomer.id), 1, "paused")
    act("resume", match, host)
    play_on(match, 2, Random(2))
    assert holds(match)


def test_the_draws_of_a_line_are_those_of_its_key(match: Match, host: Account) -> None:
    story, before = repository.load(match.id).lifecycle, repository.load(match.id).game_version
    drawn = seeds.chance_of(match.id, story, before).draws("deck").below(2**64)
    act("rewind", match, host, to_version=boundary(match, 1))
    anew = seeds.chance_of(match.id, repository.load(match.id).lifecycle, before).draws("deck").below(2**64)
    assert drawn != anew
    key = seeds.key_of(seeds.seed_of(match.id), story)
    assert seeds.of_line(key, 0) == key
    assert seeds.Chance(seeds.of_line(key, 1)).at(before).draws("deck").below(2**64) == anew


def test_the_key_of_a_line_is_the_published_formula() -> None:
    key = bytes(range(32))
    assert seeds.of_line(key, 3) == hmac.digest(key, b"croupier-line-v1\n" + (3).to_bytes(8, "big"), "sha256")


def test_rewind_restores_the_clocks(timed: Match, host: Account) -> None:
    (run,) = repository.load(timed.id).clocks.runs
    hosting.extend(match_id=timed.id, by=host.id, seat=run.seat, seconds=50, reason="Wait.")
    to = version(timed)
    then = repository.load(timed.id)
    play_on(timed, 3, Random(4))
    act("rewind", timed, host, to_version=to)
    now = repository.load(timed.id)
    assert now.clocks.reserves == then.clocks.reserves
    for before, after in zip(then.clocks.runs, now.clocks.runs, strict=True):
        assert (after.seat, after.turn, after.clock) == (before.seat, before.turn, before.clock)
        assert after.spent(now.at) == before.spent(then.at)
    (before,), (after,) = clocks.deadlines(then.clocks), clocks.deadlines(now.clocks)
    assert after.falls_at - now.at == before.falls_at - then.at
    timed.refresh_from_db()
    assert timed.deadline.falls_at == chain.instant(after.falls_at)
    assert list(map(str, timed.needs)) == [now.lifecycle.players[after.seat]]


def test_a_rewind_of_a_paused_match_starts_no_clock_until_it_is_resumed(timed: Match, host: Account) -> None:
    to = version(timed)
    then = repository.load(timed.id)
    play_on(timed, 2, Random(4))
    act("pause", timed, host)
    act("rewind", timed, host, to_version=to)
    assert clocks.deadlines(repository.load(timed.id).clocks) == ()
    act("resume", timed, host)
    now = repository.load(timed.id)
    (before,), (after,) = then.clocks.runs, now.clocks.runs
    assert after.spent(now.at) == before.spent(then.at)


def test_rewind_into_a_pause_starts_the_clocks_of_a_running_match(timed: Match, host: Account) -> None:
    act("pause", timed, host)
    to, then = version(timed), repository.load(timed.id)
    act("resume", timed, host)
    play_on(timed, 2, Random(4))
    act("rewind", timed, host, to_version=to)
    now = repository.load(timed.id)
    (before,), (after,) = then.clocks.runs, now.clocks.runs
    assert after.standing_since is None
    assert after.spent(now.at) == before.spent(then.at)
    assert clocks.deadlines(now.clocks)[0].falls_at > now.at + 500 * SECOND


def test_a_rewind_to_the_present_or_amid_an_act_is_refused(match: Match, host: Account) -> None:
    assert refusal_of(lambda: act("rewind", match, host, to_version=version(match))) == "no_such_version"
    start = types(match).index("match_started") + 1
    pairs = pairwise(store.read(match.id, after=start))
    amid = next(row.version for row, after in pairs if (row.actor, row.at) == (after.actor, after.at))
    assert refusal_of(lambda: act("rewind", match, host, to_version=amid)) == "amid_an_act"
    act("rewind", match, host, to_version=start)
    assert repository.load(match.id).game_version == 0
