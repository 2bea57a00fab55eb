"""The contract of every pass, whichever are found: the same function, proved; and what each is for."""

import numpy as np
import pytest

from dbhw.base.errors import DbhwError
from dbhw.logic import passes
from dbhw.logic.formats import text
from dbhw.logic.network import Network
from dbhw.model.lower import lower
from dbhw.prove.equivalence import network_is_verilog
from dbhw.rtl.verilog.emit import emit_network
from tests.kit import samples
from tests.kit.nets import NETS

INPUTS = "".join(f'input "x{i}"\n' for i in range(48))


def _ones(first, last, sign=""):
    return " ".join(f"{sign}1*{i}" for i in range(first, last + 1))


TEXTS = {
    "unshare": (
        """input "a"
input "b"
3 = count 0 1*1
4 = count 0 1*2
5 = sum 0 2*3 1*4
output "y" integers/2 5
""",
        """input "a"
input "b"
3 = count 0 2*1 1*2
output "y" integers/2 3
""",
    ),
    "absorb": (
        """input "a"
input "b"
3 = and 1 2
4 = and !1 !3
output "y" bits !4
""",
        """input "a"
input "b"
output "y" bits 1
""",
    ),
    "collapse": (
        """input "a"
input "b"
3 = and 1 2
4 = and !1 !2
5 = and !3 !4
output "y" bits !5
""",
        """input "a"
input "b"
3 = xor 1 2
output "y" bits !3
""",
    ),
    "dead": (
        """input "a"
input "b"
3 = and 1 2
4 = xor 1 2
output "y" bits 4
""",
        """input "a"
input "b"
3 = xor 1 2
output "y" bits 3
""",
    ),
    "flatten": (
        """input "a"
input "b"
input "c"
4 = and 1 2
5 = and 3 4
output "y" bits 5
""",
        """input "a"
input "b"
input "c"
4 = and 1 2 3
output "y" bits 4
""",
    ),
    "share": (
        f"""{INPUTS}49 = count 0 {_ones(1, 48)}
50 = ge 49 25
51 = count 0 {_ones(1, 24)} {_ones(25, 48, "-")}
52 = ge 51 2
output "y" bits 50 52
""",
        f"""{INPUTS}49 = count 0 {_ones(1, 24)}
50 = count 0 {_ones(25, 48)}
51 = sum 0 1*49 1*50
52 = sum 0 1*49 -1*50
53 = ge 51 25
54 = ge 52 2
output "y" bits 53 54
""",
    ),
}


@pytest.mark.parametrize("name", passes.names())
def test_before_and_after(name):
    before, after = TEXTS[name]
    assert text.write(passes.find(name)(text.read(before))) == after


@pytest.mark.parametrize("name", passes.names())
@pytest.mark.parametrize("number", range(len(NETS)))
def test_a_pass_keeps_the_function_and_the_proof_would_tell(name, number):
    model = samples.random_model(NETS[number], np.random.default_rng(10 + number))
    before = lower(model.net, model.weights, model.features)
    after = passes.find(name)(before)
    verilog = emit_network(after, "net", "0" * 64, model.classes).verilog
    assert network_is_verilog(before, verilog).proved
    broken = emit_network(_broken(after), "net", "0" * 64, model.classes).verilog
    assert not network_is_verilog(before, broken).proved


def _broken(network: Network) -> Network:
    """The same network with one output wrong: a broken twin."""
    twin = text.write(network).rstrip("\n").rsplit("\n", 1)
    head, last = twin
    words = last.split(" ")
    if words[2] == "bits":
        words[3] = words[3][1:] if words[3].startswith("!") else f"!{words[3]}"
    else:
        words[3], words[4] = words[4], words[3]
    return text.read("\n".join([head, " ".join(words), ""]))


def test_an_unknown_pass_is_refused():
    with pytest.raises(DbhwError, match="pass must be one of absorb, collapse, dead, flatten, share, unshare, not 'x'"):
        passes.find("x")
