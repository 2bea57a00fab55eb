"""The wheel and the source archive hold every file of the package; `make dist` installs the wheel and uses it."""

import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from bench.dist import ROOT, build


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(tmp_path_factory.mktemp("dist"))


def files_of_the_package():
    """The files of the four folders, under the names that they are imported by."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "dbhw", "rtl", "sim", "boards"]
    paths = [Path(p) for p in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True).stdout.split()]
    real = [p for p in paths if (ROOT / p).is_file()]
    return {str(p) if p.parts[0] == "dbhw" else f"dbhw/{p}" for p in real}


def test_the_wheel_holds_every_file_of_the_package_and_no_other(built):
    names = zipfile.ZipFile(built[1]).namelist()
    assert {n for n in names if ".dist-info/" not in n} == files_of_the_package()


def test_the_source_archive_holds_the_package_once(built):
    with tarfile.open(built[0]) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert {n for n in names if n.startswith("dbhw/") and Path(n).suffix} >= files_of_the_package() - {"dbhw/py.typed"}
    assert not [n for n in names if n.split("/")[0] in ("rtl", "sim", "boards")]
