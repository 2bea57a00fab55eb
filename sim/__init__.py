"""Simulation: cocotb benches over the emitted Verilog, and the simulators that run them."""
