"""A bench around a board's self-test that reads its two LEDs."""

import subprocess

from dbhw.sim import verilator

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
#include "Vtop.h"
int main() {
    Vtop bench;
    while (!Verilated::gotFinish()) {
        bench.clk = !bench.clk;
        bench.eval();
    }
}
"""


def leds(verilog, folder):
    """What the bench printed for each core: pass and fail, as two bits."""
    program = folder / "bench"
    program.write_bytes(verilator.program(verilator.Design(verilog, "bench", MAIN)))
    program.chmod(0o700)
    out = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return [line.removeprefix("leds ") for line in out.splitlines() if line.startswith("leds ")]
