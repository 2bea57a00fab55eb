"""Clocked hardware: pipelines, with or without a handshake, proved on the gates and registers that Yosys reads."""
