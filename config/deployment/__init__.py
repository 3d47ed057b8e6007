"""What a deployment gives the service: its environment, its secrets, its database and whose release prepared it."""
