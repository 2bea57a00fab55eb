// Made by dbhw from model a2655f4bea0ba597.
// label: 0 = t-shirt, 1 = coat
// inputs: x[0] = very-cold, x[1] = cold, x[2] = warm, x[3] = very-warm, x[4] = outside
module net (
  input wire [4:0] x,
  output wire label,
  output wire [1:0] bits
);

  // majority 2x20 -> 2
  wire [1:0] majority_3;
  assign majority_3[0] = (~x[0] & x[2]) | (x[2] & x[3]) | (x[2] & ~x[4]) | (~x[0] & x[3] & ~x[4]);
  assign majority_3[1] = (x[0] & ~x[2]) | (x[1] & ~x[2]) | (x[0] & x[1] & x[4]) | (~x[2] & x[4]);

  // argmax
  wire argmax_5 = (x[0] & ~x[2]) | (x[1] & ~x[2] & ~x[3]) | (~x[2] & x[4]) | (x[0] & x[1] & ~x[3] & x[4]);

  // outputs
  assign bits = majority_3;
  assign label = argmax_5;
endmodule
