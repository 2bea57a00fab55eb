"""Networks compared with what the passes made of them, and with hardware along both."""
