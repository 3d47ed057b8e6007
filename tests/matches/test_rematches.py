"""A finished friendly is played again once its players agree: one offer, one match, whoever presses when."""

from datetime import timedelta
from uuid import UUID, uuid5

import pytest
from django.test import override_settings

from games.kernel import Illegal
from matches import tasks
from matches.domain.clocks import ClockTimes
from matches.models import Account, Match
from matches.reads import entitlements, selectors
from matches.realtime import arrivals
from matches.realtime.arrivals import ConnectRequest
from matches.services import accepting, hosting, playing, rematching
from matches.storage import repository
from tests.api.seasons import Cup
from tests.matches.test_guests import new_guest
from tests.table_setting import BOT, api, at_once, new_account, new_token, refusal_of, running_match
from tests.web.match_setting import client_of, send

GAME = "pyramid_poker"
CLOCKS = {"turn": ClockTimes(base=60, reserve=120, increment=60)}


@pytest.fixture
def ann() -> Account:
    return new_account()


@pytest.fixture
def ben() -> Account:
    return new_account()


def finished(loser: Account, other: Account | str, **setting: object) -> Match:
    """A match that its first seat has resigned."""
    match = running_match(GAME, loser, other, opener=loser, **setting)
    if isinstance(other, Account):
        accepting.accept(match_id=match.id, player=other.id)
    send(match, 0, loser, "resign")
    return match


def offer(match: Match, player: Account) -> UUID:
    return rematching.offer_rematch(match_id=match.id, player=player.id)


def status(rematch: UUID) -> str:
    listed_status = Match.objects.get(id=rematch).status
    assert repository.load(rematch).lifecycle.status == listed_status
    return listed_status


def test_rematch_has_the_same_settings_and_begins_once_the_other_accepts(ann: Account, ben: Account) -> None:
    match = finished(ann, ben, options={"base": 8}, clocks=CLOCKS, spectator_delay=30, priority=1)
    # when one offers it, then it waits for the other alone
    rematch = offer(match, ben)
    story = repository.load(rematch).lifecycle
    before = repository.load(match.id).lifecycle.opened
    again = story.opened
    assert (story.status, story.players, story.awaited) == ("waiting", (str(ann.id), str(ben.id)), (0,))
    assert (again.game, again.options, again.clocks, again.spectator_delay) == (
        before.game, before.options, before.clocks, before.spectator_delay,
    )  # fmt: skip
    assert again.priority == 0  # The one that lost.
    assert Match.objects.get(id=rematch).needs == [ann.id]
    # when the other accepts, then it runs with everybody's word
    assert offer(match, ann) == rematch
    assert status(rematch) == "running" and repository.load(rematch).lifecycle.awaited == ()


def test_rematch_begins_by_the_ordinary_acceptance_too(ann: Account, ben: Account) -> None:
    rematch = offer(finished(ann, ben), ann)
    accepting.accept(match_id=rematch, player=ben.id)
    assert status(rematch) == "running"


@pytest.mark.slow
def test_rematch_is_hidden_while_spectators_may_not_know_the_end(ann: Account, ben: Account) -> None:
    watcher, organiser = new_account(), new_account(is_organiser=True)
    match = finished(ann, ben, spectator_delay=3600)
    offer(match, ben)
    # The id of a rematch follows from the match before, so anybody may ask for it.
    rematch = Match.objects.get(id=uuid5(match.id, "rematch"))
    doors = f"/matches/{rematch.id}", f"/matches/{rematch.code}", f"/matches/{rematch.id}/events"

    def known_to(reader: Account | None) -> bool:
        listed = selectors.matches_for(reader) if reader else selectors.matches_on_show()
        answers = {api(reader).get(path).status_code for path in doors} if reader else set()
        pages = {client_of(reader).get(f"/m/{rematch.code}/{page}").status_code for page in ("", "frame", "cover.png")}
        readable = {listed.filter(id=rematch.id).exists(), *(status == 200 for status in answers | pages)}
        assert len(readable) == 1, (listed, answers, pages)
        return readable.pop()

    for status in ("waiting", "running"):
        assert Match.objects.get(id=rematch.id).status == status
        assert [known_to(it) for it in (ann, ben, organiser, watcher, None)] == [True, True, True, False, False]
        (refused,) = arrivals.resolve_all([ConnectRequest("127.0.0.1", str(rematch.id), token=new_token(watcher))])
        assert isinstance(refused, entitlements.NotEntitled)
        offer(match, ann)
    # when they may know that it is over, then they may see it played again
    Match.objects.filter(id=rematch.id).update(opened_at=rematch.opened_at - timedelta(hours=1))
    assert known_to(watcher) and known_to(None)
    # without a delay everybody knows at once
    again = offer(finished(ann, ben), ann)
    assert selectors.matches_for(watcher).filter(id=again).exists()


def test_seat_at_a_hidden_rematch_may_be_substituted(ann: Account, ben: Account) -> None:
    match = finished(ann, ben, spectator_delay=3600)
    rematch, friend, organiser = offer(match, ann), new_account(), new_account(is_organiser=True)
    hosting.substitute(match_id=rematch, by=organiser.id, seat=1, player=friend.id, reason="Ben can't.")
    assert repository.load(rematch).lifecycle.players == (str(ann.id), str(friend.id))


def test_rematch_offered_twice_is_one_match(ann: Account, ben: Account) -> None:
    match = finished(ann, ben)
    assert offer(match, ann) == offer(match, ann)
    assert set(at_once([lambda: offer(match, ann)] * 4)) == {Match.objects.get(rematch_of=match.id).id}
    assert status(offer(match, ann)) == "waiting"


def test_concurrent_offers_make_one_rematch_accepted_by_both(ann: Account, ben: Account) -> None:
    match = finished(ann, ben)
    (rematch,) = set(at_once([lambda: offer(match, ann), lambda: offer(match, ben)]))
    assert Match.objects.get(rematch_of=match.id).id == rematch
    assert status(rematch) == "running" and repository.load(rematch).lifecycle.awaited == ()


def test_bot_accepts_a_rematch_at_once(ann: Account) -> None:
    for player in (ann, new_guest()):
        assert status(offer(finished(player, BOT), player)) == "running"


def test_guest_may_offer_a_rematch_to_the_person_who_invited_them(ann: Account) -> None:
    guest = new_guest()
    match = finished(ann, guest)
    rematch = offer(match, guest)
    assert status(rematch) == "waiting"
    offer(match, ann)
    assert status(rematch) == "running"


def test_neither_strangers_nor_seasons_nor_matches_under_way_have_one(ann: Account, ben: Account) -> None:
    with pytest.raises(playing.NotAllowed):
        offer(finished(ann, ben), new_account())
    going_on = running_match(GAME, ann, ben, opener=ann)
    assert refusal_of(lambda: offer(going_on, ann)) == "not_finished"
    hosting.void(match_id=going_on.id, by=ann.id, reason="A mistake.")
    assert refusal_of(lambda: offer(going_on, ann)) == "not_finished"
    assert not Match.objects.filter(rematch_of=going_on.id).exists()
    cup = Cup(3)
    match = Match.objects.get(id=cup.death_match())
    players = [UUID(seated) for seated in repository.load(match.id).lifecycle.players if seated]
    refusal = refusal_of(lambda: rematching.offer_rematch(match_id=match.id, player=players[0]))
    assert refusal == "no_rematch_in_season"


@pytest.mark.parametrize("decliner", ["ann", "ben"])
def test_declined_or_withdrawn_rematch_is_void_and_not_offered_again(ann: Account, ben: Account, decliner: str) -> None:
    match = finished(ann, ben)
    rematch = offer(match, ann)
    accepting.decline(match_id=rematch, player={"ann": ann, "ben": ben}[decliner].id, reason="")
    assert status(rematch) == "void" and Match.objects.get(id=rematch).needs == []
    for player in (ann, ben):
        assert refusal_of(lambda player=player: offer(match, player)) == "rematch_off"


def test_acceptance_at_the_time_of_a_decline_leaves_the_rematch_running_or_void(ann: Account, ben: Account) -> None:
    match = finished(ann, ben)
    rematch = offer(match, ann)
    results = at_once(
        [lambda: offer(match, ben), lambda: accepting.decline(match_id=rematch, player=ann.id, reason="Late.")]
    )
    refused = [it.code for it in results if isinstance(it, Illegal)]
    assert (status(rematch), refused) in [
        ("running", ["already_accepted"]), ("void", ["match_over"]), ("void", ["rematch_off"]),
    ]  # fmt: skip


def test_rematch_with_an_inactive_player_is_refused(ann: Account, ben: Account) -> None:
    match = finished(ann, ben)
    Account.objects.filter(id=ben.id).update(is_active=False)
    assert refusal_of(lambda: offer(match, ann)) == "player_gone"
    assert not Match.objects.filter(rematch_of=match.id).exists()


def test_rematch_counts_towards_the_limit_of_its_offerer(ann: Account, ben: Account) -> None:
    match = finished(ann, ben)
    with override_settings(LIMITS=True, MATCHES_OF_ACCOUNT=(0, 0)):
        assert refusal_of(lambda: offer(match, ann)) == "too_many_matches"
    assert not Match.objects.filter(rematch_of=match.id).exists()


def test_unanswered_rematch_is_void_after_a_day(ann: Account, ben: Account) -> None:
    unanswered, fresh = offer(finished(ann, ben), ann), offer(finished(ann, ben), ann)
    played = offer(finished(ann, BOT), ann)
    for rematch in (unanswered, played):
        match = Match.objects.get(id=rematch)
        Match.objects.filter(id=rematch).update(opened_at=match.opened_at - timedelta(days=1, minutes=1))
    tasks.let_rematches_lapse()
    tasks.let_rematches_lapse()
    accepting.let_lapse(match_id=played)
    assert [status(it) for it in (unanswered, fresh, played)] == ["void", "waiting", "running"]
