"""Code that all HTTP entry points share: problems, limits, parsing, authentication, paging, a host's acts."""
