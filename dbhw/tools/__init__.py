"""Programs of others: finding them, running them, and reading what they print."""
