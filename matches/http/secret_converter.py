"""The converter of path parameters that are secrets."""

from django.urls.converters import StringConverter


class SecretConverter(StringConverter):
    """One segment that must not appear in any log; matches.domain.secret_urls lists the routes with one."""
