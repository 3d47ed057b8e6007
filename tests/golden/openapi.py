"""The OpenAPI document, operation by operation and schema by schema, without its words."""

from tests.api.document import DOCUMENT
from tests.golden.transcript import Transcript


def read() -> Transcript:
    """The transcript of the document."""
    transcript = Transcript("openapi")
    rest = {name: it for name, it in DOCUMENT.items() if name not in ("paths", "components")}
    transcript.note("the document", rest)
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            plain = {name: it for name, it in operation.items() if name != "x-codeSamples"}
            transcript.note(f"{method.upper()} {path}", plain)
    for kind, parts in DOCUMENT["components"].items():
        for name, part in parts.items():
            transcript.note(f"{kind} {name}", part)
    return transcript
