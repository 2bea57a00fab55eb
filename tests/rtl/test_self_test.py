"""The self-test top: the pass LED on the right net, the fail LED on any of fifty broken ones."""

import re

import numpy as np

from dbhw.data.stimuli import choose
from dbhw.prove.equivalence import network_is_verilog
from dbhw.rtl.link.tops import SelfTest, shape, top_verilog, vector_count
from dbhw.rtl.verilog.emit import emit
from dbhw.sim.faults import of_rtl
from tests.kit import samples
from tests.kit.leds import BENCH, leds
from tests.kit.nets import NETS

MUTATIONS = 50

# All cores in turn, a reset and a whole round for each; then a line with its LEDs.


def bench(top, cores, emitted, clocks):
    """The self-test around a core that is each of the cores in turn."""
    outputs = emitted.manifest.outputs
    texts = [re.sub(r"\bnet(?=[ _])", f"net_{i}", core) for i, core in enumerate(cores)]
    ports = [f"output wire [{port.width - 1}:0] {port.name}" for port in outputs]
    texts.append(f"module net (input wire [{shape(emitted).inputs - 1}:0] x, {', '.join(ports)});")
    for port in outputs:
        texts.append(f"  wire [{port.width - 1}:0] {port.name}_all [0:{len(cores) - 1}];")
        texts.append(f"  assign {port.name} = {port.name}_all[bench.chosen];")
    for i in range(len(cores)):
        wired = ", ".join(f".{port.name}({port.name}_all[{i}])" for port in outputs)
        texts.append(f"  net_{i} core_{i} (.x(x), {wired});")
    return "\n".join([*texts, "endmodule", top, BENCH.replace("CORES", str(len(cores))).replace("CLOCKS", str(clocks))])


def test_pass_on_the_right_net_and_fail_on_fifty_wrong_ones(tmp_path):
    random = np.random.default_rng(3)
    model = samples.random_model(NETS[1], random)
    emitted = emit(model)
    assert vector_count(emitted) >= 256
    top = top_verilog(SelfTest(emitted, model, choose(8, "all")), "tester")
    chosen = [fault.put_into(emitted.verilog) for fault in of_rtl(emitted.verilog)]
    broken = [chosen[i] for i in random.permutation(len(chosen))[: MUTATIONS + 20]]
    clocks = 256 + 4  # a round, and what is in the pipeline
    right, *others = leds(bench(top, [emitted.verilog, *broken], emitted, clocks), tmp_path)
    assert right == "10"
    assert len(others) == len(broken)
    assert others.count("01") >= MUTATIONS
    # A fault that lights no fail LED has changed nothing: that is proved, not believed.
    for text, seen in zip(broken, others, strict=True):
        assert seen == "01" or (seen == "10" and network_is_verilog(model.to_network(), text, "net").proved)


def test_vectors_fit_their_room():
    model = samples.random_model(NETS[0], np.random.default_rng(0))
    emitted = emit(model)
    widths = shape(emitted)
    assert vector_count(emitted) * (widths.inputs + widths.answer_bits) <= 16 * 1024
