// A board's top level in Verilator, driven only through its serial pins.
//
// usage: board DIVISOR serve FD     bytes to and from a file descriptor, until the other side closes it
//        board DIVISOR script       all events on standard input, answers on standard output
//
// An event is a 32-bit number: 0 << 30 | byte, 1 << 30 | cycles to wait, 2 << 30 | cycles to hold the line low,
// 3 << 30 | byte that gets a low stop bit. An answer is two: the number of the event under way, and the byte.
#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "Vtop.h"
#include "verilated.h"

static Vtop top;
static int divisor;

// The receiver of what the device sends. It samples in the middle of a bit and drops a byte without a stop bit.
struct Ear {
    int cycles = -1;
    unsigned shift = 0;

    bool hear(bool line, uint8_t *byte) {
        if (cycles < 0) {
            if (!line) cycles = 0;
            return false;
        }
        cycles++;
        if (cycles % divisor != divisor / 2) return false;
        int bit = cycles / divisor;
        if (bit >= 1 && bit <= 8) shift = shift >> 1 | (line ? 0x80 : 0);
        if (bit == 0 && line) cycles = -1;
        if (bit < 9) return false;
        cycles = -1;
        *byte = shift;
        return line;
    }
};

static Ear ear;

// One cycle with the line at a level. Returns whether the device has finished a byte, and which.
static bool clock(bool line, uint8_t *byte) {
    top.rx = line;
    top.clk = 0;
    top.eval();
    top.clk = 1;
    top.eval();
    return ear.hear(top.tx, byte);
}

template <class Answer> static void hold(bool line, long cycles, Answer answer) {
    uint8_t byte;
    for (long i = 0; i < cycles; i++)
        if (clock(line, &byte)) answer(byte);
}

template <class Answer> static void send(uint8_t byte, bool stop, Answer answer) {
    hold(false, divisor, answer);
    for (int i = 0; i < 8; i++) hold(byte >> i & 1, divisor, answer);
    hold(stop, divisor, answer);
}

static int script() {
    std::vector<uint32_t> answers;
    uint32_t event, number = 0;
    auto answer = [&](uint8_t byte) {
        answers.push_back(number);
        answers.push_back(byte);
    };
    for (; fread(&event, sizeof event, 1, stdin) == 1; number++) {
        uint32_t value = event & 0x3fffffff;
        switch (event >> 30) {
        case 0: send(value, true, answer); break;
        case 1: hold(true, value, answer); break;
        case 2: hold(false, value, answer); break;
        case 3: send(value, false, answer); break;
        }
    }
    fwrite(answers.data(), sizeof(uint32_t), answers.size(), stdout);
    return 0;
}

static int serve(int fd) {
    // Nothing is under way in the device when the line was quiet for the bits of 20 bytes, and for more cycles than it
    // takes to bring the longest example to the core: it may stand still until bytes come.
    const int quiet = std::max(20 * 10, (1 << 15) / divisor);
    int quiet_left = quiet;
    uint8_t buffer[4096];
    std::vector<uint8_t> out;
    auto answer = [&](uint8_t byte) {
        out.push_back(byte);
        quiet_left = quiet;
    };
    for (;;) {
        pollfd wanted = {fd, POLLIN, 0};
        if (poll(&wanted, 1, quiet_left > 0 ? 0 : -1) > 0) {
            ssize_t got = read(fd, buffer, sizeof buffer);
            if (got <= 0) return 0;
            for (ssize_t i = 0; i < got; i++) send(buffer[i], true, answer);
            quiet_left = quiet;
        } else {
            hold(true, divisor, answer);
            if (ear.cycles < 0) quiet_left--;
        }
        size_t done = 0;
        while (done < out.size()) {
            ssize_t put = write(fd, out.data() + done, out.size() - done);
            if (put <= 0) return 0;
            done += put;
        }
        out.clear();
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    divisor = atoi(argv[1]);
    uint8_t byte;
    top.rst = 1;
    for (int i = 0; i < 4; i++) clock(true, &byte);
    top.rst = 0;
    // A real board holds itself in reset for some 15 us more, at up to 113 MHz.
    for (int i = 0; i < 4096; i++) clock(true, &byte);
    return strcmp(argv[2], "script") == 0 ? script() : serve(atoi(argv[3]));
}
