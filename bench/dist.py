"""The source archive and the wheel, and the wheel tried in an empty environment outside the repository: `make dist`."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "examples" / "beans.csv"

# What a user does first. Names are those of files in the folder that the commands run in.
STEPS = [
    "dbhw demo",
    "dbhw train beans.csv --label sort --missing own-bit --budget small -o beans.dbnet",
    "dbhw eval beans.dbnet --data beans.csv",
    "dbhw emit beans.dbnet -o out",
    "dbhw prove beans.dbnet",
    "dbhw report beans.dbnet -o report.html",
    "dbhw zoo",
    "dbhw synth zoo:iris-small --target ice40",
]


def build(folder: Path, source: Path = ROOT) -> tuple[Path, Path]:
    """Makes the source archive, and the wheel from the archive alone, so that neither lacks a file of the other."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        clean = Path(name) / "source"
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=source,
            capture_output=True,
            check=True,
        )
        for path in filter(None, listed.stdout.decode().split("\0")):
            if (source / path).exists():  # a file may be deleted and not committed yet
                (clean / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source / path, clean / path, follow_symlinks=False)
        archive = _setuptools("sdist", clean, folder)
        with tarfile.open(archive) as packed:
            packed.extractall(name, filter="data")
        unpacked = Path(name) / archive.name.removesuffix(".tar.gz")
        return archive, _setuptools("wheel", unpacked, folder)


def _setuptools(kind: str, source: Path, folder: Path) -> Path:
    """Calls the build backend that pyproject.toml names, in its own process: it changes the working folder."""
    call = f"from setuptools import build_meta; print(build_meta.build_{kind}({str(folder.resolve())!r}))"
    done = subprocess.run([sys.executable, "-c", call], cwd=source, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"setuptools failed to build the {kind}:\n{done.stderr}")
    return folder / done.stdout.split()[-1]


def commands() -> list[str]:
    """The steps that this version has commands for."""
    return [step for step in STEPS if (ROOT / "dbhw" / "commands" / f"{step.split()[1]}.py").exists()]


def try_out(wheel: Path) -> None:
    """Installs the wheel into an empty environment and runs every step there, away from the repository."""
    # Nothing of this environment or of the repository may help: that is what is tried.
    outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(TABLE, folder)
        _timed([sys.executable, "-m", "venv", "environment"], folder, outside)
        bin = folder / "environment" / "bin"
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel.resolve())]
        _timed([str(bin / "python"), *install], folder, outside)
        path = os.pathsep.join([str(bin), os.environ["PATH"]])
        where = [str(bin / "python"), "-c", "import dbhw; print(dbhw.__file__)"]
        seen = subprocess.run(where, cwd=folder, env=outside, capture_output=True, text=True)
        if str(folder) not in seen.stdout:
            raise SystemExit(f"the wheel must be what runs, not {seen.stdout}{seen.stderr}")
        for step in commands():
            _timed(step.split(), folder, {**outside, "PATH": path})


def _timed(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    started = time.perf_counter()
    if subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL).returncode:
        raise SystemExit(f"failed: {' '.join(command)}")
    print(f"{time.perf_counter() - started:7.1f} s  {' '.join(command)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist", help="the folder to write to")
    parser.add_argument("--quick", action="store_true", help="build only, do not install")
    args = parser.parse_args()
    shutil.rmtree(args.output, ignore_errors=True)
    for made in build(args.output):
        print(f"{made.stat().st_size / 1e6:7.2f} MB {made}")
    if not args.quick:
        try_out(next(args.output.glob("*.whl")))


if __name__ == "__main__":
    main()
