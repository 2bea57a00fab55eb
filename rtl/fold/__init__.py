"""Folded cores: a net in several clock cycles on a part of its hardware, with the weights in a ROM."""
