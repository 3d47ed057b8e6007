"""Passwords in the tests' own processes: hashed in no time. Those that keep passwords as the service does ask for it."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class QuickHasher(PBKDF2PasswordHasher):
    """One round instead of a million. The web processes that tests start can check these hashes, and make real ones."""

    iterations = 1
