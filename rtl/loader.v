// The load port: bytes come in, and when a whole message is right, all weights change in one cycle.
//
// Bytes are shifted bit by bit into a chain of spare registers while their CRC-32 is computed. The weights in use, w,
// are other registers, which copy the chain all at once or not at all: a message that is cut short, made for another
// shape, or damaged does not change them.
module net_load #(
  parameter WEIGHTS = 1,
  parameter BYTES = 41,  // of a message: shape (4), the model's SHA-256 (32), weights, CRC-32 of all that (4)
  parameter [31:0] SHAPE = 0,
  parameter [WEIGHTS-1:0] AT_RESET = 0,
  parameter [31:0] DIGEST_AT_RESET = 0
) (
  input wire clk,
  input wire rst,
  input wire load_valid,  // a byte is taken when valid and ready are high, and then takes eight cycles
  output wire load_ready,
  input wire load_first,  // this byte is the first of a message; earlier bytes are discarded
  input wire [7:0] load_data,
  output reg [1:0] load_status,  // 0 none yet or under way, 1 loaded, 2 refused: another shape, 3 refused: wrong CRC
  output reg [31:0] digest,  // the CRC of the message that is in use
  output reg [WEIGHTS-1:0] w
);
  localparam KEPT = (WEIGHTS + 7) / 8 * 8 + 32;  // the weights in whole bytes, and the CRC behind them
  localparam COUNT = $clog2(BYTES + 1);
  localparam [1:0] NONE = 0, LOADED = 1, OTHER_SHAPE = 2, WRONG_DIGEST = 3;

  reg [KEPT-1:0] chain;
  reg [31:0] crc;
  reg [7:0] data;
  reg [3:0] bits_left;
  reg [COUNT-1:0] received;  // bytes of this message
  reg under_way;

  wire complete = under_way && received == BYTES[COUNT-1:0];
  wire taken = load_valid && load_ready && (load_first || under_way);
  wire [COUNT-1:0] place = load_first ? {COUNT{1'b0}} : received;
  wire misfit = place < 4 && load_data != SHAPE[8*place[1:0]+:8];
  assign load_ready = bits_left == 0 && !complete;

  initial begin
    w = AT_RESET;
    digest = DIGEST_AT_RESET;
    load_status = NONE;
    bits_left = 0;
    under_way = 0;
  end

  always @(posedge clk) begin
    if (bits_left != 0) begin
      chain <= {data[0], chain[KEPT-1:1]};
      crc <= {1'b0, crc[31:1]} ^ (crc[0] ^ data[0] ? 32'hedb88320 : 32'h0);
      data <= {1'b0, data[7:1]};
      bits_left <= bits_left - 1;
    end
    if (taken) begin
      data <= load_data;
      bits_left <= 8;
      received <= place + 1;
      under_way <= !misfit;
      load_status <= misfit ? OTHER_SHAPE : NONE;
      if (load_first) crc <= 32'hffffffff;
    end
    if (complete && bits_left == 0) begin
      under_way <= 0;
      load_status <= WRONG_DIGEST;
      if (crc == 32'hdebb20e3) begin  // what is left of any message with its own CRC behind it
        load_status <= LOADED;
        w <= chain[WEIGHTS-1:0];
        digest <= chain[KEPT-1-:32];
      end
    end
    if (rst) begin
      w <= AT_RESET;
      digest <= DIGEST_AT_RESET;
      load_status <= NONE;
      bits_left <= 0;
      under_way <= 0;
    end
  end
endmodule
