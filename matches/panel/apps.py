"""The panel's app, and the admin that it puts in the place of Django's own."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class PanelConfig(AppConfig):
    """Dashboard, lists and control rooms."""

    name = "matches.panel"
    label = "panel"
    verbose_name = "Panel"


class PanelAdminConfig(AdminConfig):
    """Django's admin on the panel's site."""

    default = False
    default_site = "matches.panel.site.PanelSite"
