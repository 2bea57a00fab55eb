"""From a network to Verilog, its manifest and its test vectors."""
