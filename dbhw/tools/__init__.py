"""Programs that others wrote: finding them, running them, and reading what they print."""
