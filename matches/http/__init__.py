"""What the doors share of HTTP: problems, limits, parsing, authentication, paging, a host's acts."""
