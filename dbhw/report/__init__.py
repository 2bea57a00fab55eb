"""What a result says, for people."""
