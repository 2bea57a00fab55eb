#!/bin/sh
# Puts Icarus Verilog, the second simulator, into a virtual environment where the machine has none: sim/install_icarus.sh .venv
# PyPI has no wheel of it. Debian's and Ubuntu's package is unpacked without root; elsewhere this says what to do.
set -eu
venv=$(cd "$1" && pwd)
command -v iverilog > /dev/null && command -v vvp > /dev/null && exit 0
home=$venv/icarus
fail() {
    echo "dbhw: no Icarus: $1. Install iverilog by hand; until then the tests in Icarus do not run." >&2
    exit 0
}
[ -x "$venv/bin/iverilog" ] && exit 0
command -v apt-get > /dev/null && command -v dpkg > /dev/null || fail "this machine has neither iverilog nor apt-get"
rm -rf "$home" && mkdir -p "$home"
(cd "$home" && apt-get download iverilog > log.txt 2>&1) || fail "apt-get download iverilog failed"
dpkg -x "$home"/iverilog_*.deb "$home" || fail "the package cannot be unpacked"
ivl=$(dirname "$(find "$home/usr/lib" -name system.vpi)")
# The programs look for their parts where the package would have put them, so they are told.
for tool in "iverilog -B" "vvp -M"; do
    set -- $tool
    printf '#!/bin/sh\nexec "%s" %s "%s" "$@"\n' "$home/usr/bin/$1" "$2" "$ivl" > "$venv/bin/$1"
    chmod +x "$venv/bin/$1"
done
printf 'module hello; initial $display("hello"); endmodule\n' > "$home/hello.v"
if ! { "$venv/bin/iverilog" -o "$home/hello" "$home/hello.v" && "$venv/bin/vvp" "$home/hello" | grep -q hello; }; then
    rm -f "$venv/bin/iverilog" "$venv/bin/vvp"
    fail "Debian's package does not run here"
fi
