"""What officials see and do of accounts: the access log, links for new passwords."""
