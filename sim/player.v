// Plays vectors into a core in Icarus: rows of bytes in, a line of bits for each row out. It compares nothing.
`timescale 1ns / 1ps
module dbhw_player;
  reg clk;
  reg [IN_BITS - 1:0] in;
  reg [8 * IN_BYTES - 1:0] row;
  wire [OUT_BITS - 1:0] out;
  integer source, sink, got;
  dbhw_core core (.clk(clk), .in(in), .out(out));
  initial begin
    if ($test$plusargs("waves")) begin
      $dumpfile("waves.vcd");
      $dumpvars(0, core);
    end
    source = $fopen("in.bin", "rb");
    sink = $fopen("out.bin", "w");
    got = $fread(row, source);
    while (got == IN_BYTES) begin
      clk = 0;
      in = row[IN_BITS - 1:0];
      #1 $fwrite(sink, "%b\n", out);
      if (CLOCKED) begin
        clk = 1;
        #1;
      end
      got = $fread(row, source);
    end
    $fclose(sink);
    $finish;
  end
endmodule
