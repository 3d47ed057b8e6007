"""What workers do beside their tasks: serve matches by turns, let flags fall."""
