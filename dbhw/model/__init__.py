"""A trained net: its file, its logic network, and the message that loads its weights into hardware."""
