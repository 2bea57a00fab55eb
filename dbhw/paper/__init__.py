"""The experiments of the paper: trained with many seeds, beside baselines, in a table beside the published figures."""
