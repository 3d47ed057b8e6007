"""Django's messages in a cookie with the deployment's name; those too long for it in the session."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class _Cookie(CookieStorage):
    cookie_name = settings.MESSAGES_COOKIE_NAME


class Storage(FallbackStorage):
    storage_classes = (_Cookie, SessionStorage)
