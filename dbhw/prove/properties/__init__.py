"""Properties of a model: rules that hold on every input, and how many flipped bits change an answer."""
