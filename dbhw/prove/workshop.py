"""A folder in which one proof is made, with Yosys and ABC, and the steps that every proof takes in it.

Both sides of an equivalence become BLIF files with the same ports, and ABC compares them. What a network means is
written by `logic/formats/blif.py`; what Verilog, or the netlist synthesised from it, means is read out of it by Yosys.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from dbhw.fpga import families
from dbhw.fpga.synth import synthesis_script
from dbhw.prove.certificates.record import Side
from dbhw.prove.graphs import aig
from dbhw.prove.graphs.aig import Aig
from dbhw.prove.sweeping import solver, sweep
from dbhw.prove.sweeping.points import Points
from dbhw.prove.sweeping.sweep import Outcome
from dbhw.prove.watch import OutOfTimeError, Watch
from dbhw.tools import abc, yosys


@dataclass(frozen=True)
class Step:
    """One equivalence, proved or not.

    If not, `differs_in` may name the first layer that differs; `undecided` says how far it came if time ran out.
    """

    name: str
    proved: bool
    seconds: float
    differs_in: str = ""
    undecided: str = ""


class Workshop(tempfile.TemporaryDirectory):
    """A folder for one proof, and the time it has taken.

    >>> with Workshop() as shop:
    ...     shop.step("nothing = nothing", lambda: True).proved
    True
    """

    def __init__(self, verilog: str = "", watch: Watch | None = None) -> None:
        super().__init__()
        self.folder = Path(self.name)
        self.watch = watch or Watch()
        self.outcome = Outcome(True)  # of the last comparison
        self.claim = ""  # what is being proved
        (self.folder / "net.v").write_text(verilog)

    def __enter__(self) -> Workshop:
        return self

    def step(self, name: str, proves: Callable[[], bool]) -> Step:
        """What a function finds out, and how long it takes."""
        started = time.perf_counter()
        undecided = differs_in = ""
        proved = False
        self.outcome = Outcome(True)
        self.claim = name
        self.watch.say(name)
        try:
            proved = proves()
            differs_in = "" if proved else self.outcome.differs_in
        except (OutOfTimeError, subprocess.TimeoutExpired) as ended:
            undecided = str(ended) if isinstance(ended, OutOfTimeError) and ended.args else "no time was left"
        if proved and self.watch.record and name not in [link["claim"] for link in self.watch.record.links]:
            self.watch.record.believed(name, "dbhw/prove/clocked/")  # what ABC has no part in
        return Step(name, proved, round(time.perf_counter() - started, 3), differs_in, undecided)

    def verilog_to_blif(self, script: list[str]) -> None:
        """Writes the gates that a script makes of the Verilog to `verilog.blif`."""
        commands = ["read_verilog net.v", *script, "write_blif verilog.blif"]
        self._keep_script("verilog.ys", commands)
        self._yosys("reading the Verilog", commands)

    def netlist_to_blif(self, target: str, module: str, script: list[str]) -> None:
        """Synthesises the Verilog for a target, and writes what a script makes of the netlist to `synth.blif`."""
        commands = [*self.netlist(target, module), *script, "write_blif synth.blif"]
        self._keep_script("netlist.ys", commands)
        self._yosys("reading the netlist", commands)

    def netlist(self, target: str, module: str) -> list[str]:
        """Synthesises the Verilog for a target; the commands that read the netlist and its cells into Yosys."""
        script = synthesis_script(target, module, verilog=(self.folder / "net.v").read_text())
        self._yosys(f"synthesising for {target}", ["read_verilog net.v", *script, "write_verilog -noattr synth.v"])
        # Deferred, or Yosys elaborates every block RAM that the models of the cells describe.
        models = f"read_verilog -defer -nooverwrite +/{families.find(target).models}"
        if self.watch.record:
            self.watch.record.files["synth.v"] = (self.folder / "synth.v").read_text()
        return [models, "read_verilog -overwrite synth.v"]

    def _keep_script(self, name: str, script: list[str]) -> None:
        """Keeps how the Verilog or the netlist became gates, for those who want to make them again."""
        if self.watch.record:
            self.watch.record.files[name] = "\n".join([*script, ""]).replace(".blif", "_again.blif")

    def _yosys(self, doing: str, script: list[str]) -> None:
        self.watch.say(doing)
        yosys.run(script, self.folder, self.watch.left())

    def equivalent(self, a: str, b: str, found: Points = ()) -> bool:
        """Whether ABC proves that two BLIF files without registers are one function, of the same ports in one order.

        The proof may be cut at points of the first file's graph.

        >>> with Workshop() as shop:
        ...     for file, row in (("a", "0 1"), ("b", "1 0"), ("c", "1 1")):
        ...         text = f".model m\\n.inputs x\\n.outputs y\\n.names x y\\n{row}\\n.end\\n"
        ...         _ = (shop.folder / file).write_text(text)
        ...     shop.equivalent("a", "b"), shop.equivalent("a", "c")
        (True, False)
        """
        return self.compared(a, len(self._ports(a)[1]), lambda _: found, b, Path(a).stem)

    def compared(
        self, a: str, own: int, located: Callable[[list[int]], Points], b: str, name: str, aside: bool = False
    ) -> bool:
        """Compares the first outputs of a file with those of another one; its further outputs show where points are."""
        self.outcome = Outcome(False)
        inputs, outputs = self._ports(a)
        if [inputs, outputs[:own]] == self._ports(b):
            graph, other = self._graphs(a, b)
            shown = replace(graph, outputs=graph.outputs[:own])
            self.outcome = sweep.compare(self.folder, shown, other, located(graph.outputs[own:]), self.watch)
            if self.outcome.equal and self.watch.record:
                sides = Side(name, shown), Side(Path(b).stem, other)
                self.watch.record.compared(self.claim, sides, (inputs, outputs[:own]), self.outcome.cuts, aside)
        return self.outcome.equal

    def sequentially_equivalent(self, a: str, b: str) -> bool:
        """Whether ABC proves that two BLIF files, registers included, answer every sequence of inputs alike.

        >>> with Workshop() as shop:
        ...     for file, start in (("a.blif", 0), ("b.blif", 0), ("c.blif", 1)):
        ...         text = f".model m\\n.inputs x\\n.outputs y\\n.latch x y {start}\\n.end\\n"
        ...         _ = (shop.folder / file).write_text(text)
        ...     [shop.sequentially_equivalent("a.blif", other) for other in ("b.blif", "c.blif")]
        [True, False]
        """
        if not any(".latch" in (self.folder / file).read_text() for file in (a, b)):
            return self.compared(a, len(self._ports(a)[1]), lambda _: (), b, Path(a).stem, aside=True)
        if self._ports(a) != self._ports(b):
            return False
        self.watch.say("comparing all sequences of inputs")
        said = abc.run([f"dsec {a} {b}"], self.folder, self.watch.left())
        self.watch.left()
        equal = solver.EQUIVALENT in said and "NOT" not in said
        if equal and self.watch.record:
            texts = [(self.folder / file).read_text() for file in (a, b)]
            self.watch.record.sequences(self.claim, f"clocked_{Path(a).stem}", f"clocked_{Path(b).stem}", *texts)
        return equal

    def _graphs(self, *files: str) -> list[Aig]:
        """The graphs of BLIF files, in one process: starting ABC takes longer than reading a small file."""
        for file in files:
            (self.folder / f"{file}.aig").unlink(missing_ok=True)
        # Emptied before each, so that a file that cannot be read is not taken for the one before it.
        abc.run([f"empty; read_blif {file}; strash; write_aiger {file}.aig" for file in files], self.folder)
        return [aig.read(self.folder / f"{file}.aig") for file in files]

    def _ports(self, file: str) -> list[list[str]]:
        """The inputs and the outputs of a BLIF file, in order."""
        text = re.sub(r"\\\n", " ", (self.folder / file).read_text())
        found = (re.search(rf"^\.{kind}(.*)$", text, re.MULTILINE) for kind in ("inputs", "outputs"))
        return [match[1].split() if match else [] for match in found]
