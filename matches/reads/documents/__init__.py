"""The structs of responses, from which the API's schema is made too."""
