// Plays vectors into a core in Verilator: rows of 32-bit words in, rows of 32-bit words out. It compares nothing.
//
// usage: player IN OUT CLOCKED [WAVES]     CLOCKED is 1 if a clock edge follows each row
#include <cstdint>
#include <cstdio>
#include "Vtop.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

template <class T> static bool read_port(T &port, FILE *file) {
    uint32_t words[(sizeof(T) + 3) / 4];
    if (fread(words, sizeof words, 1, file) != 1) return false;
    uint64_t value = 0;
    for (int i = sizeof words / 4 - 1; i >= 0; i--) value = value << 32 | words[i];
    port = T(value);
    return true;
}

template <size_t N> static bool read_port(VlWide<N> &port, FILE *file) {
    return fread(port.data(), 4, N, file) == N;
}

template <class T> static void write_port(const T &port, FILE *file) {
    uint64_t value = port;
    fwrite(&value, (sizeof(T) + 3) / 4, 4, file);
}

template <size_t N> static void write_port(const VlWide<N> &port, FILE *file) {
    fwrite(port.data(), 4, N, file);
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    if (!in || !out) return 3;
    const bool clocked = argv[3][0] == '1';
    VerilatedContext context;
    Vtop top{&context};
#if VM_TRACE
    VerilatedVcdC waves;
    context.traceEverOn(true);
    top.trace(&waves, 99);
    waves.open(argv[4]);
#endif
    uint64_t now = 0;
    auto settle = [&](bool clock) {
        top.clk = clock;
        top.eval();
#if VM_TRACE
        waves.dump(now);
#endif
        now += 1000;  // 1 ns; the unit is 1 ps
    };
    while (read_port(top.in, in)) {
        settle(false);
        write_port(top.out, out);
        if (clocked) settle(true);
    }
#if VM_TRACE
    waves.close();
#endif
    top.final();
    return fclose(out) == 0 && !ferror(in) ? 0 : 4;
}
