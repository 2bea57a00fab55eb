"""A trained net: its file, the logic network it stands for, and the message that loads its weights."""
