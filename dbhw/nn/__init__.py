"""Nets of layers, each with a soft meaning for training and a hard meaning on bits."""
