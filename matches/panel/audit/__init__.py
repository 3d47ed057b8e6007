"""For auditors: the event log in sentences, and each dispute on a page of its own."""
