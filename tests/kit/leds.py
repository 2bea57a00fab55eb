"""A bench around a board's self-test that reads its two LEDs."""

import subprocess

from dbhw.sim import simulators

BENCH = """
module bench (input wire clk);
  reg [15:0] clocks = 0;
  reg [7:0] chosen = 0;
  wire pass, fail;
  tester tester_i (.clk(clk), .rst(clocks < 4), .passed(pass), .failed(fail));
  always @(posedge clk) begin
    clocks <= clocks + 1;
    if (clocks == CLOCKS + 4) begin
      $display("leds %b%b", pass, fail);
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


def leds(verilog, folder):
    """What the bench printed for each core: pass and fail, as two bits."""
    (folder / "bench.v").write_text(verilog)
    # A fault may join wires of different widths, which Verilator would refuse; and one run is not worth optimising.
    (folder / "main.cpp").write_text(MAIN)
    options = ["--cc", "--exe", "--build", "-O1", "-Wno-fatal", "--top-module", "bench", "--Mdir", "obj"]
    with simulators.environment({}):
        command = ["verilator", *options, "-CFLAGS", "-O0", "bench.v", "main.cpp"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    out = subprocess.run([folder / "obj" / "Vbench"], check=True, capture_output=True, text=True).stdout
    return [line.removeprefix("leds ") for line in out.splitlines() if line.startswith("leds ")]
