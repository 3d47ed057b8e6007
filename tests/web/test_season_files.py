"""A season's lists as files from its pages and its room in the panel."""

from typing import Any

import pytest

from matches.http.table_files import XLSX
from matches.models import Account
from tests.api.guests import Guest, guest
from tests.api.seasons import Cup
from tests.panel.office import Desk
from tests.spreadsheets import csv_records, xlsx_records

PATHS = {"standings": "/standings", "ledger": "/ledger", "schedule": "/schedule", "results": "/episodes"}
TABS = {"standings": "", "ledger": "/ledger", "schedule": "/matches", "results": "/episodes"}


@pytest.fixture(scope="module")
def cup() -> Cup:
    season = Cup(5, starting_garnets=2)
    season.episode()
    season.main_match()
    return season


def desk(of: Guest | None = None) -> Desk:
    return Desk(Account.objects.get(id=of.id)) if of else Desk()


def file(cup: Cup, name: str, of: Guest | None = None, **query: Any) -> Any:
    return desk(of).get(f"/seasons/{cup.id}/{name}", **query)


@pytest.mark.parametrize("name", PATHS)
def test_file_of_a_page_is_that_of_the_api(cup: Cup, name: str) -> None:
    for reader in (None, cup.players[0], cup.organiser):
        csv, xlsx = (file(cup, f"tables/{name}.{form}", reader) for form in ("csv", "xlsx"))
        api = reader or cup.organiser
        assert csv.content == api.get(cup.path + PATHS[name], Accept="text/csv").body
        assert xlsx.content == api.get(cup.path + PATHS[name], Accept=XLSX).body
        assert csv.headers["Cache-Control"] == xlsx.headers["Cache-Control"] == "private, no-store"
        assert xlsx.headers["Content-Disposition"] == f'attachment; filename="season-{cup.id}-{name}.xlsx"'


@pytest.mark.parametrize("name", TABS)
def test_tab_offers_the_files_of_its_version(cup: Cup, name: str) -> None:
    past = cup.read()["version"] - 1
    for query, at in (({}, ""), ({"at": past}, f"?at={past}")):
        page = desk().read(f"/seasons/{cup.id}{TABS[name]}", **query)
        for form in ("csv", "xlsx"):
            assert f'href="/seasons/{cup.id}/tables/{name}.{form}{at}" download' in page
    rows = csv_records(file(cup, f"tables/{name}.csv", at=8).content)
    assert rows == csv_records(cup.organiser.get(f"{cup.path}{PATHS[name]}?at=8", Accept="text/csv").body)


def test_page_of_an_episode_offers_its_results(cup: Cup) -> None:
    page = desk().read(f"/seasons/{cup.id}/episodes/2")
    for form, read in (("csv", csv_records), ("xlsx", xlsx_records)):
        assert f'href="/seasons/{cup.id}/episodes/2/results.{form}" download' in page
        assert {int(it["Episode"]) for it in read(file(cup, f"episodes/2/results.{form}").content)} == {2}
    assert file(cup, "episodes/9/results.csv").status_code == 404


def test_panel_offers_every_file_to_the_seasons_staff(cup: Cup) -> None:
    room = desk(cup.host).read(f"/admin/seasons/{cup.id}/")
    for name in PATHS:
        for form in ("csv", "xlsx"):
            assert f'href="/seasons/{cup.id}/tables/{name}.{form}" download' in room


@pytest.mark.parametrize("name", [*(f"tables/{it}.csv" for it in PATHS), "episodes/1/results.xlsx"])
def test_file_of_a_private_season_is_refused_as_its_page_is(name: str) -> None:
    private = Cup(3, public=False)
    private.did("/episodes", {"title": "First"})
    for reader in (None, guest()):
        assert file(private, name, reader).status_code == 404
    assert file(private, name, private.players[0]).status_code == 200


@pytest.mark.parametrize("name", ["tables/secrets.csv", "tables/ledger.pdf", "episodes/1/results.exe"])
def test_file_that_does_not_exist_is_not_found(cup: Cup, name: str) -> None:
    assert file(cup, name).status_code == 404
