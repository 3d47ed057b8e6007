"""Passwords in the tests' own processes: hashed as the service does it, but for the third of a second that it takes."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class QuickHasher(PBKDF2PasswordHasher):
    """One round instead of a million. The web processes that tests start can check these hashes, and make real ones."""

    iterations = 1
