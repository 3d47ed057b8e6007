"""Between a match and its season: each thing happens once, whatever is killed, late, or tried by several."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from events import appending, outbox, pipeline, projections, store
from games.kernel import Illegal
from matches import services as match_services
from matches.models import Account, Match
from matches.seasons import process_manager, services
from matches.seasons import repository as season_repository
from matches.seasons.domain import episodes, results, roster, scheduling
from matches.seasons.domain.options import SeasonOptions
from matches.storage import repository
from matches.storage.projections import RESULTS
from tests.matches.killed import DONE
from tests.matches.test_ticks import Heard
from tests.table_setting import ROOT, at_once, new_account, refusal_of
from tests.waiting import PATIENCE


class Stored:
    """A season in the store, up to a death match that is scheduled and not yet opened."""

    def __init__(self, opens_in: timedelta | None = None, clocks: Any = None, **options: Any) -> None:
        self.organiser = new_account(is_organiser=True)
        self.players = [new_account() for _ in range(4)]
        self.id, _ = services.open_season(
            by=self.organiser,
            title="A cup",
            options=lambda: SeasonOptions(**options),
            key=str(uuid4()),
            fingerprint=b"",
        )
        names = [str(player.id) for player in self.players]
        for name in names:
            self.act(lambda it, by, name=name: roster.enrol(it, by, name))
        self.act(lambda it, by: episodes.open_episode(it, by, "First"))
        self.act(lambda it, by: episodes.record_main_match(it, by, "Dice", names[:1], names[3:]))
        self.act(lambda it, by: episodes.give_token(it, by, names[1]))
        self.act(lambda it, by: episodes.name_opponent(it, by, names[2]))
        self.match = uuid4()
        opens_at = (store.clock() + opens_in).isoformat() if opens_in else None
        settings = scheduling.MatchSettings(
            match=str(self.match), game="pyramid_poker", options={}, clocks=clocks, opens_at=opens_at
        )
        self.act(lambda it, by: scheduling.schedule_death_match(it, by, settings))

    def act(self, decide: services.Decide, by: Account | None = None) -> None:
        services.act(season_id=self.id, by=by or self.organiser, decide=decide, key=str(uuid4()), fingerprint=b"")

    def opened(self) -> "Stored":
        """With the match opened and begun."""
        process_manager.settle_tables(self.id)
        match_services.start(match_id=self.match, by=self.organiser.id, reason="Begin.")
        return self

    def finished(self) -> "Stored":
        """With the match lost by its seat 0, and the season not told."""
        loser = str(self.opened().players[3].id)
        match_services.submit(
            match_id=self.match, seat=0, player=loser, command={"type": "resign"}, key=str(uuid4()), fingerprint=b""
        )
        return self

    def substitutes(self, leaver: Account, newcomer: Account) -> None:
        """The season lets a newcomer go on for a player; no table is told yet."""
        self.act(lambda it, by: roster.substitute(it, by, str(leaver.id), str(newcomer.id), "Ill."))

    def withdraws(self, player: Account, by: Account | None = None) -> str:
        """The player is to leave; gives the refusal, in which act and preview agree, or nothing."""
        withdrawal = {"by": by or player, "decide": lambda it, by: roster.withdraw(it, by, str(player.id), "I go.")}
        refusals = [
            refused(partial(services.preview, season_id=self.id, **withdrawal)),
            refused(partial(self.act, **withdrawal)),
        ]
        assert refusals[0] == refusals[1]
        return refusals[0]

    def types(self) -> list[str]:
        """The types of the season's events."""
        return [row.type for row in store.read(self.id)]


def refused(act: Callable[[], object]) -> str:
    """Code and sentence of the refusal, empty where there is none."""
    try:
        act()
    except Illegal as illegal:
        return f"{illegal.code}: {illegal.message}"
    return ""


def is_dirty(consumer: str, stream: UUID) -> bool:
    sql = "SELECT 1 FROM events_dirty WHERE projection = $1 AND stream = $2"
    return pipeline.roundtrip(store.raw_connection(), [(sql, (consumer, stream))]) != [[]]


def killed(consumer: str, stream: UUID) -> int:
    """Return the number of deliveries that died before one succeeded."""
    command = [sys.executable, "-m", "tests.seasons.killed", consumer, str(stream)]
    run = subprocess.run(command, cwd=ROOT, env=os.environ.copy(), capture_output=True, text=True, timeout=PATIENCE)
    report = json.loads(run.stdout or "{}")
    assert report.get("code") == DONE, run.stderr
    return int(report["kills"])


def test_match_result_is_applied_once_however_often_the_consumer_is_killed() -> None:
    season = Stored().finished()
    assert is_dirty("season_results", season.match)
    assert killed("season_results", season.match) >= 6
    assert season.types().count("death_match_finished") == 1
    assert not is_dirty("season_results", season.match)


@pytest.mark.slow
def test_elimination_without_approval_happens_once_despite_killed_consumers() -> None:
    season = Stored(approval=False).finished()
    assert killed("season_results", season.match) >= 6
    assert season.types().count("player_eliminated") == 1


@pytest.mark.slow
def test_scheduled_match_is_opened_once_however_often_the_consumer_is_killed() -> None:
    season = Stored()
    assert is_dirty("season_tables", season.id)
    assert killed("season_tables", season.id) >= 6
    assert [row.type for row in store.read(season.match)].count("match_opened") == 1
    assert Match.objects.filter(season_id=season.id).count() == 1
    assert not is_dirty("season_tables", season.id)


def test_a_match_names_its_season_in_its_own_log() -> None:
    season = Stored().opened()
    assert repository.load(season.match).lifecycle.opened.season == str(season.id)


def test_concurrent_consumers_apply_a_result_once() -> None:
    season = Stored().finished()
    acts = [partial(outbox.deliver, "season_results", season.match, store.LAST_VERSION) for _ in range(8)]
    assert [it for it in at_once(acts) if it is not None] == []
    assert season.types().count("death_match_finished") == 1


def test_concurrent_consumers_open_a_match_once() -> None:
    season = Stored()
    acts = [partial(outbox.deliver, "season_tables", season.id, store.LAST_VERSION) for _ in range(8)]
    assert [it for it in at_once(acts) if it is not None] == []
    assert [row.type for row in store.read(season.match)].count("match_opened") == 1


def test_approval_in_a_season_is_not_taken_for_one_of_a_match() -> None:
    season = Stored(approval=True).finished()
    process_manager.MATCH_ENDS.deliver(season.match)
    season.act(lambda it, by: results.approve(it, by, str(season.match)))
    assert "result_approved" in season.types() and is_dirty(RESULTS.name, season.id)
    assert projections.project(RESULTS.name, season.id)
    assert not is_dirty(RESULTS.name, season.id)


def test_events_appended_during_a_delivery_are_delivered_too() -> None:
    season = Stored()
    before = store.head(season.id)
    assert before is not None
    match = str(season.match)
    season.act(lambda it, by: results.annul(it, by, match, "A slip."))
    outbox.deliver("season_tables", season.id, before.version)
    assert is_dirty("season_tables", season.id), "The annulment came after the version that was delivered."


def test_result_after_an_annulment_by_the_season_is_ignored() -> None:
    season = Stored().finished()
    season.act(lambda it, by: results.annul(it, by, str(season.match), "A slip."))
    version = season_repository.load(season.id).version
    outbox.deliver("season_results", season.match, store.LAST_VERSION)
    assert season_repository.load(season.id).version == version


@pytest.mark.parametrize("delay", [0, 3600])
def test_player_of_a_finished_match_cannot_withdraw_before_it_is_reported(delay: int) -> None:
    season = Stored(spectator_delay=delay).finished()
    won, lost = season.players[2:]
    for player, by in ((lost, lost), (won, won), (lost, season.organiser)):
        assert season.withdraws(player, by).startswith("match_open: The player's match has been played")
    assert season.withdraws(season.players[0]) == "", "Who plays no match may go at any time."
    assert season_repository.load(season.id).matches[str(season.match)].status == "scheduled"


def test_loser_is_eliminated_despite_an_attempt_to_withdraw() -> None:
    season = Stored(approval=False).finished()
    lost = season.players[3]
    assert season.withdraws(lost) != ""
    outbox.deliver("season_results", season.match, store.LAST_VERSION)
    assert season_repository.load(season.id).players[str(lost.id)].status == "eliminated"


def test_replaced_player_does_not_learn_of_the_end_by_a_refused_withdrawal() -> None:
    season = Stored(spectator_delay=3600).opened()
    newcomer, leaver = new_account(), season.players[3]
    match_services.substitute(
        match_id=season.match, by=season.organiser.id, seat=0, player=newcomer.id, reason="Asleep."
    )
    before = season.withdraws(leaver)
    match_services.submit(
        match_id=season.match, seat=0, player=str(newcomer.id), command={"type": "resign"}, key=str(uuid4()),
        fingerprint=b"",
    )  # fmt: skip
    assert before.startswith("match_open: Somebody else plays the player's match")
    assert season.withdraws(leaver) == before


def test_organiser_withdraws_a_replaced_player_before_the_end() -> None:
    season = Stored(spectator_delay=3600).opened()
    leaver = season.players[3]
    match_services.substitute(match_id=season.match, by=season.organiser.id, seat=0, player="bot", reason="Asleep.")
    assert season.withdraws(leaver, season.organiser) == ""
    assert season_repository.load(season.id).matches[str(season.match)].loser == str(leaver.id)


def test_withdrawal_during_a_match_loses_it_and_its_end_is_reported_once() -> None:
    season = Stored().opened()
    leaver, other = season.players[3], season.players[2]
    assert season.withdraws(leaver) == ""
    types = season.types()
    assert "match_forfeited" in types and season_repository.load(season.id).players[str(leaver.id)].place == 4
    outbox.deliver("season_tables", season.id, store.LAST_VERSION)
    story = repository.load(season.match).lifecycle
    assert story.outcome is not None and story.players[story.outcome.winners[0]] == str(other.id)
    assert story.outcome.reason == "adjudicated"
    outbox.deliver("season_results", season.match, store.LAST_VERSION)
    assert season.types() == types


def test_withdrawal_before_the_match_begins_loses_it_unplayed() -> None:
    season = Stored()
    process_manager.settle_tables(season.id)
    assert season.withdraws(season.players[3], season.organiser) == ""
    process_manager.settle_tables(season.id)
    assert Match.objects.get(id=season.match).status == Match.Status.VOID
    outbox.deliver("season_results", season.match, store.LAST_VERSION)
    assert season_repository.load(season.id).matches[str(season.match)].status == "effective"


def test_match_without_a_season_is_ignored() -> None:
    friendly = uuid4()
    outbox.deliver("season_results", friendly, store.LAST_VERSION)
    assert not is_dirty("season_results", friendly)


def test_substitute_who_has_seen_the_secrets_is_refused() -> None:
    season, newcomer = Stored().opened(), new_account(is_organiser=True)
    match_services.look(match_id=season.match, by=newcomer.id)
    assert refusal_of(lambda: season.substitutes(season.players[3], newcomer)) == "knows_secrets"
    season.substitutes(season.players[0], newcomer)


def test_substitute_who_saw_an_annulled_match_is_accepted() -> None:
    season, newcomer = Stored().opened(), new_account(is_organiser=True)
    match_services.look(match_id=season.match, by=newcomer.id)
    season.act(lambda it, by: results.annul(it, by, str(season.match), "A slip."))
    season.substitutes(season.players[3], newcomer)
    assert "player_substituted" in season.types()


def test_substitute_who_saw_secrets_meanwhile_gets_no_seat_and_blocks_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    season, newcomer = Stored().opened(), new_account(is_organiser=True)
    leaver = str(season.players[3].id)
    match_services.look(match_id=season.match, by=newcomer.id)
    # As if the look had come just after the season asked its tables.
    monkeypatch.setattr(services, "refuse_unseatable", lambda season, events: None)
    season.substitutes(season.players[3], newcomer)
    outbox.deliver("season_tables", season.id, store.LAST_VERSION)
    assert repository.load(season.match).lifecycle.players[0] == leaver


def test_substitute_gets_the_leavers_seat() -> None:
    season = Stored().opened()
    holder = season.players[3]
    for newcomer in (new_account(), new_account()):
        leaver, holder = holder, newcomer
        season.substitutes(leaver, newcomer)
    process_manager.settle_tables(season.id)
    assert repository.load(season.match).lifecycle.players[0] == str(holder.id)


@pytest.mark.parametrize("put", ["bot", "guest"])
def test_player_seated_by_a_host_stays_when_the_season_settles_its_tables(put: str) -> None:
    season = Stored().opened()
    player = str(new_account().id) if put == "guest" else put
    match_services.substitute(match_id=season.match, by=season.organiser.id, seat=0, player=player, reason="Asleep.")
    season.substitutes(season.players[2], new_account())
    process_manager.settle_tables(season.id)
    seated = repository.load(season.match).lifecycle.players
    assert seated[0] == player
    assert seated[1] != str(season.players[2].id), "The season's own substitute is seated all the same."


def with_a_table(season: Stored) -> UUID:
    """A table of the first two in an episode of its own, set and begun."""
    season.act(lambda it, by: results.annul(it, by, str(season.match), "A slip."))
    season.act(lambda it, by: episodes.close_episode(it, by, "A storm."))
    season.act(lambda it, by: episodes.open_episode(it, by, "Second"))
    settings = scheduling.MatchSettings(match=str(uuid4()), game="pyramid_poker", options={})
    pair = [str(player.id) for player in season.players[:2]]
    season.act(lambda it, by: scheduling.schedule_table(it, by, settings, pair))
    process_manager.settle_tables(season.id)
    match_services.start(match_id=UUID(settings.match), by=season.organiser.id, reason="Begin.")
    return UUID(settings.match)


def test_table_of_a_closed_episode_is_voided_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = with_a_table(season := Stored())
    season.act(lambda it, by: episodes.close_episode(it, by, "Another storm."))
    process_manager.settle_tables(season.id)
    assert Match.objects.get(id=table).status == Match.Status.VOID
    log = Heard()
    monkeypatch.setattr(process_manager, "log", log)
    process_manager.settle_tables(season.id)
    assert log.lines == []


def test_player_of_a_finished_table_may_withdraw_before_it_is_reported() -> None:
    table = with_a_table(season := Stored())
    match_services.submit(
        match_id=table, seat=0, player=str(season.players[0].id), command={"type": "resign"}, key="r", fingerprint=b""
    )
    assert Match.objects.get(id=table).status == Match.Status.FINISHED
    assert season.withdraws(season.players[0]) == ""


class Clumsy:
    """A consumer that falls over some streams."""

    types = frozenset({"season_opened"})

    def __init__(self) -> None:
        self.name = f"clumsy {uuid4()}"
        self.over: set[UUID] = set()

    def deliver(self, stream: UUID) -> None:
        if stream in self.over:
            raise Illegal("clumsy", "It fell.")


@pytest.fixture
def clumsy() -> Iterator[Clumsy]:
    """Registered while the test runs."""
    consumer = Clumsy()
    outbox.register(consumer)
    yield consumer
    del outbox._registered[consumer.name], appending.interests[consumer.name]


def test_failing_consumer_keeps_its_mark_and_others_are_served(clumsy: Clumsy) -> None:
    season, other = Stored().finished(), Stored()
    clumsy.over = {season.id, other.id}
    while is_dirty("season_results", season.match):
        assert outbox.catch_up() > 0
    assert is_dirty(clumsy.name, other.id)
    clumsy.over = set()
    outbox.deliver(clumsy.name, other.id, store.LAST_VERSION)
    assert not is_dirty(clumsy.name, other.id)
    assert season.types().count("death_match_finished") == 1


def test_failing_streams_move_to_the_end_of_the_queue(clumsy: Clumsy) -> None:
    first, second, third = Stored(), Stored(), Stored()
    clumsy.over = {first.id, second.id}
    while is_dirty(clumsy.name, third.id):
        outbox.catch_up(limit=1)
    assert is_dirty(clumsy.name, first.id) and is_dirty(clumsy.name, second.id)


def test_table_set_after_its_opening_time_waits_for_its_host(monkeypatch: pytest.MonkeyPatch) -> None:
    season = Stored(opens_in=timedelta(hours=1))
    later = store.clock() + timedelta(hours=2)
    monkeypatch.setattr(store, "clock", lambda: later)
    process_manager.settle_tables(season.id)
    match = Match.objects.get(id=season.match)
    assert (match.opens_at, match.status) == (None, "waiting")
