"""Notifications: calls by push, e-mail and on pages, and notices to webhooks."""
