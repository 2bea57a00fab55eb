"""From a table of numbers to a trained model: thresholds, the choice of a net, and the search within a budget."""
