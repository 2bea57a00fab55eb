"""FPGA families: synthesis, place and route of a core, and clocks."""
