"""A season's webhook is told what happens in it, act by act, and of its matches what spectators know, when they do."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from django.test import override_settings

from events import outbox, store
from matches.domain.match_state import MatchState
from matches.models import Match, Notice, Webhook
from matches.notifications import notices
from matches.seasons import notices as season_notices
from matches.seasons.domain import results, roster
from matches.seasons.reads import event_documents
from matches.seasons.reads.documents import SeasonAct
from matches.services import hosting, opening, playing
from matches.storage import repository
from matches.storage.repository import BrokenRecord
from tests.api.seasons import Cup, deliver
from tests.matches.test_notices import Receiver, make_due, receiving
from tests.seasons.test_delivery import Stored, is_dirty
from tests.table_setting import at_once, new_account, play_on


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    Webhook.objects.all().delete()
    with receiving() as it, override_settings(WEBHOOK_PRIVATE=True, PUBLIC_URL="https://croupier.example"):
        yield it
    Webhook.objects.all().delete()


def notice_texts(season: Stored, kind: str = "season_news") -> list[str]:
    found = Notice.objects.filter(webhook__season_id=season.id, kind=kind)
    return list(found.order_by("made_at").values_list("text", flat=True))


def names(season: Stored) -> list[str]:
    return [player.username for player in season.players]


def test_each_act_since_the_webhook_was_set_is_one_notice_in_sentences(receiver: Receiver) -> None:
    season = Stored().finished()
    notices.set_season_webhook(season.id, receiver.url)
    outbox.deliver("season_results", season.match, store.LAST_VERSION)
    season.act(lambda it, by: results.approve(it, by, str(season.match)))
    for _ in range(2):
        season_notices.queue_new_notices()
    winner, loser = names(season)[2], names(season)[3]
    assert notice_texts(season) == [
        f"{winner} won the death match against {loser}.",
        f"The result counts, approved by {season.organiser.username}. 1 garnet from {loser}: Elimination. "
        f"2 garnets to {winner}: A death match won. {loser} is out. Episode 1 is over: The death match is decided.",
    ]
    assert notices.send_pending() >= 2
    mine = [got.told for got in receiver.got if got.told["croupier"]["kind"] == "season_news"]
    assert [it["croupier"]["season"] for it in mine] == [str(season.id)] * 2
    assert mine[0]["content"].endswith(f" https://croupier.example/seasons/{season.id}")
    assert [it["croupier"]["version"] for it in mine] == sorted(it["croupier"]["version"] for it in mine)


def test_appointment_is_not_notified_and_a_long_ruling_is_cut(receiver: Receiver) -> None:
    season, name = Stored(), str(new_account().id)
    notices.set_season_webhook(season.id, receiver.url)
    season.act(lambda it, by: roster.appoint(it, by, name, "host"))
    season.act(lambda it, by: roster.rule(it, by, "x" * 2000))
    season_notices.queue_new_notices()
    (ruling,) = notice_texts(season)
    assert len(ruling) == 500
    assert ruling.startswith("Ruling: xxx") and ruling.endswith("…")


def test_notice_refused_by_a_receiver_is_retried_before_later_ones(receiver: Receiver) -> None:
    season = Stored()
    notices.set_season_webhook(season.id, receiver.url)
    for text in ("One.", "Two."):
        season.act(lambda it, by, text=text: roster.rule(it, by, text))
    season_notices.queue_new_notices()
    receiver.statuses = [503]
    assert notices.send_pending() == 0
    make_due()
    assert notices.send_pending() == 2
    assert [got.told["text"].split(" https")[0] for got in receiver.got] == ["Ruling: One."] * 2 + ["Ruling: Two."]


def test_notice_of_a_match_names_the_mover_and_the_end_and_no_move(receiver: Receiver) -> None:
    season = Stored().opened()
    notices.set_season_webhook(season.id, receiver.url)
    season_notices.queue_new_notices()
    seat = repository.load(season.match).due.prompts[0].seat
    mover = (season.players[3], season.players[2])[seat]
    (turn,) = notice_texts(season, "your_turn")
    assert turn.endswith(f": {mover.username} is to move.")
    hosting.void(match_id=season.match, by=season.organiser.id, reason="Enough.")
    season_notices.queue_new_notices()
    assert len(notice_texts(season, "match_over")) == 1


def test_concurrent_workers_queue_each_act_once(receiver: Receiver) -> None:
    season = Stored()
    notices.set_season_webhook(season.id, receiver.url)
    season.act(lambda it, by: roster.rule(it, by, "One."))
    at_once([season_notices.queue_new_notices] * 4)
    assert notice_texts(season) == ["Ruling: One."]


def test_with_a_delay_hook_and_season_learn_of_a_match_when_spectators_do(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = Stored(spectator_delay=3600)
    notices.set_season_webhook(season.id, receiver.url)
    season.finished()
    assert repository.load(season.match).lifecycle.opened.spectator_delay == 3600
    deliver()
    season_notices.queue_new_notices()
    assert is_dirty("season_results", season.match)
    assert season.types().count("death_match_finished") == 0
    assert (notice_texts(season, "your_turn"), notice_texts(season, "match_over")) == ([], [])
    monkeypatch.setattr(store, "aged", lambda stream, seconds: store.LAST_VERSION)
    ended_at = Match.objects.get(id=season.match).changed_at
    Webhook.objects.filter(season_id=season.id).update(looked_at=ended_at + timedelta(hours=1))
    deliver()
    season_notices.queue_new_notices()
    assert not is_dirty("season_results", season.match)
    assert season.types().count("death_match_finished") == 1
    assert len(notice_texts(season, "match_over")) == 1


@pytest.mark.parametrize(
    ("seconds_shown", "kinds"),
    [(400, {"your_turn"}), (5400, {"your_turn"}), (5800, {"your_turn", "time_running_out"}),
     (6700, {"your_turn", "time_running_out", "ten_minutes_left"})],
)  # fmt: skip
def test_time_left_in_a_delayed_notice_is_the_one_spectators_see(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, seconds_shown: int, kinds: set[str]
) -> None:
    cup = Cup(4, spectator_delay=3600)
    candidate = cup.main_match()
    cup.did("/opponents", {"player": cup.living()[-2].id}, by=candidate)
    duel = {"game": "pyramid_poker", "clocks": {"choice": {"base": 7200}}}
    match = UUID(cup.did("/death-matches", duel, by=cup.host)[0]["match"])
    notices.set_season_webhook(UUID(cup.id), receiver.url)
    opening.start(match_id=match, by=UUID(cup.host.id), reason="Begin.")
    playing.attend(match_id=match)
    shown, real = repository.version_of(match), notices.now
    play_on(Match.objects.get(id=match), 1)
    monkeypatch.setattr(store, "aged", lambda stream, seconds: shown)
    monkeypatch.setattr(notices, "now", lambda: real() + timedelta(seconds=3600 + seconds_shown))
    season_notices.queue_new_notices()
    assert set(Notice.objects.filter(match_id=match).values_list("kind", flat=True)) == kinds


def test_the_news_of_a_season_go_to_its_own_webhook_alone(receiver: Receiver) -> None:
    season, other = Stored(public=False).opened(), Stored()
    notices.set_season_webhook(other.id, receiver.url)
    notices.set_webhook(other.players[0], receiver.url)
    season.act(lambda it, by: roster.rule(it, by, "Behind closed doors."))
    notices.queue_new_notices()
    season_notices.queue_new_notices()
    assert not Notice.objects.filter(text__contains="closed doors").exists()
    assert not Notice.objects.filter(match_id=season.match).exists()


def test_frozen_season_and_match_delay_no_other_notices(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    frozen, season = Stored(), Stored().opened()
    seated = season.players[2]
    for it in (frozen, season):
        notices.set_season_webhook(it.id, receiver.url)
        it.act(lambda season, by: roster.rule(season, by, "One."))
    notices.set_webhook(seated, receiver.url)
    honest, honest_acts = repository.load, event_documents.acts

    def broken(match_id: UUID, *details: object, **more: object) -> MatchState:
        if match_id == season.match:
            raise BrokenRecord(None)
        return honest(match_id, *details, **more)

    def acts(season_id: UUID, after: int) -> list[SeasonAct]:
        if season_id == frozen.id:
            raise BrokenRecord(None)
        return honest_acts(season_id, after)

    monkeypatch.setattr(repository, "load", broken)
    monkeypatch.setattr(event_documents, "acts", acts)
    notices.queue_new_notices()
    season_notices.queue_new_notices()
    assert (notice_texts(frozen), notice_texts(season)) == ([], ["Ruling: One."])
