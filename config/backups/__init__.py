"""Backups of the database and its log, and restores to an instant. They work without a running service."""
