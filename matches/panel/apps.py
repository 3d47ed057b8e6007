"""The panel's app, and the admin that it puts in the place of Django's own."""

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class PanelConfig(AppConfig):
    """Dashboard, lists and control rooms."""

    name = "matches.panel"
    label = "panel"
    verbose_name = "Panel"


class PanelAdminConfig(SimpleAdminConfig):
    """Django's admin on the panel's site. The addresses find what it shows: workers and commands need none of it."""

    default = False
    default_site = "matches.panel.site.PanelSite"
