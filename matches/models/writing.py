"""What is kept beside the log of what people write at a match for themselves: their notes.

The table is of the app `web`, whose pages kept it first.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models


class Note(models.Model):
    """What an account has written down at a match, for its own eyes."""

    match_id = models.UUIDField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField(blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "web"
        constraints: ClassVar = [models.UniqueConstraint(fields=["match_id", "account"], name="note_once")]

    def __str__(self) -> str:
        return f"{self.account_id} at {self.match_id}"
