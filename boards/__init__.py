"""Boards: one file each, from a model file to a bitstream on the desk."""
