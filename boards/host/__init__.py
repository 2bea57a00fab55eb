"""The host's side of a board's serial link."""
