"""The mutation score of the ladder: faults in five nets, in Verilog and netlists, in every shape of hardware.

python -m bench.mutations [--quick] [--json] [--faults N] [--only WORDS]

Each fault is simulated, and put to the proof if no answer was wrong. Equivalent ones are those that the proof shows to
change nothing. Exits with 1 if a fault that changes something was not caught. `--quick` puts a few faults into one net;
`--only` takes the cases whose name has the words, as in `--only "wine-small gowin"`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from dbhw import zoo
from dbhw.base import terminal
from dbhw.base.errors import DbhwError
from dbhw.data import stimuli
from dbhw.fpga import families
from dbhw.model.model import Model
from dbhw.rtl.loadable import emit_as
from dbhw.sim import simulators
from dbhw.sim.mutations import Score, score
from tests.kit import samples
from tests.kit.nets import NETS


@dataclass(frozen=True)
class Case:
    """A net, the shape of its hardware, and a family."""

    net: str
    target: str
    pipeline: str = "comb"
    stream: bool = False
    weights: str = "baked"

    def __str__(self) -> str:
        return " ".join([self.net, self.target, self.weights, self.pipeline, *["stream"] * self.stream])


CASES = [
    Case("zoo:iris-small", "ice40"),
    Case("zoo:iris-small", "ice40", "stages=2", stream=True),
    Case("votes", "xilinx", weights="loadable"),
    Case("votes", "ice40", "stages=2"),
    Case("zoo:wine-small", "ecp5"),
    Case("zoo:wine-small", "gowin", "levels=2", stream=True),
    Case("counts", "xilinx", "stages=1", stream=True),
    Case("parities", "ice40", weights="loadable"),
    Case("parities", "xilinx", "levels=1"),
]
_KIT = {"counts": 1, "votes": 2, "parities": 3}


def model_of(name: str) -> Model:
    """The model of a case: one of the zoo, or a small net with random weights that leave something to break.

    >>> model_of("votes").net.inputs
    8
    """
    if name.startswith(zoo.PREFIX):
        return zoo.load(name.removeprefix(zoo.PREFIX))
    random = np.random.default_rng(3)
    models = [samples.random_model(NETS[_KIT[name]], random) for _ in range(8)]
    return max(models, key=lambda model: len(model.to_network()))


def simulator() -> str:
    """Icarus where it is: it has nothing to compile.

    >>> simulator() in ("icarus", "verilator")
    True
    """
    try:
        simulators.check("icarus")
    except DbhwError:
        return "verilator"
    return "icarus"


def run(case: Case, faults: int) -> tuple[Score, float]:
    """The score of one case, and how many seconds it took.

    >>> str(CASES[1])
    'zoo:iris-small ice40 baked stages=2 stream'
    """
    started, model = time.perf_counter(), model_of(case.net)
    lut_inputs = families.find(case.target).lut_inputs
    emitted = emit_as(case.weights, model, lut_inputs, pipeline=case.pipeline, stream=case.stream)
    x = stimuli.choose(model.net.inputs, "256")
    made = score(model, emitted, case.target, faults, x, simulator=simulator())
    return made, round(time.perf_counter() - started, 1)


def main(arguments: list[str] | None = None) -> int:
    """Runs the bench and prints its table or JSON.

    >>> main(["--faults", "0"])
    Traceback (most recent call last):
    ...
    SystemExit: faults must be at least 2, not 0
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--faults", type=int, default=116, help="for each case")
    parser.add_argument("--only", default="", metavar="WORDS", help="the cases whose name has these words")
    args = parser.parse_args(arguments)
    if args.faults < 2:
        raise SystemExit(f"faults must be at least 2, not {args.faults}")
    cases, faults = (CASES[3:4], 10) if args.quick else (CASES, args.faults)
    cases = [case for case in cases if args.only in str(case)]
    if not cases:
        raise SystemExit(f"--only must be part of a case's name ({', '.join(map(str, CASES))}), not {args.only}")
    rows: list[dict[str, Any]] = []
    total = Score(Counter())
    for case in cases:
        found, seconds = run(case, faults)
        total.found += found.found
        total.survivors += [f"{case}: {one}" for one in found.survivors]
        rows.append({"case": str(case), **found.to_json(), "seconds": seconds})
        print(f"{case}: {json.dumps(found.to_json())}, {seconds} s", file=sys.stderr, flush=True)
    if args.json:
        print(json.dumps({"cases": rows, "total": total.to_json()}))
    else:
        print(terminal.table(total.rows()), *total.survivors, json.dumps(total.to_json()), sep="\n")
    return 0 if total.percent == 100 else 1


if __name__ == "__main__":
    sys.exit(main())
