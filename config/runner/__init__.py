"""The programs behind bin/up: the supervisor, its parts, and the servers that come with the package."""
