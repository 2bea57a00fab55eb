"""And-inverter graphs, which every side of an equivalence becomes: read, written, simulated, taken apart."""
