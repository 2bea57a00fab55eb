"""A folder with all that is needed to check a proof without this toolkit, checked before it is handed over."""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from dbhw.base import files
from dbhw.prove.certificates.record import CEC, DSEC, Record
from dbhw.rtl.flat import flat
from dbhw.rtl.verilog.emit import Emitted
from dbhw.rtl.verilog.manifest import Manifest, Proved
from dbhw.tools import abc, process

CHECKER = Path(__file__).with_name("check.py")
_TOOLS = ("dbhw", "pyosys")  # pyosys holds Yosys and ABC


def save(
    folder: str | Path, record: Record, emitted: Emitted, verilog: str, target: str, shown: Sequence[str] = ()
) -> Manifest:
    """Writes a certificate, after the checker has accepted it; `verilog` is the text that was proved.

    `shown` is what this toolkit has shown by itself, beside what the record says.

    >>> from dbhw.logic.network import Network
    >>> from dbhw.prove.equivalence import prove_emitted
    >>> from dbhw.prove.watch import Watch
    >>> from dbhw.rtl.verilog.emit import emit_network
    >>> n = Network(); a = n.input("a"); n.output("y", [a ^ 1])
    >>> emitted, record = emit_network(n, "net", "0" * 64, ()), Record()
    >>> _ = prove_emitted(emitted, "ice40", watch=Watch(record=record))
    >>> save(tempfile.mkdtemp(), record, emitted, emitted.verilog, "ice40").proved.scope
    ('network = Verilog', 'Verilog = ice40 netlist')
    """
    contents = {**record.all_files(), "net.v": flat(emitted, verilog)[0], CHECKER.name: CHECKER.read_text()}
    proved = Proved(
        date=datetime.now(UTC).date().isoformat(),
        target=target,
        scope=tuple(dict.fromkeys(str(link["claim"]) for link in record.links if _is_claim(link))),
        believed=(
            *shown,
            *(f"{link['claim']}: {link['by']}" for link in record.links if link["by"] not in (CEC, DSEC)),
        ),
        versions={"python": platform.python_version(), **{tool: version(tool) for tool in _TOOLS}},
        files={name: files.sha256(text) for name, text in contents.items()},
    )
    manifest = replace(emitted.manifest, verilog_sha256=files.sha256(verilog), proved=proved)
    contents["manifest.json"] = manifest.text()
    with tempfile.TemporaryDirectory() as trial:
        files.write_all(trial, contents)
        check(trial)
    files.write_all(folder, contents)
    return manifest


def check(folder: str | Path) -> str:
    """Runs the checker on a certificate, and returns what it says; a `ToolError` if it refuses.

    >>> check(tempfile.mkdtemp())  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    dbhw.tools.process.ToolError: the checker failed: ...
    """
    command = [sys.executable, str(CHECKER), str(Path(folder).absolute()), abc.program()]
    return process.run("the checker", command, folder)


def _is_claim(link: dict[str, object]) -> bool:
    """Whether a link is one of the steps of a proof, and not a change of names between two of them."""
    return link["by"] in (CEC, DSEC) and ".blif" not in str(link["claim"])
