# Sourced by the installers beside it: a package of Debian or Ubuntu, unpacked into a virtual environment without root.
# The caller sets venv, and defines `fail`, which says what to do and exits.

# unpack PACKAGE FOLDER: the package's files in $home.
unpack() {
    home=$venv/$2
    command -v apt-get > /dev/null && command -v dpkg > /dev/null || fail "this machine has neither it nor apt-get"
    rm -rf "$home" && mkdir -p "$home"
    (cd "$home" && apt-get download "$1" > log.txt 2>&1) || fail "apt-get download $1 failed"
    dpkg -x "$home/$1"_*.deb "$home" || fail "the package cannot be unpacked"
}
