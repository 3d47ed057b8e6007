"""The panel's app, and the admin that replaces Django's own."""

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class PanelConfig(AppConfig):
    """Dashboard, lists and control rooms."""

    name = "matches.panel"
    label = "panel"
    verbose_name = "Panel"


class PanelAdminConfig(SimpleAdminConfig):
    """Django's admin with the panel's site. It is loaded with the URLs, since workers and commands don't need it."""

    default = False
    default_site = "matches.panel.site.PanelSite"
