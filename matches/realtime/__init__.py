"""The realtime door: sockets and streams that send what happens at a match as it happens."""
