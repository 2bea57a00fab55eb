"""From a model to a programmed board."""
