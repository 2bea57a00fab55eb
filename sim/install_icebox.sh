#!/bin/sh
# Puts icebox_vlog, which reads the netlist out of an iCE40 bitstream, into a virtual environment: sim/install_icebox.sh .venv
# PyPI has no wheel of it. Debian's and Ubuntu's package is unpacked without root; elsewhere this says what to do.
set -eu
. "$(dirname "$0")/debian_package.sh"
venv=$(cd "$1" && pwd)
fail() {
    echo "dbhw: no icebox_vlog: $1. Install fpga-icestorm by hand; until then no bitstream is read, and its tests fail." >&2
    exit 0
}
command -v icebox_vlog > /dev/null && exit 0
[ -x "$venv/bin/icebox_vlog" ] && exit 0
unpack fpga-icestorm icestorm
script=$(find "$home/usr" -name icebox_vlog -type f)
[ -n "$script" ] || fail "the package does not hold it"
printf '#!/bin/sh\nexec "%s/bin/python" -W ignore "%s" "$@"\n' "$venv" "$script" > "$venv/bin/icebox_vlog"
chmod +x "$venv/bin/icebox_vlog"
