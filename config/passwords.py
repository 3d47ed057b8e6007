"""How passwords are kept: by Argon2id, whose guessing needs memory as well as time.

Source of the figures: OWASP, Password Storage Cheat Sheet, the second of its settings of Argon2id.
"""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2id(Argon2PasswordHasher):
    """Two passes over 19 MiB in one thread: 50 ms of a slow core, where Django's own would take 100 MiB and eight."""

    time_cost = 2
    memory_cost = 19 * 1024  # KiB
    parallelism = 1
