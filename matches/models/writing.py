"""What is kept beside the log of what people write at a match: their own notes, and what spectators say.

Both tables are of the app `web`, whose pages kept them first.
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


class Remark(models.Model):
    """A spectator's line, said at a version of the match; its players read it once the match is over."""

    match_id = models.UUIDField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="remarks")
    at_version = models.IntegerField()
    text = models.CharField(max_length=500)
    said_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "web"
        ordering = ("id",)
        indexes: ClassVar = [models.Index(fields=["match_id", "id"], name="remark_of_match")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.text[:40]}"
