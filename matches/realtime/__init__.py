"""The realtime entry point: sockets and streams that send the events of a match as they happen."""
