"""The room of a season: its acts as dialogs, its steps, its opening."""
