"""A WebSocket's text frames as bytes. A server sends them unmasked, so one text has the same bytes for all its
receivers."""

_WHOLE_TEXT = b"\x81"
_SHORT, _LONG = 126, 1 << 16

_last: tuple[str, bytes] = ("", b"\x81\x00")


def framed(text: str) -> bytes:
    """Return the text as one frame (RFC 6455, 5.2). A text sent to many receivers in a row is encoded once."""
    global _last
    last_text, frame = _last
    if last_text is not text:
        data = text.encode()
        frame = _head(len(data)) + data
        _last = (text, frame)
    return frame


def _head(size: int) -> bytes:
    if size < _SHORT:
        return _WHOLE_TEXT + bytes([size])
    if size < _LONG:
        return _WHOLE_TEXT + b"\x7e" + size.to_bytes(2, "big")
    return _WHOLE_TEXT + b"\x7f" + size.to_bytes(8, "big")
