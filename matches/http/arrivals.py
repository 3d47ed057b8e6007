"""ASGI middleware that stores a command's time of arrival, so that later waiting isn't charged to its player."""

from events import arrivals
from matches.http.asgi import Application, Message, Receive, Send


class Arrivals:
    """Stamps the POST of a command once its body has arrived, so that sending slowly gains nothing."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].endswith("/commands"):
            await self.application(scope, receive, send)
            return
        with arrivals.awaited() as arrival:

            async def stamped() -> Message:
                message = await receive()
                if not message.get("more_body", False):
                    arrival.stamp()
                return message

            async def answered(message: Message) -> None:
                arrival.settle()
                await send(message)

            await self.application(scope, stamped, answered)
