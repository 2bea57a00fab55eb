"""What tests share: the naive reference, sample nets, faults, the link as a host sees it, and running commands."""
