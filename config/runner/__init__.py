"""What bin/up runs: the supervisor, its parts and the servers that come with the package."""
