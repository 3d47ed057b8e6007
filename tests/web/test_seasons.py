"""The pages of seasons: who sees them, what they tell, and any past version."""

from uuid import UUID, uuid4

from django.test import Client

from matches.models import Account, Match
from tests.api.seasons import Cup
from tests.table_setting import new_account


def page(path: str, reader: Account | None = None) -> tuple[int, str]:
    client = Client(headers={"host": "localhost"})
    if reader is not None:
        client.force_login(reader)
    answer = client.get(path)
    return answer.status_code, answer.content.decode()


def test_a_season_shows_its_ladder_its_ledger_and_its_schedule() -> None:
    cup = Cup(4)
    match = cup.episode()
    told = cup.read()
    status, shown = page(f"/seasons/{cup.id}")
    assert status == 200
    for standing in told["standings"]:
        assert standing["player"]["username"] in shown
    assert "lost the death match and is out" in shown
    assert "won the death match as" in shown
    assert f"/m/{match}/" in shown
    assert "Garnet ledger" in shown
    assert "Confiscation" in shown


def test_a_public_season_is_for_everybody_and_a_private_one_for_those_who_belong_to_it() -> None:
    public, private = Cup(3), Cup(3, public=False)
    assert page(f"/seasons/{public.id}")[0] == 200
    assert page(f"/seasons/{private.id}")[0] == page(f"/seasons/{uuid4()}")[0] == 404
    assert page(f"/seasons/{private.id}", new_account())[0] == 404
    player = Account.objects.get(id=private.players[0].id)
    assert page(f"/seasons/{private.id}", player)[0] == 200
    listed = page("/seasons", player)[1]
    assert f"/seasons/{private.id}" in listed
    assert f"/seasons/{private.id}" not in page("/seasons")[1]


def test_a_season_is_shown_as_it_stood_at_any_version() -> None:
    cup = Cup(4)
    before = cup.read()["version"]
    cup.episode()
    shown = page(f"/seasons/{cup.id}?at={before}")[1]
    assert f"As it stood at version {before}" in shown
    assert "is out" not in shown
    newest = cup.read()["version"]
    assert "As it stood" not in page(f"/seasons/{cup.id}?at={newest}")[1]


def test_a_version_that_is_none_is_refused() -> None:
    cup = Cup(3)
    for at, status in (("0", 400), ("x", 400), ("9" * 30, 400), ("-1", 400), ("²", 400)):
        assert page(f"/seasons/{cup.id}?at={at}")[0] == status


def test_a_season_without_players_says_so() -> None:
    cup = Cup(0)
    shown = page(f"/seasons/{cup.id}")[1]
    for words in ("Nobody is enrolled yet", "No match is scheduled yet", "No garnet has moved yet"):
        assert words in shown


def test_names_are_text_and_nothing_else() -> None:
    cup = Cup(3)
    cup.did("/episodes", {"title": "<b>Cup</b>"})
    shown = page(f"/seasons/{cup.id}")[1]
    assert "<b>Cup</b>" not in shown
    assert "&lt;b&gt;Cup&lt;/b&gt;" in shown


def test_an_organiser_of_the_house_who_plays_in_the_season_sees_no_truth_of_its_matches() -> None:
    cup = Cup(4)
    match = Match.objects.get(id=cup.death_match())
    seated = {seat.account_id for seat in match.seats.all()}
    rival = next(Account.objects.get(id=it.id) for it in cup.players if UUID(it.id) not in seated)
    Account.objects.filter(id=rival.id).update(is_organiser=True)
    other = new_account(is_organiser=True)
    path = f"/m/{match.code}/replay/{match.version}/"
    assert page(path, rival)[0] == 200
    assert page(f"{path}?as=host", Account.objects.get(id=rival.id))[0] == 404
    assert page(f"{path}?as=host", other)[0] == 200
