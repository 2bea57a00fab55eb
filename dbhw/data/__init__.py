"""Data as bits and labels: read from files, fetched, built in; and the inputs a simulation sees."""
