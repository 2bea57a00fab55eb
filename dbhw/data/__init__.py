"""Data as bits and labels: tables of files, fetched or built-in sets; and the inputs that a simulation sees."""
