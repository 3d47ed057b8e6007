"""Celery's consumer without the step that prepares RabbitMQ for delayed tasks, which the service doesn't have.

With quorum queues that step creates 28 more queues. After the loss of a node it also tries for half a minute to reach
that node before the worker takes another task.
"""

from celery.worker import consumer


class Consumer(consumer.Consumer):
    class Blueprint(consumer.Consumer.Blueprint):
        """The steps of its start, in order."""

        default_steps = [
            step for step in consumer.Consumer.Blueprint.default_steps if not step.endswith(":DelayedDelivery")
        ]
