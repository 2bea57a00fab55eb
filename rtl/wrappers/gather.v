// Collects the words of an example, the first word lowest. A word with `first` begins an example; words after the last
// one are dropped until then. So a sender that lost count is understood again with its next example.
module gather #(parameter WIDTH = 8, parameter WORDS = 1) (
  input wire clk,
  input wire rst,
  input wire valid,
  output wire ready,
  input wire first,
  input wire [WIDTH-1:0] data,
  output reg x_valid,
  input wire x_ready,
  output wire [WIDTH*WORDS-1:0] x
);
  localparam COUNT = $clog2(WORDS + 1);
  reg [COUNT-1:0] missing;  // words that the example lacks
  reg [WIDTH*WORDS-1:0] words;
  wire [WIDTH*WORDS+WIDTH-1:0] longer = {data, words};
  wire [COUNT-1:0] lacking = first ? WORDS[COUNT-1:0] : missing;

  assign ready = ~rst & (~x_valid | x_ready);  // an example stays until the core takes it
  assign x = words;

  initial x_valid = 1'b0;
  initial missing = {COUNT{1'b0}};

  always @(posedge clk) begin
    if (x_ready) x_valid <= 1'b0;
    if (valid & ready & (lacking != 0)) begin
      words <= longer[WIDTH*WORDS+WIDTH-1:WIDTH];
      missing <= lacking - 1'b1;
      x_valid <= lacking == 1;
    end
    if (rst) begin
      x_valid <= 1'b0;
      missing <= {COUNT{1'b0}};
    end
  end
endmodule
