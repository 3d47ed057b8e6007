"""An account's webhook is told what a season's acts mean to it in person: once, and no more than its page tells it."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest

from matches import tasks
from matches.accounts import erasure
from matches.models import Account, Notice, Webhook
from matches.notifications import notices
from matches.seasons import personal_notices
from matches.seasons.domain import roster
from matches.seasons.domain.claim_acts import AnswerClaim, MakeClaim
from matches.seasons.models import Member, Season
from matches.seasons.reads import event_documents, personal
from matches.seasons.reads.personal import AddressedAct
from matches.storage.repository import BrokenRecord
from tests.api.seasons import Cup
from tests.matches.test_notices import Receiver, listening
from tests.seasons.test_delivery import Stored
from tests.table_setting import at_once


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with listening() as it:
        yield it


def notices_of(account: Account | UUID) -> list[tuple[str, str]]:
    found = Notice.objects.filter(webhook__account=account, season_id__isnull=False).order_by("made_at")
    return list(found.values_list("kind", "text"))


def test_claim_and_its_answer_notify_each_concerned_player_once(receiver: Receiver) -> None:
    season = Stored()
    claimant, rival, bystander = season.players[3], season.players[2], season.players[0]
    for account in (season.organiser, claimant, rival, bystander):
        notices.set_webhook(account, receiver.url)
    match = str(season.match)
    season.act(MakeClaim("conduct", "He peeked.", match).decide, claimant)
    season.act(AnswerClaim(1, "upheld", "He did.").decide)
    at_once([personal_notices.queue_new_notices] * 4)
    assert notices_of(season.organiser) == [
        ("claim", f"A cup: Claim 1 of {claimant.username}, somebody's conduct: He peeked.")
    ]
    answer = ("claim", f"A cup: Claim 1 was upheld by {season.organiser.username}: He did.")
    assert (notices_of(claimant), notices_of(rival), notices_of(bystander)) == ([answer], [answer], [])


def test_act_is_notified_by_the_task_only_since_the_webhook_was_set(receiver: Receiver) -> None:
    season = Stored()
    player = season.players[3]
    notices.set_webhook(player, receiver.url)
    tasks.tell()
    assert receiver.got == []
    season.act(MakeClaim("conduct", "He peeked.").decide, player)
    season.act(AnswerClaim(1, "rejected", "Nobody saw it.").decide)
    for _ in range(2):
        tasks.tell()
    (got,) = receiver.got
    assert got.told["croupier"]["season"] == str(season.id)
    assert (got.told["croupier"]["kind"], got.told["croupier"]["account"]) == ("claim", str(player.id))


def test_an_outage_of_the_workers_loses_nothing(receiver: Receiver) -> None:
    season = Stored()
    player = season.players[2]
    notices.set_webhook(player, receiver.url)
    season.act(MakeClaim("conduct", "He peeked.").decide, player)
    season.act(AnswerClaim(1, "rejected", "Nobody saw it.").decide)
    # An hour passes in which nothing was looked at.
    Webhook.objects.filter(account=player).update(looked_at=notices.now() - timedelta(hours=1))
    Season.objects.filter(id=season.id).update(changed_at=notices.now() - timedelta(minutes=30))
    tasks.tell()
    assert [kind for kind, _ in notices_of(player)] == ["claim"]


def test_former_member_of_a_private_season_gets_no_notice_of_it(receiver: Receiver) -> None:
    season = Stored(public=False)
    player = season.players[3]
    notices.set_webhook(player, receiver.url)
    season.act(MakeClaim("conduct", "He peeked.").decide, player)
    season.act(AnswerClaim(1, "upheld", "He did.").decide)
    Member.objects.filter(season_id=season.id, account=player).delete()
    personal_notices.queue_new_notices()
    assert notices_of(player) == []


def test_each_sentence_of_a_notice_is_on_the_seasons_page(receiver: Receiver) -> None:
    cup = Cup(4)
    accounts = Account.objects.filter(id__in=[it.id for it in (*cup.players, cup.organiser)])
    for account in accounts:
        notices.set_webhook(account, receiver.url)
    Webhook.objects.update(made_at=Season.objects.get(id=cup.id).opened_at)
    match = cup.death_match()
    cup.loses(str(match), cup.players[3])
    cup.did(f"/matches/{match}/approve")
    cup.did(f"/matches/{match}/correct", {"winner": cup.players[3].id, "reason": "Read again."})
    personal_notices.queue_new_notices()
    page = " ".join(it["text"] for it in event_documents.events(UUID(cup.id), 0, 1000).results)
    found = [text for account in accounts for _, text in notices_of(account)]
    assert {kind for account in accounts for kind, _ in notices_of(account)} >= {
        "decision_awaited", "decision_made", "appointment", "correction",
    }  # fmt: skip
    undated = " can decide "
    for text in found:
        _, _, sentences = text.partition(": ")
        assert undated in sentences or sentences.rpartition("): ")[2].split(". ")[0].rstrip(".") in page


def test_a_frozen_season_keeps_no_other_news_back(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    frozen, season = Stored(), Stored()
    honest = personal.addressed_to

    def broken(season_id: UUID, accounts: object) -> list[AddressedAct]:
        if season_id == frozen.id:
            raise BrokenRecord(None)
        return honest(season_id, accounts)

    monkeypatch.setattr(personal, "addressed_to", broken)
    for it in (frozen, season):
        notices.set_webhook(it.players[3], receiver.url)
        it.act(MakeClaim("conduct", "He peeked.").decide, it.players[3])
        it.act(AnswerClaim(1, "upheld", "He did.").decide)
    personal_notices.queue_new_notices()
    assert (len(notices_of(frozen.players[3])), len(notices_of(season.players[3]))) == (0, 1)


def test_erased_name_is_removed_from_notices_of_others(receiver: Receiver) -> None:
    season = Stored()
    accused, claimant = season.players[2], season.players[3]
    notices.set_webhook(accused, receiver.url)
    match = str(season.match)
    season.act(MakeClaim("conduct", "He peeked.", match).decide, claimant)
    season.act(lambda it, by: roster.withdraw(it, by, str(claimant.id), "I go."), claimant)
    personal_notices.queue_new_notices()
    assert any(claimant.username in text for _, text in notices_of(accused))
    erased = erasure.erase(claimant.id)
    assert not any(claimant.username in text for _, text in notices_of(accused))
    assert any(erased in text for _, text in notices_of(accused))
