"""Permissions of guests at tables, and their end: a guest's or the sweep's act has exactly these consequences."""

from datetime import timedelta
from random import Random
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.test import override_settings

from matches import tasks
from matches.accounts import credentials
from matches.accounts.access_log import OPERATING
from matches.audit import replay
from matches.audit.croupier_verify import verify
from matches.domain.names import guest_name, name_fault
from matches.models import Account, Match
from matches.notifications import notices
from matches.services import hosting, opening
from matches.services.opening import SeatRequest
from matches.workers.guests import erase_gone
from tests.api.seasons import Cup
from tests.matches.test_audit import exported
from tests.table_setting import BOT, at_once, new_account, play_on, refusal_of, running_match, waiting_match

GAME = "pyramid_poker"
LONG_AGO = timedelta(days=400)


def new_guest(**more: object) -> Account:
    return new_account(guest_until=Now() + timedelta(days=14), **more)


def open_one(opener: Account, *seats: Account | str | None) -> UUID:
    asked = [SeatRequest(seat.id if isinstance(seat, Account) else seat) for seat in seats]
    return opening.open_match(opener=opener.id, game=GAME, options={}, seats=asked).match_id


def expire(guest: Account) -> Account:
    """Let a guest account expire."""
    Account.objects.filter(id=guest.id).update(guest_until=Now() - timedelta(seconds=1))
    return guest


def stood_still(match: Match) -> None:
    Match.objects.filter(id=match.id).update(changed_at=Now() - LONG_AGO)


def is_erased(guest: Account) -> bool:
    guest.refresh_from_db()
    return guest.username.startswith("erased") and not guest.is_active


def test_guest_may_open_a_match_only_against_a_bot() -> None:
    me, other = new_guest(), new_account()
    open_one(me, me, BOT)
    for seats in ((me, None), (me, other), (BOT, BOT), (other, BOT), (None, BOT)):
        assert refusal_of(lambda seats=seats: open_one(me, *seats)) == "not_for_guests"
    assert Match.objects.filter(opened_by=me).count() == 1


def test_guest_host_cannot_seat_another_person() -> None:
    me = new_guest()
    match = running_match(GAME, me, BOT, opener=me)
    seating = {"match_id": match.id, "by": me.id, "seat": 1, "reason": "A friend."}
    assert refusal_of(lambda: hosting.substitute(player=new_account().id, **seating)) == "not_for_guests"


def test_guest_takes_the_seat_of_an_invitation() -> None:
    opener, me = new_account(), new_guest()
    asked = [SeatRequest(opener.id), SeatRequest()]
    opened = opening.open_match(opener=opener.id, game=GAME, options={}, seats=asked)
    assert opening.join(match_id=opened.match_id, player=me.id, invitation=opened.invitations[1]) == 1


@override_settings(LIMITS=True, MATCHES_OF_GUEST=(2, 0))
def test_concurrent_openings_of_a_guest_stay_within_the_limit() -> None:
    me = new_guest()
    results = at_once([lambda: open_one(me, me, BOT)] * 6)
    assert sum(isinstance(it, UUID) for it in results) == 2
    assert {it.code for it in results if not isinstance(it, UUID)} == {"too_many_matches"}
    assert "sign up" in next(it for it in results if not isinstance(it, UUID)).message


def test_guest_gets_no_part_in_a_season() -> None:
    cup, guest = Cup(2), new_guest()
    for path, body in (
        ("/players", {"player": str(guest.id)}),
        ("/staff", {"account": str(guest.id), "role": "host"}),
        (f"/players/{cup.players[0].id}/substitute", {"newcomer": str(guest.id), "reason": "Away."}),
    ):
        assert cup.ask(path, body).refusal == (403, "not_for_guests"), path
    assert len(cup.living()) == 2


def test_guest_gets_no_seat_at_a_match_of_a_season() -> None:
    cup, guest = Cup(4), new_guest()
    match = Match.objects.get(id=cup.death_match())
    seating = {"match_id": match.id, "by": UUID(cup.organiser.id), "seat": 0, "reason": "Away."}
    assert refusal_of(lambda: hosting.substitute(player=guest.id, **seating)) == "not_for_guests"
    assert refusal_of(lambda: opening.join(match_id=match.id, player=guest.id, invitation="")) == "not_for_guests"


def test_guest_has_no_rights_no_password_and_no_notices() -> None:
    guest = new_guest()
    for right in ("is_organiser", "is_staff", "is_superuser"):
        assert refusal_of(lambda right=right: credentials.change_rights(guest, {right: True}, OPERATING)) == (
            "not_for_guests"
        )
        with pytest.raises(IntegrityError, match="guest_without_rights"), transaction.atomic():
            Account.objects.filter(id=guest.id).update(**{right: True})
    with pytest.raises(CommandError, match="neither a password nor rights"):
        call_command("changepassword", guest.username, password="a long walk home")
    with pytest.raises(CommandError, match="neither a password nor rights"):
        call_command("set_rights", guest.username, "--organiser")
    assert refusal_of(lambda: notices.set_webhook(guest, "https://example.org/")) == "not_for_guests"
    credentials.change_rights(guest, {"is_active": False}, OPERATING)


@pytest.mark.parametrize("name", ["Guest 4821", "guest 1", "GUEST of honour", "\u0261uest 4821"])
def test_sign_up_refuses_the_names_of_guests(name: str) -> None:
    assert "guest" in (name_fault(name) or "")
    assert name_fault("guesthouse") is None and guest_name(4821) == "Guest 4821"


def test_sweep_erases_a_lapsed_guest_and_keeps_the_matches() -> None:
    guest = new_guest()
    match = running_match(GAME, guest, BOT, opener=guest)
    play_on(match, 1, Random(1))
    hosting.adjudicate(match_id=match.id, by=guest.id, winners=[0], reason="Over.")
    tasks.erase_guests()
    assert not is_erased(guest)
    expire(guest)
    tasks.erase_guests()
    tasks.erase_guests()
    assert is_erased(guest) and guest.guest_until is None
    assert match.seats.get(number=0).account_id == guest.id
    assert Match.objects.get(id=match.id).status == "finished"


def test_sweep_keeps_guests_who_are_playing() -> None:
    opener, guest, player = new_account(), new_guest(), new_guest()
    with_people = running_match(GAME, opener, guest, opener=opener)
    against_bot = running_match(GAME, player, BOT, opener=player)
    stood_still(with_people)
    for one in (guest, player):
        expire(one)
    tasks.erase_guests()
    assert not is_erased(guest) and not is_erased(player)
    assert guest.guest_until and player.guest_until
    for match in (with_people, against_bot):
        assert Match.objects.get(id=match.id).status == "running"
    # when the match with the other person is over, then the guest goes
    hosting.adjudicate(match_id=with_people.id, by=new_account(is_organiser=True).id, winners=[0], reason="Over.")
    expire(guest)
    tasks.erase_guests()
    assert is_erased(guest)


def test_sweep_voids_unfinished_matches_of_a_guest_against_bots() -> None:
    guest = new_guest()
    running = running_match(GAME, guest, BOT, opener=guest)
    waiting = waiting_match(GAME, guest, BOT, opener=guest)
    for match in (running, waiting):
        stood_still(match)
    expire(guest)
    tasks.erase_guests()
    assert is_erased(guest)
    assert set(Match.objects.filter(opened_by=guest).values_list("status", flat=True)) == {"void"}
    lines = exported(running.id)
    verify(lines)
    replay.judged(lines)


def test_concurrent_sweeps_erase_each_guest_once() -> None:
    guests = [expire(new_guest()) for _ in range(3)]
    results = at_once([erase_gone] * 3)
    assert all(isinstance(it, int) for it in results) and sum(results) == 3
    assert all(is_erased(guest) for guest in guests)
