"""The control room of a match: a host's acts as dialogs, rewinds, looks."""
