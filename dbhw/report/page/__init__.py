"""A report as one HTML page that needs nothing else: no script, no network, light and dark, phone and paper."""
