"""The commands, one file each: `arguments` declares what it takes, `run` does it and returns the exit code."""
