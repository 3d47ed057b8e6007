"""Celery's consumer without the step that prepares RabbitMQ for tasks with an instant, of which there are none.

Where there are quorum queues it makes 28 more, and after each loss of a node it tries for half a minute to reach the
node that is gone before it takes a task again.
"""

from celery.worker import consumer


class Consumer(consumer.Consumer):
    """Takes tasks from the broker."""

    class Blueprint(consumer.Consumer.Blueprint):
        """The steps of its start, in their order."""

        default_steps = [
            step for step in consumer.Consumer.Blueprint.default_steps if not step.endswith(":DelayedDelivery")
        ]
