"""Hardware: the Amaranth core made from a logic network, and its Verilog."""
