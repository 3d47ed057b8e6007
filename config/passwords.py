"""Password hashing with Argon2id, which makes guessing cost memory as well as time.

Source of the figures: OWASP, Password Storage Cheat Sheet, the second of its settings of Argon2id.
"""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2id(Argon2PasswordHasher):
    """Two passes over 19 MiB in one thread: 50 ms on a slow core. Django's default takes 100 MiB and eight threads."""

    time_cost = 2
    memory_cost = 19 * 1024  # KiB
    parallelism = 1
