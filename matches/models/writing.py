"""Private notes of accounts at matches. The table belongs to the app `web`, where it was first."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class Note(models.Model):
    """The text that an account has written at a match; only the account itself may read it."""

    match_id = models.UUIDField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField(blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "web"
        constraints: ClassVar = [models.UniqueConstraint(fields=["match_id", "account"], name="note_once")]

    def __str__(self) -> str:
        return f"{self.account_id} at {self.match_id}"
