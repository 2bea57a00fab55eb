"""Counts and argmax in hardware, shaped for look-up tables and carry chains."""
