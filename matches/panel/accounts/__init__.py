"""Accounts in the panel: the access log, links for new passwords."""
