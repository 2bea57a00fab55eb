"""Training: from a net and data to a model."""
