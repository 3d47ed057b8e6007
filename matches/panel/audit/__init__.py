"""Pages for auditors: the event log in sentences, and a page for each dispute."""
