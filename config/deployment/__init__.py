"""The deployment's inputs: environment, secrets, database, and the release that prepared the database."""
