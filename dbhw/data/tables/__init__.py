"""A user's table: reading it, what its columns are, and how their values become integers."""
