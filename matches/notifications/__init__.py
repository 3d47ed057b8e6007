"""What people are told elsewhere: notices, and the webhooks that carry them."""
