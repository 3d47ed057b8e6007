"""The pictures that accounts have uploaded as their portraits."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class UploadedPicture(models.Model):
    """An account's uploaded portrait, encoded again by the service as a JPEG of 400 by 500.

    Its name is a hash of account and content, so that each picture has its own URL.
    """

    name = models.CharField(max_length=32, primary_key=True)
    account = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="uploaded")
    jpeg = models.BinaryField()
    made_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.name
