"""Equivalence of combinational graphs: one large proof, cut into many small ones that ABC decides."""
