"""Noisy XOR with the paper's protocol: one start for each of 100 seeds, and no choice among several nets."""

from dataclasses import replace

from dbhw.paper.experiments.noisy_xor import EXPERIMENT as CHOSEN

EXPERIMENT = replace(CHOSEN, single_start=True)
