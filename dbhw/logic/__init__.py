"""The logic network: its nodes, its passes, its evaluation, and the formats it is written in."""
