"""Proof that a bitstream is a board's Verilog: what was placed and routed, compared with what should have been."""
