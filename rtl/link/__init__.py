"""The serial link between a host and a core, and the top levels of boards."""
