"""Proofs: that hardware is the network, and that a model has a property."""
