"""The commands, one file each: `arguments` declares what it takes, `run` does it and returns the exit code."""

from dbhw.base.registry import Plugins

PLUGINS = Plugins("command", __name__)
