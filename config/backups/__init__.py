"""Backups of the database and of its log, and their restoring to an instant. They need no running service."""
