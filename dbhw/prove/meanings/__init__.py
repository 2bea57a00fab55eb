"""Proof that a network is its model: what every layer means, stated a second time, as formulas.

A layer or an encoder of another package states its meaning with what is named here.
"""

from dbhw.prove.meanings.statements import each_bit, flat

__all__ = ["each_bit", "flat"]
