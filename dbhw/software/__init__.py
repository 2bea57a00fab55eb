"""A network on a processor: many examples at once in the bits of a word, by C that is compiled once and kept."""
