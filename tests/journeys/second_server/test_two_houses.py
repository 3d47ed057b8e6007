"""Two houses on one machine."""

import httpx
import pytest

from tests.journeys.house import House


@pytest.mark.slow
def test_two_installations_on_one_machine_are_separate(house: House, inn: House) -> None:
    ada, mira = house.guest("ada"), inn.demo_guest("mira")
    match = ada.open("pyramid_poker", ada, "bot")

    assert ada.ask(f"/matches/{match}").status_code == 200
    assert mira.ask(f"/matches/{match}").status_code == 404
    stranger = httpx.get(f"{inn.url}/api/v1/me", headers={"Authorization": f"Bearer {ada.token}"})
    assert (stranger.status_code, stranger.json()["code"]) == (401, "bad_token")
    assert not set(house.residents()) & set(inn.residents())
    assert house.services()["DATABASE_URL"] != inn.services()["DATABASE_URL"]
    assert house.services()["REDIS_URL"] != inn.services()["REDIS_URL"]
    for name in ("secret_key", "seed_key"):
        assert (house.data / "secrets" / name).read_text() != (inn.data / "secrets" / name).read_text()
