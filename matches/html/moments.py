"""Instants in the reader's time zone."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _

from games.kernel import Illegal
from matches.seasons.domain import scheduling


def local_time(at: datetime, zone: str) -> str:
    """Return an instant as pages show it to a reader in a zone: `5 Mar 2027, 18:30`."""
    local = at.astimezone(ZoneInfo(zone))
    return f"{local.day} {local:%b %Y, %H:%M}"


class MomentField(forms.DateTimeField):
    """An instant in a zone, `UTC` until `in_zone` is called. The cleaned value is in the record's format, empty if no
    instant was given.

    A time that the zone skips or repeats is refused, unless it has an offset (`2030-03-31T02:30+02:00`).
    """

    label: str
    zone = "UTC"

    def in_zone(self, zone: str) -> None:
        """Use this zone for reading and showing, and add it to the label. Call it once."""
        self.zone = zone
        self.label = f"{self.label} ({zone})"

    def to_python(self, value: Any) -> datetime | None:
        try:
            with timezone.override(self.zone):
                at: datetime | None = super().to_python(value)
        except forms.ValidationError as error:
            if error.code != "ambiguous_timezone":
                raise
            raise forms.ValidationError(
                _("The clocks of %(zone)s skip this time or show it twice, as they change. Choose another time."),
                code=error.code,
                params={"zone": self.zone},
            ) from None
        return at

    def clean(self, value: Any) -> str:
        """Return the instant in the record's format; raise ValidationError."""
        try:
            return scheduling.opening_time(super().clean(value)) or ""
        except Illegal as error:
            raise forms.ValidationError(error.message) from None
