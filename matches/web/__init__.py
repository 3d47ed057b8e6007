"""The pages: what people see in a browser, made from the same few rooms as every other door."""
