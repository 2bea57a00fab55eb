// Made by dbhw for all models of one shape; after a reset it holds model a2655f4bea0ba597.
// label: 0 = t-shirt, 1 = coat
// inputs: x[0] = very-cold, x[1] = cold, x[2] = warm, x[3] = very-warm, x[4] = outside
module net (
  input wire clk,
  input wire rst,
  input wire [4:0] x,
  input wire load_valid,
  input wire load_first,
  input wire [7:0] load_data,
  output wire label,
  output wire [1:0] bits,
  output wire load_ready,
  output wire [1:0] load_status,
  output wire [31:0] digest
);
  wire [39:0] w;
  net_load #(
    .WEIGHTS(40),
    .BYTES(45),
    .SHAPE(32'h700d21e0),
    .AT_RESET(40'hd4f616f88e),
    .DIGEST_AT_RESET(32'hf5a4a857)
  ) load (
    .clk(clk),
    .rst(rst),
    .load_valid(load_valid),
    .load_first(load_first),
    .load_data(load_data),
    .load_ready(load_ready),
    .load_status(load_status),
    .digest(digest),
    .w(w)
  );
  net_core core (
    .x(x),
    .w(w),
    .label(label),
    .bits(bits)
  );
endmodule

// The net, of its inputs x and its weights w:
// w[0] on: 8x5 of negation 5 -> 8x5
module net_core (
  input wire [39:0] w,
  input wire [4:0] x,
  output wire label,
  output wire [1:0] bits
);

  // negation 5 -> 8x5
  wire [39:0] negation_1;
  assign negation_1[0] = x[0] ^ w[0];
  assign negation_1[1] = x[1] ^ w[1];
  assign negation_1[2] = x[2] ^ w[2];
  assign negation_1[3] = x[3] ^ w[3];
  assign negation_1[4] = x[4] ^ w[4];
  assign negation_1[5] = x[0] ^ w[5];
  assign negation_1[6] = x[1] ^ w[6];
  assign negation_1[7] = x[2] ^ w[7];
  assign negation_1[8] = x[3] ^ w[8];
  assign negation_1[9] = x[4] ^ w[9];
  assign negation_1[10] = x[0] ^ w[10];
  assign negation_1[11] = x[1] ^ w[11];
  assign negation_1[12] = x[2] ^ w[12];
  assign negation_1[13] = x[3] ^ w[13];
  assign negation_1[14] = x[4] ^ w[14];
  assign negation_1[15] = x[0] ^ w[15];
  assign negation_1[16] = x[1] ^ w[16];
  assign negation_1[17] = x[2] ^ w[17];
  assign negation_1[18] = x[3] ^ w[18];
  assign negation_1[19] = x[4] ^ w[19];
  assign negation_1[20] = x[0] ^ w[20];
  assign negation_1[21] = x[1] ^ w[21];
  assign negation_1[22] = x[2] ^ w[22];
  assign negation_1[23] = x[3] ^ w[23];
  assign negation_1[24] = x[4] ^ w[24];
  assign negation_1[25] = x[0] ^ w[25];
  assign negation_1[26] = x[1] ^ w[26];
  assign negation_1[27] = x[2] ^ w[27];
  assign negation_1[28] = x[3] ^ w[28];
  assign negation_1[29] = x[4] ^ w[29];
  assign negation_1[30] = x[0] ^ w[30];
  assign negation_1[31] = x[1] ^ w[31];
  assign negation_1[32] = x[2] ^ w[32];
  assign negation_1[33] = x[3] ^ w[33];
  assign negation_1[34] = x[4] ^ w[34];
  assign negation_1[35] = x[0] ^ w[35];
  assign negation_1[36] = x[1] ^ w[36];
  assign negation_1[37] = x[2] ^ w[37];
  assign negation_1[38] = x[3] ^ w[38];
  assign negation_1[39] = x[4] ^ w[39];

  // majority 2x20 -> 2
  wire [1:0] majority_3_count0_of6_2_0;
  assign majority_3_count0_of6_2_0[0] = negation_1[4] ^ negation_1[5] ^ negation_1[6];
  assign majority_3_count0_of6_2_0[1] = (negation_1[4] & negation_1[5]) | (negation_1[4] & negation_1[6]) | (negation_1[5] & negation_1[6]);
  wire [1:0] majority_3_count0_of6_2_1;
  assign majority_3_count0_of6_2_1[0] = negation_1[17] ^ negation_1[18] ^ negation_1[19];
  assign majority_3_count0_of6_2_1[1] = (negation_1[17] & negation_1[18]) | (negation_1[17] & negation_1[19]) | (negation_1[18] & negation_1[19]);
  wire [1:0] majority_3_count0_of6_2_2;
  assign majority_3_count0_of6_2_2[0] = majority_3_count0_of6_2_0[0] ^ majority_3_count0_of6_2_1[0];
  assign majority_3_count0_of6_2_2[1] = majority_3_count0_of6_2_0[0] & majority_3_count0_of6_2_1[0];
  wire [1:0] majority_3_count0_of6_2_3;
  assign majority_3_count0_of6_2_3[0] = majority_3_count0_of6_2_0[1] ^ majority_3_count0_of6_2_1[1] ^ majority_3_count0_of6_2_2[1];
  assign majority_3_count0_of6_2_3[1] = (majority_3_count0_of6_2_0[1] & majority_3_count0_of6_2_1[1]) | (majority_3_count0_of6_2_0[1] & majority_3_count0_of6_2_2[1]) | (majority_3_count0_of6_2_1[1] & majority_3_count0_of6_2_2[1]);
  wire [1:0] majority_3_count0_of5_1_0;
  assign majority_3_count0_of5_1_0[0] = negation_1[12] ^ negation_1[13] ^ negation_1[14];
  assign majority_3_count0_of5_1_0[1] = (negation_1[12] & negation_1[13]) | (negation_1[12] & negation_1[14]) | (negation_1[13] & negation_1[14]);
  wire [1:0] majority_3_count0_of5_1_1;
  assign majority_3_count0_of5_1_1[0] = negation_1[15] ^ negation_1[16] ^ majority_3_count0_of5_1_0[0];
  assign majority_3_count0_of5_1_1[1] = (negation_1[15] & negation_1[16]) | (negation_1[15] & majority_3_count0_of5_1_0[0]) | (negation_1[16] & majority_3_count0_of5_1_0[0]);
  wire [1:0] majority_3_count0_of5_1_2;
  assign majority_3_count0_of5_1_2[0] = majority_3_count0_of5_1_0[1] ^ majority_3_count0_of5_1_1[1];
  assign majority_3_count0_of5_1_2[1] = majority_3_count0_of5_1_0[1] & majority_3_count0_of5_1_1[1];
  wire [1:0] majority_3_count0_of5_0_0;
  assign majority_3_count0_of5_0_0[0] = negation_1[7] ^ negation_1[8] ^ negation_1[9];
  assign majority_3_count0_of5_0_0[1] = (negation_1[7] & negation_1[8]) | (negation_1[7] & negation_1[9]) | (negation_1[8] & negation_1[9]);
  wire [1:0] majority_3_count0_of5_0_1;
  assign majority_3_count0_of5_0_1[0] = negation_1[10] ^ negation_1[11] ^ majority_3_count0_of5_0_0[0];
  assign majority_3_count0_of5_0_1[1] = (negation_1[10] & negation_1[11]) | (negation_1[10] & majority_3_count0_of5_0_0[0]) | (negation_1[11] & majority_3_count0_of5_0_0[0]);
  wire [1:0] majority_3_count0_of5_0_2;
  assign majority_3_count0_of5_0_2[0] = majority_3_count0_of5_0_0[1] ^ majority_3_count0_of5_0_1[1];
  assign majority_3_count0_of5_0_2[1] = majority_3_count0_of5_0_0[1] & majority_3_count0_of5_0_1[1];
  wire [2:0] majority_3_count0_sum0 = {2'h0, negation_1[2]} + {majority_3_count0_of5_0_2, majority_3_count0_of5_0_1[0]} + {2'h0, negation_1[3]};
  wire [3:0] majority_3_count0_sum1 = {1'h0, majority_3_count0_sum0[2:1], negation_1[1]} + {1'h0, majority_3_count0_of5_1_2, majority_3_count0_of5_1_1[0]} + {3'h0, majority_3_count0_sum0[0]};
  wire [4:0] majority_3_count0_sum2 = {1'h0, majority_3_count0_sum1[3:1], negation_1[0]} + {2'h0, majority_3_count0_of6_2_3, majority_3_count0_of6_2_2[0]} + {4'h0, majority_3_count0_sum1[0]};
  wire [1:0] majority_3_count1_of6_2_0;
  assign majority_3_count1_of6_2_0[0] = negation_1[24] ^ negation_1[25] ^ negation_1[26];
  assign majority_3_count1_of6_2_0[1] = (negation_1[24] & negation_1[25]) | (negation_1[24] & negation_1[26]) | (negation_1[25] & negation_1[26]);
  wire [1:0] majority_3_count1_of6_2_1;
  assign majority_3_count1_of6_2_1[0] = negation_1[37] ^ negation_1[38] ^ negation_1[39];
  assign majority_3_count1_of6_2_1[1] = (negation_1[37] & negation_1[38]) | (negation_1[37] & negation_1[39]) | (negation_1[38] & negation_1[39]);
  wire [1:0] majority_3_count1_of6_2_2;
  assign majority_3_count1_of6_2_2[0] = majority_3_count1_of6_2_0[0] ^ majority_3_count1_of6_2_1[0];
  assign majority_3_count1_of6_2_2[1] = majority_3_count1_of6_2_0[0] & majority_3_count1_of6_2_1[0];
  wire [1:0] majority_3_count1_of6_2_3;
  assign majority_3_count1_of6_2_3[0] = majority_3_count1_of6_2_0[1] ^ majority_3_count1_of6_2_1[1] ^ majority_3_count1_of6_2_2[1];
  assign majority_3_count1_of6_2_3[1] = (majority_3_count1_of6_2_0[1] & majority_3_count1_of6_2_1[1]) | (majority_3_count1_of6_2_0[1] & majority_3_count1_of6_2_2[1]) | (majority_3_count1_of6_2_1[1] & majority_3_count1_of6_2_2[1]);
  wire [1:0] majority_3_count1_of5_1_0;
  assign majority_3_count1_of5_1_0[0] = negation_1[32] ^ negation_1[33] ^ negation_1[34];
  assign majority_3_count1_of5_1_0[1] = (negation_1[32] & negation_1[33]) | (negation_1[32] & negation_1[34]) | (negation_1[33] & negation_1[34]);
  wire [1:0] majority_3_count1_of5_1_1;
  assign majority_3_count1_of5_1_1[0] = negation_1[35] ^ negation_1[36] ^ majority_3_count1_of5_1_0[0];
  assign majority_3_count1_of5_1_1[1] = (negation_1[35] & negation_1[36]) | (negation_1[35] & majority_3_count1_of5_1_0[0]) | (negation_1[36] & majority_3_count1_of5_1_0[0]);
  wire [1:0] majority_3_count1_of5_1_2;
  assign majority_3_count1_of5_1_2[0] = majority_3_count1_of5_1_0[1] ^ majority_3_count1_of5_1_1[1];
  assign majority_3_count1_of5_1_2[1] = majority_3_count1_of5_1_0[1] & majority_3_count1_of5_1_1[1];
  wire [1:0] majority_3_count1_of5_0_0;
  assign majority_3_count1_of5_0_0[0] = negation_1[27] ^ negation_1[28] ^ negation_1[29];
  assign majority_3_count1_of5_0_0[1] = (negation_1[27] & negation_1[28]) | (negation_1[27] & negation_1[29]) | (negation_1[28] & negation_1[29]);
  wire [1:0] majority_3_count1_of5_0_1;
  assign majority_3_count1_of5_0_1[0] = negation_1[30] ^ negation_1[31] ^ majority_3_count1_of5_0_0[0];
  assign majority_3_count1_of5_0_1[1] = (negation_1[30] & negation_1[31]) | (negation_1[30] & majority_3_count1_of5_0_0[0]) | (negation_1[31] & majority_3_count1_of5_0_0[0]);
  wire [1:0] majority_3_count1_of5_0_2;
  assign majority_3_count1_of5_0_2[0] = majority_3_count1_of5_0_0[1] ^ majority_3_count1_of5_0_1[1];
  assign majority_3_count1_of5_0_2[1] = majority_3_count1_of5_0_0[1] & majority_3_count1_of5_0_1[1];
  wire [2:0] majority_3_count1_sum0 = {2'h0, negation_1[22]} + {majority_3_count1_of5_0_2, majority_3_count1_of5_0_1[0]} + {2'h0, negation_1[23]};
  wire [3:0] majority_3_count1_sum1 = {1'h0, majority_3_count1_sum0[2:1], negation_1[21]} + {1'h0, majority_3_count1_of5_1_2, majority_3_count1_of5_1_1[0]} + {3'h0, majority_3_count1_sum0[0]};
  wire [4:0] majority_3_count1_sum2 = {1'h0, majority_3_count1_sum1[3:1], negation_1[20]} + {2'h0, majority_3_count1_of6_2_3, majority_3_count1_of6_2_2[0]} + {4'h0, majority_3_count1_sum1[0]};
  wire [1:0] majority_3;
  assign majority_3[0] = majority_3_count0_sum2[4] | (majority_3_count0_sum2[3] & (majority_3_count0_sum2[2] | majority_3_count0_sum2[1]));
  assign majority_3[1] = majority_3_count1_sum2[4] | (majority_3_count1_sum2[3] & (majority_3_count1_sum2[2] | majority_3_count1_sum2[1]));

  // argmax
  wire argmax_5 = majority_3[0] & ~majority_3[1];

  // outputs
  assign bits[0] = ~majority_3[0];
  assign bits[1] = ~majority_3[1];
  assign label = argmax_5;

  // Digits that no comparison needs.
  wire unused_digits = &{1'b0, majority_3_count0_sum2[0], majority_3_count1_sum2[0]};
endmodule

// The load port: bytes come in, and when all of them are right, all weights change in one clock.
//
// What comes is shifted bit by bit into a chain of spare registers, beside a running CRC-32. The weights in use, w, are
// other registers, which take the chain's bits at once or not at all: after a message that is cut short, made for
// another shape, or damaged, they are what they were.
module net_load #(
  parameter WEIGHTS = 1,
  parameter BYTES = 41,  // of a message: shape (4), the model's SHA-256 (32), weights, CRC-32 of all that (4)
  parameter [31:0] SHAPE = 0,
  parameter [WEIGHTS-1:0] AT_RESET = 0,
  parameter [31:0] DIGEST_AT_RESET = 0
) (
  input wire clk,
  input wire rst,
  input wire load_valid,  // a byte is taken when valid and ready are high, and then takes eight clocks
  output wire load_ready,
  input wire load_first,  // this byte is a message's first; whatever came before is forgotten
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
