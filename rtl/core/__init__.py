"""The combinational core as an Amaranth component: counts, sums and argmax shaped for look-up tables."""
