"""What every room uses: errors, files written whole, plug-ins, names, and the terminal."""
