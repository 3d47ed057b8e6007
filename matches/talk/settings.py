"""For whom there is talk at a match and in a season: their hosts and organisers set it, beside the record."""

from uuid import UUID

from matches.domain.talk import TalkFor
from matches.models.talk import DATABASE_CLOCK, TalkSetting
from matches.publishing import publisher

USUAL: TalkFor = "all"
_NARROWEST_FIRST: tuple[TalkFor, ...] = ("off", "members", "all")


def open_to(about: UUID, season: UUID | None = None) -> TalkFor:
    """For whom there is talk at a match (of a season), or in a season: of both settings the narrower one."""
    asked = [about] if season is None else [about, season]
    found = set(TalkSetting.objects.filter(about__in=asked).values_list("open_to", flat=True))
    return next((it for it in _NARROWEST_FIRST if it in found), USUAL)


def set_open_to(*, about: UUID, wanted: TalkFor, by: UUID | None) -> None:
    """From now on there is talk for these."""
    told = {"open_to": wanted, "changed_by": by, "changed_at": DATABASE_CLOCK}
    TalkSetting.objects.update_or_create(about=about, defaults=told)
    publisher.announce_talk(about)
