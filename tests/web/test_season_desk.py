"""A player's desk in a season: what is theirs to decide, their match from their own seat, and nothing else."""

import re
from html import unescape
from uuid import UUID, uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from events import store
from matches.models import Account, Match
from matches.seasons import repository
from tests.api.guests import Guest
from tests.api.seasons import Cup
from tests.pages import as_read
from tests.table_setting import new_account, play_on

WHO = ("nobody", "outsider", "organiser", "host", "auditor", "winner", "ec", "dmo", "gone", "house", "house and player")


def account_of(guest: Guest) -> Account:
    return Account.objects.get(id=guest.id)


def browser(account: Account | None) -> Client:
    client = Client(headers={"host": "localhost"})
    if account:
        client.force_login(account)
    return client


def read(guest: Guest, cup: Cup) -> str:
    answer = browser(account_of(guest)).get(f"/seasons/{cup.id}/desk")
    assert answer.status_code == 200
    return unescape(as_read(answer))


def scene(guest: Guest, cup: Cup, act: str) -> str:
    """The scene of a decision, or the desk where it is none of theirs."""
    answer = browser(account_of(guest)).get(f"/seasons/{cup.id}/desk/{act}", follow=True)
    assert answer.status_code == 200
    return unescape(as_read(answer))


def decide(guest: Guest, cup: Cup, act: str, **fields: str) -> HttpResponse:
    fields.setdefault("key", f"key-{uuid4()}")
    return browser(account_of(guest)).post(f"/seasons/{cup.id}/desk/{act}", fields)


def asked_on(page: str) -> list[str]:
    """The decisions on a desk."""
    return re.findall(r'id="decide-([\w-]+)"', page)


def types(cup: Cup, after: int) -> list[str]:
    return [row.type for row in store.read(UUID(cup.id), after=after)]


def version(cup: Cup) -> int:
    return repository.load(UUID(cup.id)).version


@pytest.mark.slow
def test_each_decision_is_on_the_desk_of_its_decider_only() -> None:
    cup = Cup(5, bans_each=1)
    winner, second, third, ec, dmo = cup.players
    cup.did("/episodes", {"title": "First"})
    cup.did("/main-matches", {"name": "Dice", "winners": [winner.id], "candidates": [ec.id, dmo.id]})
    path = [
        ({winner: "token"}, ("token", {"player": second.id}), ["token_granted"]),
        ({winner: "candidate"}, ("candidate", {"player": ec.id}), ["candidate_named"]),
        ({ec: "opponent"}, ("opponent", {"player": dmo.id}), ["opponent_named"]),
        ({ec: "ban", dmo: "ban"}, ("ban", {"game": "pentagram"}), ["game_banned"]),
        ({dmo: "ban"}, ("ban", {"game": "pyramid_poker"}), ["game_banned"]),
    ]
    for decisions, (act, fields), expected in path:
        asked_for = {player: asked_on(read(player, cup)) for player in cup.players}
        assert asked_for == {player: [decisions[player]] if player in decisions else [] for player in cup.players}
        player, before = next(iter(decisions)), version(cup)
        assert decide(third, cup, act, **fields).status_code in (403, 409)
        assert version(cup) == before, "What isn't theirs is refused."
        assert asked_on(scene(player, cup, act)) == [act] and asked_on(scene(third, cup, act)) == []
        assert decide(player, cup, act, **fields).headers["Location"] == f"/seasons/{cup.id}/desk/{act}"
        assert types(cup, before) == expected
    assert all(asked_on(read(player, cup)) == [] for player in cup.players)


def test_desk_offers_only_eligible_players_and_previews_the_effects() -> None:
    cup = Cup(5)
    ec = cup.main_match()
    safe, free = cup.players[0], cup.players[2]
    page = scene(ec, cup, "opponent")
    assert f"{safe.name}" in page and "Holds a token of life" in page, "Who can't be chosen is told, and why."
    assert f'name="player" value="{free.id}"' in page and f'name="player" value="{safe.id}"' not in page
    before, desk = version(cup), browser(account_of(ec))
    address = f"/seasons/{cup.id}/desk/opponent/foresee"
    assert f"{free.name} is the DMO." in as_read(desk.post(address, {"player": free.id}))
    refused = as_read(desk.post(address, {"player": safe.id}))
    assert "token of life keeps them out" in refused
    assert "Choose a player first." in as_read(desk.post(address, {}))
    assert version(cup) == before


def test_refused_or_outdated_form_gives_sentences_and_changes_nothing() -> None:
    cup = Cup(4)
    ec = cup.main_match()
    before, client = version(cup), browser(account_of(ec))
    cases = [
        ({"player": cup.players[0].id}, "token of life keeps them out"),
        ({"player": cup.players[2].id, "expected": str(before - 1)}, f"The season is at version {before}."),
        ({"player": str(uuid4())}, "No such player is in this season."),
        ({}, "Choose a player first."),
    ]
    for fields, sentence in cases:
        address = f"/seasons/{cup.id}/desk/opponent"
        answer = client.post(address, {"key": f"key-{uuid4()}", **fields}, headers={"accept": "text/html"}, follow=True)
        assert sentence in unescape(as_read(answer)), fields
    assert version(cup) == before


def test_refused_form_is_shown_as_filled_in_with_a_new_preview() -> None:
    cup = Cup(3)
    giver, taker, other = cup.players
    before = version(cup)
    cup.did("/rulings", {"text": "Be kind."})
    fields = {"target": other.id, "amount": "1", "reason": "A <promise>.", "expected": str(before)}
    answer = decide(giver, cup, "garnets", **fields)
    page = as_read(answer)
    form = page.partition('<details class="panel" open><summary>Give garnets')[2]
    assert answer.status_code == 412 and "Read what will happen now and press again." in page
    assert f'value="{other.id}" selected' in form and 'value="A &lt;promise&gt;."' in form
    assert f'name="expected" value="{version(cup)}"' in form and "What will happen" in form
    page = unescape(as_read(decide(giver, cup, "garnets", **fields | {"expected": "", "amount": "9"})))
    assert "change the form and send it again" in page and 'value="9"' in page
    page = unescape(as_read(decide(taker, cup, "withdraw", reason="Work calls.")))
    assert '<details class="panel" open><summary>Leave the season' in page and 'value="Work calls."' in page
    assert version(cup) == before + 1


def test_champion_sees_their_title() -> None:
    cup = Cup(3, best_of=1)
    winner, loser, leaver = cup.players
    cup.did("/episodes", {"title": "First"})
    cup.did("/episodes/close", {"reason": "Nobody came."})
    cup.did(f"/players/{leaver.id}/withdraw", {"reason": "Work calls."})
    cup.did("/final")
    match = cup.set("/final/matches", "pyramid_poker")
    cup.loses(match, loser)
    cup.did(f"/matches/{match}/approve")
    assert "You are the champion." in read(winner, cup) and "Nothing to decide." not in read(winner, cup)
    assert "You are eliminated, place 2." in read(loser, cup)


def test_refused_decision_keeps_its_choice() -> None:
    cup = Cup(4)
    ec, free, before = cup.main_match(), cup.players[2], version(cup)
    answer = decide(ec, cup, "opponent", player=free.id, expected=str(before - 1))
    page = unescape(as_read(answer))
    assert f'value="{free.id}" checked' in page and f"{free.name} is the DMO." in page
    cup.did("/opponents", {"player": free.id}, by=ec)
    late = unescape(as_read(decide(ec, cup, "opponent", player=free.id)))
    assert "Nothing was done." in late and asked_on(late) == []


def test_gift_sent_twice_is_given_once() -> None:
    cup = Cup(3)
    giver, taker, _ = cup.players
    before = version(cup)
    fields = {"target": taker.id, "amount": "1", "reason": "A promise.", "key": "gift-1"}
    assert decide(giver, cup, "garnets", **fields).status_code == 302
    assert decide(giver, cup, "garnets", **fields).status_code == 302
    assert types(cup, before) == ["garnets_moved"]
    assert repository.load(UUID(cup.id)).players[taker.id].garnets == 2
    assert "Give garnets" not in read(giver, cup), "Nothing is left to give."


def test_withdrawal_requires_a_confirmation() -> None:
    cup = Cup(4)
    leaver, before = cup.players[0], version(cup)
    assert decide(leaver, cup, "withdraw", reason="Work calls.").status_code == 400
    assert version(cup) == before
    assert decide(leaver, cup, "withdraw", reason="Work calls.", sure="on", player=cup.players[1].id).status_code == 302
    assert types(cup, before) == ["player_withdrew", "garnets_moved"]
    assert not repository.load(UUID(cup.id)).players[leaver.id].living
    assert "Leave the season" not in read(leaver, cup)


@pytest.fixture(scope="module")
def played() -> tuple[Cup, Match]:
    """A private season with a death match under way, some moves into it."""
    cup = Cup(5, public=False)
    cup.did(f"/players/{cup.players[1].id}/withdraw", {"reason": "Work calls."})
    match = Match.objects.get(id=cup.death_match())
    play_on(match, 8)
    return cup, match


def test_desk_shows_the_match_as_the_match_page_does(played: tuple[Cup, Match]) -> None:
    cup, match = played
    boards = []
    for seat in (0, 1):
        guest = cup.player(str(match.seats.get(number=seat).account_id))
        desk = read(guest, cup)
        page = unescape(as_read(browser(account_of(guest)).get(f"/m/{match.code}/")))
        assert live_part(desk) == live_part(page)
        assert "/control/" not in desk and "/admin/" not in desk and "You host this match" not in desk
        boards.append(live_part(desk))
    assert boards[0] != boards[1]
    other = next(it for it in cup.living() if match.code not in read(it, cup))
    assert 'id="live"' not in read(other, cup)


def test_waiting_desk_redirects_to_the_match_when_it_begins(played: tuple[Cup, Match]) -> None:
    cup, match = played
    seated = account_of(cup.player(str(match.seats.get(number=0).account_id)))
    response = browser(seated).get(f"/seasons/{cup.id}/desk", headers={"hx-request": "true"})
    assert (response.headers["HX-Redirect"], response.content) == (f"/seasons/{cup.id}/desk", b"")
    free = next(it for it in cup.living() if not match.seats.filter(account_id=it.id).exists())
    waiting = browser(account_of(free)).get(f"/seasons/{cup.id}/desk", headers={"hx-request": "true"})
    assert "HX-Redirect" not in waiting.headers and b'id="desk"' in waiting.content


def test_every_identity_gets_the_expected_status_at_a_desk(played: tuple[Cup, Match]) -> None:
    cup, match = played
    before = version(cup)
    ec, dmo = (account_of(cup.player(str(match.seats.get(number=seat).account_id))) for seat in (0, 1))
    rival = account_of(cup.players[2])
    Account.objects.filter(id=rival.id).update(is_organiser=True)
    people = dict(
        zip(
            WHO,
            (None, new_account(), *map(account_of, (cup.organiser, cup.host, cup.auditor, cup.players[0])), ec, dmo,
             account_of(cup.players[1]), new_account(is_organiser=True), rival),
            strict=True,
        )
    )  # fmt: skip
    statuses = (302, 404, 404, 404, 404, 200, 200, 200, 200, 404, 200)
    acts = (302, 404, 404, 404, 404, 400, 400, 400, 400, 404, 400)
    desk = f"/seasons/{cup.id}/desk"
    assert tuple(browser(it).get(desk).status_code for it in people.values()) == statuses
    assert [browser(it).get(f"{desk}/garnets").headers["Location"] for it in people.values()] == [desk] * len(WHO)
    looked = tuple(browser(it).get(f"{desk}/opponent").status_code for it in people.values())
    assert looked == (302, 404, 404, 404, 404, 302, 200, 302, 302, 404, 302), "Who called their opponent sees whom."
    answered = tuple(browser(it).post(f"{desk}/token", {"key": "k"}).status_code for it in people.values())
    assert answered == acts
    previews = tuple(browser(it).post(f"{desk}/token/foresee", {}).status_code for it in people.values())
    assert previews == tuple(status if status != 400 else 200 for status in acts)
    assert version(cup) == before
    assert "You are withdrawn" in unescape(as_read(browser(people["gone"]).get(desk)))
    assert browser(people["winner"]).post(f"{desk}/approve", {}).status_code == 404, "That is no act of a player's."


def test_season_page_and_lobby_link_to_the_desk() -> None:
    cup = Cup(4)
    ec = cup.main_match()
    address = f"/seasons/{cup.id}/desk"
    assert address in as_read(browser(account_of(ec)).get(f"/seasons/{cup.id}"))
    assert address not in as_read(browser(account_of(cup.host)).get(f"/seasons/{cup.id}"))
    lobby = as_read(browser(account_of(ec)).get("/"))
    assert address in lobby and "Choose your opponent (DMO)" in lobby
    assert address not in as_read(browser(account_of(cup.players[0])).get("/"))
    cup.did("/opponents", {"player": cup.players[2].id}, by=ec)
    assert address not in as_read(browser(account_of(ec)).get("/"))


def live_part(page: str) -> str:
    """The match as it stands on a page, without what is made afresh for each form."""
    return page.partition('<section id="live"')[2].partition('<div class="mine">')[0]
