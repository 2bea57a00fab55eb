"""The self-test top: the pass lamp on the right net, the fail lamp on any of fifty broken ones."""

import subprocess

import numpy as np

from dbhw.prove import network_is_verilog
from dbhw.rtl.emit import emit
from dbhw.rtl.top import SelfTest, shape, top_verilog, vector_count
from dbhw.sim import simulators
from dbhw.stimuli import choose
from tests import samples
from tests.test_mutations import NETS, faults

MUTATIONS = 50

# All cores in turn, a reset and a whole round for each; then a line with its lamps.
BENCH = """
module bench (input wire clk);
  reg [15:0] clocks = 0;
  reg [7:0] chosen = 0;
  wire pass, fail;
  tester tester_i (.clk(clk), .rst(clocks < 4), .passed(pass), .failed(fail));
  always @(posedge clk) begin
    clocks <= clocks + 1;
    if (clocks == CLOCKS + 4) begin
      $display("lamps %b%b", pass, fail);
      clocks <= 0;
      chosen <= chosen + 1;
      if (chosen == CORES - 1) $finish;
    end
  end
endmodule
"""
MAIN = """
#include "Vbench.h"
int main() {
    Vbench bench;
    while (!Verilated::gotFinish()) {
        bench.clk = !bench.clk;
        bench.eval();
    }
}
"""


def bench(top, cores, emitted, clocks):
    """The self-test around a core that is each of the cores in turn."""
    outputs = emitted.manifest["outputs"]
    texts = [core.replace("module net ", f"module net_{i} ") for i, core in enumerate(cores)]
    ports = [f"output wire [{port['width'] - 1}:0] {port['name']}" for port in outputs]
    texts.append(f"module net (input wire [{shape(emitted).inputs - 1}:0] x, {', '.join(ports)});")
    for port in outputs:
        texts.append(f"  wire [{port['width'] - 1}:0] {port['name']}_all [0:{len(cores) - 1}];")
        texts.append(f"  assign {port['name']} = {port['name']}_all[bench.chosen];")
    for i in range(len(cores)):
        wired = ", ".join(f".{port['name']}({port['name']}_all[{i}])" for port in outputs)
        texts.append(f"  net_{i} core_{i} (.x(x), {wired});")
    return "\n".join([*texts, "endmodule", top, BENCH.replace("CORES", str(len(cores))).replace("CLOCKS", str(clocks))])


def lamps(verilog, folder):
    """What the bench printed for each core: pass and fail, as two bits."""
    (folder / "bench.v").write_text(verilog)
    # A fault may join wires of different widths, which Verilator would refuse; and one run is not worth optimising.
    (folder / "main.cpp").write_text(MAIN)
    options = ["--cc", "--exe", "--build", "-O1", "-Wno-fatal", "--top-module", "bench", "--Mdir", "obj"]
    with simulators.environment({}):
        command = ["verilator", *options, "-CFLAGS", "-O0", "bench.v", "main.cpp"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    out = subprocess.run([folder / "obj" / "Vbench"], check=True, capture_output=True, text=True).stdout
    return [line.removeprefix("lamps ") for line in out.splitlines() if line.startswith("lamps ")]


def test_pass_on_the_right_net_and_fail_on_fifty_wrong_ones(tmp_path):
    random = np.random.default_rng(3)
    model = samples.random_model(NETS[1], random)
    emitted = emit(model)
    assert vector_count(emitted) >= 256
    top = top_verilog(SelfTest(emitted, model, choose(8, "all")), "tester")
    chosen = list(faults(emitted.verilog))
    broken = [chosen[i][1] for i in random.permutation(len(chosen))[: MUTATIONS + 20]]
    clocks = 256 + 4  # a round, and what is in the pipeline
    right, *others = lamps(bench(top, [emitted.verilog, *broken], emitted, clocks), tmp_path)
    assert right == "10"
    assert len(others) == len(broken)
    assert others.count("01") >= MUTATIONS
    # A fault that lights no fail lamp has changed nothing: that is proved, not believed.
    for text, seen in zip(broken, others, strict=True):
        assert seen == "01" or (seen == "10" and network_is_verilog(model.to_network(), text, "net").proved)


def test_vectors_fit_their_room():
    model = samples.random_model(NETS[0], np.random.default_rng(0))
    emitted = emit(model)
    widths = shape(emitted)
    assert vector_count(emitted) * (widths.inputs + widths.answer_bits) <= 16 * 1024
