"""The library of contests: drafts, their versions, publication, copies, files, and trials by bots."""
