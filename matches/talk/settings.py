"""The audience of talk at a match or in a season; hosts and organisers set it, outside the record."""

from uuid import UUID

from matches.domain.talk import TalkFor
from matches.models.talk import DATABASE_CLOCK, TalkSetting
from matches.publishing import publisher

USUAL: TalkFor = "all"
_NARROWEST_FIRST: tuple[TalkFor, ...] = ("off", "members", "all")


def open_to(about: UUID, season: UUID | None = None) -> TalkFor:
    """Return for whom the talk of a match (of a season) or of a season is open: the narrower of both settings."""
    streams = [about] if season is None else [about, season]
    settings = set(TalkSetting.objects.filter(about__in=streams).values_list("open_to", flat=True))
    return next((it for it in _NARROWEST_FIRST if it in settings), USUAL)


def set_open_to(*, about: UUID, wanted: TalkFor, by: UUID | None) -> None:
    defaults = {"open_to": wanted, "changed_by": by, "changed_at": DATABASE_CLOCK}
    TalkSetting.objects.update_or_create(about=about, defaults=defaults)
    publisher.announce_talk(about)
