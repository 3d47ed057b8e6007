"""The database was set back: a season is told as its log is now, though it was as long before."""

from uuid import UUID, uuid4

from matches.models import Account
from matches.seasons import services
from matches.seasons.domain import roster
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.reads import listing, selectors
from tests.lost import backup, restore
from tests.table_setting import new_account


def headline(season_id: UUID, reader: Account) -> str:
    """Return the season's headline in a list."""
    (card,) = listing.cards(selectors.seasons_for(reader).filter(id=season_id), reader)
    return card.headline


def test_season_restored_to_another_history_is_read_from_the_database() -> None:
    organiser, player, helper = new_account(is_organiser=True), new_account(), new_account()
    season_id, _ = services.open_season(
        by=organiser, title="A cup", options=SeasonOptions, key=str(uuid4()), fingerprint=b""
    )
    saved = backup(season_id)
    act = {"season_id": season_id, "by": organiser, "fingerprint": b""}
    services.act(**act, key="one", decide=lambda season, by: roster.enrol(season, by, str(player.id)))
    assert headline(season_id, organiser) == "Enrolment, 1 player so far"
    restore(season_id, saved)
    services.act(**act, key="two", decide=lambda season, by: roster.appoint(season, by, str(helper.id), "host"))
    assert headline(season_id, organiser) == "Enrolment, 0 players so far"
