"""Passwords in the tests' own processes: hashed in no time. A test of how they are kept asks for the real hashers."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class QuickHasher(PBKDF2PasswordHasher):
    """One round instead of a million. The web processes that tests start can check these hashes, and make real ones."""

    iterations = 1
