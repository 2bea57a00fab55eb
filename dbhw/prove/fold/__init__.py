"""Folded cores, which compute a layer in several cycles: their machine is run on symbols, and unrolled."""
