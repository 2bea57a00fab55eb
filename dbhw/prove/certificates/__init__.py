"""Certificates: what a proof leaves behind so that others can check it with ABC alone."""
