#!/bin/sh
# Puts Icarus Verilog, the second simulator, into a virtual environment where the machine has none: sim/install_icarus.sh .venv
# PyPI has no wheel of it. Debian's and Ubuntu's package is unpacked without root; elsewhere this says what to do.
set -eu
. "$(dirname "$0")/debian_package.sh"
venv=$(cd "$1" && pwd)
fail() {
    echo "dbhw: no Icarus: $1. Install iverilog by hand; until then the tests in Icarus do not run." >&2
    exit 0
}
command -v iverilog > /dev/null && command -v vvp > /dev/null && exit 0
[ -x "$venv/bin/iverilog" ] && exit 0
unpack iverilog icarus
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
