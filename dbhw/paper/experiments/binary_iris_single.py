"""Binary Iris with the paper's protocol: one start for each of 1,000 seeds, each with an independent random split."""

from dataclasses import replace

from dbhw.data.sets import binary_iris
from dbhw.paper.experiments.binary_iris import EXPERIMENT as DEALT

EXPERIMENT = replace(DEALT, single_start=True, data=binary_iris.drawn)
